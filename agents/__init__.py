"""Agents that play Onirim: one file each, found by name (``python -m agents``)."""
