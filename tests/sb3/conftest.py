import pytest

pytest.importorskip("stable_baselines3", reason="needs the extra 'train'")
pytest.importorskip("sb3_contrib", reason="needs the extra 'train'")

VARIANTS = {
    "solo": {},
    "doors": {"reward": "doors"},
    "score": {"reward": "score"},
    "permutation": {"prophecy_actions": "permutation"},
    "co-op": {"players": 2, "talk": "closed"},
}


@pytest.fixture(params=VARIANTS.values(), ids=VARIANTS)
def options(request):
    return dict(request.param)
