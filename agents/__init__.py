"""Agents that play Onirim: one file each, found by name (``python -m agents``)."""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Where the agents stand, with their models and value networks."""
