"""From a run folder or a model file to the agent that plays it."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from torch import nn

from onirim_env.env import action_space, observation_space
from onirim_env.rules import RuleSet
from train.checkpoint import NOTES, Checkpoint, load_checkpoint
from train.config import TrainConfig
from train.config_reading import make_config
from train.errors import UserError
from train.fast_policy import MaskedPolicy
from train.policy_agent import PolicyAgent, policy_network
from train.ppo import policy_arguments
from train.run_folder import RunFolder, versions
from train.torch_ppo import ActorCritic, make_network


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

    def agent(self, rules: RuleSet | None = None, *, deterministic: bool = True) -> PolicyAgent:
        """Return the agent that plays it.

        Parameters
        ----------
        rules
            What is going to be played, where it is not what the policy was trained on.
        deterministic
            Whether to take the most probable action instead of drawing one.

        Raises
        ------
        UserError
            When it does not fit its rules.
        """
        try:
            return PolicyAgent(self.network, deterministic, rules or self.rules, self.talk, self.layout)
        except ValueError as error:
            raise UserError(f"{self.file}: {error}") from None


def load_policy(path: str | Path) -> LoadedPolicy:
    """Load the policy of a run folder or a zip file.

    Parameters
    ----------
    path
        A run folder (its trained model, else its last checkpoint), a checkpoint of this package, or
        what ``MaskablePPO.save`` wrote. The last kind holds pickled code: load it only if you trust
        where it comes from.

    Raises
    ------
    UserError
        For a path that is none of these, and a file that cannot be read.
    """
    file = Path(path)
    if file.is_dir():
        file = RunFolder.open(file).best_model()
    if not file.is_file():
        raise UserError(f"no run folder and no model file {file}")
    if not zipfile.is_zipfile(file):
        raise UserError(f"{file} is no model: expected a zip file")
    with zipfile.ZipFile(file) as archive:
        ours = NOTES in archive.namelist()
    return _of_checkpoint(file, load_checkpoint(file)) if ours else _of_stock_model(file)


def _of_checkpoint(file: Path, checkpoint: Checkpoint) -> LoadedPolicy:
    config = make_config(checkpoint.settings)
    rules = config.rule_set()
    policy = untrained_policy(config)
    try:
        policy.load_state_dict(checkpoint.policy)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise UserError(f"{file} does not fit {rules} as it is in this version: {reason}") from None
    return LoadedPolicy(
        file,
        policy.policy() if isinstance(policy, ActorCritic) else policy_network(policy),
        rules,
        config.talk,
        checkpoint.steps,
        config.as_dict(),
        checkpoint.versions,
        config.layout,
    )


def untrained_policy(config: TrainConfig) -> MaskedPolicy | ActorCritic:
    """Return the module whose state dictionary a checkpoint of the configuration's trainer holds."""
    if config.trainer == "torch":
        return make_network(config)
    rules = config.rule_set()
    return MaskedPolicy(
        observation_space(rules), action_space(rules), lambda left: 0.0, **policy_arguments(config)
    )


def _of_stock_model(file: Path) -> LoadedPolicy:
    try:
        model = MaskablePPO.load(file, device="cpu")
    except Exception as error:  # unpickling old code can fail in any way
        raise UserError(
            f"{file} cannot be loaded: it was written with {_written_with(file)}, here are "
            f"Python {versions()['python']} and stable-baselines3 "
            f"{versions()['packages']['stable-baselines3']} ({type(error).__name__}: {error})"
        ) from None
    return LoadedPolicy(file, policy_network(model.policy), RuleSet(), "open", model.num_timesteps)


def _written_with(file: Path) -> str:
    """Return the versions that SB3 notes in its files, on one line."""
    with zipfile.ZipFile(file) as archive:
        names: list[Any] = archive.namelist()
        if "system_info.txt" not in names:
            return "unknown versions"
        lines = archive.read("system_info.txt").decode(errors="replace").splitlines()
    wanted = [line.removeprefix("- ") for line in lines if "Python" in line or "Stable-Baselines3" in line]
    return ", ".join(wanted) or "unknown versions"
