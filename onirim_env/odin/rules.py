"""RuleSet of Odin: the number of players and the options, checked and hashable."""

from __future__ import annotations

from onirim_env.odin.cards import MAX_PLAYERS
from onirim_env.shells.options import Option, Options

OPTIONS = (
    Option("players", "OD-2", tuple(range(2, MAX_PLAYERS + 1)), "number of players"),
    Option("limit", "OD-O1", (15, 10, 20), "points that end the game"),
    Option("episode", "OD-O2", ("game", "hand"), "until the limit, or one hand, whose result is its own"),
    Option("first_leader", "OD-O3", ("random", "player_0"), "who leads the first hand"),
    Option(
        "all_out", "OD-O4", ("optional", "forced"),
        "whether a leader whose whole hand is one set may or must lay all of it",
    ),
    Option("goat", "OD-O5", (False, True), "the variant with the goat, a 55th card with the number 0"),
    Option(
        "play_actions", "OD-O6", ("sequential", "whole"),
        "whether a play is built card by card or is one action (no rule of the game)",
    ),
)  # fmt: skip
"""The one table of options."""


class RuleSet(Options):
    """The rules that a game of Odin is played by.

    Rule sets are immutable, compare and hash by value, and pickle.

    Parameters
    ----------
    **options
        Any of the keywords of :data:`OPTIONS`; what is not given takes its default.

    Raises
    ------
    ValueError
        For an unknown keyword or value; the message lists what is allowed.

    Examples
    --------
    >>> RuleSet(players=4).limit
    15
    """

    OPTIONS = OPTIONS

    players: int
    limit: int
    episode: str
    first_leader: str
    all_out: str
    goat: bool
    play_actions: str

    @property
    def flags(self) -> int:
        """The rule set as the engine reads it: players, the limit above them, then a bit for each option."""
        changed = (
            self.episode == "hand", self.first_leader == "player_0", self.all_out == "forced", self.goat,
            self.play_actions == "whole",
        )  # fmt: skip
        return self.players | self.limit << 3 | sum(flag << 8 + bit for bit, flag in enumerate(changed))
