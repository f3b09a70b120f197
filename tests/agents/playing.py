"""Loading agents for tests that run over all of them."""

from __future__ import annotations

import pytest

from agents.base import Misfit
from agents.registry import load_agent


def load_or_skip(name, **options):
    """Load an agent; skip the test where it plays other rules."""
    try:
        return load_agent(name, **options)
    except Misfit as misfit:
        pytest.skip(str(misfit).split(" with ")[0])
