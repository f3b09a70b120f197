"""Evaluation protocols: fixed games by name, so that results of different agents can be compared.

Their seeds are held out: nobody trains or tunes on them, which is easy to keep to as long as
training takes small seeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from onirim_env.rules import RuleSet

STREAM_SIZE = 1_000_000_000
"""How many seeds lie between the first ones of two protocols."""


@dataclass(frozen=True)
class Protocol:
    """One protocol.

    Attributes
    ----------
    rules, talk
        What is played.
    first_seed
        Game i has the seed ``first_seed + i``.
    games
        How many games the protocol has.
    """

    rules: RuleSet
    talk: str
    first_seed: int
    games: int = 10_000


PROTOCOLS = {
    "solo-v1": Protocol(RuleSet(), "open", STREAM_SIZE),
    "coop-open-v1": Protocol(RuleSet(players=2), "open", 2 * STREAM_SIZE),
    "coop-closed-v1": Protocol(RuleSet(players=2), "closed", 3 * STREAM_SIZE),
}
"""The protocols by name. A name never changes its meaning."""


def find_protocol(players: int, talk: str) -> str:
    """Return the name of the protocol for a number of players and a talk (which solo has not)."""
    for name, protocol in PROTOCOLS.items():
        if protocol.rules.players == players and (players == 1 or protocol.talk == talk):
            return name
    raise ValueError(f"no protocol for {players} players and talk {talk!r}")


def protocol_seeds(name: str, games: int | None = None, *, offset: int = 0) -> np.ndarray:
    """Return the seeds of a protocol: int64, shape (games,).

    Parameters
    ----------
    name
        One of :data:`PROTOCOLS`.
    games
        How many, from the first on; all of the protocol when not given.
    offset
        Leave out so many seeds before them: other games than those of the protocol.

    Raises
    ------
    ValueError
        For an unknown protocol, fewer than one game, or seeds outside its stream.
    """
    if name not in PROTOCOLS:
        raise ValueError(f"no protocol {name!r}; protocols are {', '.join(PROTOCOLS)}")
    protocol = PROTOCOLS[name]
    games = protocol.games if games is None else games
    if games < 1:
        raise ValueError(f"the number of games must be at least 1, not {games}")
    if not 0 <= offset <= STREAM_SIZE - games:
        raise ValueError(
            f"{games} games from seed offset {offset} do not fit into a stream of {STREAM_SIZE:,} seeds"
        )
    first = protocol.first_seed + offset
    return np.arange(first, first + games, dtype=np.int64)


def protocol_of(seeds: np.ndarray, rules: RuleSet, talk: str) -> str | None:
    """Return the name of the protocol that has exactly these games, or None."""
    for name, protocol in PROTOCOLS.items():
        same_talk = rules.players == 1 or talk == protocol.talk
        if rules == protocol.rules and same_talk and np.array_equal(seeds, protocol_seeds(name)):
            return name
    return None
