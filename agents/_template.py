"""A template: copy it to ``agents/my_agent.py``, change both names, and play better than it does.

``docs/agents.md`` goes through it step by step. Files whose names begin with ``_`` are no agents, so this
one is not listed; its copy is, by the ``name`` of its class.
"""

from __future__ import annotations

import numpy as np

from agents.base import Agent
from onirim_env import observation_layout
from onirim_env.cards import COLOURS
from onirim_env.rules import RuleSet

# How good a decision is by its text; the first line that the text begins with counts. The texts of all
# actions: `python -m onirim_env rules` and `python -m onirim_env rules players=2`.
PREFERENCES = (
    ("open door", 9),
    ("search", 9),
    ("prophecy discard nightmare", 5),
    ("nightmare discard", 4),
    ("nightmare reveal", 3),
    ("play", 2),
    ("discard", 1),
)


class TemplateAgent(Agent):  # the base class must be, or end in, "Agent": so it is found without an import
    """Plays on in the colour of its series, opens Doors, and draws between equals."""  # shown by the list

    name = "template"  # a literal text, by which `python -m agents` finds it; change it in your copy

    # `rules` and `talk` say what will be played; raise agents.base.Misfit for what the agent cannot play.
    # What is the same in all games is computed here, once. Import torch or numba here, not at the top.
    def __init__(self, rules: RuleSet | None = None, talk: str = "open") -> None:
        super().__init__(rules, talk)
        texts = self.table.texts  # the text of each action id under these rules
        self._values = np.array([_value(text) for text in texts], dtype=np.float64)
        # Where in an observation the running series stands: three entries for each colour.
        (series,) = (field for field in observation_layout(self.rules) if field.name == "series")
        width = series.size // len(COLOURS)
        self._series = [
            (slice(series.start + width * number, series.start + width * (number + 1)), _plays(texts, colour))
            for number, colour in enumerate(COLOURS)
        ]
        self._random: dict[int, np.random.Generator] = {}

    # Games begin in these rows. All randomness of the agent comes from these seeds, and all memory of the
    # games that were in the rows before ends here. Leave it out if there is neither.
    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Seed the random numbers of each row."""
        for row, seed in zip(rows.tolist(), seeds.tolist()):
            self._random[row] = np.random.default_rng(seed)

    # observations: float32, (n, size); masks: int8, (n, n_actions), all ones in a row without a game.
    # Every row is another game, and none may matter to another: beware of matrix products, whose last
    # bits depend on how many rows there are. Both arrays are the caller's: do not write to them.
    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Take the legal action of the highest value, one of the best at random."""
        values = np.tile(self._values, (len(masks), 1))
        for entries, plays in self._series:
            running = np.asarray(observations[:, entries].any(axis=1))
            values += running[:, None] & plays
        for row in np.flatnonzero(~masks.all(axis=1)):
            values[row] += 0.5 * self._random[int(row)].random(masks.shape[1])
        values[masks == 0] = -np.inf
        actions: np.ndarray = values.argmax(axis=1).astype(np.int64)  # int64, (n,)
        return actions


def _value(text: str) -> float:
    """Return how good an action is, by its text."""
    return next((value for begin, value in PREFERENCES if text.startswith(begin)), 0)


def _plays(texts: tuple[str, ...], colour: str) -> np.ndarray:
    """Return which actions (bool, shape (n_actions,)) put a card of a colour in the row."""
    return np.array([text.startswith("play ") and f" {colour} " in text for text in texts])
