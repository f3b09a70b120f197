"""Late starts: some games begin in a late position of a game before, where wins are decided."""

from __future__ import annotations

import numpy as np

from onirim_env.batch import GameBatch
from onirim_env.cards import N_DOORS

LATE = N_DOORS // 2
"""A position is late from so many Doors on."""
KEPT = 50_000
"""How many late positions are remembered; later ones take the places of earlier ones."""
NOTED = 1 / 16
"""The share of late positions that are noted: neighbours in a game are much alike."""


class LateStarts:
    """Late positions of games under way, for games that begin there.

    Parameters
    ----------
    share
        The share of games that begin late; with 0 nothing is noted.
    seed
        Decides which positions.
    batch
        The games.

    Attributes
    ----------
    began_late : numpy.ndarray
        bool, shape (size,): the games under way that began late.
    """

    def __init__(self, share: float, seed: int, batch: GameBatch) -> None:
        self._share = share
        self._batch = batch
        self._rng = np.random.default_rng(seed)
        self._kept = np.zeros(KEPT if share else 0, dtype=batch.states.dtype)
        self._noted = 0
        self.began_late = np.zeros(len(batch), dtype=np.bool_)

    def note(self) -> None:
        """Note some of the late positions that games are in."""
        if not self._share:
            return
        states = self._batch.states
        chosen = (self._rng.random(len(states)) < NOTED) & ~self._batch.ended
        chosen &= states["doors"].sum(axis=(1, 2)) >= LATE
        rows = np.flatnonzero(chosen)
        self._kept[(self._noted + np.arange(len(rows))) % KEPT] = states[rows]
        self._noted += len(rows)

    def place(self, rows: np.ndarray) -> None:
        """Put some of the games that have just been dealt into late positions.

        What is undecided there, above all the order of the deck, is decided anew.
        """
        self.began_late[rows] = False
        known = min(self._noted, KEPT)
        if not known:
            return
        for row in rows[self._rng.random(len(rows)) < self._share]:
            position = self._rng.integers(known)
            self._batch.place(self._kept[position : position + 1], int(row))
            self.began_late[row] = True
