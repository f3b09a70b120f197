"""Golden playthroughs: whole games printed decision by decision.

``python -m tests.engine.playthroughs`` writes the files anew after a wanted change of behaviour;
read the difference before it is committed.
"""

import random
from pathlib import Path

from onirim_env import Game, RuleSet
from onirim_env.rules import EXPANSIONS

FOLDER = Path(__file__).parent / "golden_games"

SHOWN_OF_DECK = 10
"""How many cards of the deck's top are printed."""

GAMES = {
    "solo_default": (RuleSet(), 3),
    "solo_all_options": (
        RuleSet(
            prophecy_discard="optional",
            prophecy_door="protected",
            reveal_short_deck="forbidden",
            series_search="choice",
            nightmare_return_door=False,
        ),
        12,
    ),
    "solo_whole_prophecies": (RuleSet(prophecy_actions="permutation", door_key="automatic"), 5),
    "co_op_default": (RuleSet(players=2), 7),
    "co_op_all_options": (
        RuleSet(
            players=2, duplicate_door="kept", shared_refill="limbo", draft="dealt", stop_when_unwinnable=True
        ),
        8,
    ),
    "solo_book_of_steps": (RuleSet(expansions=["book_of_steps"]), 3),
    "solo_glyphs": (RuleSet(expansions=["glyphs"]), 17),
    "solo_dreamcatchers": (RuleSet(expansions=["dreamcatchers"]), 26),
    "solo_towers": (RuleSet(expansions=["towers"]), 37),
    "solo_premonitions": (RuleSet(expansions=["premonitions"]), 11),
    "solo_crossroads": (RuleSet(expansions=["crossroads"]), 15),
    "solo_oniverse": (RuleSet(expansions=["oniverse"]), 10),
    "co_op_all_expansions": (RuleSet(players=2, expansions=EXPANSIONS), 5),
}


def playthrough(name: str) -> str:
    """Return the text of a game: the position in full at the start, what changed after each choice."""
    rules, seed = GAMES[name]
    game = Game(rules, seed=seed)
    rng = random.Random(seed)
    lines = [f"# {name}: {rules}, seed {seed}", ""]
    before = {}
    number = 0
    while True:
        position = game.position()
        number += 1
        lines.append(f"decision {number}: {position['phase']}, player {position['to_move']}")
        lines.extend(_changes(before, position))
        before = position
        if game.over:
            lines.append(f"  result: {game.result()}")
            return "\n".join(lines) + "\n"
        lines.append("  legal: " + ", ".join(_legal(game)))
        choice = _choice(game, rng)
        lines.append(f"  choice: {choice}")
        game.apply(choice)


def _choice(game: Game, rng: random.Random) -> str:
    """Pick at random, with a leaning to what goes on with a series, so that Doors come up."""
    texts = game.legal_texts()
    row = game.position()["players"][game.player]["row"]
    colour = row[-1].split()[0] if row else ""
    leanings = [text for text in texts if text.startswith("play") and colour in text]
    leanings += [text for text in texts if text.startswith(("open", "search"))]
    return rng.choice(texts if not leanings or rng.random() < 0.25 else leanings)


def _legal(game: Game) -> list[str]:
    texts = game.legal_texts()
    return texts if len(texts) <= 30 else [*texts[:4], f"... {len(texts) - 5} more ...", texts[-1]]


def _changes(before: dict, position: dict) -> list[str]:
    lines = []
    for field, value in position.items():
        if field in ("rules", "phase", "to_move") or value == before.get(field):
            continue
        if field == "players":
            for index, player in enumerate(value):
                old = before["players"][index] if before else {}
                lines.extend(
                    f"  player {index} {zone}: {_shown(cards)}"
                    for zone, cards in player.items()
                    if cards != old.get(zone)
                )
        else:
            shown = value
            if field == "deck":
                shown = f"{len(value)} cards: " + ", ".join(value[:SHOWN_OF_DECK])
            elif _are_words(value):
                shown = _shown(value)
            lines.append(f"  {field}: {shown}")
    return lines


def _shown(value) -> str:
    return (", ".join(value) or "-") if _are_words(value) else str(value)


def _are_words(value) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in GAMES:
        (FOLDER / f"{game_name}.txt").write_text(playthrough(game_name), encoding="utf-8")
        print(f"written {game_name}")
