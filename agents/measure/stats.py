"""What happens in an agent's games: where Doors come from, where Keys go, what Nightmares cost.

Everything is read off the decisions and the states before and after them; no rule is played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from agents.base import Agent
from agents.measure.evaluation import evaluate
from agents.measure.protocols import protocol_of
from agents.registry import load_agent
from onirim_env.actions import VERBS
from onirim_env.cards import FIRST_DOOR, KEY, N_DOORS, N_LOCATION_KINDS, N_SYMBOLS, NIGHTMARE
from onirim_env.engine.records import game_results
from onirim_env.engine.state import KIND_BITS, PHASE_LOST, PHASE_NIGHTMARE, PHASE_WON
from onirim_env.rules import RuleSet

BATCH_SIZE = 256
"""Games side by side. It does not change the results."""
PLANNER_BATCH_SIZE = 1
"""The same for agents that search, which gain nothing from it: after Ctrl-C no long games are missing."""

KEYS = slice(KEY, N_LOCATION_KINDS, N_SYMBOLS)
LOCATIONS = slice(0, N_LOCATION_KINDS)
DOORS = slice(FIRST_DOOR, NIGHTMARE)
"""The kinds of each sort in the arrays by kind of a state."""


def _codes_of(*names: str, ending: str = "") -> np.ndarray:
    """Return which codes (bool, shape (N_CODES,)) are of verbs and have a text that ends in ``ending``."""
    return np.array([verb.name in names and text.endswith(ending) for verb in VERBS for text in verb.texts])


PLAY_KEY = _codes_of("PLAY", "PLAY_SHARED", ending="key")
MAY_FIND_DOOR = _codes_of("PLAY", "PLAY_SHARED", "SEARCH")
DISCARD = _codes_of("DISCARD", "DISCARD_SHARED")
PROPHECY = _codes_of("PROPHECY_DISCARD", "PROPHECY_NOTHING", "PROPHECY_ORDER")
REFUSE = _codes_of("REFUSE_DOOR")
PAY_KEY = _codes_of("NIGHTMARE_KEY", "NIGHTMARE_KEY_SHARED")
PAY_DOOR = _codes_of("NIGHTMARE_DOOR")
PAY_REVEAL = _codes_of("NIGHTMARE_REVEAL")
PAY_HAND = _codes_of("NIGHTMARE_HAND")


@dataclass(frozen=True, eq=False)
class Counts:
    """What was counted in each game; every field is int64 of shape (n,).

    Once a game has ended, ``doors_by_series + doors_by_key - nightmares_by_door`` are the Doors in
    play, and each of the 12 Keys is in exactly one of ``doors_by_key``, ``nightmares_by_key`` and the
    fields ``keys_...``.

    Attributes
    ----------
    decisions
        Decisions taken.
    doors_by_series
        Doors found by a series (P-2).
    doors_by_key
        Doors opened with a Key as they were drawn (F-3), and so the Keys that did it.
    doors_refused
        Drawn Doors that were left in Limbo although a Key would have opened them.
    doors_discarded
        Doors of the deck that a Prophecy discarded.
    keys_prophesying
        Keys discarded as the action of a turn, for a Prophecy (P-8).
    keys_played
        Keys put in a row.
    keys_in_lost_hands
        Keys discarded with the whole hand (N-4).
    keys_revealed
        Keys discarded among the five revealed cards of the deck (N-3).
    keys_foreseen
        Keys of the deck that a Prophecy discarded.
    keys_in_hand, keys_in_deck
        Keys left in a hand, and in the deck, at the end.
    prophecies
        Prophecies.
    nightmares_foreseen
        Nightmares that a Prophecy discarded (P-10).
    nightmares
        Nightmares that were resolved.
    nightmares_by_key, nightmares_by_door, nightmares_by_reveal, nightmares_by_hand
        How they were: with a Key of the hand (N-1), with a Door in play, which went back into the deck
        (N-2), with five cards of the deck (N-3), with the whole hand (N-4).
    cards_revealed
        Locations of the deck discarded for Nightmares (N-3), Keys included.
    cards_in_lost_hands
        Locations of the hand discarded for Nightmares (N-4), Keys included.
    """

    decisions: np.ndarray
    doors_by_series: np.ndarray
    doors_by_key: np.ndarray
    doors_refused: np.ndarray
    doors_discarded: np.ndarray
    keys_prophesying: np.ndarray
    keys_played: np.ndarray
    keys_in_lost_hands: np.ndarray
    keys_revealed: np.ndarray
    keys_foreseen: np.ndarray
    keys_in_hand: np.ndarray
    keys_in_deck: np.ndarray
    prophecies: np.ndarray
    nightmares_foreseen: np.ndarray
    nightmares: np.ndarray
    nightmares_by_key: np.ndarray
    nightmares_by_door: np.ndarray
    nightmares_by_reveal: np.ndarray
    nightmares_by_hand: np.ndarray
    cards_revealed: np.ndarray
    cards_in_lost_hands: np.ndarray


COUNT_NAMES = tuple(field.name for field in fields(Counts))


@dataclass(frozen=True, eq=False)
class Statistics:
    """The games that an agent played, in the order of their seeds.

    Attributes
    ----------
    agent
        Name of the agent.
    rules, talk
        What it played.
    seeds
        int64, shape (n,): seeds of the games.
    won
        bool, shape (n,).
    doors, cards_left, turns
        int64, shape (n,), at the end of each game: Doors in play, Locations left in the deck,
        completed turns.
    counts
        What was counted in each game.
    interrupted
        Whether it was ended early: then the games under way are missing, among which long ones are
        too many when they were played side by side.
    """

    agent: str
    rules: RuleSet
    talk: str
    seeds: np.ndarray
    won: np.ndarray
    doors: np.ndarray
    cards_left: np.ndarray
    turns: np.ndarray
    counts: Counts
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.seeds)

    @property
    def wins(self) -> int:
        """Number of games won."""
        return int(self.won.sum())

    def doors_at_end(self, won: bool) -> np.ndarray:
        """Return how many won (or lost) games ended with 0 to 8 Doors in play: int64, shape (9,)."""
        return np.bincount(self.doors[self.won == won], minlength=N_DOORS + 1)

    def as_dict(self) -> dict[str, Any]:
        """Return everything that the games add up to as plain values, for JSON.

        ``counts`` has the sums over won and over lost games; ``doors``, ``cards_left`` and ``turns``
        have the number of games for each value from 0 on.
        """
        return {
            "agent": self.agent,
            "protocol": protocol_of(self.seeds, self.rules, self.talk),
            "rules": self.rules.as_dict(),
            "talk": self.talk,
            "first_seed": int(self.seeds[0]) if self.games else None,
            "games": self.games,
            "wins": self.wins,
            "interrupted": self.interrupted,
            "doors": {name: self.doors_at_end(won).tolist() for name, won in _OUTCOMES},
            "cards_left": self._histograms(self.cards_left),
            "turns": self._histograms(self.turns),
            "counts": {name: self._sums(getattr(self.counts, name)) for name in COUNT_NAMES},
        }

    def _sums(self, values: np.ndarray) -> dict[str, int]:
        return {name: int(values[self.won == won].sum()) for name, won in _OUTCOMES}

    def _histograms(self, values: np.ndarray) -> dict[str, list[int]]:
        return {name: np.bincount(values[self.won == won]).tolist() for name, won in _OUTCOMES}


_OUTCOMES = (("won", True), ("lost", False))


class Tally:
    """Counts what happens in games, step by step: an ``Observer`` of an evaluation.

    Parameters
    ----------
    n_games
        How many games there are; a step names them by their indices.
    """

    def __init__(self, n_games: int) -> None:
        self._counts = {name: np.zeros(n_games, dtype=np.int64) for name in COUNT_NAMES}
        self._results: dict[str, np.ndarray] = {
            name: np.zeros(n_games, dtype=np.bool_ if name == "won" else np.int64)
            for name in ("won", "doors", "cards_left", "turns")
        }
        self._finished = np.zeros(n_games, dtype=np.bool_)

    def __call__(self, games: np.ndarray, before: np.ndarray, codes: np.ndarray, after: np.ndarray) -> None:
        """Count one step.

        Parameters
        ----------
        games
            int64, shape (k,): indices of the games, each at most once.
        before, after
            ``STATE``, shape (k,): their states before and after the decision.
        codes
            int, shape (k,): the codes of the decisions.
        """
        for name, values in _count_step(before, codes, after).items():
            self._counts[name][games] += values
        over = (after["phase"] == PHASE_WON) | (after["phase"] == PHASE_LOST)
        if over.any():
            self._end(games[over], after[over])

    def _end(self, games: np.ndarray, states: np.ndarray) -> None:
        for name, values in game_results(states).items():
            self._results[name][games] = values
        self._counts["keys_in_deck"][games] = states["deck_count"][:, KEYS].sum(axis=1)
        self._counts["keys_in_hand"][games] = _keys_in_hands(states)
        self._finished[games] = True  # the last thing: an interrupt leaves no game half counted

    def statistics(self, agent: Agent, seeds: np.ndarray, interrupted: bool = False) -> Statistics:
        """Return the statistics of the games that have ended; ``seeds`` (int64) are those of all."""
        done = self._finished
        return Statistics(
            agent=agent.name,
            rules=agent.rules,
            talk=agent.talk,
            seeds=seeds[done],
            counts=Counts(**{name: values[done] for name, values in self._counts.items()}),
            interrupted=interrupted,
            **{name: values[done] for name, values in self._results.items()},
        )


def _count_step(before: np.ndarray, codes: np.ndarray, after: np.ndarray) -> dict[str, np.ndarray]:
    """Return what one decision adds to the counts of each game, without those of a game's end."""
    discarded = after["discard"].astype(np.int64) - before["discard"]
    keys, locations = discarded[:, KEYS].sum(axis=1), discarded[:, LOCATIONS].sum(axis=1)
    returned = PAY_DOOR[codes]
    gained = _doors_in_play(after) - _doors_in_play(before) + returned
    # A decision runs on to the next one, and under the option of an automatic Key (O-5) Doors may be
    # opened on the way. Where a series may have found one, too, the Keys tell them apart: neither a
    # play nor a search discards any.
    opened = np.where(MAY_FIND_DOOR[codes], keys, gained)
    keys = keys - opened  # those that the decision itself discarded
    locations = locations - opened
    prophecy = PROPHECY[codes]
    return {
        "decisions": np.ones(len(codes), dtype=np.int64),
        "doors_by_series": gained - opened,
        "doors_by_key": opened,
        "doors_refused": REFUSE[codes],
        "doors_discarded": discarded[:, DOORS].sum(axis=1),
        "keys_prophesying": keys * DISCARD[codes],
        "keys_played": PLAY_KEY[codes],
        "keys_in_lost_hands": keys * PAY_HAND[codes],
        "keys_revealed": keys * PAY_REVEAL[codes],
        "keys_foreseen": keys * prophecy,
        "prophecies": prophecy,
        "nightmares_foreseen": discarded[:, NIGHTMARE] * prophecy,
        "nightmares": before["phase"] == PHASE_NIGHTMARE,
        "nightmares_by_key": PAY_KEY[codes],
        "nightmares_by_door": returned,
        "nightmares_by_reveal": PAY_REVEAL[codes],
        "nightmares_by_hand": PAY_HAND[codes],
        "cards_revealed": locations * PAY_REVEAL[codes],
        "cards_in_lost_hands": locations * PAY_HAND[codes],
    }


def _doors_in_play(states: np.ndarray) -> np.ndarray:
    return states["doors"].sum(axis=(1, 2), dtype=np.int64)


def _keys_in_hands(states: np.ndarray) -> np.ndarray:
    """Return the number of Keys in the hands of all players and among the shared cards."""
    hands = states["hand"] & KIND_BITS
    filled = np.arange(hands.shape[2]) < states["hand_size"][:, :, None]
    return (filled & (hands % N_SYMBOLS == KEY)).sum(axis=(1, 2))


def joined(parts: Sequence[Statistics]) -> Statistics:
    """Return the statistics of several parts of the games of one agent as one, in their order."""

    def together(arrays: Iterable[np.ndarray]) -> np.ndarray:
        return np.concatenate(list(arrays))

    counts = {name: together(getattr(part.counts, name) for part in parts) for name in COUNT_NAMES}
    names = ("seeds", "won", "doors", "cards_left", "turns")
    arrays: dict[str, Any] = {name: together(getattr(part, name) for part in parts) for name in names}
    return replace(
        parts[0],
        counts=Counts(**counts),
        interrupted=any(part.interrupted for part in parts),
        **arrays,
    )


def collect(
    agent: Agent | str,
    *,
    seeds: Iterable[int],
    rules: RuleSet | None = None,
    talk: str | None = None,
    batch_size: int | None = None,
    progress: bool = True,
) -> Statistics:
    """Let an agent play the game of each seed once, and count what happens.

    The result depends on the agent and the seeds alone. Ctrl-C ends it early: the statistics then
    have the games that had ended.

    Parameters
    ----------
    agent
        An agent, or the name of one.
    seeds
        Seeds of the games, as for :func:`agents.measure.evaluation.evaluate`.
    rules, talk
        What is played; that of the agent when not given.
    batch_size
        How many games are played side by side.
    progress
        Whether a terminal shows a progress bar.

    Raises
    ------
    ValueError, IllegalAction, RuntimeError
        As :func:`agents.measure.evaluation.evaluate` does.
    """
    if isinstance(agent, str):
        agent = load_agent(agent, rules=rules, talk=talk or "open")
    if batch_size is None:
        batch_size = PLANNER_BATCH_SIZE if agent.needs_games else BATCH_SIZE
    all_seeds = np.fromiter(seeds, dtype=np.int64)
    tally = Tally(len(all_seeds))
    evaluation = evaluate(
        agent,
        seeds=all_seeds,
        rules=rules,
        talk=talk,
        batch_size=batch_size,
        progress=progress,
        observer=tally,
    )
    return tally.statistics(agent, all_seeds, evaluation.interrupted)
