"""From a run folder or a model file to the agent that plays it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import nn

from onirim_env.command import usage_errors
from onirim_env.rules import RuleSet
from train.checkpoint import NOTES, Checkpoint, load_checkpoint, model_entries
from train.errors import UserError
from train.fast_policy import MaskedPolicy
from train.policy_agent import PolicyAgent, policy_network
from train.resuming import best_checkpoint
from train.run_folder import RunFolder
from train.stock_models import read_stock_model
from train.untrained import untrained_policy


@dataclass(frozen=True)
class LoadedPolicy:
    """A trained policy with what it was trained on.

    Attributes
    ----------
    file
        The file that it comes from.
    network
        Leads from observations to logits.
    rules, talk
        What it was trained on; the default solo rules where the file does not say.
    layout
        Which observations and actions it knows: those of its rules (``"own"``), or of all expansions
        (``"full"``).
    steps
        Decisions that it was trained for, where the file says so.
    settings, versions
        The settings of its training and the versions that it was written with; None where the file
        does not say.
    """

    file: Path
    network: nn.Module
    rules: RuleSet
    talk: str
    steps: int | None
    settings: dict[str, Any] | None = None
    versions: dict[str, Any] | None = None
    layout: str = "own"

    def agent(
        self, rules: RuleSet | None = None, *, deterministic: bool = True, device: str = "cpu"
    ) -> PolicyAgent:
        """Return the agent that plays it.

        Parameters
        ----------
        rules
            What is going to be played, where it is not what the policy was trained on.
        deterministic
            Whether to take the most probable action instead of drawing one.
        device
            What the network computes on: one of :data:`train.devices.DEVICES`.

        Raises
        ------
        UserError
            When it does not fit its rules.
        """
        try:
            return PolicyAgent(
                self.network, deterministic, rules or self.rules, self.talk, self.layout, device
            )
        except UserError:
            raise
        except ValueError as error:
            raise UserError(f"{self.file}: {error}") from None


def load_policy(path: str | Path) -> LoadedPolicy:
    """Load the policy of a run folder or a zip file. Nothing in the file is run.

    Parameters
    ----------
    path
        A run folder (its trained model, else its last checkpoint), a checkpoint of this package, or
        what ``MaskablePPO.save`` of sb3-contrib wrote with a policy of plain layers.

    Raises
    ------
    UserError
        For a path that is none of these, and a file that cannot be read.
    """
    file = Path(path)
    with usage_errors(OSError):
        is_folder = file.is_dir()
    if is_folder:
        folder = RunFolder.open(file)
        if not folder.model_file.is_file():
            return _of_checkpoint(best_checkpoint(folder))
        file = folder.model_file
    with usage_errors():
        ours = NOTES in model_entries(file).names
    return _of_checkpoint(load_checkpoint(file)) if ours else _of_stock_model(file)


def _of_checkpoint(checkpoint: Checkpoint) -> LoadedPolicy:
    config = checkpoint.config
    policy = untrained_policy(config)
    checkpoint.put_weights(policy)
    return LoadedPolicy(
        checkpoint.file,
        policy_network(policy) if isinstance(policy, MaskedPolicy) else policy.policy(),
        config.rule_set(),
        config.talk,
        checkpoint.steps,
        config.as_dict(),
        checkpoint.versions,
        config.layout,
    )


def _of_stock_model(file: Path) -> LoadedPolicy:
    with usage_errors():
        network, steps = read_stock_model(model_entries(file), file)
    return LoadedPolicy(file, network, RuleSet(), "open", steps)
