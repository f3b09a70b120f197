"""Options of rules: a table of keywords and values, and sets of options that are checked against it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from onirim_env.errors import quoted


@dataclass(frozen=True)
class Option:
    """One keyword of a rule set.

    Attributes
    ----------
    keyword
        Name of the keyword in the rule set and in the environments.
    rule
        Number of the option in the rules (``O-1`` ...), empty where it has none.
    values
        Allowed values, the default first. The engine numbers them in this order.
    meaning
        What the values mean, for documentation and commands.
    """

    keyword: str
    rule: str
    values: tuple[Any, ...]
    meaning: str

    def check(self, value: Any) -> None:
        """Raise a ValueError that lists the allowed values unless ``value`` is one of them."""
        if not any(type(value) is type(one) and value == one for one in self.values):
            allowed = ", ".join(repr(one) for one in self.values)
            raise ValueError(f"rule option {self.keyword} cannot be {quoted(value)}; allowed are {allowed}")


class Options:
    """A set of options: every keyword is an attribute. Immutable, compared and hashed by value.

    Parameters
    ----------
    **options
        Keywords of ``OPTIONS``; what is not given takes its default.

    Raises
    ------
    ValueError
        For an unknown keyword or value; the message lists what is allowed.
    """

    OPTIONS: ClassVar[tuple[Option, ...]]

    def __init__(self, **options: Any) -> None:
        of_keyword = {option.keyword: option for option in self.OPTIONS}
        for keyword, value in options.items():
            if keyword not in of_keyword:
                raise ValueError(
                    f"unknown rule option {quoted(keyword)}; allowed are {', '.join(of_keyword)}"
                )
            of_keyword[keyword].check(value)
        self.__dict__.update(
            {option.keyword: options.get(option.keyword, option.values[0]) for option in self.OPTIONS}
        )

    def as_dict(self) -> dict[str, Any]:
        """Return every option with its value, in the order of ``OPTIONS``."""
        return {option.keyword: self.__dict__[option.keyword] for option in self.OPTIONS}

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable; make a new one with {name}={value!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.as_dict() == other.as_dict()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.as_dict())

    def __repr__(self) -> str:
        changed = [
            f"{option.keyword}={self.__dict__[option.keyword]!r}"
            for option in self.OPTIONS
            if self.__dict__[option.keyword] != option.values[0]
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


def _made_again(kind: type[Options], options: dict[str, Any]) -> Options:
    return kind(**options)
