"""Agents at play, for people: in the terminal, as pages, and the chance to win."""
