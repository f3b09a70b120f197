"""The spaces of a rule set, as Gymnasium has them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from onirim_env.actions import action_table
from onirim_env.observation import highest_values
from onirim_env.rules import RuleSet


def action_space(rules: RuleSet) -> spaces.Discrete:
    """Return the action space of a rule set."""
    return spaces.Discrete(len(action_table(rules)))


def observation_space(rules: RuleSet, partner_action: bool = False) -> spaces.Box:
    """Return the observation space of a rule set."""
    high = highest_values(rules, partner_action)
    return spaces.Box(np.zeros_like(high), high.copy(), dtype=np.float32)
