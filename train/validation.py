"""How good a policy is on games that no protocol has: they may guide choices."""

from __future__ import annotations

from torch import nn

from agents.measure.expansion_sets import TRAINING_SETS
from onirim_env.rules import RuleSet
from train.config import TrainConfig
from train.evaluation import VALIDATION_OFFSET
from train.policy_agent import PolicyAgent
from train.set_results import Group, evaluate_sets, group, rule_sets


def validate(config: TrainConfig, policy: nn.Module, games: int, *, progress: bool = False) -> Group:
    """Evaluate a policy greedily on games for validation.

    Parameters
    ----------
    config
        The settings of its training.
    policy
        Leads from observations to logits.
    games
        How many games. Of a mixed training they are shared out to the sets that it meets, at least one
        each.
    progress
        Whether a terminal shows a progress bar.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C: the games that have ended by then are the short ones.
    """

    def agent_for(rules: RuleSet) -> PolicyAgent:
        return PolicyAgent(policy, rules=rules, talk=config.talk, layout=config.layout)

    rules = [config.rule_set()]
    if config.mixed_expansions:
        rules = rule_sets(rules[0], TRAINING_SETS)
    of_each = max(1, games // len(rules))
    results = evaluate_sets(
        agent_for, rules, of_each, talk=config.talk, offset=VALIDATION_OFFSET, progress=progress
    )
    if len(results) < len(rules):
        raise KeyboardInterrupt
    return group(results)
