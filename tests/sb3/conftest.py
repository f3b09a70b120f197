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


@pytest.fixture(autouse=True)
def one_torch_thread():
    """Small networks: threads would wait for each other longer than they compute."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
