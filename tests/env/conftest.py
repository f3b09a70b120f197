import pytest

VARIANTS = {
    "solo": {},
    "doors": {"reward": "doors"},
    "score": {"reward": "score"},
    "permutation": {"prophecy_actions": "permutation"},
    "choices": {"prophecy_discard": "optional", "series_search": "choice"},
    "open co-op": {"players": 2},
    "closed co-op": {"players": 2, "talk": "closed", "prophecy_actions": "permutation"},
}
"""Arguments of environments that between them use every reward, phase and kind of action."""


@pytest.fixture(params=VARIANTS.values(), ids=VARIANTS)
def options(request):
    return dict(request.param)


@pytest.fixture(params=[name for name in VARIANTS if name not in ("doors", "score")])
def rule_options(request):
    """Those of the variants that differ in their rules."""
    return dict(VARIANTS[request.param])
