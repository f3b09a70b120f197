"""Of what kind a field of a position or a record can be, and the checks of plain values.

What comes from a user or a file is read through these kinds before anything else looks at it. What they
return is plain: dicts with names of text, lists, texts, whole numbers, true, false and nothing else, so it
can be kept, compared and written as JSON. ``None`` stands for a field that is not given.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onirim_env.errors import LONGEST_QUOTE, FileError, PositionError, quoted
from onirim_env.files import read_json

_MOST_WORDS = 100
"""How many words the value of an option has at most: more than there are, so that its rule set can say so."""


class Kind(NamedTuple):
    """What a field holds.

    Attributes
    ----------
    name
        In words, for messages and for the documentation.
    read
        Returns the plain value of what was given in a field; a PositionError names the field.
    """

    name: str
    read: Callable[[str, Any], Any]


def _refuse(field: str, wanted: str, value: Any) -> PositionError:
    return PositionError(f"{field}: {wanted}, not {quoted(value)}")


def _number(field: str, value: Any) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise _refuse(field, "a number", value)
    return int(value)


def _flag(field: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise _refuse(field, "true or false", value)
    return bool(value)


def _text(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _refuse(field, "a text", value)
    return str(value)


def _items(field: str, wanted: str, value: Any) -> list[Any]:
    """Return the items of a list; a text is none, although Python goes through its letters."""
    if not isinstance(value, (list, tuple)):
        raise _refuse(field, wanted, value)
    return list(value)


def _cards(field: str, value: Any) -> list[str]:
    return [_text(field, item) for item in _items(field, "a list of cards", value)]


def _texts(field: str, value: Any) -> list[str]:
    return [
        _text(f"{field}[{place}]", item) for place, item in enumerate(_items(field, "a list of texts", value))
    ]


def _groups(field: str, value: Any) -> list[list[str]]:
    groups = _items(field, "a list of groups of cards", value)
    return [_cards(f"{field}[{place}]", group) for place, group in enumerate(groups)]


def _places(field: str, value: Any) -> list[int]:
    return [_number(field, item) for item in _items(field, "a list of numbers", value)]


def _known(field: str, value: Any) -> int | list[int | list[int]]:
    if not isinstance(value, (list, tuple)):
        return _number(field, value)
    return [_places(field, one) if isinstance(one, (list, tuple)) else _number(field, one) for one in value]


def _players(field: str, value: Any) -> list[dict[str, Any]]:
    return [_object(f"{field}[{place}]", one) for place, one in enumerate(_items(field, "a list", value))]


def _object(field: str, value: Any) -> dict[str, Any]:
    """Return the content of an object as it is; its fields have kinds of their own."""
    if not isinstance(value, Mapping):
        raise _refuse(field, "a dict", value)
    return dict(value)


def _options(field: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _refuse(field, "a dict of options", value)
    return {_short_text(field, name): _option(field, name, one) for name, one in value.items()}


def _short_text(field: str, value: Any) -> str:
    if len(_text(field, value)) > LONGEST_QUOTE:
        raise PositionError(f"{field}: there is no {quoted(value)}")
    return str(value)


def _option(field: str, name: str, value: Any) -> Any:
    """Return the value of an option: what it may be is for the rule set to say."""
    if isinstance(value, (list, tuple, set, frozenset)):
        if len(value) <= _MOST_WORDS:
            return [_short_text(f"{field}.{name}", one) for one in value]
    elif isinstance(value, np.generic) and value.shape == ():
        return _option(field, name, value.item())
    elif value is None or (isinstance(value, (bool, int, float, str)) and _is_short(value)):
        return value
    raise PositionError(f"{field}: {name} cannot be {quoted(value)}")


def _is_short(value: bool | int | float | str) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST_QUOTE
    return not isinstance(value, int) or -(10**18) < value < 10**18


NUMBER = Kind("number", _number)
FLAG = Kind("true or false", _flag)
TEXT = Kind("text", _text)
CARD = Kind("card", _text)
CARDS = Kind("list of cards", _cards)
TEXTS = Kind("list of texts", _texts)
GROUPS = Kind("list of lists of cards", _groups)
PLACES = Kind("list of numbers", _places)
KNOWN = Kind("number, or a list of one for each player", _known)
PLAYERS = Kind("list of objects", _players)
OPTIONS = Kind("object", _options)
OBJECT = Kind("object", _object)


def checked(
    given: Mapping[Any, Any], fields: Sequence[str], kinds: Mapping[str, Kind], at: str = ""
) -> dict[str, Any]:
    """Return the plain values of an object.

    Parameters
    ----------
    given
        The object; it is not changed.
    fields
        The names that it may have.
    kinds
        Of what kind each of them is.
    at
        Where it stands, for messages: ``"players[0]"``.

    Returns
    -------
    dict
        The fields that are given, ``None`` ones included.

    Raises
    ------
    PositionError
        For a field that there is not, and for a value of another kind; the message names the field.
    """
    plain = {}
    for field, value in given.items():
        if not isinstance(field, str) or field not in fields:
            where = f"{at}: " if at else ""
            raise PositionError(f"{where}unknown field {quoted(field)}; fields are {', '.join(fields)}")
        name = f"{at}.{field}" if at else field
        plain[str(field)] = None if value is None else kinds[field].read(name, value)
    return plain


def load_json(source: Any, what: str) -> Any:
    """Return ``source`` itself, or what the JSON file of that path holds.

    Raises
    ------
    PositionError
        When there is no plain file of that name, or when it is too large or no JSON.
    """
    if not isinstance(source, (str, os.PathLike)):
        return source
    try:
        return read_json(Path(source), f"{what} file")
    except (FileError, TypeError) as error:  # the latter for a path of bytes
        raise PositionError(str(error)) from None


def check_range(field: str, value: int, low: int, high: int) -> None:
    """Refuse a number outside its bounds, both of which are allowed."""
    if not low <= value <= high:
        raise PositionError(f"{field}: {quoted(value)} is not a number from {low} to {high}")


def check_number(field: str, values: Sequence[object], most: int) -> None:
    """Refuse more than so many values in a field."""
    if len(values) > most:
        raise PositionError(f"{field}: {len(values)} of them; {most} at most")
