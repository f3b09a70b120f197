"""Showing a game."""
