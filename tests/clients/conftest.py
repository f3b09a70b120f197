"""For the tests against other libraries: under `make test-clients` all of them must be there."""

import os
from importlib.util import find_spec

import pytest

LIBRARIES = ("ray", "supersuit", "tianshou", "torchrl")
BY_ITSELF = "agilerl"
"""A library that cannot stand beside the others, and so is tested in another environment."""
MISSING = [name for name in LIBRARIES if find_spec(name) is None]
MISSING_BY_ITSELF = [BY_ITSELF] if find_spec(BY_ITSELF) is None else []

_REQUIRED = {"1": (MISSING, "clients"), BY_ITSELF: (MISSING_BY_ITSELF, BY_ITSELF)}
_missing, _file = _REQUIRED.get(os.environ.get("ONIRIM_REQUIRE_CLIENTS", ""), ([], ""))
if _missing:
    raise RuntimeError(f"missing: {', '.join(_missing)}; requirements-{_file}.txt has their versions")


def pytest_ignore_collect(collection_path):
    """Leave the tests of libraries out where those are not: one test says so."""
    name = collection_path.name
    if not name.startswith("test_") or name == "test_installed.py":
        return None
    missing = MISSING_BY_ITSELF if name == f"test_{BY_ITSELF}.py" else MISSING
    return True if missing else None


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
