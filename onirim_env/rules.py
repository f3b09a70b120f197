"""RuleSet: the number of players and the rule options, checked and hashable."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from onirim_env.errors import quoted
from onirim_env.shells.options import Option

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

EXPANSION_BIT, HARD_BIT, EXPANSION_OPTION_BIT = 1 << 16, 1 << 24, 1 << 32
"""The first bits of :attr:`RuleSet.flags` for expansions, harder variants and options of expansions."""


class ExpansionRules(NamedTuple):
    """An expansion as a choice of rules.

    Attributes
    ----------
    keyword
        Its name in ``expansions`` and ``hard``.
    title
        Its name in the box.
    hard
        What its harder variant changes; empty where it has none.
    options
        Its rule options.
    """

    keyword: str
    title: str
    hard: str = ""
    options: tuple[Option, ...] = ()


EXPANSION_RULES: tuple[ExpansionRules, ...] = (
    ExpansionRules(
        "book_of_steps", "The Book of Steps Lost and Found",
        hard="spells cost more",
        options=(
            Option(
                "parallel_planning", "O-30", ("face_up", "any"),
                "Book of Steps: whether Parallel Planning moves face-up Goals only",
            ),
        ),
    ),
    ExpansionRules(
        "glyphs", "The Glyphs",
        options=(
            Option(
                "incantation_door", "O-31", ("optional", "forced"),
                "Glyphs: whether an Incantation may leave its Doors alone",
            ),
        ),
    ),
    ExpansionRules(
        "dreamcatchers", "The Dreamcatchers",
        hard="no Failsafe Books",
        options=(
            Option(
                "overload", "O-32", ("all", "one"),
                "Dreamcatchers: which are emptied when there are too many groups",
            ),
        ),
    ),
    ExpansionRules(
        "towers", "The Towers",
        hard="aligned Towers can be lost",
        options=(
            Option(
                "false_destruction", "O-34", ("free", "forced_only"),
                "Towers: whether a Nightmare may go to Limbo although a Tower could be lost",
            ),
        ),
    ),
    ExpansionRules(
        "premonitions", "Happy Dreams and Dark Premonitions",
        hard="five Premonitions lie face up at first",
        options=(
            Option(
                "premonitions_face_up", "HP-1", ("usual", "six"),
                "Premonitions: whether four (five in the harder variant) or six lie face up at first",
            ),
        ),
    ),
    ExpansionRules(
        "crossroads", "Crossroads and Dead Ends",
        hard="a Crossroad is played only as the second card of a series, and counts for no other one",
        options=(
            Option(
                "crossroad_series", "O-37", ("window", "restart"),
                "Crossroads: whether a colour conflict restarts a series; in the harder variant it does",
            ),
        ),
    ),
    ExpansionRules(
        "oniverse", "The Door to the Oniverse",
        options=(
            Option(
                "denizens", "O-36", (8, 16),
                "Oniverse: how many of the sixteen Denizens are used",
            ),
        ),
    ),
)  # fmt: skip
"""The expansions in their fixed order; ``onirim_env.expansions`` says what else each brings."""
EXPANSIONS = tuple(expansion.keyword for expansion in EXPANSION_RULES)
"""Their keywords."""
CAN_BE_HARD = tuple(expansion.keyword for expansion in EXPANSION_RULES if expansion.hard)
"""Keywords of those that have a harder variant."""


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
        expansions = _expansions("expansions", options.pop("expansions", ()), EXPANSIONS)
        hard = _expansions("hard", options.pop("hard", ()), expansions)
        allowed = (*OPTIONS, *options_of(expansions))
        of_keyword = {option.keyword: option for option in allowed}
        for keyword, value in options.items():
            option = of_keyword.get(keyword)
            if option is None:
                raise ValueError(_not_an_option(keyword, expansions, tuple(of_keyword)))
            option.check(value)
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
            for option in options_of(self.expansions):
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
                EXPANSION_OPTION_BIT << bit
                for bit, option in enumerate(options_of(EXPANSIONS))
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


def title_of(expansion: str) -> str:
    """Return the name that an expansion has in the box, by its keyword."""
    return next(one.title for one in EXPANSION_RULES if one.keyword == expansion)


def options_of(expansions: tuple[str, ...]) -> tuple[Option, ...]:
    """Return the options that some expansions bring, in their order."""
    return tuple(
        option
        for expansion in EXPANSION_RULES
        if expansion.keyword in expansions
        for option in expansion.options
    )


def _not_an_option(keyword: str, expansions: tuple[str, ...], allowed: tuple[str, ...]) -> str:
    """Return the message for a keyword that is no option of the rule set."""
    for expansion in EXPANSION_RULES:
        if any(option.keyword == keyword for option in expansion.options):
            return f"rule option {keyword} {of_unplayed(expansion.keyword, expansions)}"
    names = ", ".join((*allowed, "expansions", "hard"))
    return f"unknown rule option {quoted(keyword)}; allowed are {names}"


def of_unplayed(expansion: str, expansions: Iterable[str]) -> str:
    """Return in words that something belongs to an expansion that is not among some expansions."""
    played = ", ".join(map(repr, expansions)) or "none"
    return f"belongs to the expansion {expansion!r}, which is not among the expansions ({played})"


def _expansions(keyword: str, given: Any, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return keywords of expansions in their fixed order, each once."""
    if isinstance(given, str) or not isinstance(given, (list, tuple, set, frozenset)):
        raise ValueError(f"{keyword} is a list of expansions, not {quoted(given)}")
    for name in given:
        if name not in allowed:
            names = ", ".join(map(repr, allowed)) or "none without expansions"
            unplayed = name in EXPANSIONS
            why = ", which is not among the expansions" if unplayed else ""
            raise ValueError(f"{keyword} cannot have {quoted(name)}{why}; allowed are {names}")
    return tuple(name for name in EXPANSIONS if name in given)


def _check_hard(hard: tuple[str, ...]) -> None:
    for keyword in hard:
        if keyword not in CAN_BE_HARD:
            raise ValueError(f"hard cannot have {keyword!r}: this expansion has no harder variant")


def _rule_set_of(options: dict[str, Any]) -> RuleSet:
    return RuleSet(**options)


def flag_of(keyword: str) -> int:
    """Return the bit that :attr:`RuleSet.flags` sets where ``keyword`` is not at its default."""
    return 1 << [option.keyword for option in OPTIONS].index(keyword)


def expansion_flag_of(keyword: str) -> int:
    """Return the same for an option of an expansion."""
    return EXPANSION_OPTION_BIT << [option.keyword for option in options_of(EXPANSIONS)].index(keyword)
