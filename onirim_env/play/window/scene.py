"""What the window shows of a desk, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence

from onirim_env.cards import SERIES_LENGTH
from onirim_env.expansions.form import Zone
from onirim_env.play.help import WINDOW_COMMANDS, rules_text
from onirim_env.play.window import places
from onirim_env.play.window.desk import Desk
from onirim_env.play.window.pieces import Button, Scene, Words
from onirim_env.play.window.places import (
    CHOICE_SIZE,
    EDGE,
    GAP,
    LINE,
    NEWS_SIZE,
    QUESTION_SIZE,
    ChoicePlace,
    Wrap,
)
from onirim_env.render.expansion_layout import all_have_room, strip_places
from onirim_env.render.places import CardPlace, Rect
from onirim_env.render.zones import doors_needed, expansion_zones, kinds_of, unseen_of
from onirim_env.rules import RuleSet

MENU = (270, 44)
END_BUTTON = (112, 34)
FOOTER_BUTTONS = (
    ("undo", "Undo (U)", 66, "Takes your last decision back"),
    ("save", "Save (S)", 64, "Saves the game to a file; leaving saves it as well"),
    ("hint", "Hint (H)", 62, "Asks what an agent would do"),
    ("help", "Help (F1)", 68, "Explains the game and the keys"),
    ("leave", "Leave (Esc)", 82, "Leaves; the game is saved, and you are told how to go on"),
)


BEGINNING = ("Find the {} Doors before the deck runs out.", "", "F1 explains the game.")
"""What is told before anything has happened."""


def build(desk: Desk, width: int, height: int, wrap: Wrap) -> Scene:
    """Return what a window of a size, in units, shows of a desk.

    Parameters
    ----------
    desk
        The game and what is being done with it.
    width, height
        Size of the window in units, at least ``MIN_WIDTH`` x ``MIN_HEIGHT``.
    wrap
        Breaks a text into lines, given the size of the text and the width.
    """
    expansions = desk.session.game.rules.expansions
    zones = expansion_zones(desk.session.game, desk.where.viewer, desk.position, desk.seen)
    parts = _frame(zones, width, height) if expansions else places.frame(width, height)
    scene = Scene(parts, [], [], [], [], None, None, [], [], [], [])
    if desk.cover is not None:
        return _covered(desk, scene, wrap)
    scene = _with_decision(desk, scene, wrap)
    _add_header(desk, scene, wrap)
    _add_table(desk, scene)
    _add_expansions(zones, scene)
    _add_side(desk, scene, wrap)
    _add_footer(desk, scene)
    _add_menu(desk, scene)
    if desk.helping:
        scene.veil.extend(help_lines(desk.session.game.rules))
    return scene


def help_lines(rules: RuleSet) -> list[str]:
    """Return the help, line by line; a tab stands between a key and what it does."""
    commands = [f"{keys}\t{what}" for keys, what in WINDOW_COMMANDS]
    return [
        *rules_text(rules).split("\n"),
        *commands,
        "",
        "Any key or click goes back to the game.",
    ]


def _covered(desk: Desk, scene: Scene, wrap: Wrap) -> Scene:
    """Return what is shown between two people who hide their hands."""
    names, sitting = desk.session.names, desk.sitting
    assert desk.cover is not None
    if sitting.seat is not None:
        news = [line for text in desk.news for line in wrap(text, CHOICE_SIZE, 560)]
        lines = [f"{names[sitting.seat]}, this has happened:", "", *news]
        label, words = "I have read it (Enter)", "Hides this, so that the other player can take the seat"
    else:
        lines = [f"{names[desk.cover]}, take a seat.", "", "Your cards are shown when you say so."]
        label, words = "Show my cards (Enter)", "Shows your cards"
    scene.veil.extend(lines)
    rect = Rect(scene.frame.width // 2 - 120, scene.frame.height - 110, 240, 40)
    scene.buttons.append(Button("uncover", rect, label, words=words, marked=True))
    _add_footer(desk, scene)
    return scene


def _add_header(desk: Desk, scene: Scene, wrap: Wrap) -> None:
    session, game = desk.session, desk.session.game
    header = scene.frame.header
    if game.over:
        title = "The game has ended."
    elif desk.question is None:
        title = f"{session.names[game.player]} is thinking ..."
    else:
        title = desk.sitting.asked(desk.question)
    lines = wrap(title, QUESTION_SIZE, header.width - 150)[:3]
    y = header.y + (header.height - len(lines) * LINE[QUESTION_SIZE]) // 2 + 1
    for number, line in enumerate(lines):
        scene.words.append(Words(line, EDGE + 4, y + number * LINE[QUESTION_SIZE], QUESTION_SIZE, "plain"))
    x = header.right - 120
    scene.words.append(
        Words(f"{game.doors} of {doors_needed(game.rules)} Doors", x, header.y + 12, 22, "bright")
    )
    scene.words.append(Words(f"turn {game.turns + 1}", x, header.y + 33))


def _add_table(desk: Desk, scene: Scene) -> None:
    """Add rows, hands, Doors and shared cards."""
    parts, game, viewer = scene.frame, desk.session.game, desk.where.viewer
    row = desk.position["players"][viewer]["row"]
    zones = places.zones_of(desk.where, row, viewer)
    doors = zones["doors", viewer]
    n_doors = sum(place.number > 0 for place in doors)
    label = f"YOUR DOORS  {n_doors} of {len(doors)}"
    row_area = Rect(parts.row.x + 4, parts.row.y + 20, parts.row.width - 8, places.ROW[1])
    if game.rules.players == 1:
        scene.words.append(Words(label, parts.top.x + 4, parts.top.y))
        x, y = parts.top.x + 4, parts.top.y + 17
        scene.cards.extend(places.doors_in_line(doors, x, y, parts.top.right))
    else:
        _add_partner(desk, scene, zones, 1 - viewer)
        scene.words.append(Words(label, parts.row.x + 4, parts.row.y + 3))
        shown = places.doors_in_line(doors, parts.row.x + 4, parts.row.y + 32, parts.row.right)
        scene.cards.extend(shown)
        x = max(row_area.x + 170, shown[-1].rect.right + 8)
        row_area = row_area._replace(x=x, width=row_area.right - x)
    _add_row(desk, scene, zones["row", viewer], row_area)
    hand = zones.get(("hand", viewer), [])
    shared = zones.get(("shared", None), [])
    x, y = parts.hand.x + 4, parts.hand.y + 28
    if not shared:
        cards = places.in_line(hand, x, y, places.HAND, parts.hand.right)
    else:
        # An empty place between the hands keeps them apart.
        cards = places.in_line([*hand, hand[0] if hand else shared[0], *shared], x, y, places.HAND,
                               parts.hand.right)  # fmt: skip
        cards = [*cards[: len(hand)], *cards[len(hand) + 1 :]]
        words = "FACE UP" if game.phase == "draft" else "SHARED"
        scene.words.append(Words(words, cards[len(hand)].rect.x, parts.hand.y))
    raised = "   raised cards can be played" if game.phase == "action" and not shared else ""
    if hand or not shared:
        scene.words.append(Words(f"YOUR HAND{raised}", x, parts.hand.y))
    if game.phase == "action" and desk.question is not None:
        rect = Rect(parts.hand.right - 150, parts.hand.y - 3, 146, 20)
        label = "click: discard (D)" if desk.discarding else "click: play or ask (D)"
        words = "Whether a click on a card plays it or discards it; a right click always discards"
        scene.buttons.append(Button("discard_mode", rect, label, words=words, marked=desk.discarding))
    scene.cards.extend(cards)


def _add_partner(
    desk: Desk, scene: Scene, zones: dict[tuple[str, int | None], list[CardPlace]], partner: int
) -> None:
    area = scene.frame.top
    name = desk.session.names[partner].upper()
    y = area.y + 17
    hand = places.in_line(zones.get(("hand", partner), []), area.x + 4, y, places.SMALL, area.right, 4)
    doors = places.doors_in_line(zones["doors", partner], area.x + 136, y, area.right)
    x = doors[-1].rect.right + 12
    row = [place._replace(playable=False) for place in zones.get(("row", partner), [])]
    room = (area.right - x) // (places.SMALL[0] + 4)
    shown = places.in_line(row[-room:], x, y, places.SMALL, area.right, 4)
    scene.cards.extend([*(place._replace(rect=place.rect._replace(y=y)) for place in hand), *doors, *shown])
    scene.words.append(Words(name, area.x + 4, area.y))
    scene.words.append(Words("DOORS", doors[0].rect.x, area.y))
    length = len(desk.position["players"][partner]["row"])
    scene.words.append(Words(f"ROW  {length}" + _series_words(desk, partner), x, area.y))
    _add_series(desk, scene, shown, partner)


def _frame(zones: Sequence[Zone], width: int, height: int) -> places.Frame:
    """Return the parts of a window whose strip has room for all zones."""
    for strip in places.STRIPS:
        parts = places.frame(width, height, strip)
        if all_have_room(zones, parts.strip):
            break
    return parts


def _add_expansions(zones: Sequence[Zone], scene: Scene) -> None:
    """Add the zones of expansions."""
    cards, labels = strip_places(zones, scene.frame.strip)
    scene.cards.extend(cards)
    scene.words.extend(Words(label.text, label.rect.x, label.rect.y, 16) for label in labels)


def _series_words(desk: Desk, player: int) -> str:
    series = desk.where.series[player]
    return "" if series is None else f"   {series[0]} series, {series[1]} of {SERIES_LENGTH}"


def _add_row(desk: Desk, scene: Scene, row: list[CardPlace], area: Rect) -> None:
    viewer = desk.where.viewer
    shown, before, after = places.scrolled_row(row, area, places.ROW, desk.row_scroll)
    desk.row_scroll = after
    scene.cards.extend(shown)
    number = f"  {len(row)} card{'s' * (len(row) != 1)}" if row else "  played cards lie here"
    scene.words.append(Words(f"YOUR ROW{number}{_series_words(desk, viewer)}", area.x, area.y - 17))
    if before or after:
        for name, x, sign, hidden in (
            ("row_back", area.x, f"+{before}", before),
            ("row_on", area.right - 26, f"+{after}", after),
        ):
            if hidden:
                rect = Rect(x, area.y, 26, area.height)
                words = "Shows more of the row (Page Up, Page Down or the wheel)"
                scene.buttons.append(Button(name, rect, sign, words=words))
    if not after:
        _add_series(desk, scene, shown, viewer)


def _add_series(desk: Desk, scene: Scene, shown: Sequence[CardPlace], player: int) -> None:
    series = desk.where.series[player]
    if series is not None and len(shown) >= series[1]:
        first, last = shown[-series[1]].rect, shown[-1].rect
        scene.series.append(Rect(first.x, first.bottom + 3, last.right - first.x, 3))


def _with_decision(desk: Desk, scene: Scene, wrap: Wrap) -> Scene:
    """Add the cards that are decided about, and the numbered choices."""
    area, game = scene.frame.decision, desk.session.game
    inside = Rect(area.x + EDGE, area.y + 6, area.width - 2 * EDGE, area.height - 14)
    if game.over:
        _add_end(desk, scene, inside, wrap)
        return scene
    decided = [place for place in desk.where.cards if place.zone in ("drawn", "swapping")]
    if decided:
        scene.cards.extend(places.in_line(decided, inside.x, inside.y + 20, places.DECIDED, inside.right))
        scene.words.append(Words(decided[0].zone.upper(), inside.x, inside.y))
        inside = inside._replace(x=inside.x + 76, width=inside.width - 76)
    if desk.ordering is not None:
        at = places.ordering_places(desk.ordering, desk.position["placed"], inside)
        scene.revealed.extend(at.row)
        scene.cards.extend(at.placed)
        label = "DRAG INTO ORDER: the leftmost is drawn first"
        scene.words.append(Words(label, inside.x + EDGE, inside.y))
        x = (at.thrown if at.thrown is not None else at.row[-1].rect).right + 22
        ready = bool(desk.ordering.actions())
        rect = Rect(min(x, inside.right - 100), at.bottom - 44, 100, 44)
        words = "Puts the cards back as they lie" if ready else "First a card is thrown away"
        scene.buttons.append(
            Button("confirm_order", rect, "Confirm", "Enter", words, active=ready, marked=ready)
        )
        if at.thrown is not None:
            scene.words.append(Words("THROWN AWAY", at.thrown.x - 14, inside.y))
        scene = scene._replace(thrown=at.thrown, thrown_card=desk.ordering.thrown)
        inside = inside._replace(y=at.bottom + 5, height=inside.bottom - at.bottom - 5)
        if inside.height < LINE[NEWS_SIZE]:  # the cards themselves are enough to decide by
            return scene
    if desk.question is not None:
        _add_choices(desk, scene, inside, wrap)
    return scene


def _add_choices(desk: Desk, scene: Scene, area: Rect, wrap: Wrap) -> None:
    """Add the numbered choices, and under them what the adviser's signs mean and how many have no room."""
    assert desk.question is not None
    number = len(desk.question.choices)
    shown = _choices(desk, area, wrap)
    if desk.advice is not None or len(shown) < number:
        below: list[str] = []
        if desk.advice is not None:
            values = f", with its {desk.advice.values_text}" if desk.advice.values else ""
            below = wrap(f"* is what {desk.advice.name} would do{values}", NEWS_SIZE, area.width)
            below += wrap(desk.advice.caution, NEWS_SIZE, area.width) if desk.advice.caution else []
        area = area._replace(height=area.height - LINE[NEWS_SIZE] * max(1, len(below)))
        shown = _choices(desk, area, wrap)
        if len(shown) < number:
            more = f"{number - len(shown)} more: wheel, Up, Down"
            below = [f"{more}     {below[0] if below else ''}", *below[1:]]
        for place, line in enumerate(below):
            scene.words.append(Words(line, area.x, area.bottom + 2 + place * LINE[NEWS_SIZE], NEWS_SIZE))
    scene.choices.extend(shown)


def _choices(desk: Desk, area: Rect, wrap: Wrap) -> list[ChoicePlace]:
    """Return the numbered choices, the one that Enter would take among them."""
    assert desk.question is not None
    words = [choice.words for choice in desk.question.choices]
    split = sum(text.startswith("play") for text in desk.session.game.legal_texts())
    width = places.value_width(desk.advice)
    shown = places.choice_places(words, area, wrap, desk.first_choice, split, width)
    if desk.focus is not None and all(place.choice != desk.focus for place in shown):
        below = desk.focus > desk.first_choice
        desk.first_choice = max(0, desk.focus - len(shown) + 1) if below else desk.focus
        shown = places.choice_places(words, area, wrap, desk.first_choice, split, width)
    return shown


def _add_end(desk: Desk, scene: Scene, area: Rect, wrap: Wrap) -> None:
    y = area.y + 14
    for line in wrap(desk.verdict, 28, area.width - 20):
        scene.words.append(Words(line, area.x + EDGE, y, 28, "bright"))
        y += 24
    scene.words.append(Words(desk.sitting.result(), area.x + EDGE, y + 4, 22, "plain"))
    width, height = END_BUTTON
    for index, (name, label) in enumerate(
        (("new_game", "New game (N)"), ("undo", "Undo (U)"), ("save", "Save (S)"), ("leave", "Leave (Esc)"))
    ):
        rect = Rect(area.x + EDGE + index * (width + GAP), y + 40, width, height)
        scene.buttons.append(Button(name, rect, label, marked=index == 0))


def _add_side(desk: Desk, scene: Scene, wrap: Wrap) -> None:
    side, news = scene.frame.side, scene.frame.news
    x = side.x + EDGE
    zones = places.zones_of(desk.where, [], desk.where.viewer)
    scene.cards.extend(places.side_cards(zones, _counted(desk), side))
    scene.words.append(Words("DECK", x, side.y + 4))
    known = any(place.zone == "top" for place in desk.where.cards)
    scene.words.append(Words("KNOWN NEXT CARDS" if known else "", x + 58, side.y + 4))
    caught = "dreamcatchers" in desk.session.game.rules.expansions
    goes = "under a Dreamcatcher" if caught else "back in the deck later"
    scene.words.append(Words(f"LIMBO  {goes}", x, side.y + 92))
    label = "DISCARD PILE  (Tab)" if desk.counts_discarded else "NOT SEEN YET  (Tab)"
    rect = Rect(x - 4, side.y + 149, side.width - EDGE, 19)
    words = "Counts the discard pile, or the cards that you have not seen: in the deck or hidden in a hand"
    scene.buttons.append(Button("counts", rect, label, words=words))
    scene.words.append(Words("WHAT HAPPENED", news.x, news.y + 2))
    lines: list[tuple[str, str]] = []
    beginning = BEGINNING[0].format(doors_needed(desk.session.game.rules)), *BEGINNING[1:]
    for text in desk.news or (beginning if not desk.session.actions else ()):
        tone = "bright" if text.startswith("> ") else "plain"
        lines += [(line, tone) for line in wrap(text.removeprefix("> "), NEWS_SIZE, news.width)]
    room = (news.height - 20) // LINE[NEWS_SIZE]
    if len(lines) > room:
        lines = [("...", "faint"), *lines[len(lines) - room + 1 :]]
    for number, (line, tone) in enumerate(lines):
        scene.words.append(Words(line, news.x, news.y + 20 + number * LINE[NEWS_SIZE], NEWS_SIZE, tone))


def _counted(desk: Desk) -> list[CardPlace]:
    """Return every kind with the number of its cards that are not seen yet, or discarded."""
    pile, unseen = desk.position["discard"], unseen_of(desk.seen)
    return [
        CardPlace(
            "unseen", name, Rect(0, 0, 0, 0), None, kind,
            pile.count(name) if desk.counts_discarded else unseen.get(name, 0),
        )
        for kind, name in enumerate(kinds_of(desk.session.game.rules))
    ]  # fmt: skip


def _add_footer(desk: Desk, scene: Scene) -> None:
    footer = scene.frame.footer
    x = footer.right - EDGE
    for name, label, width, words in reversed(FOOTER_BUTTONS):
        x -= width
        rect = Rect(x, footer.y + 5, width, footer.height - 10)
        scene.buttons.append(Button(name, rect, label, words=words))
        x -= 4


def _add_menu(desk: Desk, scene: Scene) -> None:
    """Add the uses of the card that was clicked on, beside it."""
    if desk.menu is None:
        return
    uses = desk.uses(desk.menu)
    card = next(one for one in scene.cards if _same(one, desk.menu))
    buttons = []
    if len(uses) == 1:
        reason = desk.reason(desk.menu)
        buttons.append(("inert", "Play", "the same symbol as the row's last card", reason, "", False))
    for text in uses:
        words = desk.words(text)
        label, _, below = words.partition(": ")
        buttons.append(("take", label, below, words, text, True))
    width, height = MENU
    x = min(max(card.rect.x - 40, EDGE), scene.frame.side.x - width - EDGE)
    y = card.rect.y - GAP - len(buttons) * (height + 4)
    if y < scene.frame.row.y:
        y = card.rect.bottom + GAP
    for index, (name, label, below, words, action, active) in enumerate(buttons):
        rect = Rect(x, y + index * (height + 4), width, height)
        scene.menu.append(Button(name, rect, label, below, words, action, active, active and index == 0))


def _same(one: CardPlace, other: CardPlace) -> bool:
    return (one.zone, one.player, one.ordinal) == (other.zone, other.player, other.ordinal)
