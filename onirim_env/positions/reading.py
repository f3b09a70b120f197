"""From a position to the engine's record, with every check."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.actions import action_table
from onirim_env.engine.batch import mask_games
from onirim_env.errors import PositionError
from onirim_env.positions import checks
from onirim_env.positions.fields import plain_position, read_rules
from onirim_env.positions.records import build
from onirim_env.positions.words import Described, describe
from onirim_env.rules import RuleSet


def read_position(position: Any, seed: np.uint64) -> tuple[np.ndarray, RuleSet]:
    """Return the state of a position, and its rules.

    Parameters
    ----------
    position
        As for :func:`~onirim_env.positions.fields.plain_position`.
    seed
        Seed of the random numbers from here on.

    Returns
    -------
    state : numpy.ndarray
        One record of the dtype of the rules (``engine/records.py``), shape (1,).
    rules : RuleSet

    Raises
    ------
    PositionError
        For a position that cannot be; the message names the field and the card.
    """
    position = plain_position(position)
    rules = read_rules(position.get("rules"))
    described = describe(position, rules)
    if not rules.expansions:
        checks.check_described(described)
        state = build(described, seed)
    else:
        from onirim_env.positions import expansion_checks  # it loads the rules of expansions

        expansion_checks.check_described(described)
        state = build(described, seed)
        expansion_checks.check_question(state, described.phase)
    _check_choice(state, described)
    return state, rules


def _check_choice(state: np.ndarray, described: Described) -> None:
    """Refuse a game that goes on, but in which nothing can be done."""
    table = action_table(described.rules)
    masks = np.empty((1, len(table)), dtype=np.int8)
    mask_games(state, table.ids, masks)
    if not masks.any():
        raise PositionError(f"phase: {described.phase} with these cards leaves no action")
