"""What can be done with a card on the screen, and why nothing can be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from onirim_env.play.facts import Facts

if TYPE_CHECKING:
    from onirim_env.game import Game
    from onirim_env.render.places import CardPlace

USES = {
    ("action", "hand"): ("play {card}", "discard {card}"),
    ("action", "shared"): ("play shared {card}", "discard shared {card}"),
    ("draft", "shared"): ("take {card}",),
    ("swap", "hand"): ("swap out {card}",),
    ("swap_in", "shared"): ("swap in {card}",),
    ("series", "deck"): ("search",),
    ("door", "hand"): ("open door",),
    ("door", "shared"): ("open door with shared key",),
    ("door", "drawn"): ("open door", "open door with shared key", "refuse door"),
    ("nightmare", "hand"): ("nightmare discard {card}",),
    ("nightmare", "shared"): ("nightmare discard shared {card}",),
    ("nightmare", "doors"): ("nightmare return {card}",),
    ("nightmare", "deck"): ("nightmare reveal five",),
}
"""The actions that a card stands for, by the phase and by where it lies."""

WITH_HAND = (
    "action", "draft", "swap", "swap_in", "door", "nightmare", "denizen", "architect", "cyclobot_give",
    "keeper_store",
)  # fmt: skip
"""With expansions: phases in which a card of the hand stands for the actions that name it."""
WANTED = {
    "action": "Choose a card of your hand, to play or to discard it.",
    "draft": "Take one of the face-up cards.",
    "swap": "Choose the card of your hand that you give, or swap nothing.",
    "swap_in": "Choose the shared card that you take.",
    "series": "Click on the deck to search it, or leave it as it is: see the numbered choices.",
    "nightmare": "A Nightmare takes a Key, a Door, cards of the deck or your hand: see the numbered choices.",
    "prophecy_discard": "Drag one card of the Prophecy to THROWN AWAY, and the others into order.",
    "prophecy_order": "Drag the cards of the Prophecy into order.",
    "look_order": "Drag the cards into order; they go back on top of the deck.",
    "bottom_order": "Drag the cards into order; they go to the bottom of the deck.",
}
"""What is asked for, told to somebody who clicks on something else."""


def actions_of(game: Game, place: CardPlace) -> list[str]:
    """Return the texts of the legal actions that a card stands for, playing before discarding."""
    unknown = place.name is None and place.zone != "deck"
    if unknown or place.number == 0:
        return []
    if place.player not in (None, game.player):
        return []
    if game.rules.expansions:
        return _uses_with_expansions(game, place)
    texts = [text.format(card=place.name) for text in USES.get((game.phase, place.zone), ())]
    if not texts:
        return []
    if game.phase == "door" and place.zone != "drawn" and place.name != _key_of_door(game):
        return []
    legal = game.legal_texts()
    return [text for text in texts if text in legal]


def _uses_with_expansions(game: Game, place: CardPlace) -> list[str]:
    """Return the legal actions that name a card of the hand, playing first and discarding last."""
    if place.zone not in ("hand", "shared") or game.phase not in WITH_HAND:
        return [text for text in ("search",) if place.zone == "deck" and text in game.legal_texts()]
    name = re.escape(str(place.name))
    source = "shared " if place.zone == "shared" and game.phase not in ("draft", "swap_in") else ""
    pattern = re.compile(
        rf"(?!swap in )(?:.* )?(?<!shared )(?<!stored )(?<!take ){source}{name}(?: left| right)?"
    )
    if game.phase in ("draft", "swap_in"):
        pattern = re.compile(rf"(?:take|swap in) {name}")
    texts = [text for text in game.legal_texts() if pattern.fullmatch(text)]
    return sorted(texts, key=lambda text: (text.startswith("discard"), not text.startswith("play")))


def why_not(game: Game, place: CardPlace) -> str:
    """Return in a line why nothing can be done with a card, or why it cannot be played."""
    if game.over:
        return "The game has ended."
    if place.zone in ("hand", "shared") and place.player in (None, game.player):
        row = Facts(game).own["row"]
        if game.phase == "action" and row and place.name is not None:
            if place.name == "dead end":
                return "A Dead End can only be discarded with the whole hand."
            if row[-1].split()[1] == place.name.split()[1]:
                symbol = place.name.split()[1]
                return f"Two cards with the same symbol may not touch, and the row ends with a {symbol}."
        elif game.phase == "door" and not game.rules.expansions:
            return f"Only the {_key_of_door(game)} opens this Door."
    elif place.zone == "hand":
        return "This card is your partner's."
    if game.phase == "door" and not game.rules.expansions:
        return f"Open the Door with the {_key_of_door(game)}, or keep the Key."
    return WANTED.get(game.phase, "See the numbered choices.")


def _key_of_door(game: Game) -> str:
    door: str = game.position()["drawn"]
    return door.replace("door", "key")
