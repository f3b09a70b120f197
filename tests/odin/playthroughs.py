"""Golden playthroughs: whole games printed decision by decision.

``python -m tests.odin.playthroughs`` writes the files anew after a wanted change of behaviour; read the
difference before it is committed.
"""

import random
from pathlib import Path

from onirim_env.odin import Game, RuleSet

FOLDER = Path(__file__).parent / "golden_games"

GAMES = {
    "two_players": (RuleSet(), 3),
    "four_players": (RuleSet(players=4), 5),
    "six_players_goat_forced": (RuleSet(players=6, goat=True, all_out="forced", limit=10), 8),
    "three_players_whole_plays": (RuleSet(players=3, play_actions="whole", limit=10), 2),
}


def playthrough(name: str) -> str:
    """Return the text of a game: the position in full at the start, what changed after each choice."""
    rules, seed = GAMES[name]
    game = Game(rules, seed=seed)
    rng = random.Random(seed)
    lines = [f"# {name}: {rules}, seed {seed}", ""]
    before: dict = {}
    number = 0
    while True:
        position = game.position()
        number += 1
        lines.append(f"decision {number}: {position['phase']}, player {position['to_move']}")
        for field, value in position.items():
            if field == "rules" or before.get(field) == value:
                continue
            if field == "players":
                for seat, player in enumerate(value):
                    if not before or before["players"][seat] != player:
                        known = f"; known {', '.join(player['public'])}" if player["public"] else ""
                        lines.append(
                            f"  player {seat}: {player['points']}; {', '.join(player['hand'])}{known}"
                        )
            elif field not in ("phase", "to_move"):
                lines.append(f"  {field}: {', '.join(map(str, value)) if isinstance(value, list) else value}")
        if game.over:
            lines.append(f"  result: {game.result()}")
            return "\n".join(lines) + "\n"
        legal = game.legal_texts()
        chosen = rng.choice(legal)
        lines += [f"  legal: {'; '.join(legal)}", f"  > {chosen}"]
        before = position
        game.apply(chosen)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game_name in GAMES:
        (FOLDER / f"{game_name}.txt").write_text(playthrough(game_name), encoding="utf-8")
