"""Which record holds a game: games with modules need more room."""

from __future__ import annotations

import numpy as np

from onirim_env.rules import RuleSet


def state_dtype(rules: RuleSet) -> np.dtype:
    """Return the dtype of the records of games of a rule set."""
    if rules.expansions:
        from onirim_env.engine.modules.state import FULL_STATE

        return FULL_STATE
    from onirim_env.engine.state import STATE

    return STATE


def phase_names(rules: RuleSet) -> tuple[str, ...]:
    """Return the names of the phases by number."""
    if rules.expansions:
        from onirim_env.engine.modules.state import ALL_PHASES

        return ALL_PHASES
    from onirim_env.engine.state import PHASES

    return PHASES


def written_size(rules: RuleSet) -> int:
    """Return how many entries the engine writes of an observation: :func:`shown` says which ones count."""
    from onirim_env.observation import observation_size

    if rules.expansions:
        from onirim_env.modules.layout import FULL_SIZE

        return FULL_SIZE
    return observation_size(rules)


def shown(written: np.ndarray, rules: RuleSet) -> np.ndarray:
    """Return what a rule set shows of observations as the engine writes them."""
    if not rules.expansions:
        return written
    from onirim_env.modules.layout import columns

    entries: np.ndarray = written[:, columns(rules)]
    return entries
