"""Why an action cannot be taken, told to somebody who has typed its text."""

from __future__ import annotations

from onirim_env.play.facts import Facts


def why_refused(table: Facts, text: str) -> str:
    """Return in a sentence why an action of the game's table is not legal now.

    Parameters
    ----------
    table
        The game.
    text
        The action's text.
    """
    words = text.split()
    reason = _REASONS.get(words[0], _other)(table, words) if table.game.phase == "action" else ""
    return reason or _other(table, words)


def _other(table: Facts, words: list[str]) -> str:
    return "it is none of the choices"


def _missing(table: Facts, words: list[str], card: str) -> str:
    """Return that a card is not there, if it is not."""
    if "shared" in words:
        return "" if card in table.position["shared"] else f"no {card} is shared"
    if "stored" in words:
        return "" if card in table.own.get("stored", []) else f"no {card} is stored"
    return "" if card in table.own["hand"] else f"your hand holds no {card}"


def _card(words: list[str]) -> str:
    return " ".join(word for word in words[1:] if word not in ("shared", "stored", "left", "right"))


def _play(table: Facts, words: list[str]) -> str:
    card, row = _card(words), table.own["row"]
    missing = _missing(table, words, card)
    if missing:
        return missing
    if row and row[-1].split()[1] == card.split()[1]:
        return f"the row ends with a {card.split()[1]}, and two cards with the same symbol may not touch"
    return "that card is not played in the row"


def _discard(table: Facts, words: list[str]) -> str:
    return _missing(table, words, _card(words)) or "that card cannot be discarded by itself"


def _place(table: Facts, words: list[str]) -> str:
    missing = _missing(table, words, _card(words))
    if missing:
        return missing
    if not table.position["towers"]:
        return (
            f"the first Tower has no neighbour, so left and right are the same: {' '.join(words[:-1])} right"
        )
    return f"the edges that would touch at the {words[-1]} end share a symbol"


_REASONS = {"play": _play, "discard": _discard, "place": _place}
