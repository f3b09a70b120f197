"""Compiled code and where it is kept."""

import os

import pytest

from onirim_env import Game
from onirim_env.compiling.second_compiler import ALONE
from tests.long import long_after

SIGNATURES = """
def signatures():
    from onirim_env.compiling import sampling
    from onirim_env.engine import batch
    kernels = {
        name: value
        for module in (batch, sampling)
        for name, value in vars(module).items()
        if hasattr(value, "signatures") and value.__module__ == module.__name__
    }
    return {name: len(kernel.signatures) for name, kernel in kernels.items() if kernel.signatures}
"""
"""Code for a fresh interpreter: how many versions of each kernel are compiled."""

STATS = """
from onirim_env.compiling import sampling
from onirim_env.engine import batch
stats = [kernel.stats for kernel in (batch.deal_games, sampling.pick_actions)]
hits, misses = zip(*((len(one.cache_hits), len(one.cache_misses)) for one in stats))
print(sum(hits), sum(misses))
"""

DEAL = """
import numpy as np
from onirim_env import Game, MaskedSampler
print(hash(Game(seed=5)._states.tobytes()), *MaskedSampler(seed=1)(np.ones((5, 70), dtype=np.int8)))
"""

PICK = """
import numpy as np
from onirim_env import MaskedSampler
from onirim_env.compiling.sampling import pick_action
MaskedSampler(seed=1)(np.ones(70, dtype=np.int8))
print(len(pick_action.stats.cache_hits), len(pick_action.stats.cache_misses))
"""

PLAY = """
import gymnasium as gym
from onirim_env import MaskedSampler
env = gym.make("onirim_env:Onirim-v0")
info = env.reset(seed=5)[1]
sampler = MaskedSampler(seed=0)
for _ in range(20):
    info = env.step(sampler(info["action_mask"]))[-1]
print(*env.unwrapped.game.record()["actions"], sep=", ")
"""


def make_unwritable(folder):
    """Let no file be written beside the modules, whoever runs the tests: a file stands in the way."""
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            (path / "__pycache__").touch()
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def nowhere_to_write():
    return {"PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": os.devnull, "NUMBA_CACHE_DIR": ""}


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="numba looks for its folder elsewhere")
def test_a_read_only_installation_without_a_home_plays(python, package_copy):
    """No "no locator available", and one line in the log that says what to do."""
    make_unwritable(package_copy / "onirim_env")
    variables = {**nowhere_to_write(), "NUMBA_OPT": "0"}
    printed, logged = python(PLAY, packages=package_copy, without=["HOME"], **variables)
    game = Game(seed=5)
    for text in printed.split(", "):
        game.apply(text)
    assert game.turns > 3
    assert logged.count("no folder for compiled code can be written") == 1
    assert "NUMBA_CACHE_DIR" in logged
    assert len(logged.splitlines()) == 1


def test_of_cold_processes_that_start_at_once_one_compiles_each_kernel(python, package_copy, tmp_path):
    """The others wait and read, and so does the next one."""
    make_unwritable(package_copy / "onirim_env")
    options = {"packages": package_copy, **nowhere_to_write(), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    processes = [python.start(DEAL + STATS, PYTHONHASHSEED="0", **options) for _ in range(4)]
    printed = [python.finish(process)[0].splitlines() for process in processes]
    assert len({lines[0] for lines in printed}) == 1
    hits, misses = zip(*(map(int, lines[1].split()) for lines in printed))
    assert (sum(hits), sum(misses)) == (6, 2)
    assert list((tmp_path / "cache").rglob("*.nbi"))
    lines = python(DEAL + STATS, PYTHONHASHSEED="0", **options)[0].splitlines()
    assert lines == [printed[0][0], "2 0"]


HOLD = """
import time
from onirim_env.compiling.sampling import pick_action
from onirim_env.files import locked
with locked(pick_action._cache._lock):
    print("locked", flush=True)
    time.sleep(600)
"""


def test_a_process_that_dies_while_it_compiles_leaves_it_to_those_that_wait(python, package_copy, tmp_path):
    options = {"packages": package_copy, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    holder = python.start(HOLD, **options)
    assert holder.stdout.readline() == "locked\n"
    waiting = python.start(PICK, **options)
    assert "another process does it" in waiting.stderr.readline()
    holder.kill()
    assert python.finish(waiting)[0].splitlines()[-1] == "0 1"
    holder.communicate()


@pytest.mark.long
def test_where_no_lock_can_be_had_each_process_compiles_for_itself(python, package_copy, tmp_path):
    options = {"packages": package_copy, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    python(
        "from onirim_env.compiling.sampling import pick_action; pick_action._cache._lock.mkdir()", **options
    )
    assert python(PICK, **options)[0] == "0 1"
    assert python(PICK, **options)[0] == "1 0"


@pytest.mark.long
def test_a_change_of_any_file_below_makes_compiled_code_stale(python, package_copy, tmp_path):
    """A kernel is compiled anew when a file changes that it stands not in."""
    options = {"packages": package_copy, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert python(PICK, **options)[0] == "0 1"
    assert python(PICK, **options)[0] == "1 0"
    changed = package_copy / "onirim_env" / "compiling" / "bits.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert python(PICK, **options)[0] == "0 1"
    assert python(PICK, **options)[0] == "1 0"


NOTICE = (
    "onirim_env: compiling the engine: some ten seconds, once (python -m onirim_env warmup does it ahead) ..."
)


def test_whoever_waits_for_the_compiler_is_told_so_once(python, package_copy, tmp_path):
    options = {"packages": package_copy, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert python(DEAL, **options)[1].splitlines() == [NOTICE]
    assert python(DEAL, **options)[1] == ""


def test_games_with_expansions_have_a_notice_of_their_own(capsys):
    import numba
    import numpy as np

    from onirim_env.compiling import code_cache
    from onirim_env.engine.expansions.state import FULL_STATE
    from onirim_env.engine.state import STATE

    flags = numba.typeof(np.zeros(1, dtype=np.bool_))
    assert [code_cache._is_full((numba.typeof(np.zeros(1, one)), flags)) for one in (STATE, FULL_STATE)] == [
        False,
        True,
    ]
    code_cache._told.clear()
    for _ in range(2):
        code_cache._announce("expansions")
    assert capsys.readouterr().err.count("warmup --expansions does it ahead") == 1


NAMES = """
import numba, numpy as np
from numba.core.itanium_mangler import mangle
from onirim_env.compiling import compile
from onirim_env.engine.expansions.state import FULL_STATE
from onirim_env.engine.state import STATE
for record in {order}:
    print(mangle("rule", [numba.typeof(np.zeros(1, dtype=record)[0])]))
"""


def test_compiled_rules_are_named_by_the_layout_of_records_in_every_process(python):
    """By the order in which records came, rules of games with and without expansions could have one name."""
    first = python(NAMES.format(order="(STATE, FULL_STATE)"))[0].splitlines()
    second = python(NAMES.format(order="(FULL_STATE, STATE)"))[0].splitlines()
    assert first == second[::-1]
    assert len(set(first)) == 2


def test_the_stamp_of_the_cache_depends_on_every_source_of_compiled_code(python, package_copy):
    """Also on files that come or change their name, and not on the environments around the engine."""
    package = package_copy / "onirim_env"
    code = f"""
from pathlib import Path
from onirim_env.compiling import code_cache
package = Path({str(package)!r})

def digest():
    code_cache._folder_digest.cache_clear()
    return code_cache.source_digest()

def digest_after_a_change_of(source):
    text = source.read_bytes()
    source.write_bytes(text + b"# more")
    changed = digest()
    source.write_bytes(text)
    return changed

first = digest()
assert first == digest()
sources = code_cache.stamped_sources(package / "engine" / "batch.py")
assert {{"batch.py", "cards.py", "actions.py", "towers.py"}} <= {{source.name for source in sources}}
for source in sources:
    assert digest_after_a_change_of(source) != first, source
assert digest_after_a_change_of(package / "env.py") == first
new = package / "engine" / "expansion.py"
new.write_text("")
added = digest()
assert added != first
new.rename(new.with_name("renamed.py"))
assert digest() not in (first, added)
"""
    assert python(code, packages=package_copy)[0] == ""


def test_after_warming_up_nothing_is_left_to_compile(python):
    """``warm_up()`` covers games, environments, illegal actions, autoreset and samplers."""
    code = f"""
import numpy as np
import onirim_env
from onirim_env import Game, MaskedSampler, RuleSet, warm_up
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
{SIGNATURES}
warm_up()
before = signatures()
assert len(before) >= 10, before
sampler = MaskedSampler(seed=0)
for options in ({{}}, {{"players": 2, "talk": "closed", "illegal_action": "raise", "reward": "score"}}):
    env = OnirimEnv(render_mode="ansi", **options)
    info = env.reset(seed=0)[1]
    for _ in range(5):
        info = env.step(sampler(info["action_mask"]))[-1]
        env.render()
    env.step(np.int32(info["action_mask"].argmax()))
    env.action_masks()
    for mode in ("NextStep", "SameStep", "Disabled"):
        vector = OnirimVectorEnv(3, autoreset_mode=mode, max_episode_steps=4, **options)
        infos = vector.reset(seed=0)[1]
        for _ in range(4):
            infos = vector.step(sampler(infos["action_mask"]))[-1]
        vector.reset(options={{"reset_mask": np.array([True, False, True])}})
    vector = OnirimVectorEnv(1, **options)
    infos = vector.reset(seed=0)[1]
    for kind in (np.int8, np.int32, np.uint64):
        infos = vector.step(sampler(infos["action_mask"]).astype(kind))[-1]
    infos = vector.step(sampler(infos["action_mask"]).tolist())[-1]
game = Game(RuleSet(), seed=0)
other = game.copy()
other.determinize(0, seed=1)
other.reseed(1)
Game.from_position(game.position()).apply(game.legal_texts()[0])
assert signatures() == before, (before, signatures())
"""
    assert python(code)[0] == ""


def test_after_warming_up_with_expansions_nothing_is_left_to_compile_for_any_of_them(python):
    code = f"""
from onirim_env import Game, MaskedSampler, RuleSet, warm_up
from onirim_env.vector import OnirimVectorEnv
{SIGNATURES}
warm_up(expansions=True)
before = signatures()
sampler = MaskedSampler(seed=0)
for options in ({{}}, {{"players": 2, "talk": "closed", "layout": "full"}}):
    vector = OnirimVectorEnv(3, expansions=["towers"], hard=["towers"], **options)
    infos = vector.reset(seed=0)[1]
    for _ in range(4):
        infos = vector.step(sampler(infos["action_mask"]))[-1]
game = Game(RuleSet(expansions=["oniverse"]), seed=0)
game.copy().determinize(0, seed=1)
Game.from_position(game.position()).apply(game.legal_texts()[0])
assert signatures() == before, (before, signatures())
"""
    assert python(code)[0] == ""


@pytest.mark.parametrize("way", ["copy.deepcopy(env)", "pickle.loads(pickle.dumps(env))"])
def test_a_copied_environment_uses_the_compiled_code(python, way):
    """A copy whose arrays were of another type would cost a second compilation."""
    code = f"""
import copy, pickle
from onirim_env import MaskedSampler, warm_up
from onirim_env.env import OnirimEnv
{SIGNATURES}
warm_up()
before = signatures()
env = OnirimEnv()
info = env.reset(seed=0)[1]
env = {way}
env.step(MaskedSampler(seed=0)(info["action_mask"]))
env.reset()
assert signatures() == before, (before, signatures())
"""
    assert python(code)[0] == ""


def test_read_only_actions_use_the_compiled_code(python):
    """Arrays that other libraries hand out, as JAX does, cannot be written."""
    code = f"""
from onirim_env import MaskedSampler, warm_up
from onirim_env.vector import OnirimVectorEnv
{SIGNATURES}
warm_up()
before = signatures()
env = OnirimVectorEnv(4)
actions = MaskedSampler(seed=0)(env.reset(seed=0)[1]["action_mask"])
actions.flags.writeable = False
env.step(actions)
assert signatures() == before, (before, signatures())
"""
    assert python(code)[0] == ""


@pytest.mark.long
def test_code_cached_for_types_that_are_gone_is_compiled_anew(python, tmp_path):
    """Arguments of a kernel may be of a class that the next version has in another file."""
    (tmp_path / "old_place.py").write_text(
        "from typing import NamedTuple\nclass Pair(NamedTuple):\n    one: int\n"
    )
    (tmp_path / "kernels.py").write_text(
        "from onirim_env.compiling.compile import kernel\n@kernel\ndef first(pair):\n    return pair.one\n"
    )
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from {{place}} import Pair
from kernels import first
print(first(Pair(7)))
"""
    assert python(code.format(place="old_place"))[0] == "7"
    (tmp_path / "old_place.py").rename(tmp_path / "new_place.py")
    assert python(code.format(place="new_place"))[0] == "7"


COMPILE_BESIDE = """
import time
import onirim_env
from onirim_env.compiling import second_compiler
from onirim_env.engine.step import apply
second_compiler._cores = lambda: {cores}
started = []
popen = second_compiler.subprocess.Popen
def start(*arguments, **named):
    started.append(popen(*arguments, **named))
    return started[-1]
second_compiler.subprocess.Popen = start
game = onirim_env.Game(seed=1)
for process in started:
    process.returncode = None
    process.wait()
game.apply(game.legal_texts()[0])
print(len(started), apply.dispatcher.stats.cache_hits.total(), apply.dispatcher.stats.cache_misses.total())
"""
"""Deal, wait for the second process if there is one, decide; say who compiled the decision."""


@pytest.mark.parametrize(
    ("cores", "alone", "printed"),
    long_after(1, [(2, "", "1 1 0"), (2, "1", "0 0 1"), (1, "", "0 0 1")]),
)
def test_where_there_are_cores_a_second_process_compiles_decisions(
    python, package_copy, tmp_path, cores, alone, printed
):
    options = {"packages": package_copy, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), ALONE: alone}
    code = COMPILE_BESIDE.format(cores=cores)
    assert python(code, **options)[0] == printed


BORDERS = """
from onirim_env.compiling.compile import border, kernel

@border
def double(n):
    return 2 * n

@border
def quadruple(n):
    return double(double(n))

@kernel
def eightfold(n):
    return double(quadruple(n))
"""
"""A kernel that calls a border of its own and one through another."""

EIGHTFOLD = """
import sys
sys.path.insert(0, {folder!r})
from borders import double, eightfold, quadruple
print(eightfold(3), eightfold(0.5), *(one.stats.cache_hits.total() for one in {functions}))
"""


def test_borders_are_loaded_with_the_kernels_that_call_them(python, tmp_path):
    (tmp_path / "borders.py").write_text(BORDERS)
    functions = "(eightfold, double.dispatcher, quadruple.dispatcher)"
    code = EIGHTFOLD.format(folder=str(tmp_path), functions=functions)
    assert python(code)[0] == "24 4.0 0 0 0"
    assert python(code)[0] == "24 4.0 2 2 2"


def test_a_border_whose_code_is_gone_is_compiled_anew(python, tmp_path):
    """Code of its callers on disk would find nothing by its name."""
    (tmp_path / "borders.py").write_text(BORDERS)
    code = EIGHTFOLD.format(folder=str(tmp_path), functions="(eightfold,)")
    assert python(code)[0] == "24 4.0 0"
    gone = list(tmp_path.rglob("borders.double*"))
    assert gone
    for path in gone:
        path.unlink()
    assert python(code)[0] == "24 4.0 2"
