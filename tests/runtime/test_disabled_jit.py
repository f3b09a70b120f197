"""Who switches numba off for functions of their own still plays."""

import pytest

CODE = """
import gymnasium as gym
import numba
import onirim_env

@numba.njit
def own(x):
    return x + 1

env = gym.make("Onirim-v0")
observation, info = env.reset(seed=0)
sampler = onirim_env.MaskedSampler(seed=0)
for _ in range(20):
    observation, _, _, _, info = env.step(sampler(info["action_mask"]))

@numba.njit
def later(x):
    return x + 1

print(type(own).__name__, type(later).__name__, observation.sum())
"""


@pytest.mark.long
def test_the_engine_is_compiled_although_numba_is_switched_off(python, tmp_path):
    """Compiled anew, for code in a cache would hide what cannot be compiled then."""
    usual = python(CODE)[0].split()
    cache = str(tmp_path / "cache")
    disabled = python(CODE, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=cache)[0].split()
    assert usual[:2] == ["CPUDispatcher", "CPUDispatcher"]
    assert disabled[:2] == ["function", "function"]
    assert usual[2] == disabled[2]
