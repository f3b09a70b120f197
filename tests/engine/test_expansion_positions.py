# ruff: noqa: E501  (one refused position a line)
"""Positions with expansions: those that cannot be are refused, those of games are read back."""

import json

import numpy as np
import pytest

from onirim_env import Game, PositionError, RuleSet
from onirim_env.actions import action_table
from onirim_env.batch import GameBatch
from onirim_env.engine.batch import mask_games
from onirim_env.engine.expansions.state import PHASE
from onirim_env.rules import EXPANSIONS

HAND = ["red key", "blue sun", "green sun", "brown sun", "blue moon"]
FOUR = HAND[:4]
DOORS = [f"{colour} door" for colour in ("red", "blue", "green", "brown")]
GOALS = DOORS * 2
ALIGNED = ["red tower 4", "green tower 5", "brown tower 5", "blue tower 3"]
DREAMS = ["lost dream"] * 4


def solo(*expansions, hand=HAND, **fields):
    """A position with some expansions; what belongs to the player or to the rules goes there."""
    player = {
        "hand": hand,
        **{
            name: fields.pop(name)
            for name in ("row", "doors", "denizens", "stored", "used")
            if name in fields
        },
    }
    options = {
        name: fields.pop(name)
        for name in ("hard", "overload", "parallel_planning", "series_search", "door_key")
        if name in fields
    }
    return {"rules": {"expansions": list(expansions), **options}, "players": [player], **fields}


def book(**fields):
    return solo("book_of_steps", **{"goals": GOALS, **fields})


def co_op(
    *expansions,
    hands=(HAND[:3], ["red moon", "green moon", "brown moon"]),
    shared=("red sun", "blue key"),
    **fields,
):
    options = {name: fields.pop(name) for name in ("draft", "duplicate_door") if name in fields}
    players = [
        {"hand": list(hand), **fields.pop(f"player_{number}", {})} for number, hand in enumerate(hands)
    ]
    return {
        "rules": {"players": 2, "expansions": list(expansions), **options},
        "players": players,
        "shared": list(shared),
        **fields,
    }


REFUSED = {
    # the hand
    "an empty hand": (solo("oniverse", hand=[]), "players[0].hand: 0 cards; phase action has 5"),
    "a hand of one": (solo("towers", hand=HAND[:1]), "players[0].hand: 1 cards"),
    "a whole hand while it is filled": (solo("towers", phase="nightmare", drawn="nightmare"), "players[0].hand: 5 cards; phase nightmare has 0 to 4"),
    "a card too few before a free action": (solo("oniverse", phase="cyclobot_give", hand=FOUR, deck=[]), "players[0].hand: 4 cards"),
    "a hand of one with a Cyclobot": (solo("glyphs", "oniverse", hand=["red glyph"], phase="cyclobot_give"), "players[0].hand: 1 cards"),
    "a whole hand after a discard": (solo("glyphs", phase="incantation", revealed=["red door"] * 3 + ["red sun"] * 2), "players[0].hand: 5 cards"),
    "a partner with two cards": (co_op("towers", hands=(HAND[:3], ["red moon", "green moon"])), "players[1].hand: 2 cards; the partner holds 3"),
    "a shared card too few": (co_op("towers", shared=["red sun"]), "players[0].hand and shared: 4 cards"),
    # the draft
    "a draft of one card": ({"rules": {"players": 2, "expansions": ["oniverse"]}, "phase": "draft", "shared": ["red key"]}, "shared: 1 cards and hands of [0, 0]; the draft has 8"),
    "a draft that is dealt": (co_op("oniverse", phase="draft", draft="dealt"), 'phase: draft needs two players and the option draft="choice"'),
    # rows, Towers, Limbo
    "equal symbols side by side": (solo("towers", row=["red sun", "blue sun"]), "players[0].row: 'blue sun' cannot follow 'red sun' (P-1)"),
    "equal glyphs side by side": (solo("glyphs", row=["red glyph", "blue glyph"]), "players[0].row: 'blue glyph' cannot follow"),
    "a Crossroad after its symbol": (solo("crossroads", row=["red sun", "crossroad sun"]), "players[0].row: 'crossroad sun' cannot follow"),
    "equal symbols without an Architect": (solo("oniverse", row=["red sun", "blue sun"], deck_top=[]), "players[0].row: 'blue sun' cannot follow"),
    "more of them than Architects": (solo("oniverse", row=["red sun", "blue sun", "green sun", "brown sun"], deck=[]), "players[0].row: 'brown sun' cannot follow"),
    "a Crossroad that begins a row": (solo("crossroads", hard=["crossroads"], row=["crossroad sun"]), "players[0].row: 'crossroad sun' at place 0, but not as the second card of a series (X-7)"),
    "a Crossroad in the third place of a series": (solo("crossroads", hard=["crossroads"], row=["red sun", "red moon", "crossroad sun"]), "players[0].row: 'crossroad sun' at place 2"),
    "a Crossroad after a whole series": (solo("crossroads", hard=["crossroads"], row=["red sun", "red moon", "red sun", "crossroad moon"]), "players[0].row: 'crossroad moon' at place 3"),
    "Towers that may not touch": (solo("towers", towers=["red tower 3", "blue tower 3"]), "towers: 'blue tower 3' cannot touch 'red tower 3' (TW-2)"),
    "Limbo before the action": (solo("towers", limbo=["red door"]), "limbo: 'red door' cannot be there in phase action"),
    "a third Door of a colour": (co_op("glyphs", player_0={"doors": ["red door"] * 3}), "players[0].doors: a third 'red door'"),
    # the action of the turn
    "an action that is taken before it is": (solo("oniverse", acted=True), "acted: true in phase action"),
    "a free action after it": (book(phase="planning", acted=True), "acted: true in phase planning"),
    "a series without an action": (solo("oniverse", phase="series", hand=FOUR, row=["red sun", "red moon", "red sun"], acted=False), "acted: false in phase series"),
    "a refill before the action without a Keeper": (solo("towers", hand=FOUR, phase="nightmare", drawn="nightmare", acted=False), "acted: false in phase nightmare"),
    "a refill after a free action without a Keeper": (solo("book_of_steps", "premonitions", goals=GOALS, hand=FOUR, phase="premonition_door", premonition="brown2", doors=["brown door"] * 2, acted=False), "players[0].hand: 4 cards"),
    "a turn that begins with nothing": (solo("dreamcatchers", begun=True), "begun: true in phase action"),
    "a turn that begins before the draft": (co_op("dreamcatchers", "oniverse", hands=([], []), shared=[*HAND, *FOUR[1:]], phase="draft", begun=True), "begun: true in phase draft"),
    "a Denizen that is used before the turn begins": (solo("dreamcatchers", "oniverse", phase="cyclobot_give", deck=[], begun=False), "begun: false in phase cyclobot_give"),
    "an action of a turn that has not begun": (solo("dreamcatchers", hand=FOUR, phase="nightmare", drawn="nightmare", begun=False), "begun: false in phase nightmare"),
    "a Premonition after the action of a turn that has not begun": (solo("dreamcatchers", "premonitions", phase="premonition_door", premonition="brown2", doors=["brown door"] * 2, begun=False), "begun: false in phase premonition_door"),
    "cards of the deck's bottom with a card missing": (book(hand=FOUR, phase="bottom_order", revealed=["red sun", "red moon"], acted=False), "players[0].hand: 4 cards"),
    # what lies revealed
    "an Incantation of two cards": (solo("glyphs", hand=FOUR, phase="incantation", revealed=["red door", "red sun"], deck=["red moon"]), "revealed: 2 cards; phase incantation has 5"),
    "a look at six cards": (solo("towers", hand=FOUR, phase="look_order", revealed=["red sun"] * 3 + ["red moon"] * 3), "revealed: 6 of them; 5 at most"),
    "an order of equal cards": (solo("towers", hand=FOUR, phase="look_order", revealed=["red sun"] * 3), "revealed: cards of at least two kinds"),
    "an Incantation without a Door": (solo("glyphs", hand=FOUR, phase="incantation", revealed=["red sun"] * 4 + ["red moon"]), "revealed: no Door"),
    "a Prophecy of six cards": (solo("towers", hand=FOUR, phase="prophecy_discard", revealed=["red sun"] * 6), "revealed: 6 cards"),
    # questions that would not be asked
    "a series that no expansion asks about": (solo("crossroads", hand=FOUR, phase="series"), "row: no series has just been completed"),
    "a series that asks nothing": (solo("crossroads", hand=FOUR, phase="series", row=["red sun", "red moon", "red sun"]), "row: no series"),
    "a series that searches by itself": (solo("oniverse", hand=FOUR, phase="series", row=["red sun", "red moon", "red sun"], deck=["red door"]), "row: no series"),
    "a Door without a Key": (solo("towers", hand=FOUR, phase="door", drawn="blue door"), "drawn: a Door that asks nothing"),
    "a Door out of order": (book(hand=FOUR, phase="door", drawn="blue door"), "drawn: a Door that asks nothing"),
    "a Key that is taken by itself": (solo("towers", hand=FOUR, phase="door", drawn="red door", door_key="automatic"), "drawn: a Door that asks nothing"),
    "a Tower loss without Towers": (solo("towers", hand=FOUR, phase="tower_loss", drawn="nightmare"), "towers: none has to be lost"),
    "a Tower loss of an aligned row": (solo("towers", hand=FOUR, phase="tower_loss", drawn="nightmare", towers=ALIGNED), "towers: none has to be lost"),
    "a Denizen and nothing but Dead Ends": (solo("crossroads", "oniverse", hand=["dead end"] * 4, phase="denizen", drawn="mirror"), "hand: no card to rally"),
    "nothing to search for": (solo("premonitions", hand=FOUR, phase="happy_search", deck=[]), "deck: no card to search for"),
    "one Premonition to choose from": (solo("premonitions", phase="premonition", premonitions=["red2"], doors=["red door"] * 2), "premonitions: the conditions of at least two"),
    "a Premonition that takes a Door that is not there": (solo("premonitions", phase="premonition_door", premonition="brown2", doors=["red door"]), "premonition: its condition does not hold"),
    "no choice of Keys": (solo("premonitions", phase="premonition_keys", premonition_keys=2, doors=["blue door"] * 2, deck=["red key"]), "deck: no choice of Keys"),
    "nothing to free": (solo("dreamcatchers", hand=FOUR, phase="free"), "dreamcatchers: none can be freed"),
    "an overload that asks nothing": (solo("dreamcatchers", phase="overload", limbo=["red door"], dreamcatchers=[["nightmare"], ["blue door"]]), "dreamcatchers: there is no choice"),
    "a Keeper that is not there": (solo("oniverse", phase="keeper_store"), "denizens: no Treasure Keeper"),
    "an Architect and nothing to play": (solo("oniverse", phase="architect", deck=[]), "hand: no card that an Architect may play"),
    "a Cyclobot and nothing discarded": (solo("oniverse", phase="cyclobot_give"), "discard: no Location to exchange"),
    "an Architect that is not used": (solo("oniverse", phase="architect", deck=["architect"] * 2), "discard: no Architect"),
    "an Architect that has put its card already": (solo("oniverse", phase="architect", row=["red sun", "blue sun"], deck=["architect"]), "players[0].row: 'blue sun' cannot follow"),
    # what both players see
    "public cards of a secret look": (co_op("towers", hands=(FOUR[:2], HAND[:3]), phase="look_order", revealed=["red sun", "red moon"], revealed_public=True), "revealed_public: true, but phase look_order has no such look"),
    "secret cards of an Incantation": (co_op("glyphs", hands=(FOUR[:2], HAND[:3]), phase="incantation", revealed=["red door", "red sun", "red moon", "blue moon", "green sun"], revealed_public=False), "revealed_public: false, but phase incantation has no such look"),
    "public cards alone": (solo("glyphs", hand=FOUR, phase="bottom_order", revealed=["red sun", "red moon"], revealed_public=True), "revealed_public: true"),
    # the Book of Steps
    "no Goals": (solo("book_of_steps"), "goals: 0 of 'red door'; the game has 2"),
    "Goals that are not those of the game": (book(goals=[*GOALS[:7], "red door"]), "goals: 3 of 'red door'; the game has 2"),
    "a Goal too many": (book(goals=[*GOALS, "oniverse door"]), "goals: an 'oniverse door'"),
    "Goals that do not fit the Doors": (book(goals_met=[0], doors=["blue door"]), "goals_met: 1 Goals of 'red door' with 0 such Doors"),
    "Doors without their Goals": (book(goals_met=[], doors=["blue door"]), "goals_met: 0 Goals of 'blue door' with 1 such Doors"),
    "a Goal that is met twice": (book(goals_met=[0, 0], doors=["red door"] * 2), "goals_met: [0, 0] names a place twice"),
    "a spell without Goals": ({"rules": {"expansions": ["book_of_steps"]}, "phase": "payment", "deck": [], "spell": "spell parallel planning", "to_pay": 3}, "goals: 0 of"),
    "a spell that moves nothing": (book(phase="payment", spell="spell parallel planning", to_pay=3, deck=[], doors=GOALS[:7]), "to_pay: nothing is left to choose"),
    "a spell on an empty deck": (book(phase="payment", spell="spell paradoxical prophecy", to_pay=3, deck=[]), "to_pay: nothing is left to choose"),
    "a spell that costs more than it does": (book(phase="payment", spell="spell paradoxical prophecy", to_pay=6, deck=["red sun"]), "to_pay: nothing is left to choose"),
    "a spell that cannot be paid": (book(phase="payment", spell="spell parallel planning", to_pay=3), "to_pay: nothing is left to choose"),
    "a Punishment without a Nightmare": (book(phase="payment", spell="spell powerful punishment", to_pay=3, deck=[]), "drawn: None while 'spell powerful punishment' is paid"),
    "a Goal that may not move": (book(phase="planning", doors=["red door"], swapped_goal=0), "goals: not two of them"),
    # Dreamcatchers, Premonitions, Denizens
    "hard Dreamcatchers with Books": (solo("dreamcatchers", hard=["dreamcatchers"], failsafe_books=2), "failsafe_books: 2 is not a number from 0 to 0"),
    "no Dreamcatcher": (solo("dreamcatchers", dreamcatchers=[]), "dreamcatchers: none is left"),
    "an empty one that is kept": (solo("dreamcatchers", hand=FOUR, phase="free", dreamcatchers=[["nightmare"], []], kept_dreamcatcher=2), "kept_dreamcatcher: 2 has no cards"),
    "a Premonition twice": (solo("premonitions", premonitions=["red2", "red2"]), "premonitions: 'red2' twice"),
    "a Premonition face up and face down": (solo("premonitions", premonitions=["red2"], premonition_reserve=["red2"]), "premonition_reserve: 'red2' twice"),
    "nine Premonitions": (solo("premonitions", premonition_reserve=["red2"] * 9), "premonition_reserve: 'red2' twice"),
    "a Premonition that is carried out and lies there": (solo("premonitions", phase="premonition_door", premonition="brown2", premonitions=["brown2"], doors=["brown door"] * 2), "premonitions: 'brown2' is out of the game"),
    "a Premonition that takes no Door": (solo("premonitions", phase="premonition_door", premonition="red2"), "premonition: 'red2'; allowed are brown2, pair2"),
    "a card found in no search": (solo("premonitions", fetched="red sun"), "fetched: 'red sun' in phase action"),
    "a stored card without a Keeper": (solo("oniverse", stored=["red sun"]), "players[0].stored: 1 of them; 0 at most"),
    "an exchange of a card that is not there": (solo("oniverse", phase="cyclobot_take", given="red moon", deck=[]), "given: 'red moon' is not in the hand"),
    "an exchange of a shared card in the hand": (co_op("oniverse", phase="cyclobot_take", given="shared red key", deck=[]), "given: 'shared red key' is not in the hand"),
    # what follows
    "an Incantation without Glyphs": (co_op("towers", hands=(HAND[:2], ["red moon", "green moon", "brown moon"]), phase="swap", follows="incantation"), "follows: 'incantation' is one of glyphs"),
    "a look without Towers": (co_op("glyphs", hands=(HAND[:2], ["red moon", "green moon", "brown moon"]), phase="swap", follows="look 3"), "follows: 'look 3' is one of towers"),
    "a Prophecy and an Incantation": (co_op("glyphs", hands=(HAND[:2], ["red moon", "green moon", "brown moon"]), phase="swap", follows="incantation", prophecy_follows=True), "follows: 'incantation' together with prophecy_follows"),
    # rows with Crossroads
    "cards that are not used": (solo("crossroads", row=["red sun", "red moon", "red sun"], used=1), "players[0].used: 1, but 3 cards of this row are used"),
    "a series behind the used cards": (solo("crossroads", "oniverse", row=["red sun", "red moon", "red sun"], used=0), "players[0].used: 0, but a series lies behind them"),
    # victory, turns, what is known
    "all conditions of victory": (solo("towers", towers=ALIGNED, doors=DOORS * 2), "phase: action when all conditions of victory are met"),
    "all of them with Dreamcatchers": (solo("dreamcatchers", dreamcatchers=[DREAMS], doors=DOORS * 2), "phase: action when all conditions"),
    "a victory without Towers": (solo("towers", doors=DOORS * 2, phase="won"), "phase: won when conditions of victory are missing"),
    "a victory without Dreams": (solo("dreamcatchers", doors=DOORS * 2, phase="won"), "phase: won when conditions"),
    "a defeat with all conditions": (solo("oniverse", doors=[*DOORS * 2, "oniverse door"], phase="lost"), "phase: lost when all conditions"),
    "turns that cannot be counted": (solo(*EXPANSIONS, goals=[*DOORS * 3, "oniverse door"], turns=127), "turns: 127 is not a number from 0 to 33"),
    "a known bottom of a shuffled deck": (solo("oniverse", deck_top=["red sun"], known_bottom=1), "known_bottom: 1 is not a number from 0 to 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_position_that_no_game_comes_to_is_refused(name):
    position, message = REFUSED[name]
    with pytest.raises(PositionError) as caught:
        Game.from_position(json.loads(json.dumps(position)))
    assert message in str(caught.value) and "\n" not in str(caught.value)


TAKEN = {
    "equal symbols that an Architect has put there": solo("oniverse", row=["red sun", "blue sun"], deck=[]),
    "two Doors of a colour in co-op with Glyphs": co_op("glyphs", player_0={"doors": ["red door"] * 2}),
    "the whole hand after a stored card was played": solo("oniverse", phase="series", row=["red sun", "red moon", "red sun"], deck=["oniverse door", "red door"]),
    "a hard Dreamcatcher": solo("dreamcatchers", hard=["dreamcatchers"]),
    "Doors out of order": book(doors=["blue door", "green door"], goals_met=[5, 2]),
    "used cards of a row that a Hammer Bird has shortened": solo("crossroads", "oniverse", row=["red sun"], used=1),
    "Limbo after a Keeper": solo("oniverse", limbo=["red door"]),
    "a refill before the action": solo("oniverse", hand=FOUR, phase="nightmare", drawn="nightmare", acted=False),
    "a hard row that loses a Tower though it is aligned": solo("towers", hand=FOUR, hard=["towers"], phase="tower_loss", drawn="nightmare", towers=ALIGNED),
    "a free action that the phase says": book(phase="planning"),
    "a new hand before a Tower is lost": solo("towers", phase="tower_loss", drawn="nightmare", towers=["red tower 3"]),
    "a Dreamcatcher freed by a Premonition after a new hand": solo("dreamcatchers", "premonitions", phase="free", dreamcatchers=[["nightmare"]]),
    "a Dreamcatcher freed by a Premonition before the action": solo("dreamcatchers", "premonitions", phase="free", dreamcatchers=[["nightmare"]], acted=False),
    "a Premonition due after a Failsafe Book": solo("dreamcatchers", "premonitions", phase="premonition_door", premonition="brown2", doors=["brown door"] * 2, acted=False, failsafe_books=1),
    "a Denizen used before": solo("dreamcatchers", "oniverse", begun=True),
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN)
def test_what_a_game_comes_to_is_taken(name):
    game = Game.from_position(TAKEN[name])
    assert game.legal_texts()
    assert Game.from_position(game.position()).position() == game.position()


def test_the_kept_dreamcatcher_is_the_one_of_the_list_that_was_given():
    groups = [[], ["nightmare"], ["red door"]]
    position = solo("dreamcatchers", hand=FOUR, phase="free", dreamcatchers=groups, kept_dreamcatcher=3)
    game = Game.from_position(position)
    assert game.position()["dreamcatchers"] == [["nightmare"], ["red door"], []]
    assert set(game.legal_texts()) == {"free dreamcatcher 1", "free none"}


def test_a_mask_never_shows_an_action_that_the_rule_set_does_not_have():
    """The id of such a code is -1, which means the last column elsewhere in Python."""
    game = Game(RuleSet(expansions=["crossroads"]), seed=1)
    state = game.state
    state["phase"] = PHASE["series"]  # from_state refuses such a record
    table = action_table(game.rules)
    masks = np.ones((1, len(table)), dtype=np.int8)
    mask_games(state, table.ids, masks)
    assert not masks.any()


def lost_in(phase, rules):
    """A game that an illegal action has lost in a phase."""
    batch = GameBatch(1, rules)
    rng = np.random.default_rng(1)
    for seed in range(3000):
        batch.deal(np.array([seed], dtype=np.uint64))
        for _ in range(60):
            _, masks = batch.view()
            game = Game.from_state(batch.states, rules)
            if game.over:
                break
            if game.phase == phase:
                batch.step(np.array([np.flatnonzero(masks[0] == 0)[0]]))
                return Game.from_state(batch.states, rules)
            batch.step(np.array([rng.choice(np.flatnonzero(masks[0]))]))
    raise AssertionError(f"no game came to {phase}")


@pytest.mark.parametrize(
    ("phase", "rules"),
    [
        *((phase, {}) for phase in ("prophecy_discard", "prophecy_order", "nightmare")),
        *((phase, {"players": 2}) for phase in ("draft", "swap", "swap_in", "prophecy_order")),
        *((phase, {"expansions": ["oniverse", "towers"]}) for phase in ("denizen", "look_order", "prophecy_order")),
        *((phase, {"players": 2, "expansions": ["oniverse"]}) for phase in ("draft", "swap_in", "denizen")),
    ],
)  # fmt: skip
def test_a_game_that_was_lost_in_the_middle_of_something_reads_back(phase, rules):
    game = lost_in(phase, RuleSet(**rules))
    assert game.phase == "lost"
    assert Game.from_position(game.position()).position() == game.position()


def test_a_base_game_cannot_count_more_turns_than_it_has_numbers_for():
    position = {"players": [{"hand": HAND}]}
    assert Game.from_position({**position, "turns": 69}).turns == 69
    with pytest.raises(PositionError, match="turns: 70 is not a number from 0 to 69"):
        Game.from_position({**position, "turns": 70})


def test_a_swap_needs_a_shared_card():
    position = co_op(
        hands=(HAND[:3], ["red moon", "green moon", "brown moon"]),
        shared=(),
        phase="swap_in",
        swapping="red moon",
    )
    with pytest.raises(PositionError, match="phase: swap_in with these cards leaves no action"):
        Game.from_position(position)
