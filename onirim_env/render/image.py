"""A game as an image: ``layout.py`` says where, ``cards.py`` how a card looks. No display is needed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pygame

from onirim_env.cards import SERIES_LENGTH
from onirim_env.render import places
from onirim_env.render.cards import card, text
from onirim_env.render.expansion_layout import table_of
from onirim_env.render.layout import layout
from onirim_env.render.palette import (
    BACKGROUND,
    BRIGHT,
    CREAM,
    FAINT,
    INK,
    LOST,
    PANEL,
    PANEL_LINE,
    WON,
    Colour,
)
from onirim_env.render.places import CardPlace, Layout, Rect
from onirim_env.render.zones import doors_needed

if TYPE_CHECKING:
    from onirim_env.game import Game

HEADER = Rect(0, 0, places.WIDTH, 54)
TITLE, LABEL, WORDS, SMALL = 30, 20, 18, 16
SMALL_CARD = 28
"""Cards of a smaller width have smaller numbers on them."""

QUESTIONS = {
    "action": "Play or discard a card",
    "prophecy_discard": "Prophecy: discard one card",
    "prophecy_order": "Prophecy: which card is drawn next?",
    "series": "Series complete: search for its Door?",
    "door": "A Door: spend a Key to open it?",
    "nightmare": "Nightmare: what does it cost?",
    "draft": "Draft: take a card",
    "swap": "Discarded: swap a card?",
    "swap_in": "Swap: for which shared card?",
    "payment": "Spell: which discarded card pays for it?",
    "paradox": "Paradoxical Prophecy: which card goes on top?",
    "planning": "Parallel Planning: which Goal is moved?",
    "incantation": "Incantation: which Door is taken?",
    "look_order": "Which card is drawn next?",
    "bottom_order": "Which card goes to the bottom next?",
    "look_discard": "Happy Dream: which cards are discarded?",
    "happy_dream": "Happy Dream: what is it used for?",
    "happy_search": "Happy Dream: which card goes on top?",
    "free": "Free a Dreamcatcher before the shuffle?",
    "overload": "Overload: which Dreamcatcher is given up?",
    "tower_loss": "Nightmare: which Tower is lost?",
    "premonition": "Which Premonition is carried out first?",
    "premonition_keys": "Premonition: which Key is discarded?",
    "premonition_door": "Premonition: which Door goes to Limbo?",
    "denizen": "A Denizen: rally it by discarding a card?",
    "architect": "Architect: which card is played?",
    "cyclobot_give": "Cyclobot: which Location is given?",
    "cyclobot_take": "Cyclobot: which Location is taken?",
    "keeper_store": "Treasure Keeper: which card is stored?",
}
"""The decision of each phase in words."""
SOLO_LABELS, CO_OP_LABELS = (68, 170, 432), (5, 128, 144)
"""How high the labels of Doors, row and hand stand, as in ``expansion_layout.Table``."""
WHOLE_PROPHECY = "Prophecy: discard one card, order the others"
LABELS = {
    "shared": "SHARED",
    "drawn": "DRAWN",
    "swapping": "SWAPPING",
    "revealed": "REVEALED",
    "placed": "PUT BACK",
}


def render_image(game: Game, player: int | None = None, last_action: str | None = None) -> np.ndarray:
    """Return a game as an image, as one player sees it.

    Parameters
    ----------
    game
        The game.
    player
        Whose view (default: the one to move); hidden cards are shown by their backs.
    last_action
        Text of the action before, shown in the header. Where it put a card on the deck unseen by
        the viewer, the card is not named.

    Returns
    -------
    numpy.ndarray
        uint8, shape (600, 800, 3), a new array.
    """
    pixels = np.empty((places.HEIGHT, places.WIDTH, 3), dtype=np.uint8)
    draw(
        pygame.image.frombuffer(pixels.data, (places.WIDTH, places.HEIGHT), "RGB"), game, player, last_action
    )
    return pixels


def draw(
    surface: pygame.Surface, game: Game, player: int | None = None, last_action: str | None = None
) -> Layout:
    """Draw a game on a surface of ``WIDTH`` x ``HEIGHT`` pixels and return where everything stands.

    The other parameters are those of :func:`render_image`.
    """
    where = layout(game, player)
    surface.blit(_table(game.rules.players), (0, 0))
    if where.labels:
        pygame.draw.rect(surface, PANEL, table_of(game.rules).strip, border_radius=8)
    _draw_header(surface, game, where, _public(game, where.viewer, last_action))
    for index, block in enumerate(where.blocks):
        _draw_player(surface, game, where, index, block)
    _draw_labels(surface, game, where)
    for place in where.cards:
        _draw_card(surface, place)
    for label in where.labels:
        surface.blit(text(label.text, SMALL, FAINT), label.rect[:2])
    for note in where.notes:
        _centred(surface, note.text, note.rect, LABEL, FAINT)
    for choice in where.choices:
        pygame.draw.rect(surface, PANEL_LINE, choice.rect, border_radius=5)
        _centred(surface, choice.label, choice.rect, WORDS, CREAM)
    return where


@cache
def _table(n_players: int) -> pygame.Surface:
    """Return what stands on every frame."""
    surface = pygame.Surface((places.WIDTH, places.HEIGHT), 0, 24)
    surface.fill(BACKGROUND)
    side = Rect(places.SIDE_LEFT, 62, places.SIDE_RIGHT - places.SIDE_LEFT + 8, 530)
    pygame.draw.rect(surface, PANEL, side, border_radius=8)
    _label(surface, "LIMBO", places.SIDE_LEFT + 8, places.LIMBO_Y - 20)
    if n_players == 1:
        pygame.draw.rect(surface, PANEL, (8, 62, 592, 530), border_radius=8)
    return surface


def _public(game: Game, viewer: int, action: str | None) -> str | None:
    """Return an action as the viewer may know it: in closed talk a partner's Prophecy stays secret.

    Between two decisions of one Prophecy it is the viewer's own; later it may be the partner's.
    """
    own = viewer == game.player and game.phase.startswith("prophecy")
    secret = action is not None and (action.startswith(("prophecy place", "put ")) or " then " in action)
    if secret and game.talk == "closed" and game.rules.players > 1 and not own:
        return "prophecy"
    return action


def _draw_header(surface: pygame.Surface, game: Game, where: Layout, last_action: str | None) -> None:
    colour = PANEL if not game.over else WON if game.won else LOST
    pygame.draw.rect(surface, colour, HEADER)
    if game.over:
        left = f"{game.cards_left} Location{'s' * (game.cards_left != 1)} left in the deck"
        title = f"{game.phase.capitalize()} with {game.doors} of {doors_needed(game.rules)} Doors, {left}"
        right = f"after {game.turns} turn{'s' * (game.turns != 1)}"
    else:
        who = f"Player {game.player}: " if game.rules.players > 1 else ""
        whole = game.rules.prophecy_actions == "permutation" and game.phase == "prophecy_discard"
        title = who + (WHOLE_PROPHECY if whole else QUESTIONS.get(game.phase, game.phase))
        number = where.n_legal
        right = f"turn {game.turns + 1}"
        if number is not None:
            right += f"   {number} legal choice{'s' * (number != 1)}"
    surface.blit(text(title, TITLE, CREAM), (places.MARGIN, 7))
    _label(surface, f"last action: {last_action}" if last_action else "", places.MARGIN, 33)
    words = text(right, LABEL, CREAM)
    surface.blit(words, (places.SIDE_RIGHT - words.get_width(), 33))


def _draw_player(surface: pygame.Surface, game: Game, where: Layout, index: int, block: Rect) -> None:
    """Draw the frame and the labels of a player's cards, and the running series."""
    zones: dict[str, list[CardPlace]] = {}
    for place in where.cards:
        if place.player == index:
            zones.setdefault(place.zone, []).append(place)
    doors = zones["doors"]
    n_doors = sum(min(place.number, 1) for place in doors)
    doors_label = f"DOORS  {n_doors} of {len(doors)}"
    n_row = zones["row"][-1].ordinal + 1 if "row" in zones else 0
    heights = SOLO_LABELS if game.rules.players == 1 else CO_OP_LABELS
    if game.rules.expansions:
        heights = table_of(game.rules).labels
    if game.rules.players == 1:
        _label(surface, doors_label, block.x + 8, heights[0])
        _label(surface, f"ROW  {n_row} card{'s' * (n_row != 1)}", block.x + 8, heights[1])
        _label(
            surface,
            "HAND" + "   raised cards can be played" * (game.phase == "action"),
            block.x + 8,
            heights[2],
        )
    else:
        to_move = index == game.player and not game.over
        pygame.draw.rect(surface, PANEL, block, border_radius=8)
        if to_move:
            pygame.draw.rect(surface, BRIGHT, block, 2, border_radius=8)
        name = f"PLAYER {index}" + "  to move" * to_move
        _label(surface, name, block.x + 8, block.y + heights[0], BRIGHT if to_move else FAINT)
        _label(surface, doors_label, doors[0].rect.x, block.y + heights[0])
        _label(surface, "ROW", block.x + 8, block.y + heights[1])
        _label(surface, str(n_row), block.x + 8, block.y + heights[2])
    series = where.series[index]
    if series is not None and series[1] <= len(zones.get("row", ())):
        _draw_series(surface, zones["row"], *series)


def _draw_series(surface: pygame.Surface, row: list[CardPlace], colour: str, length: int) -> None:
    """Draw a line above the cards of the running series."""
    first, last = row[-length].rect, row[-1].rect
    line = (first.x, first.y - 5, last.right - first.x, 3)
    pygame.draw.rect(surface, BRIGHT, line, border_radius=1)
    for number, words in enumerate((f"{colour} series", f"{length} of {SERIES_LENGTH}")):
        _label(surface, words, last.right + 8, last.y + last.height // 2 - 16 + 16 * number, BRIGHT)


def _draw_labels(surface: pygame.Surface, game: Game, where: Layout) -> None:
    """Draw the labels of the cards that belong to nobody."""
    y = where.decision.y + 6
    labels = {place.zone: place.rect.x for place in reversed(where.cards) if place.zone in LABELS}
    for zone, x in labels.items():
        _label(surface, "FACE UP" if game.phase == "draft" else LABELS[zone], x, y)
    if where.choices and not labels:
        _label(surface, "LEGAL CHOICES", where.choices[0].rect.x, y)
    top = any(place.zone == "top" for place in where.cards)
    _label(surface, "DECK", places.SIDE_LEFT + 8, 68)
    _label(surface, "next cards" if top else "next: unknown", places.SIDE_LEFT + 76, 68)
    n_discarded = sum(place.number for place in where.cards if place.zone == "discard")
    _label(surface, f"DISCARD PILE  {n_discarded}", places.SIDE_LEFT + 8, places.DISCARD_Y - 22)


def _draw_card(surface: pygame.Surface, place: CardPlace) -> None:
    rect = place.rect
    surface.blit(card(place.name, rect.width, rect.height, place.number == 0), rect[:2])
    if place.zone == "deck":
        pygame.draw.circle(surface, INK, (rect.x + rect.width // 2, rect.y + rect.height // 2), 18)
        _centred(surface, str(place.number), rect, TITLE, CREAM)
    elif place.number >= 2 - (place.zone in ("limbo", "discard")):
        small = rect.width < SMALL_CARD
        badge = Rect(rect.right - 13, rect.bottom - 14, 18, 18)
        pygame.draw.circle(surface, INK, (badge.x + 9, badge.y + 9), 7 if small else 10)
        _centred(surface, str(place.number), badge, SMALL if small else WORDS, CREAM)


def _label(surface: pygame.Surface, words: str, x: int, y: int, colour: Colour = FAINT) -> None:
    surface.blit(text(words, LABEL, colour), (x, y))


def _centred(surface: pygame.Surface, words: str, rect: Rect, size: int, colour: Colour) -> None:
    drawn = text(words, size, colour)
    x = rect.x + (rect.width - drawn.get_width()) // 2
    surface.blit(drawn, (x, rect.y + (rect.height - drawn.get_height() + 1) // 2))
