"""How well agents play: evaluation, comparison, the leaderboard, budgets and counts of what happens."""
