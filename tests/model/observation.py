"""What a player may know, worked out slowly: every entry of an observation by the names of field and label.

Written from docs/observations.md, docs/expansions.md and the tables of fields. It looks at the plain model
alone, which also follows who has seen which hidden card; nothing of the engine is here.
"""

from __future__ import annotations

from collections import Counter
from itertools import takewhile

from tests.model.expansions.cards import PACK, colour_of, symbol_of
from tests.model.game import PlainGame

Entries = dict[tuple[str, str], float]

TOP_PLACES = BOTTOM_PLACES = 5
CO_OP_PHASES = ("draft", "swap", "swap_in")
BASE_PHASES = (
    *("action", "prophecy_discard", "prophecy_order", "series", "door", "nightmare", "won", "lost"),
    *CO_OP_PHASES,
)
#: Expansions that put cards at the bottom of the deck, or look at them there.
SHOWING_THE_BOTTOM = {"book_of_steps", "glyphs", "oniverse"}


class PlainView:
    """The observation of one player.

    Parameters
    ----------
    model : PlainGame
        The game, with what everybody has seen.
    player : int
        Who observes.
    talk : str
        ``"open"``, where players tell each other all they know (C-11), or ``"closed"``.
    lying : list of str, optional
        The revealed cards as they lie on the deck (``revealed`` of a position). It is given where Prophecies
        are decided as a whole, by these places, which are shown then.

    Attributes
    ----------
    entries : Counter
        (field, label) -> how many, for all that is not zero.
    """

    def __init__(self, model: PlainGame, player: int, talk: str, lying: list | None = None) -> None:
        self.model, self.player, self.partner = model, player, 1 - player
        self.is_open, self.lying = talk == "open", lying
        self.entries: Counter[tuple[str, str]] = Counter()
        self._see_table()
        self._see_players()
        self._see_deck()
        if model.is_coop:
            self._see_partner()
        if model.expansions:
            self._see_expansions()

    def values(self) -> Entries:
        """Return the numbers of the vector: of ``unseen``, ``limbo`` and ``deck_size``, shares."""
        totals = {"deck_size": lambda _: 76, "unseen": PACK.__getitem__, "limbo": PACK.__getitem__}
        return {
            (field, label): number / totals[field](label) if field in totals else float(number)
            for (field, label), number in self.entries.items()
            if number
        }

    def _note(self, field: str, label: str, number: int = 1) -> None:
        if number:
            self.entries[field, label] += number

    def _count(self, field: str, cards: list, place: str = "") -> None:
        """Count cards by kind; those of expansions have fields of their own."""
        for card in cards:
            self._note(field if card in PACK else f"new_{field}", place + card)

    def _knows(self, seen: set, who: int | None = None) -> bool:
        return bool(seen) if self.is_open else (self.player if who is None else who) in seen

    # What lies open
    def _see_table(self) -> None:
        model = self.model
        phase = model.phase
        field = "co_op_phase" if phase in CO_OP_PHASES else "phase"
        self._note(field if phase in BASE_PHASES else "module_phase", phase)
        self._count("limbo", model.limbo)
        self._count("drawn", [model.drawn] if model.drawn else [])

    def _see_players(self) -> None:
        self._count("hand", self.model.players[self.player]["hand"])
        self._see_row(self.player, "")
        self._see_doors(self.player, "")

    def _see_row(self, who: int, prefix: str) -> None:
        row = self.model.players[who]["row"]
        if not row:
            return
        if symbol_of(row[-1]) == "glyph":
            self._note("last_glyph", "partner" if prefix else "self")
        else:
            self._note(f"{prefix}last_symbol", symbol_of(row[-1]))
        if self.model.expansion("crossroads"):  # pending says it instead
            return
        colour = colour_of(row[-1])
        length = len(list(takewhile(lambda card: colour_of(card) == colour, reversed(row)))) % 3
        if self.model.phase == "series" and self.model.to_move == who:
            length = 3
        if length:
            self._note(f"{prefix}series", f"{colour} {length}")

    def _see_doors(self, who: int, prefix: str) -> None:
        for door, number in Counter(self.model.players[who]["doors"]).items():
            if door == "oniverse door":
                self._note("oniverse_door", "partner" if prefix else "self")
                continue
            for first in range(1, min(number, 2) + 1):
                self._note(f"{prefix}doors", f"{colour_of(door)} {first}")
            if number > 2:
                self._note(f"{prefix}third_doors", colour_of(door))

    # The deck
    def _prophecy(self) -> tuple[list, list]:
        """The cards of a Prophecy that are placed and that are not, with who has seen them where they lie."""
        model = self.model
        if not model.phase.startswith("prophecy"):
            return [], []
        placed = [(card, {model.to_move}) for card in model.placed]
        return placed, list(zip(model.revealed, model.revealed_seen, strict=True))

    def _see_deck(self) -> None:
        model = self.model
        placed, revealed = self._prophecy()
        deck = [*placed, *revealed, *zip(model.deck, model.seen, strict=True)]
        self._note("deck_size", "deck", len(deck))
        watches = self.is_open or self.player == model.to_move
        for place, (card, seen) in enumerate(deck):
            in_prophecy = watches and len(placed) <= place < len(placed) + len(revealed)
            if in_prophecy:
                self._count("revealed", [card])
                if self.lying is not None:
                    self._count("top", [self.lying[place - len(placed)]], f"place {place + 1} ")
            elif place < TOP_PLACES and self._knows(seen):
                self._count("top", [card], f"place {place + 1} ")
            else:
                self._count("unseen", [card])
            if model.is_coop and place < TOP_PLACES and self._knows(seen, self.partner):
                self._note("partner_top", f"place {place + 1}")
        if SHOWING_THE_BOTTOM & {expansion.name for expansion in model.expansions}:
            for place, (card, seen) in enumerate(deck[: -1 - BOTTOM_PLACES : -1], 1):
                self._note("bottom", f"place {place} {card}", self._knows(seen))

    # Co-op
    def _see_partner(self) -> None:
        model = self.model
        own, partner = model.players[self.player], model.players[self.partner]
        self._note("to_move", "self", model.to_move == self.player)
        self._count("shared", model.shared)
        self._count("swapping", [model.swapping] if model.swapping else [])
        self._note("prophecy_follows", "yes", model.prophecy_follows)
        self._count("public", own["hand"] if self.is_open else own["public"])
        known = partner["hand"] if self.is_open else partner["public"]
        hidden = list((Counter(partner["hand"]) - Counter(known)).elements())
        self._count("partner_hand", known)
        self._note("partner_hidden", "cards", len(hidden))
        self._count("unseen", hidden)
        self._see_row(self.partner, "partner_")
        self._see_doors(self.partner, "partner_")

    # Expansions
    def _see_expansions(self) -> None:
        model = self.model
        for expansion in model.expansions:
            if expansion.name != "looking":
                self._note("expansions", expansion.name)
                self._note("hard", expansion.name, expansion.is_hard)
        self._note("acted", "yes", model.acted)
        for card in model.discard:
            self._note("discarded", card)
        if model.follows:
            self._note("follows", model.follows)
        self._see_cards_beside_the_deck()
        for name in ("book_of_steps", "dreamcatchers", "towers", "premonitions", "crossroads", "oniverse"):
            expansion = model.expansion(name)
            if expansion:
                getattr(self, f"_see_{name}")(expansion)

    def _see_cards_beside_the_deck(self) -> None:
        model = self.model
        if model.phase.startswith("prophecy"):  # those lie on the deck
            return
        cards = [("placed", card, {model.to_move}) for card in model.placed]
        if model.revealed_is_public() and not self.is_open and self.player != model.to_move:
            # The partner sees which cards they are, but not which of them are placed already.
            cards = [("looked", card, {self.player}) for card in model.placed]
        cards += [("looked", *one) for one in zip(model.revealed, model.revealed_seen, strict=True)]
        for field, card, seen in cards:
            if self._knows(seen):
                self._note(field, card)
            else:
                self._count("unseen", [card])

    def _see_book_of_steps(self, book) -> None:
        for number, goal in enumerate(book.goals, 1):
            self._note("goals", f"goal {number} {goal}")
            self._note("goals_met", f"goal {number}", number - 1 in book.goals_met)
        if book.spell:
            self._note("spell", book.spell.removeprefix("spell "))
        self._note("to_pay", "cards", book.to_pay)
        if book.swapped_goal is not None:
            self._note("swapped_goal", f"goal {book.swapped_goal + 1}")
        for card in self.model.removed:
            self._note("removed", card)

    def _see_dreamcatchers(self, dreamcatchers) -> None:
        self._note("n_catchers", "dreamcatchers", len(dreamcatchers.catchers))
        self._note("books", "books", dreamcatchers.books)
        for number, group in enumerate(dreamcatchers.catchers, 1):
            for card in group:
                self._note("catchers", f"dreamcatcher {number} {card}")
        if dreamcatchers.kept:
            self._note("kept", f"dreamcatcher {dreamcatchers.kept}")

    def _see_towers(self, towers) -> None:
        for place, tower in enumerate(towers.towers, 1):
            self._note("towers", f"place {place} {tower}")
        if towers.towers:
            self._note("rightmost_tower", towers.towers[-1])

    def _see_premonitions(self, premonitions) -> None:
        for field, names in (("premonitions", premonitions.face_up), ("reserve", premonitions.reserve)):
            for name in names:
                self._note(field, name)
        if premonitions.resolving:
            self._note("premonition", premonitions.resolving)
        self._note("premonition_keys", "keys", premonitions.keys_left)
        if premonitions.fetched and self._knows({self.model.to_move}):  # HP-4 c: the player alone knows it
            self._note("fetched", premonitions.fetched)
        elif premonitions.fetched:
            self._count("unseen", [premonitions.fetched])

    def _see_crossroads(self, crossroads) -> None:
        for who, field in ((self.player, "pending"), (self.partner, "partner_pending")):
            if who < len(self.model.players):
                pending = self.model.players[who]["row"][crossroads.used[who] :]
                for place, card in zip(("last", "before"), reversed(pending)):
                    self._note(field, f"{place} {colour_of(card)}")

    def _see_oniverse(self, oniverse) -> None:
        self._count("unseen", oniverse.unused)  # nobody knows which they are
        for who, prefix in ((self.player, ""), (self.partner, "partner_")):
            if who < len(self.model.players):
                for denizen in oniverse.denizens[who]:
                    self._note(f"{prefix}denizens", denizen)
                for card in oniverse.stored[who]:
                    self._note(f"{prefix}stored", card)
        if oniverse.given:
            self._note("given", oniverse.given.removeprefix("shared "))
            self._note("given_shared", "yes", oniverse.given.startswith("shared "))
