"""A game of Odin as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onirim_env.odin.game import Game

LETTERS = {"red": "R", "blue": "B", "green": "G", "brown": "N", "orange": "O", "pink": "P"}
GOAT_SIGN = "goat"


def card_text(name: str) -> str:
    """Return the short text of a card: letter of the colour and number, such as ``R9``, or ``goat``."""
    if name == GOAT_SIGN:
        return GOAT_SIGN
    colour, number = name.split()
    return LETTERS[colour] + number


def cards_text(names: Sequence[str]) -> str:
    """Return the short texts of cards; a dash for none."""
    return " ".join(map(card_text, names)) or "-"


def render_text(game: Game, player: int | None = None, last_action: str | None = None) -> str:
    """Return a game as a player sees it: own hand, what is known of the others, the table.

    Parameters
    ----------
    game
        The game.
    player
        Who looks; by default the player to move, at the end player 0.
    last_action
        Text of the action before.
    """
    position = game.position()
    player = (game.player or 0) if player is None else player
    rules = game.rules
    what = "one hand" if rules.episode == "hand" else f"to {rules.limit} points"
    hand = position["hands_played"] + (not game.over)
    lines = [f"Odin, {rules.players} players, {what}; hand {hand}, {game.phase}"]
    signs = ((">", position["to_move"]), ("o", position["owner"]), ("l", position["leader"]))
    for seat, one in enumerate(position["players"]):
        shown = "".join(sign for sign, where in signs if where == seat)
        known = f", known: {cards_text(one['public'])}" if one["public"] and seat != player else ""
        passed = ", passed" if seat in position["passed"] else ""
        you = " (you)" if seat == player else ""
        lines.append(
            f"{shown:>3} player {seat}{you}: {one['points']} points, {len(one['hand'])} cards{known}{passed}"
        )
    lines.append(f"table: {cards_text(position['table'])}")
    if position["beaten"]:
        lines.append(f"beaten, one to be taken: {cards_text(position['beaten'])}")
    if position["chosen"] and player == game.player:
        lines.append(f"chosen: {cards_text(position['chosen'])}")
    lines.append(f"hand: {cards_text(position['players'][player]['hand'])}")
    lines.append(f"discarded: {cards_text(position['discard'])}")
    if last_action is not None:
        lines.append(f"last action: {last_action}")
    if game.over:
        winners = game.winners or []
        lines.append("won by " + ", ".join(f"player {seat}" for seat in winners))
    return "\n".join(lines) + "\n"
