"""Measuring speed: ``python -m onirim_env bench``."""
