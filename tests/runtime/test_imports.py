"""What importing the package does, and what it does not do."""

import importlib
import sys

import gymnasium as gym
import pytest

import onirim_env

HEAVY = (
    "numba",
    "llvmlite",
    "torch",
    "pygame",
    "stable_baselines3",
    "sb3_contrib",
    "pettingzoo",
    "matplotlib",
)


def loaded_after(python, code):
    printed, _ = python(f"import sys\n{code}\nprint(*sys.modules)")
    return {name.split(".")[0] for name in printed.split()}, printed.split()


def test_importing_the_package_loads_nothing_heavy(python):
    """The graph of imports, after the import and after looking around."""
    for code in ("import onirim_env", "import onirim_env; dir(onirim_env); onirim_env.ActionTable().text(0)"):
        top, modules = loaded_after(python, code)
        assert top.isdisjoint(HEAVY), sorted(top & set(HEAVY))
        assert not [name for name in modules if name.startswith("onirim_env.engine")]


def test_making_an_environment_loads_numba_and_nothing_else_that_is_heavy(python):
    """No pygame without rendering, no torch without training."""
    top, _ = loaded_after(python, "import gymnasium, onirim_env; gymnasium.make('Onirim-v0').reset(seed=0)")
    assert top & set(HEAVY) == {"numba", "llvmlite"}


def test_names_that_need_numba_are_there_when_asked_for():
    assert set(onirim_env.__all__) <= set(dir(onirim_env))
    assert all(getattr(onirim_env, name) for name in onirim_env.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        onirim_env.nothing  # noqa: B018


def test_the_identifier_with_the_modules_name_needs_no_import(python):
    code = """
import gymnasium as gym
env = gym.make("onirim_env:Onirim-v0")
env.reset(seed=0)
vector = gym.make_vec("onirim_env:Onirim-v0", num_envs=2, vectorization_mode="vector_entry_point")
print(env.spec.id, type(vector).__name__)
"""
    assert python(code)[0] == "Onirim-v0 OnirimVectorEnv"


def test_importing_the_package_again_registers_nothing_twice(python):
    """Gymnasium would warn that it overrides an environment."""
    code = """
import importlib, sys, warnings
import onirim_env
import gymnasium as gym
spec = gym.spec("Onirim-v0")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    importlib.reload(onirim_env)
    for name in [name for name in sys.modules if name.split(".")[0] == "onirim_env"]:
        del sys.modules[name]
    import onirim_env
    gym.register_envs(onirim_env)
    gym.make("Onirim-v0")
assert gym.spec("Onirim-v0") is spec
"""
    assert python(code) == ("", "")


def test_the_registered_entry_points_are_texts_that_can_be_imported():
    """Callables would keep the specification out of JSON."""
    spec = gym.spec("Onirim-v0")
    for entry_point in (spec.entry_point, spec.vector_entry_point):
        assert isinstance(entry_point, str)
        module, name = entry_point.split(":")
        assert getattr(importlib.import_module(module), name)
    assert not spec.nondeterministic


@pytest.mark.parametrize("module", ["stable_baselines3", "pygame", "torch"])
def test_playing_needs_no_extra(python, module):
    """Environments and games work where the extras are not installed."""
    code = f"""
import sys
sys.modules[{module!r}] = None
import onirim_env
from onirim_env import Game, MaskedSampler
import gymnasium as gym
env = gym.make("Onirim-v0", render_mode="ansi")
_, info = env.reset(seed=0)
env.step(MaskedSampler(seed=0)(info["action_mask"]))
print(len(env.render()) > 100, Game(seed=0).over)
"""
    assert python(code)[0] == "True False"


def test_the_package_names_its_version():
    assert onirim_env.__version__.split(".")[0].isdigit()
    assert sys.version_info >= (3, 10)
