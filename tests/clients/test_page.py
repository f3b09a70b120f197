"""The examples of docs/libraries.md run as they stand there, each section by itself."""

import pytest
import ray

from tests.clients.conftest import BY_ITSELF
from tests.clients.page import TITLES, run_section


@pytest.fixture(autouse=True)
def _no_cluster_is_left():
    """The example starts one by itself, and the tests of RLlib one of their own."""
    yield
    ray.shutdown()


@pytest.mark.parametrize("title", [title for title in TITLES if title.lower() != BY_ITSELF])
def test_the_example_runs(title):
    names = run_section(title)
    if title.startswith("Gymnasium"):
        assert len(names["lengths"]) > 8
