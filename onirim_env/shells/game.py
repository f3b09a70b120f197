"""One game as a Python object over compiled rules: what games share that are one record and one table."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np

from onirim_env.buffers import own_arrays
from onirim_env.errors import IllegalAction, PositionError, quoted, told
from onirim_env.json_kinds import OBJECT, OPTIONS, TEXT, TEXTS, Kind, checked, load_json
from onirim_env.one_thread import one_thread
from onirim_env.seeding import new_bits, recorded_seed, seed_bits
from onirim_env.shells.layout import Field, described
from onirim_env.shells.options import Options

RECORD_KINDS: dict[str, Kind] = {
    "game": TEXT,
    "rules": OPTIONS,
    "seed": Kind("number or text", lambda field, value: value),  # checked where games are dealt
    "position": OBJECT,
    "actions": TEXTS,
    "result": OBJECT,
}
"""Every field of a record; a position in one is no path, which might lead anywhere."""

_Game = TypeVar("_Game", bound="GameShell")


class Table(Protocol):
    """What a game needs of its action table."""

    texts: tuple[str, ...]

    def __len__(self) -> int: ...

    def id_of(self, text: str) -> int:
        """Return the id of a text; a ValueError for what is none."""


class GameShell:
    """One game; the game's own class says what it plays.

    Parameters
    ----------
    rules
        A rule set; the default rules when it is not given.
    seed
        Fixes the game: what ``env.reset(seed=s)`` deals. None takes random bits. A text such as
        ``"0x9e3779b97f4a7c15"`` gives the 64 bits themselves.
    """

    NAME: ClassVar[str]
    """Tells records of the games apart."""
    RULES: ClassVar[type[Options]]
    FIELDS: ClassVar[tuple[Field, ...]]
    """Of the observation."""

    rules: Any
    _states: np.ndarray
    _busy = False

    def __init__(self, rules: Any = None, seed: int | str | None = None) -> None:
        seed = new_bits() if seed is None else seed
        bits = seed_bits(seed)
        if rules is not None and not isinstance(rules, self.RULES):
            raise TypeError(f"rules must be a {self.RULES.__name__} of {self.NAME}, not {quoted(rules)}")
        self.rules = self.RULES() if rules is None else rules
        self._seed: int | str = seed
        self._position: Any = None
        self._history: list[int] | None = []
        self._states = self._deal(self.rules, bits)

    @staticmethod
    def _deal(rules: Any, bits: np.uint64) -> np.ndarray:
        """Return the record of a game that is dealt from a seed, shape (1,)."""
        raise NotImplementedError

    @staticmethod
    def _read(position: Mapping[str, Any], bits: np.uint64) -> tuple[np.ndarray, Any]:
        """Return the record of a position, shape (1,), and its rules."""
        raise NotImplementedError

    @property
    def table(self) -> Any:
        """The actions of the rule set."""
        raise NotImplementedError

    def _take(self, action: int) -> bool:
        """Carry out an action; return whether it was legal."""
        raise NotImplementedError

    def _write_mask(self, masks: np.ndarray) -> None:
        """Write the legal actions into the only row of ``masks``."""
        raise NotImplementedError

    def _write_observation(self, player: int, observations: np.ndarray) -> None:
        """Write what a player sees into the only row of ``observations``."""
        raise NotImplementedError

    def _redeal(self, player: int, bits: np.uint64) -> None:
        """Deal what a player does not know anew."""
        raise NotImplementedError

    def _reseed(self, bits: np.uint64) -> None:
        """Give the game other random numbers."""
        raise NotImplementedError

    @property
    def player(self) -> int | None:
        """The player to decide; None at the end."""
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.player is None

    def position(self) -> dict[str, Any]:
        """Return the position with every field, hidden cards included."""
        raise NotImplementedError

    def result(self) -> dict[str, Any] | None:
        """Return how the game ended; None before."""
        raise NotImplementedError

    @classmethod
    def _of(
        cls: type[_Game],
        states: np.ndarray,
        rules: Any,
        seed: int | str,
        position: Any,
        history: list[int] | None,
    ) -> _Game:
        game = cls.__new__(cls)
        game.rules, game._states = rules, states
        game._seed, game._position, game._history = seed, position, history
        return game

    @classmethod
    def from_state(cls: type[_Game], states: np.ndarray, rules: Any) -> _Game:
        """Return a game that is a copy of a row of a batch, shape (1,); it has no record of its own."""
        return cls._of(states.copy(), rules, "0x0", None, None)

    @classmethod
    def from_position(cls: type[_Game], position: Any, seed: int | str = 0) -> _Game:
        """Return the game that stands at a position.

        Parameters
        ----------
        position
            A mapping, or the path of a JSON file.
        seed
            Fixes everything that the position leaves open.

        Raises
        ------
        PositionError
            For a position that cannot be; the message names the field.
        """
        bits = seed_bits(seed)
        position = cls.plain_position(position)
        states, rules = cls._read(position, bits)
        return cls._of(states, rules, seed, position, [])

    @classmethod
    def plain_position(cls, position: Any) -> dict[str, Any]:
        """Return a position as a dict of its own: given as a mapping or as the path of a JSON file."""
        position = load_json(position, "position")
        if not isinstance(position, Mapping):
            raise PositionError(f"a position is a dict, not {type(position).__name__}")
        return deepcopy(dict(position))

    @classmethod
    def from_record(cls: type[_Game], record: Any) -> _Game:
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
        if record.get("game") not in (None, cls.NAME):
            raise PositionError(f"game: {quoted(record['game'])} is not {cls.NAME!r}")
        game = cls._start_of(record)
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
    def _start_of(cls: type[_Game], record: dict[str, Any]) -> _Game:
        seed = 0 if record.get("seed") is None else record["seed"]
        try:
            seed_bits(seed)
            rules = cls.RULES(**(record.get("rules") or {}))
        except ValueError as error:
            raise PositionError(f"{'seed' if str(error).startswith('seed') else 'rules'}: {error}") from None
        if record.get("position") is None:
            return cls(rules, seed)
        game = cls.from_position(record["position"], seed)
        if record.get("rules") and rules != game.rules:
            raise PositionError(f"rules: {quoted(record['rules'])}, but the position has {game.rules}")
        return game

    @one_thread
    def action_mask(self) -> np.ndarray:
        """Return the legal actions as int8 of shape (n_actions,); all ones when the game is over."""
        masks = np.empty((1, len(self.table)), dtype=np.int8)
        self._write_mask(masks)
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
            The game is as it was, and the message lists the legal texts.
        """
        number = self._id(action)
        if number is None or not self._apply(number):
            name = quoted(action if isinstance(action, str) or number is None else self.table.texts[number])
            if self.over:
                raise IllegalAction(f"{name} after the end of the game")
            reason = "no such action in this game" if number is None else ""
            raise IllegalAction(told(name, reason, self.legal_texts()))
        if self._history is not None:
            self._history.append(number)

    @one_thread
    def _apply(self, action: int) -> bool:
        return self._take(action)

    def _id(self, action: int | str) -> int | None:
        if isinstance(action, str):
            try:
                return int(self.table.id_of(action))
            except ValueError:
                return None
        whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        return int(action) if whole and 0 <= action < len(self.table) else None

    def record(self) -> dict[str, Any]:
        """Return the record of the game: it replays to the same end anywhere.

        Raises
        ------
        ValueError
            For a game whose beginning is not known (:meth:`from_state`, and after :meth:`reseed` or
            :meth:`determinize`).
        """
        if self._history is None:
            raise ValueError("this game has no record: it did not begin from a seed or a position")
        return {
            "game": self.NAME,
            "rules": self.rules.as_dict(),
            "seed": recorded_seed(self._seed),
            "position": deepcopy(self._position),
            "actions": [self.table.texts[action] for action in self._history],
            "result": self.result(),
        }

    @property
    def state(self) -> np.ndarray:
        """A copy of the engine's record, shape (1,), hidden cards included."""
        return self._states.copy()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    def copy(self: _Game) -> _Game:
        """Return a game with the same past and the same future."""
        history = None if self._history is None else list(self._history)
        return self._of(self._states.copy(), self.rules, self._seed, self._position, history)

    __copy__ = copy

    @one_thread
    def reseed(self, seed: int) -> None:
        """Give the game other random numbers from here on; what is decided already stays."""
        self._reseed(seed_bits(seed))
        self._forget_origin()

    @one_thread
    def determinize(self, player: int, seed: int) -> None:
        """Deal the cards that a player cannot know anew, each way equally likely.

        The player's information stays the same, so the game may be searched without cheating.
        """
        self._check_player(player)
        self._redeal(player, seed_bits(seed))
        self._forget_origin()

    def _forget_origin(self) -> None:
        """Drop the seed and the past: who searches the game must not be able to deal it again."""
        self._seed, self._position, self._history = "0x0", None, None

    @one_thread
    def observation(self, player: int | None = None) -> np.ndarray:
        """Return what a player may know: float32, shape (size,).

        By default the player to move, at the end player 0.
        """
        player = (self.player or 0) if player is None else player
        self._check_player(player)
        observations = np.empty((1, self.FIELDS[-1].stop), dtype=np.float32)
        self._write_observation(player, observations)
        return observations[0]

    def describe(self, player: int | None = None) -> dict[str, dict[str, float]]:
        """Return the observation as named values: for each field, the entries that are not zero."""
        return described(self.FIELDS, self.observation(player))

    def _check_player(self, player: int) -> None:
        whole = isinstance(player, (int, np.integer)) and not isinstance(player, bool)
        if not whole or player not in range(self.rules.players):
            raise ValueError(f"no player {quoted(player)}; players are 0 to {self.rules.players - 1}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.rules == other.rules and self._states.tobytes() == other._states.tobytes()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self._states.tobytes())
