"""Says once where the libraries of this folder are missing."""

import pytest

from tests.clients.conftest import MISSING


def test_the_libraries_are_there():
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}; `make test-clients` tests with them")
