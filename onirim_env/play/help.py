"""What ``?`` shows: the game in one screen, and the commands of the terminal or of the window."""

from __future__ import annotations

RULES = """\
You dream of a labyrinth and have to find its eight Doors, two of each colour,
before the deck runs out. Each turn you play or discard a card; then your hand
is filled from the deck.
- PLAY a card at the end of your row. It must have another symbol (sun, moon,
  key) than the card before it; the colour is free. THREE of one colour in a
  row find a Door of that colour in the deck. A fourth begins a new three.
- DISCARD a sun or a moon to be rid of it. DISCARD A KEY to see the next five
  cards of the deck: throw one away, put the others back in the order you like.
When your hand is filled, the deck may bring
- a Door: yours if you pay the Key of its colour; else it goes to Limbo;
- a Nightmare: pay a Key, a Door of yours, the deck's next five cards or your
  whole hand. There are ten Nightmares.
What lies in Limbo is shuffled into the deck at the end of the turn.
You win as soon as all eight Doors are in play. You lose when the deck is empty
and a card has to be drawn: each card the deck loses brings the end nearer.
"""

CO_OP_RULES = """\
Two players: each has a row, three cards and Doors of their own; two shared cards
belong to the hand of whoever is to move. You win when each has one Door of every
colour. Who discards may swap a card with a shared one.
"""

COMMANDS = """\
  a number  takes that choice      u       takes your last decision back
  Enter     shows the table        s FILE  saves the game (--load FILE goes on)
  h         asks for a hint        d       lists the discard pile
  ?         shows this             q       leaves; you are told how to go on"""


WINDOW_COMMANDS = (
    ("a click on a card", "plays it, or asks what to do with it; a right click discards it"),
    ("dragging", "puts the cards of a Prophecy in order; or click a card, then a place"),
    ("a number", "takes the choice with this number; a click on it does, too"),
    ("Up, Down, Enter", "move over the choices and take one"),
    ("Left, Right", "in a Prophecy: move over the cards; with Shift they move the card, D throws it away"),
    ("U, S, H", "takes your last decision back; saves the game; asks for a hint"),
    ("D", "lets clicks discard cards, or play them again"),
    ("Tab", "counts the discard pile, or the cards not seen yet"),
    ("Page Up, Page Down", "show the other cards of a long row; so does the wheel"),
    ("Esc or Q", "leaves; the game is saved, and the terminal tells how to go on"),
)
"""What the mouse and the keys of the window do."""


def rules_text(players: int, expansions: tuple[str, ...] = ()) -> str:
    """Return the rules for a number of players, and what modules add to them."""
    text = RULES + (CO_OP_RULES if players > 1 else "")
    if expansions:
        from onirim_env.play.module_questions import modules_help

        text += modules_help(expansions)
    return text


def help_text(players: int, expansions: tuple[str, ...] = ()) -> str:
    """Return the help of the terminal: the rules for a number of players and modules, then the commands."""
    return rules_text(players, expansions) + COMMANDS
