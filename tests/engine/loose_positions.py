"""Positions that no game comes to, for tests that look at one thing alone."""

from unittest import mock

from onirim_env import Game

CHECKS = (
    "check_fields",
    "check_expansion_position",
    "check_question",
    "check_sizes",
    "check_phase",
    "_check_choice",
)


def loose_game(position, seed=0, *, talk="open"):
    """Return the game at a position of which only kinds of fields and numbers of cards are checked."""
    nothing = {name: lambda *given, **named: None for name in CHECKS}
    with mock.patch.multiple("onirim_env.position", **nothing):
        return Game.from_position(position, seed, talk=talk)
