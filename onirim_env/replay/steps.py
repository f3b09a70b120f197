"""A record as steps: every decision with its table, its choices in words, and what it led to.

Steps are plain data, ready for JSON. Cards are letters, so that a page stays small: ``a`` is the first
kind of ``onirim_env/cards.py``, ``q`` the last, then those of expansions; ``?`` a card that is not known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from onirim_env.expansions import ALL_KIND_OF_NAME
from onirim_env.expansions.form import Zone
from onirim_env.files import read_json
from onirim_env.play.narration import ending, tell
from onirim_env.play.questions import ask
from onirim_env.play.session import SURE, Advice
from onirim_env.render.zones import doors_needed, expansion_zones, known_top, running_series
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game

LETTERS = ascii_letters
"""The letter of each kind, those of expansions included."""
UNKNOWN = "?"
DIGITS = 3
"""Decimal places of numbers that are only drawn."""


@dataclass(frozen=True)
class Curve:
    """A value for each decision of a game, and for its end.

    Attributes
    ----------
    label
        What the values are.
    values
        From 0 to 1, one for each game of :func:`games_of`.
    """

    label: str
    values: Sequence[float]


def games_of(record: Any, talk: str = "open") -> list[Game]:
    """Return the games of a record: before each decision, and at its end.

    Parameters
    ----------
    record
        A dict, or the path of a JSON file.
    talk
        Co-op: what the players observe, which a record does not say.

    Raises
    ------
    FileError
        For a file that cannot be read, or is no JSON.
    PositionError
        For a record that does not replay.
    """
    from onirim_env.game import Game

    if isinstance(record, (str, Path)):
        record = read_json(Path(record), "record")
    end = Game.from_record(record, talk=talk)
    games = [Game.from_record({**record, "actions": [], "result": None}, talk=talk)]
    for action in end.record()["actions"]:
        games.append(games[-1].copy())
        games[-1].apply(action)
    return games


def replay_steps(
    games: Sequence[Game],
    agents: Sequence[str] = (),
    advices: Sequence[Advice | None] = (),
    curve: Curve | None = None,
    note: str = "",
) -> dict[str, Any]:
    """Return a game as data for a page.

    Parameters
    ----------
    games
        As :func:`games_of` gives them.
    agents
        Who played, seat by seat; empty for people.
    advices
        What an adviser thought of each decision; None where it said nothing.
    curve
        Values to draw over the decisions.
    note
        What is to be said of the page, beside what the advices say.

    Returns
    -------
    dict
        ``title``, ``result``, ``won`` (None for a game under way), ``closed``, ``names``, ``adviser``,
        ``unit``, ``note`` and ``curve`` (None where there are none), and ``steps``.
        Each step has ``player``, ``turn``,
        ``doors``, ``question``, ``choices`` (words, and with advice its value in words and its
        part of a bar), ``taken`` and ``advised`` (places in ``choices``, or None), ``happened``
        (lines) and ``scene`` (:func:`scene`). The last step is the end, or the decision that a game
        under way waits for. With expansions there is ``expansions``, too.
    """
    end = games[-1]
    actions = end.record()["actions"]
    names = [f"player {seat}" + (f" ({agents[seat]})" if agents else "") for seat in range(end.rules.players)]
    told = {place: advice for place, advice in enumerate(advices) if advice is not None}
    steps = []
    for place, game in enumerate(games):
        step = _step(game, told.get(place))
        if place < len(actions):
            step["taken"] = game.legal_actions().index(game.table.id(actions[place]))
            # The first line repeats the action.
            step["happened"] = tell(game, actions[place], games[place + 1], game.player, names)[1:]
        steps.append(step)
    counted = any(advice.playouts for advice in told.values())
    units = dict.fromkeys(advice.unit for advice in told.values() if advice.values)
    notes = dict.fromkeys([note, *(advice.caution for advice in told.values())])
    advisers = dict.fromkeys(advice.name for advice in told.values())
    who = f": {'+'.join(dict.fromkeys(agents))}" if agents else ""
    return {
        "title": f"Onirim{who}, {_rules_text(end)}, seed {end.record()['seed']}",
        "result": _result_text(end),
        "won": end.won if end.over else None,
        "closed": end.rules.players > 1 and end.talk == "closed",
        "names": names,
        "adviser": " or ".join(advisers) or None,
        "unit": " or ".join(units) + " (behind /: the number of playouts)" * counted or None,
        "note": " ".join(filter(None, notes)) or None,
        "curve": None if curve is None else _curve(curve, len(games)),
        "steps": steps,
        **({"expansions": list(end.rules.expansions)} if end.rules.expansions else {}),
    }


def _rules_text(game: Game) -> str:
    rules = game.rules
    default = {**RuleSet(players=rules.players, expansions=rules.expansions).as_dict(), "expansions": []}
    options = [
        f"{key}={'+'.join(value) if isinstance(value, list) else value}"
        for key, value in rules.as_dict().items()
        if value != default.get(key, value)
    ]
    return ", ".join(["solo" if game.rules.players == 1 else f"co-op, {game.talk} talk", *options])


def _result_text(game: Game) -> str:
    turns = f"{game.turns} turn{'s' * (game.turns != 1)}"
    start = ending(game) if game.over else "The record ends here; the game is not over."
    return f"{start} {game.doors} of {doors_needed(game.rules)} Doors, {turns}."


def _curve(curve: Curve, number: int) -> dict[str, Any]:
    if len(curve.values) != number:
        raise ValueError(f"a curve of {len(curve.values)} values for {number} steps")
    return {"label": curve.label, "values": [round(float(value), DIGITS) for value in curve.values]}


def _step(game: Game, advice: Advice | None) -> dict[str, Any]:
    step: dict[str, Any] = {
        "player": game.player,
        "turn": game.turns + 1,
        "doors": game.doors,
        "question": _result_text(game),
        "choices": [],
        "taken": None,
        "advised": None,
        "happened": [],
        "scene": scene(game),
    }
    if not game.over:
        question = ask(game)
        step["question"] = question.text
        values = {} if advice is None else _finite(advice.values)
        parts = _parts(values, advice.unit if advice is not None else "")
        for choice in question.choices:
            step["choices"].append([choice.words])
            if advice is not None and choice.action in values:
                step["choices"][-1] += [advice.value_text(choice.action), parts[choice.action]]
        if advice is not None:
            step["advised"] = game.legal_actions().index(advice.action)
    return step


def _finite(values: dict[int, float]) -> dict[int, float]:
    return {action: value for action, value in values.items() if isfinite(value)}


def _parts(values: dict[int, float], unit: str) -> dict[int, float]:
    """Return what part of a whole bar stands for each value.

    Scores have no whole but the best of them, and no beginning but the worst; what is never done, or at
    once, is no measure for the others.
    """
    if not values:
        return {}
    low, high = 0.0, 1.0
    if unit == "score":
        measures = [value for value in values.values() if abs(value) <= SURE] or [0.0]
        low, high = min(measures), max(measures)
    room = high - low or 1.0
    return {
        action: round(min(1.0, max(0.0, (value - low) / room)), DIGITS) for action, value in values.items()
    }


def scene(game: Game) -> dict[str, Any]:
    """Return the table between two decisions, as letters of cards.

    Both hands are open; the deck shows what the player to move knows of it, and no more.

    Returns
    -------
    dict
        ``players`` (each ``row``, ``hand``, ``doors``, ``series``: how many cards at the end of the row
        run, and ``hidden``: a 1 for each card of the hand that the partner does not know), ``shared``,
        ``drawn``, ``swapping``, ``revealed``, ``placed``, ``limbo``, ``discard``, ``top`` and ``deck``
        (a number); with expansions ``expansions``: each zone's ``label``, ``groups``, ``marked`` and
        ``words``.
    """
    position = game.position()
    seen = game.describe()
    closed = game.rules.players > 1 and game.talk == "closed"
    players = []
    for player, own in enumerate(position["players"]):
        field = seen["series" if player == game.player else "partner_series"]
        series = running_series(game.rules, own, field)
        players.append(
            {
                "row": _letters(own["row"]),
                "hand": _letters(own["hand"]),
                "doors": _letters(own["doors"]),
                "series": 0 if series is None else series[1],
                "hidden": _hidden(own["hand"], own["public"]) if closed else "",
            }
        )
    cards = {zone: _letters(position[zone]) for zone in ("shared", "revealed", "placed", "limbo")}
    for zone in ("drawn", "swapping"):
        cards[zone] = _letters([position[zone]] if position[zone] is not None else [])
    return {
        "players": players,
        **cards,
        "discard": "".join(sorted(_letters(position["discard"]))),
        "top": _letters(known_top(seen)),
        "deck": sum(len(position[zone]) for zone in ("deck", "revealed", "placed")),
        **_expansions(expansion_zones(game, game.player, position, seen)),
    }


def _expansions(zones: Sequence[Zone]) -> dict[str, Any]:
    """Return the zones of expansions, those that stand among the decided cards left out."""
    shown = [zone for zone in zones if zone.label not in ("looked at", "placed")]
    if not shown:
        return {}
    return {
        "expansions": [
            {
                "label": zone.label,
                "groups": [_letters(group) for group in zone.groups],
                "marked": sorted(zone.marked),
                "words": zone.words,
            }
            for zone in shown
        ]
    }


def _letters(names: Sequence[str | None]) -> str:
    return "".join(UNKNOWN if name is None else LETTERS[ALL_KIND_OF_NAME[name]] for name in names)


def _hidden(hand: Sequence[str], public: Sequence[str]) -> str:
    """Return 1 for each card of a hand that the partner does not know, 0 for the others."""
    left = list(public)
    marks = []
    for name in hand:
        known = name in left
        if known:
            left.remove(name)
        marks.append("0" if known else "1")
    return "".join(marks)
