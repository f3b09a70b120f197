"""Work spread over processes or machines: tasks in, results out as they end. Nothing here knows a game."""
