# ruff: noqa: E501  (the list of rooms has one line each)
"""The rooms of the house, from the top down: a file may import its own room, and those below."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.house.imports import HOUSE


class Room(NamedTuple):
    """A room.

    Attributes
    ----------
    name
        What it is called.
    files
        Patterns of its files. A file that fits those of several rooms is of the one with the longest pattern.
    meaning
        What a newcomer finds there.
    """

    name: str
    files: tuple[str, ...]
    meaning: str


def _of(folder: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.py" for name in names)


ROOMS: tuple[Room, ...] = (
    Room(
        "agents/: commands", _of("agents", "__main__", "search_train", "tune"),
        "`python -m agents`, and what trains the value networks and weights of agents",
    ),
    Room("train/", ("train/**",), "training, its commands and configurations; used from a clone, not installed"),
    Room("agents/show/", ("agents/show/**",), "agents at play for people: watching, playing with one, pages"),
    Room(
        "agents/odin/", ("agents/odin/**",),
        "agents of Odin, what they run compiled, and how well they play",
    ),
    Room(
        "agents/measure/", ("agents/measure/**",),
        "how well agents play: evaluation, comparison, leaderboard, budgets, counts of what happens",
    ),
    Room(
        "agents/", ("agents/*.py",),
        "the agents, one file each, with `_template.py`; what an agent is (`base.py`) and how it is found "
        "(`registry.py`); `models/`",
    ),
    Room(
        "agents/compiled/", ("agents/compiled/**",),
        "what agents run compiled: the policy of `rules`, searches, networks; nothing else that kernels need",
    ),
    Room(
        "agents/workers/", ("agents/workers/**",),
        "tasks spread over processes or a Ray cluster (`run_tasks`); `--workers` and `--ray`",
    ),
    Room("agents/arrays/", ("agents/arrays/**",), "files of arrays, read without running anything"),
    Room(
        "onirim_env/: commands", ("onirim_env/__main__.py", "onirim_env/bench/**"),
        "`python -m onirim_env`, benchmarks",
    ),
    Room("onirim_env/replay/", ("onirim_env/replay/**",), "a page that replays a game"),
    Room(
        "onirim_env/play/", ("onirim_env/play/**",),
        "playing in the terminal and in a window: the session, its words, what is asked",
    ),
    Room(
        "onirim_env/: environments",
        _of("onirim_env", "env", "vector", "coop", "coop_parallel", "onirim_coop_v0", "odin_v0", "sb3", "warmup", "wrappers"),
        "the public environments: docstrings, arguments, defaults; the shells do the work; compiling ahead (`warm_up`)",
    ),
    Room(
        "onirim_env/odin/", ("onirim_env/odin/**",),
        "another game, Odin, with the same rooms: tables, `engine/`, positions, game, batch; knows nothing of "
        "Onirim",
    ),
    Room(
        "onirim_env/: games", _of("onirim_env", "batch", "mixed", "game", "partner_action", "refusals", "sampling"),
        "many games over the engine (`GameBatch`), one game as an object (`Game`), why an action is not legal",
    ),
    Room(
        "onirim_env/render/", ("onirim_env/render/**",),
        "texts and images of a game: `places.py` and `layout.py` say where everything stands, `cards.py` how a "
        "card looks, `zones.py` what lies on the table",
    ),
    Room(
        "onirim_env/positions/", ("onirim_env/positions/**",),
        "positions and records as JSON, a street: `fields.py`, `words.py`, `checks.py`, `records.py`",
    ),
    Room(
        "onirim_env/engine/records.py", ("onirim_env/engine/records.py",),
        "which record holds a game: the door by which the rules of expansions come in",
    ),
    Room(
        "onirim_env/engine/expansions/", ("onirim_env/engine/expansions/**",),
        "the rules of expansions; `points.py` says which of them takes the place of which base rule",
    ),
    Room(
        "onirim_env/engine/", ("onirim_env/engine/**",),
        "the rules, each in one place, citing its number; compiled with numba. No rule stands anywhere else",
    ),
    Room(
        "onirim_env/: tables", _of("onirim_env", "actions", "game_length", "observation", "rewards", "spaces"),
        "one table each of actions and of observations, expansions included; spaces, rewards, how long a game can be",
    ),
    Room(
        "onirim_env/expansions/", ("onirim_env/expansions/**",),
        "an expansion's cards, actions, fields, JSON, checks, zones and words, a file each; `form.py` has the form",
    ),
    Room(
        "onirim_env/: keywords", _of("onirim_env", "keywords", "option_text"),
        "keywords of environments, options on a command line",
    ),
    Room(
        "onirim_env/: ground", _of("onirim_env", "rules", "cards"),
        "every option and expansion by name, every number of the cards",
    ),
    Room(
        "onirim_env/shells/", ("onirim_env/shells/**",),
        "what games share: environments over any batch (single, vector, turns, stable-baselines3), seats, options, "
        "a game as an object; no game is known here",
    ),
    Room(
        "onirim_env/compiling/", ("onirim_env/compiling/**",),
        "what compiles rules of any game, and keeps machine code on disk; random numbers and bits that rules use",
    ),
    Room(
        "onirim_env/: beneath",
        _of("onirim_env", "errors", "games", "files", "json_kinds", "command", "buffers", "one_thread", "row_threads", "seeding", "text_table"),
        "the registry of games; errors and how they quote what was given; files written whole or not at all, kinds of JSON fields; the frame of "
        "every command (`run_command`); threads; seeds; tables of text",
    ),
)  # fmt: skip
"""The one list of rooms; CONTRIBUTING shows it."""

FACES = frozenset((HOUSE / "onirim_env" / "__init__.py", HOUSE / "agents" / "__init__.py"))
"""They hand names on, of any room, and belong to none."""


def room_of(file: Path) -> int | None:
    """Return the number of the room of a file, from the top; None for none."""
    path = file.relative_to(HOUSE)
    fitting = [
        (len(pattern), number)
        for number, room in enumerate(ROOMS)
        for pattern in room.files
        if path.match(pattern)
        or (pattern.endswith("/**") and pattern[:-3] in map(str, map(Path.as_posix, path.parents)))
    ]
    return max(fitting)[1] if fitting else None
