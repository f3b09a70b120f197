"""A second implementation of the rules, written from their text alone: nothing here imports the engine."""
