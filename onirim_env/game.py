"""Game: one game of Onirim as a Python object over the compiled engine."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from onirim_env.actions import ActionTable, action_table
from onirim_env.buffers import own_arrays
from onirim_env.engine import batch
from onirim_env.engine.records import game_results, phase_names, shown, state_dtype, written_size
from onirim_env.errors import IllegalAction, PositionError, quoted, told
from onirim_env.json_kinds import checked, load_json
from onirim_env.keywords import TALKS, layout_rules
from onirim_env.observation import observation_layout
from onirim_env.one_thread import one_thread
from onirim_env.positions.fields import RECORD_KINDS, plain_position, read_rules
from onirim_env.positions.foreign_records import check_record
from onirim_env.positions.reading import read_position
from onirim_env.positions.records import write_position
from onirim_env.refusals import UNKNOWN, refusal, unknown
from onirim_env.rules import RuleSet
from onirim_env.seeding import new_bits, recorded_seed, seed_bits
from onirim_env.shells.choices import check_choice


class Game:
    """One game of Onirim.

    Parameters
    ----------
    rules
        A rule set; the default solo rules when it is not given.
    seed
        Fixes the game: ``Game(seed=s)`` deals the game that ``env.reset(seed=s)`` deals. None
        takes random bits. A text such as ``"0x9e3779b97f4a7c15"`` gives the 64 bits themselves,
        which is how records name a later game of an environment.
    talk
        Co-op: what players observe, ``"open"`` or ``"closed"`` (C-11).

    Examples
    --------
    >>> game = Game(seed=7)
    >>> game.apply(game.legal_texts()[0])
    >>> game.turns
    1
    """

    _busy = False

    def __init__(
        self, rules: RuleSet | None = None, seed: int | str | None = None, *, talk: str = "open"
    ) -> None:
        check_choice("talk", talk, TALKS)
        if seed is None:
            seed = new_bits()
        bits = seed_bits(seed)
        self.rules = rules if rules is not None else RuleSet()
        self.talk = talk
        self._states = np.zeros(1, dtype=state_dtype(self.rules))
        self._seed: int | str = seed
        self._position: Any = None
        self._history: list[int] | None = []
        batch.deal_games(self._states, np.array([bits]), self.rules.flags)

    @classmethod
    def _of(
        cls,
        states: np.ndarray,
        rules: RuleSet,
        talk: str,
        seed: int | str,
        position: Any,
        history: list[int] | None,
    ) -> Game:
        game = cls.__new__(cls)
        game.rules, game.talk, game._states = rules, talk, states
        game._seed, game._position, game._history = seed, position, history
        return game

    @classmethod
    def from_state(cls, states: np.ndarray, rules: RuleSet, *, talk: str = "open") -> Game:
        """Return a game that is a copy of an engine record; it has no record of its own.

        Parameters
        ----------
        states
            :attr:`state` of a game of the same rules, or a row of ``states`` of an environment: shape (1,).
        rules, talk
            As for the game itself.

        Raises
        ------
        PositionError
            For a record that no game of these rules has.
        """
        check_choice("talk", talk, TALKS)
        check_record(states, rules)
        return cls._of(states.copy(), rules, talk, "0x0", None, None)

    @classmethod
    def from_position(cls, position: Any, seed: int | str = 0, *, talk: str = "open") -> Game:
        """Return the game that stands at a position.

        Parameters
        ----------
        position
            A mapping (docs/positions.md) or the path of a JSON file.
        seed
            Fixes everything that the position leaves open, and later shuffles.

        Raises
        ------
        PositionError
            For a position that cannot be.
        """
        check_choice("talk", talk, TALKS)
        bits = seed_bits(seed)
        position = plain_position(position)
        states, rules = read_position(position, bits)
        return cls._of(states, rules, talk, seed, position, [])

    @classmethod
    def from_record(cls, record: Any, *, talk: str = "open") -> Game:
        """Replay a record (a mapping or the path of a JSON file) and return the game at its end.

        Raises
        ------
        PositionError
            For a record that does not replay; the message names the field.
        """
        record = load_json(record, "record")
        if not isinstance(record, Mapping):
            raise PositionError(f"a record is a dict, not {type(record).__name__}")
        record = checked(record, tuple(RECORD_KINDS), RECORD_KINDS)
        game = cls._start_of(record, talk)
        for index, text in enumerate(record.get("actions") or ()):
            try:
                game.apply(text)
            except IllegalAction as error:
                raise PositionError(f"actions[{index}]: {error}") from None
        result = record.get("result")
        if result is not None and result != game.result():
            raise PositionError(f"result: {quoted(result)}, but the actions lead to {game.result()!r}")
        return game

    @classmethod
    def _start_of(cls, record: dict[str, Any], talk: str) -> Game:
        seed = record.get("seed", 0)
        try:
            seed_bits(seed)
        except ValueError as error:
            raise PositionError(f"seed: {error}") from None
        rules = read_rules(record.get("rules"))
        position = record.get("position")
        if position is None:
            return cls(rules, seed, talk=talk)
        game = cls.from_position(position, seed, talk=talk)
        if record.get("rules") and rules != game.rules:
            raise PositionError(f"rules: {quoted(record['rules'])}, but the position has {game.rules}")
        return game

    @property
    def table(self) -> ActionTable:
        """The actions of the rule set."""
        return action_table(self.rules)

    @property
    def state(self) -> np.ndarray:
        """A copy of the engine's record: ``onirim_env.engine.state.STATE``, shape (1,).

        It holds the hidden cards: who searches it has to deal them anew (:meth:`determinize`).
        """
        return self._states.copy()

    @property
    def phase(self) -> str:
        """Name of the phase: ``"action"``, ``"door"``, ..., ``"won"`` or ``"lost"``."""
        return phase_names(self.rules)[self._states[0]["phase"]]

    @property
    def player(self) -> int:
        """Number of the player whose decision it is."""
        return int(self._states[0]["player"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase in ("won", "lost")

    @property
    def won(self) -> bool:
        """Whether the game is won."""
        return self.phase == "won"

    @property
    def doors(self) -> int:
        """Number of Doors in play, of all players."""
        return int(game_results(self._states)["doors"][0])

    @property
    def cards_left(self) -> int:
        """Number of Locations in the deck: the turns that are left at most."""
        return int(game_results(self._states)["cards_left"][0])

    @property
    def turns(self) -> int:
        """Number of completed turns."""
        return int(self._states[0]["turns"])

    def result(self) -> dict[str, Any] | None:
        """Return ``won``, ``doors``, ``cards_left`` and ``turns`` of an ended game, else None."""
        if not self.over:
            return None
        return {name: values[0].item() for name, values in game_results(self._states).items()}

    @one_thread
    def action_mask(self, layout: str = "own") -> np.ndarray:
        """Return the legal actions as int8 of shape (n_actions,); all ones when the game is over.

        Ids are those of a layout: see :func:`onirim_env.keywords.layout_rules`.
        """
        table = action_table(layout_rules(self.rules, layout))
        masks = np.empty((1, len(table)), dtype=np.int8)
        batch.mask_games(self._states, table.ids, masks)
        return masks[0]

    def legal_actions(self) -> list[int]:
        """Return the ids of the legal actions in rising order; empty when the game is over."""
        return [] if self.over else np.flatnonzero(self.action_mask()).tolist()

    def legal_texts(self) -> list[str]:
        """Return the texts of the legal actions in the order of their ids."""
        return [self.table.texts[action] for action in self.legal_actions()]

    def apply(self, action: int | str) -> None:
        """Take one decision, given as an id or a text.

        Raises
        ------
        IllegalAction
            The game is as it was, and the message says why not and lists the legal texts.
        """
        number = self._id(action)
        if number is None or not self._take(int(self.table.codes[number])):
            name = quoted(action if isinstance(action, str) or number is None else self.table.text(number))
            if self.over:
                raise IllegalAction(f"{name} after the end: the game is {self.phase}")
            raise IllegalAction(told(name, self.why_not(action), self.legal_texts()))
        if self._history is not None:
            self._history.append(number)

    def why_not(self, action: int | str) -> str:
        """Return in a few words why an action, given as an id or a text, is not legal now.

        Empty for a legal one, and where no reason is certain.
        """
        number = self._id(action)
        if number is None:
            return unknown(action, self.rules) if isinstance(action, str) else UNKNOWN
        text = self.table.text(number)
        if self.over or text in self.legal_texts():
            return "" if not self.over else f"the game is {self.phase}"
        return refusal(self._states, self.rules, text)

    @one_thread
    def _take(self, code: int) -> bool:
        """Carry out an action given as a code; return whether it was legal."""
        legal: bool = batch.apply_code(self._states, code)
        return legal

    def _id(self, action: int | str) -> int | None:
        if isinstance(action, str):
            try:
                return self.table.id(action)
            except KeyError:
                return None
        inside = isinstance(action, (int, np.integer)) and 0 <= action < len(self.table)
        return int(action) if inside else None

    def position(self) -> dict[str, Any]:
        """Return the position with every field (docs/positions.md), hidden cards included."""
        return write_position(self._states, self.rules)

    def record(self) -> dict[str, Any]:
        """Return the record of the game: it replays to the same end anywhere.

        Raises
        ------
        ValueError
            For a game whose beginning is not known (:meth:`from_state`, and after
            :meth:`reseed` or :meth:`determinize`).
        """
        if self._history is None:
            raise ValueError("this game has no record: it did not begin from a seed or a position")
        return {
            "rules": self.rules.as_dict(),
            "seed": recorded_seed(self._seed),
            "position": deepcopy(self._position),
            "actions": [self.table.texts[action] for action in self._history],
            "result": self.result(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    def copy(self) -> Game:
        """Return a game with the same past and the same future."""
        history = None if self._history is None else list(self._history)
        return self._of(self._states.copy(), self.rules, self.talk, self._seed, self._position, history)

    __copy__ = copy

    @one_thread
    def reseed(self, seed: int) -> None:
        """Give the game other random numbers from here on; what is decided already stays."""
        batch.reseed_games(self._states, np.array([seed_bits(seed)]))
        self._forget_origin()

    def _forget_origin(self) -> None:
        """Drop the seed and the past: who searches the game must not be able to deal it again."""
        self._seed, self._position, self._history = "0x0", None, None

    @one_thread
    def determinize(self, player: int, seed: int) -> None:
        """Deal the cards that a player cannot know anew, each way equally likely.

        The player's information stays the same, so the game may be searched without cheating.
        """
        self._check_player(player)
        closed = self.talk == "closed"
        batch.determinize_games(self._states, player, closed, np.array([seed_bits(seed)]))
        self._forget_origin()

    @one_thread
    def observation(self, player: int | None = None, layout: str = "own") -> np.ndarray:
        """Return what a player (default: the one to move) may know: float32, shape (size,).

        Entries are those of a layout: see :func:`onirim_env.keywords.layout_rules`.
        """
        player = self.player if player is None else player
        self._check_player(player)
        observations = np.empty((1, written_size(self.rules)), dtype=np.float32)
        batch.observe_games(self._states, player, self.talk == "closed", observations)
        tables = layout_rules(self.rules, layout)
        observation: np.ndarray = shown(observations, self.rules, tables, self._states)[0]
        return observation

    def describe(self, player: int | None = None) -> dict[str, dict[str, int]]:
        """Return the observation as named values: for each field, the entries that are not zero."""
        vector = self.observation(player)
        return {
            field.name: {
                label: round(float(value) / unit)
                for label, unit, value in zip(field.labels, field.units, vector[field.start : field.stop])
                if value != 0.0
            }
            for field in observation_layout(self.rules)
        }

    def _check_player(self, player: int) -> None:
        whole = isinstance(player, (int, np.integer)) and not isinstance(player, bool)
        if not whole or player not in range(self.rules.players):
            raise ValueError(f"no player {quoted(player)}; players are 0 to {self.rules.players - 1}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        same = self.rules == other.rules and self.talk == other.talk
        return same and self._states.tobytes() == other._states.tobytes()

    def __hash__(self) -> int:
        return hash(self._states.tobytes())

    def __repr__(self) -> str:
        return f"<Game {self.phase}, turn {self.turns + 1}, {self.doors} Doors, {self.rules}>"

    def __str__(self) -> str:
        from onirim_env.render.text import render_text

        return render_text(self)
