"""Fixed deals by name, so that results of agents of Odin can be compared."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.measure.protocols import STREAM_SIZE
from onirim_env.odin.cards import MAX_PLAYERS

REFERENCE = "simple"
"""The agent in the other seats."""
_FIRST = 20 * STREAM_SIZE


class Protocol(NamedTuple):
    """The deals of a number of players.

    Attributes
    ----------
    name
        Such as ``"odin-4p-v1"``. A name never changes its meaning.
    players
        How many.
    first_seed
        Deal i has the seed ``first_seed + i``; nobody trains or tunes on these.
    deals
        How many there are; the agent plays each once in every seat.
    """

    name: str
    players: int
    first_seed: int
    deals: int = 2_000

    def seeds(self, deals: int | None = None) -> np.ndarray:
        """Return the seeds of the first so many deals: int64.

        Raises
        ------
        ValueError
            For fewer than one.
        """
        deals = self.deals if deals is None else deals
        if not 1 <= deals <= STREAM_SIZE:
            raise ValueError(f"the number of games must be at least 1, not {deals}")
        return np.arange(self.first_seed, self.first_seed + deals, dtype=np.int64)


PROTOCOLS = {
    players: Protocol(f"odin-{players}p-v1", players, _FIRST + players * STREAM_SIZE)
    for players in range(2, MAX_PLAYERS + 1)
}
"""The protocols by number of players, default rules otherwise."""
