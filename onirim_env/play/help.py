"""What ``?`` shows: the game in one screen, and the commands of the terminal or of the window."""

from __future__ import annotations

import textwrap

from onirim_env.cards import KIND_NAMES, N_COLOURS, NIGHTMARE
from onirim_env.render.zones import doors_needed, doors_of_a_colour, kinds_of
from onirim_env.rules import RuleSet

WIDTH = 79
AIM = (
    "You dream of a labyrinth and have to find its {}, before the deck runs out. Each turn you play or "
    "discard a card; then your hand is filled from the deck."
)
RULES = """
- PLAY a card at the end of your row. It must have another symbol (sun, moon,
  key) than the card before it; the colour is free. THREE of one colour in a
  row find a Door of that colour in the deck. A fourth begins a new three.
- DISCARD a sun or a moon to be rid of it. DISCARD A KEY to see the next five
  cards of the deck: throw one away, put the others back in the order you like.
When your hand is filled, the deck may bring
- a Door: yours if you pay the Key of its colour; else it goes to Limbo;
- a Nightmare: pay a Key, a Door of yours, the deck's next five cards or your
  whole hand. There are {nightmares} Nightmares.
What lies in Limbo is shuffled into the deck at the end of the turn.
"""
END = (
    "You win as soon as all {} Doors are in play. You lose when the deck is empty and a card has to be "
    "drawn: each card the deck loses brings the end nearer."
)

CO_OP_RULES = (
    "Two players: each has a row, three cards and Doors of their own; two shared cards belong to the hand of "
    "whoever is to move. {} Who discards may swap a card with a shared one."
)

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


NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
           "thirteen")  # fmt: skip


def rules_text(rules: RuleSet) -> str:
    """Return the rules of a game in short, and what expansions add to them."""
    number, each = doors_needed(rules), doors_of_a_colour(rules)
    own = " and the Oniverse Door" if number > N_COLOURS * each else ""
    both = "" if number == 2 * N_COLOURS else f" and all {_word(number)} are in play"
    aim = AIM.format(f"{_word(number)} Doors, {_word(each)} of each colour{own}")
    nightmares = _word(kinds_of(rules)[KIND_NAMES[NIGHTMARE]])
    end = textwrap.fill(END.format(_word(number)), WIDTH)
    text = textwrap.fill(aim, WIDTH) + RULES.format(nightmares=nightmares) + end + "\n"
    if rules.players > 1:
        win = f"You win when each has a Door of every colour{both}."
        text += textwrap.fill(CO_OP_RULES.format(win), WIDTH) + "\n"
    if rules.expansions:
        from onirim_env.play.expansion_questions import expansions_help

        text += expansions_help(rules.expansions)
    return text


def _word(number: int) -> str:
    return NUMBERS[number - 1] if number <= len(NUMBERS) else str(number)


def help_text(rules: RuleSet) -> str:
    """Return the help of the terminal: the rules of a game in short, then the commands."""
    return rules_text(rules) + COMMANDS
