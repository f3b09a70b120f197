"""The table of measured speeds."""

from __future__ import annotations

import importlib.util
import platform
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

import gymnasium as gym

from onirim_env.bench import measure
from onirim_env.bench.idle import IdleVectorEnv

VECTOR_SIZES = (1, 64, 1024, 8192)
VEC_ENV_SIZES = (64, 256, 1024)
THREAD_SIZES = (64, 1024, 2048, 8192, 65536)


class Case(NamedTuple):
    """One row of the table: what is timed, and the rows that it is compared with."""

    name: str
    what: str
    make: Callable[[], Callable[[int], int]]
    compared_with: tuple[str, ...] = ()


def _make_vec(env_id: str, num_envs: int, **options: Any) -> Any:
    return gym.make_vec(env_id, num_envs=num_envs, vectorization_mode="vector_entry_point", **options)


def _vector(make: Callable[[], Any], masked: bool) -> Callable[[int], int]:
    return measure.vector_loop(make(), masked)


def _vec_env(make: Callable[[], Any]) -> Callable[[int], int]:
    return measure.vec_env_loop(make())


def _idle() -> gym.Env[Any, Any]:
    if "OnirimIdle-v0" not in gym.registry:
        gym.register("OnirimIdle-v0", entry_point="onirim_env.bench.idle:IdleEnv")
    return gym.make("OnirimIdle-v0")


def cases() -> Iterator[Case]:
    """Yield every row, those that others are compared with first."""
    single, cartpole = "gym.make, one game", "CartPole-v1"
    yield Case(
        cartpole, "gym.make, actions drawn before", lambda: measure.single_loop(gym.make(cartpole), False)
    )
    yield Case(
        "idle",
        "gym.make of a do-nothing environment, masked pick",
        lambda: measure.single_loop(_idle(), True),
    )
    yield Case(
        single,
        "gym.make('Onirim-v0'), masked pick",
        lambda: measure.single_loop(gym.make("Onirim-v0"), True),
        (cartpole, "idle"),
    )
    for size in VECTOR_SIZES:
        base, idle = f"CartPole-v1 x {size}", f"idle x {size}"
        yield Case(
            base,
            "make_vec, the same actions again",
            partial(_vector, partial(_make_vec, cartpole, size), False),
        )
        yield Case(
            idle,
            "do-nothing vector environment, masked picks",
            partial(_vector, partial(IdleVectorEnv, size), True),
        )
        yield Case(
            f"make_vec x {size}",
            "observations, masks, masked picks",
            partial(_vector, partial(_make_vec, "Onirim-v0", size), True),
            (base, idle),
        )
    yield Case(
        "co-op make_vec x 1024",
        "make_vec('OnirimCoop-v0'), masked picks",
        partial(_vector, partial(_make_vec, "OnirimCoop-v0", 1024), True),
        ("make_vec x 1024",),
    )
    yield Case(
        "engine x 1024",
        "random legal play inside the engine, masks",
        measure.engine_loop,
        ("CartPole-v1 x 1024",),
    )
    yield from _odin_cases()
    yield from _aec_cases()
    if importlib.util.find_spec("stable_baselines3") is not None:
        yield from _vec_env_cases()


def _aec_cases() -> Iterator[Case]:
    from onirim_env import odin_v0, onirim_coop_v0

    if importlib.util.find_spec("pygame") is not None:  # PettingZoo's classic games import it
        from pettingzoo.classic.tictactoe import tictactoe

        yield Case(
            "tictactoe raw_env",
            "PettingZoo's tictactoe_v3, masked pick",
            lambda: measure.aec_loop(tictactoe.raw_env()),
        )
        yield Case(
            "tictactoe env()", "the same in PettingZoo's wrappers", lambda: measure.aec_loop(tictactoe.env())
        )
    yield Case(
        "co-op raw_env",
        "AEC loop with last(), masked pick",
        lambda: measure.aec_loop(onirim_coop_v0.raw_env()),
        ("tictactoe raw_env",),
    )
    yield Case(
        "odin raw_env",
        "AEC loop with last(), masked pick",
        lambda: measure.aec_loop(odin_v0.raw_env()),
        ("tictactoe raw_env",),
    )
    yield Case(
        "co-op env()",
        "the same in PettingZoo's wrappers",
        lambda: measure.aec_loop(onirim_coop_v0.env()),
        ("tictactoe env()",),
    )


def _odin_cases() -> Iterator[Case]:
    for players in (2, 4):
        yield Case(
            f"odin {players} x 1024",
            f"make_vec('Odin-v0', players={players}), masked picks",
            partial(_vector, partial(_make_vec, "Odin-v0", 1024, players=players), True),
            ("make_vec x 1024",),
        )
    yield Case(
        "odin engine x 1024",
        "random legal play inside the engine, masks",
        measure.odin_engine_loop,
        ("engine x 1024",),
    )


def _vec_env_cases() -> Iterator[Case]:
    from stable_baselines3.common.vec_env import DummyVecEnv

    from onirim_env.sb3 import OnirimVecEnv

    def dummy(size: int) -> Any:
        return DummyVecEnv([lambda: gym.make("Onirim-v0") for _ in range(size)])

    for size in VEC_ENV_SIZES:
        base = f"DummyVecEnv x {size}"
        if size == VEC_ENV_SIZES[0]:
            yield Case(
                base,
                "SB3's own over gym.make('Onirim-v0')",
                partial(_vec_env, partial(dummy, size)),
            )
        yield Case(
            f"OnirimVecEnv x {size}", "stable-baselines3, masks, masked picks",
            partial(_vec_env, partial(OnirimVecEnv, size)), (f"DummyVecEnv x {VEC_ENV_SIZES[0]}",),
        )  # fmt: skip


def _thread_cases(threads: int) -> Iterator[tuple[str, Callable[[int], Callable[[int], int]]]]:
    yield f"{threads} engines that share nothing", measure.engines_loop  # what the cores can give

    def make(size: int, number: int) -> Callable[[int], int]:
        return measure.vector_loop(_make_vec("Onirim-v0", size, threads=number), True, threads=number)

    for size in THREAD_SIZES:
        yield f"make_vec x {size}, {threads} threads", partial(make, size)


def run_threads(threads: int, seconds: float, repeats: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Measure ``make_vec`` with several threads against one, in turns and by wall time; return the report.

    Engines that share nothing come first: what the cores can give at most.

    Parameters
    ----------
    threads
        How many.
    seconds, repeats
        Wall time of one measurement, and how many give the median.
    tell
        Called with each line of the table as soon as it is known.
    """
    rows: dict[str, dict[str, Any]] = {}
    for name, make in _thread_cases(threads):
        one, several = measure.rates_in_turn([make(1), make(threads)], seconds, repeats)
        rows[name] = {"per_second": several, "ratios": {"1 thread": several / one}}
        tell(f"{name:<32} {several:>14,.0f} /s   {several / one:.2f} x 1 thread")
    return {"threads": threads, "rows": rows}


def run(seconds: float, repeats: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """Measure every case and return the report.

    Parameters
    ----------
    seconds, repeats
        CPU time of one measurement, and how many give the median.
    tell
        Called with each line of the table as soon as it is known.
    """
    from onirim_env.engine.state import STATE

    measure.pin_to_one_core()
    rows: dict[str, dict[str, Any]] = {}
    for case in cases():
        rate = measure.rate(case.make(), seconds, repeats)
        ratios = {name: rate / rows[name]["per_second"] for name in case.compared_with if name in rows}
        rows[case.name] = {"what": case.what, "per_second": rate, "ratios": ratios}
        shown = ", ".join(f"{ratio:.2f} x {name}" for name, ratio in ratios.items())
        tell(f"{case.name:<22} {rate:>14,.0f} /s  {1e6 / rate:>9.3f} us   {shown or case.what}")
    warm, cold = measure.startup(cold=False), measure.startup(cold=True)
    start = {"import": warm[0], "first_step_cached": warm[1], "first_step_cold": cold[1]}
    tell(
        f"import {start['import']:.2f} s, first step {start['first_step_cached']:.2f} s from the cache, "
        f"{start['first_step_cold']:.1f} s cold; {STATE.itemsize} bytes a game"
    )
    return {
        "rows": rows,
        "startup_seconds": start,
        "bytes_per_game": STATE.itemsize,
        "versions": {name: version(name) for name in ("gymnasium", "numpy", "numba")},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
