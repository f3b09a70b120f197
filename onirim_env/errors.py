"""Errors of this package."""

from __future__ import annotations


class IllegalAction(ValueError):
    """An action that the rules do not allow now. The game is as it was; the message lists the legal ones."""


class PositionError(ValueError):
    """A position or record that cannot be. The message names the field and the card."""


class UnsupportedRenderMode(ValueError, TypeError):
    """A render mode that there is not.

    A TypeError too: stable-baselines3's ``make_vec_env`` asks for images first, and takes that as no.
    """
