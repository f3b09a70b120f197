"""For the tests against other libraries: under `make test-clients` all of them must be there."""

import os
from importlib.util import find_spec

import pytest

LIBRARIES = ("ray", "supersuit", "tianshou", "torchrl")
MISSING = [name for name in LIBRARIES if find_spec(name) is None]

if MISSING and os.environ.get("ONIRIM_REQUIRE_CLIENTS"):
    raise RuntimeError(f"missing: {', '.join(MISSING)}; requirements-clients.txt has their versions")


def pytest_ignore_collect(collection_path):
    """Leave the tests of libraries out where those are not: one test says so."""
    if MISSING and collection_path.name.startswith("test_") and collection_path.name != "test_installed.py":
        return True
    return None


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
