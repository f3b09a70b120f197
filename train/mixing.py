"""Mixed games: each game of a training has expansions of its own (``mixed_expansions``)."""

from __future__ import annotations

from itertools import product
from typing import Any

from agents.measure.expansion_sets import TRAINING_SETS
from onirim_env.batch import GameBatch
from onirim_env.mixed import MixedBatch
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet
from train.config import TrainConfig


def make_batch(config: TrainConfig, seed: int, games: int) -> GameBatch:
    """Return so many games of a training: of one rule set, or mixed; the seed decides the mixture."""
    options: dict[str, Any] = {
        "reward": config.reward, "talk": config.talk, "threads": config.threads,
    }  # fmt: skip
    if not config.mixed_expansions:
        return GameBatch(games, config.rule_set(), layout=config.layout, **options)
    rule_sets, weights = mixture(config.rule_set(), config.mixed_expansions, config.mixed_hard)
    return MixedBatch(games, rule_sets, weights, seed=seed, **options)


def mixture(base: RuleSet, chance: float, hard_chance: float) -> tuple[list[RuleSet], list[float]]:
    """Return the rule sets of a mixture and how often each comes up.

    Parameters
    ----------
    base
        The rules without expansions.
    chance
        With which each expansion is in a game. Sets that are held out never come up
        (:data:`agents.measure.expansion_sets.HELD_OUT`).
    hard_chance
        With which one that is in a game, and has a harder variant, is in it.
    """
    rule_sets, weights = [], []
    for expansions in TRAINING_SETS:
        share = chance ** len(expansions) * (1 - chance) ** (len(EXPANSIONS) - len(expansions))
        can_be_hard = [keyword for keyword in expansions if keyword in CAN_BE_HARD]
        for choices in product((False, True), repeat=len(can_be_hard)):
            weight = share
            for is_hard in choices:
                weight *= hard_chance if is_hard else 1 - hard_chance
            if weight > 0:
                hard = [keyword for keyword, is_hard in zip(can_be_hard, choices) if is_hard]
                rule_sets.append(RuleSet(**base.as_dict(), expansions=expansions, hard=hard))
                weights.append(weight)
    return rule_sets, weights
