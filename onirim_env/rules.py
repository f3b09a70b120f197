"""RuleSet: the number of players and the rule options (rules section 4), checked and hashable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from onirim_env.errors import quoted


@dataclass(frozen=True)
class Option:
    """One keyword of a rule set.

    Attributes
    ----------
    keyword
        Name of the keyword in :class:`RuleSet` and in the environments.
    rule
        Number of the option in the rules (``O-1`` ...), empty where it has none.
    values
        Allowed values, the default first. The engine numbers them in this order.
    meaning
        What the values mean, for documentation and ``python -m onirim_env rules``.
    """

    keyword: str
    rule: str
    values: tuple[Any, ...]
    meaning: str


OPTIONS: tuple[Option, ...] = (
    Option("players", "", (1, 2), "one player alone, or two in co-op"),
    Option(
        "prophecy_discard",
        "O-1",
        ("mandatory", "optional"),
        "whether a Prophecy must discard one of the cards it shows",
    ),
    Option(
        "prophecy_door",
        "O-2",
        ("lost", "protected"),
        "whether a Prophecy may discard a Door, or only when it shows nothing but Doors",
    ),
    Option(
        "reveal_short_deck",
        "O-3",
        ("allowed", "forbidden"),
        "whether a Nightmare may reveal five cards when the deck holds fewer",
    ),
    Option(
        "door_key",
        "O-5",
        ("optional", "automatic"),
        "whether a drawn Door asks for its Key or takes it by itself (a personal Key first)",
    ),
    Option(
        "series_search",
        "O-6",
        ("automatic", "choice"),
        "whether a completed series searches by itself when the deck holds a Door to gain, or asks",
    ),
    Option(
        "stop_when_unwinnable",
        "O-10",
        (False, True),
        "whether the game ends as lost as soon as a Door is discarded",
    ),
    Option(
        "nightmare_return_door",
        "O-13",
        (True, False),
        "whether a Nightmare may be resolved by returning a Door",
    ),
    Option(
        "duplicate_door",
        "O-20",
        ("limbo", "kept"),
        "co-op: whether a player may keep a second Door of one colour",
    ),
    Option(
        "shared_refill",
        "O-21",
        ("resolved", "limbo"),
        "co-op: whether Doors and Nightmares met while a shared place is refilled are resolved",
    ),
    Option(
        "draft",
        "O-23",
        ("choice", "dealt"),
        "co-op: whether the players pick from the eight face-up Locations or are dealt them",
    ),
    Option(
        "prophecy_actions",
        "",
        ("sequential", "permutation"),
        "whether a Prophecy is a sequence of small decisions or one of 120 (no rule of the game)",
    ),
)
"""The one table of options: keywords, values, flags of the engine and documentation come from it."""

EXPANSION_BIT, HARD_BIT, MODULE_OPTION_BIT = 1 << 16, 1 << 24, 1 << 32
"""The first bits of :attr:`RuleSet.flags` for expansions, harder variants and options of modules."""

EXPANSIONS = (
    "book_of_steps",
    "glyphs",
    "dreamcatchers",
    "towers",
    "premonitions",
    "crossroads",
    "oniverse",
)
"""Keywords of the modules, in their fixed order; ``onirim_env.modules`` says what each brings."""


def _allowed(option: Option) -> str:
    return ", ".join(repr(value) for value in option.values)


class RuleSet:
    """The rules that a game is played by.

    Every keyword of :data:`OPTIONS` is an attribute. Rule sets are immutable, compare and hash
    by value, and pickle.

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
    >>> RuleSet(players=2).draft
    'choice'
    """

    players: int
    prophecy_discard: str
    prophecy_door: str
    reveal_short_deck: str
    door_key: str
    series_search: str
    stop_when_unwinnable: bool
    nightmare_return_door: bool
    duplicate_door: str
    shared_refill: str
    draft: str
    prophecy_actions: str

    expansions: tuple[str, ...]
    hard: tuple[str, ...]
    parallel_planning: str
    incantation_door: str
    overload: str
    false_destruction: str
    premonitions_face_up: str
    crossroad_series: str
    denizens: int

    def __init__(self, **options: Any) -> None:
        expansions = _modules("expansions", options.pop("expansions", ()), EXPANSIONS)
        hard = _modules("hard", options.pop("hard", ()), expansions)
        allowed = (*OPTIONS, *module_options(expansions))
        of_keyword = {option.keyword: option for option in allowed}
        for keyword, value in options.items():
            option = of_keyword.get(keyword)
            if option is None:
                raise ValueError(_not_an_option(keyword, expansions, tuple(of_keyword)))
            if not any(type(value) is type(one) and value == one for one in option.values):
                raise ValueError(
                    f"rule option {keyword} cannot be {quoted(value)}; allowed are {_allowed(option)}"
                )
        values = {option.keyword: options.get(option.keyword, option.values[0]) for option in allowed}
        self.__dict__.update(values, expansions=expansions, hard=hard)
        _check_hard(hard)

    def as_dict(self) -> dict[str, Any]:
        """Return every option with its value, in the order of :data:`OPTIONS`.

        Expansions and their options are in it only where there are any.
        """
        values = {option.keyword: self.__dict__[option.keyword] for option in OPTIONS}
        if self.expansions:
            values.update(expansions=list(self.expansions), hard=list(self.hard))
            for option in module_options(self.expansions):
                values[option.keyword] = self.__dict__[option.keyword]
        return values

    def base_game(self) -> RuleSet:
        """Return the same rules without expansions."""
        return RuleSet(**{option.keyword: getattr(self, option.keyword) for option in OPTIONS})

    @cached_property
    def flags(self) -> int:
        """The rule set as the engine reads it: a bit for each option that is not at its default.

        Bits 0 to 15 are for the options of :data:`OPTIONS`, 16 to 23 for expansions, 24 to 31 for
        their harder variants, and those from 32 on for their options.
        """
        flags = sum(
            1 << bit
            for bit, option in enumerate(OPTIONS)
            if getattr(self, option.keyword) != option.values[0]
        )
        flags += sum(EXPANSION_BIT << EXPANSIONS.index(keyword) for keyword in self.expansions)
        flags += sum(HARD_BIT << EXPANSIONS.index(keyword) for keyword in self.hard)
        if self.expansions:
            flags += sum(
                MODULE_OPTION_BIT << bit
                for bit, option in enumerate(module_options(EXPANSIONS))
                if getattr(self, option.keyword, option.values[0]) != option.values[0]
            )
        return flags

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a RuleSet is immutable; make a new one with {name}={value!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self.flags == other.flags

    def __hash__(self) -> int:
        return hash(self.flags)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rule_set_of, (self.as_dict(),)

    def __repr__(self) -> str:
        defaults = RuleSet(expansions=self.expansions).as_dict() if self.expansions else _DEFAULTS
        changed = {name: value for name, value in self.as_dict().items() if value != defaults.get(name)}
        if self.expansions:
            changed["expansions"] = list(self.expansions)
        return f"RuleSet({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


_DEFAULTS = {option.keyword: option.values[0] for option in OPTIONS}


def module_options(expansions: tuple[str, ...]) -> tuple[Option, ...]:
    """Return the options that some modules bring, in their order."""
    if not expansions:
        return ()
    from onirim_env.modules import MODULES

    return tuple(option for module in MODULES if module.keyword in expansions for option in module.options)


def _not_an_option(keyword: str, expansions: tuple[str, ...], allowed: tuple[str, ...]) -> str:
    """Return the message for a keyword that is no option of the rule set."""
    from onirim_env.modules import MODULES

    for module in MODULES:
        if any(option.keyword == keyword for option in module.options):
            return f"rule option {keyword} {of_unplayed(module.keyword, expansions)}"
    names = ", ".join((*allowed, "expansions", "hard"))
    return f"unknown rule option {quoted(keyword)}; allowed are {names}"


def of_unplayed(module: str, expansions: Iterable[str]) -> str:
    """Return in words that something belongs to a module that is not among some expansions."""
    played = ", ".join(map(repr, expansions)) or "none"
    return f"belongs to the expansion {module!r}, which is not among the expansions ({played})"


def _modules(keyword: str, given: Any, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return keywords of modules in their fixed order, each once."""
    if isinstance(given, str) or not isinstance(given, (list, tuple, set, frozenset)):
        raise ValueError(f"{keyword} is a list of modules, not {quoted(given)}")
    for name in given:
        if name not in allowed:
            names = ", ".join(map(repr, allowed)) or "none without expansions"
            unplayed = name in EXPANSIONS
            why = ", which is not among the expansions" if unplayed else ""
            raise ValueError(f"{keyword} cannot have {quoted(name)}{why}; allowed are {names}")
    return tuple(name for name in EXPANSIONS if name in given)


def _check_hard(hard: tuple[str, ...]) -> None:
    if not hard:
        return
    from onirim_env.modules import module_of

    for keyword in hard:
        if not module_of(keyword).hard:
            raise ValueError(f"hard cannot have {keyword!r}: this module has no harder variant")


def _rule_set_of(options: dict[str, Any]) -> RuleSet:
    return RuleSet(**options)


def flag_of(keyword: str) -> int:
    """Return the bit that :attr:`RuleSet.flags` sets where ``keyword`` is not at its default."""
    return 1 << [option.keyword for option in OPTIONS].index(keyword)


def module_flag_of(keyword: str) -> int:
    """Return the same for an option of a module."""
    return MODULE_OPTION_BIT << [option.keyword for option in module_options(EXPANSIONS)].index(keyword)
