"""Set up a position, and look at what each choice of a Prophecy leads to."""

from onirim_env import Game

position = {
    "players": [
        {
            "row": ["red sun", "red moon"],
            "hand": ["red key", "red sun", "blue sun", "green sun", "brown moon"],
            "doors": ["red door", "blue door"],
        }
    ],
    "deck": ["nightmare", "red door", "green moon", "blue moon", "brown key", "green key", "red sun"],
}
game = Game.from_position(position)
game.apply("discard red key")
print(game)
for choice in game.legal_texts():
    after = game.copy()
    after.apply(choice)
    print(f"{choice}: then {', '.join(after.legal_texts()[:4])}, ...")
