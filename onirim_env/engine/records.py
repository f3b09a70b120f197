"""Which record holds a game, and what it says of it: games with expansions need more room.

This is the door by which they come in: nothing else in the base engine imports ``engine/expansions``.
"""

from __future__ import annotations

import numpy as np

from onirim_env.engine.batch import write_results
from onirim_env.engine.state import PHASES, STATE
from onirim_env.observation import FULL_SIZE, columns, observation_size, widened
from onirim_env.rules import RuleSet


def state_dtype(rules: RuleSet) -> np.dtype:
    """Return the dtype of the records of games of a rule set."""
    if rules.expansions:
        import onirim_env.engine.expansions.points  # noqa: F401  (what replaces base rules in such games)
        from onirim_env.engine.expansions.state import FULL_STATE

        return FULL_STATE
    return STATE


def phase_names(rules: RuleSet) -> tuple[str, ...]:
    """Return the names of the phases by number."""
    if rules.expansions:
        from onirim_env.engine.expansions.state import ALL_PHASES

        return ALL_PHASES
    return PHASES


def written_size(rules: RuleSet) -> int:
    """Return how many entries the engine writes of an observation: :func:`shown` says which ones count."""
    return FULL_SIZE if rules.expansions else observation_size(rules)


def shown(written: np.ndarray, rules: RuleSet, tables: RuleSet, states: np.ndarray) -> np.ndarray:
    """Return what a layout shows of observations as the engine writes them.

    Parameters
    ----------
    written
        float32, shape (n, :func:`written_size`).
    rules
        The rules that are played.
    tables
        The rule set whose layout counts: ``rules``, or the same game with more expansions.
    states
        The games, shape (n,).
    """
    if not tables.expansions:
        return written
    if not rules.expansions:
        return widened(written, states, tables)
    entries: np.ndarray = written[:, columns(tables)]
    return entries


def game_results(states: np.ndarray, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Return how games stand: ``won`` (bool), ``doors``, ``cards_left``, ``turns`` (int64).

    ``cards_left`` counts the Locations in the deck: the turns that were left at most.

    Parameters
    ----------
    states
        The games, shape (n,).
    rows
        int64, shape (k,): which of them; all when not given.
    """
    if rows is None:
        rows = np.arange(len(states))
    results = {"won": np.empty(len(rows), dtype=np.bool_)}
    for name in ("doors", "cards_left", "turns"):
        results[name] = np.empty(len(rows), dtype=np.int64)
    write_results(states, rows, *results.values())
    return results
