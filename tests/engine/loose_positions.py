"""Positions that no game comes to, for tests that look at one thing alone."""

from contextlib import ExitStack
from unittest import mock

from onirim_env import Game

CHECKS = (
    "checks.check_described",
    "expansion_checks.check_described",
    "expansion_checks.check_question",
    "reading._check_choice",
)


def loose_game(position, seed=0, *, talk="open"):
    """Return the game at a position of which only kinds of fields and numbers of cards are checked."""
    with ExitStack() as patches:
        for name in CHECKS:
            patches.enter_context(mock.patch(f"onirim_env.positions.{name}", lambda *given: None))
        return Game.from_position(position, seed, talk=talk)
