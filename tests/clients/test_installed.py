"""Says once where the libraries of this folder are missing."""

import pytest

from tests.clients.conftest import MISSING, MISSING_BY_ITSELF


@pytest.mark.parametrize("missing", [MISSING, MISSING_BY_ITSELF], ids=["clients", "agilerl"])
def test_the_libraries_are_there(missing):
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}; `make test-clients` tests with them")
