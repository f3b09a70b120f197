"""``python -m train.export``: write a trained policy as a model of ``agents/models``."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.network_model import weights_digest
from onirim_env.command import run_command, usage_errors
from onirim_env.errors import quoted
from onirim_env.files import (
    check_output,
    check_output_folder,
    locked,
    read_json,
    reason,
    shown,
    write_file,
    write_json,
)
from train.errors import UserError

if TYPE_CHECKING:
    import torch
    from torch import nn

    from agents.compiled.network_kinds import NetworkForm
    from train.loading import LoadedPolicy

LONGEST_NAME = 100
DEFAULT_FOLDER = Path(__file__).parent.parent / "agents" / "models"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_args(arguments)
    return run_command("python -m train.export", lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> None:
    from train.loading import load_policy

    check_name(parsed.name)
    with usage_errors():
        check_output_folder("--folder", parsed.folder)
        for file in _files(parsed.folder, parsed.name):
            check_output("NAME", file)
    files = export(load_policy(parsed.model), parsed.name, parsed.folder)
    print("\n".join(f"{file} ({file.stat().st_size:,} bytes)" for file in files))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.export",
        description="Write a trained policy as plain numbers (NAME.npz) and JSON (NAME.json), which "
        "python -m agents finds by name and plays without torch.",
        epilog="example: python -m train.export runs/solo_quick-0-20250101-120000 my_solo",
    )
    parser.add_argument(
        "model",
        metavar="RUN_OR_MODEL",
        type=Path,
        help="a run folder (model.zip, else the last checkpoint) or a .zip",
    )
    parser.add_argument("name", metavar="NAME", help="name of the agent: small letters, digits and _")
    parser.add_argument(
        "--folder", type=Path, default=DEFAULT_FOLDER, help="where to write (default: agents/models)"
    )
    return parser


def export(policy: LoadedPolicy, name: str, folder: Path = DEFAULT_FOLDER) -> tuple[Path, Path]:
    """Write a policy as a model.

    Parameters
    ----------
    policy
        What to write.
    name
        Name of the files, and so of the agent.
    folder
        Where; it is made when it is not there.

    Returns
    -------
    tuple of Path
        The file of numbers and the JSON file.

    Raises
    ------
    UserError
        For a name that is none, a folder that cannot be written, or a network that is not layers
        with one function between them.
    """
    import numpy as np

    from agents.arrays.array_files import array_bytes
    from agents.network_model import FORMAT, tables_of
    from onirim_env.keywords import layout_rules

    check_name(name)
    policy.agent()  # refuses a network that does not fit its rules
    form, weights = network_arrays(policy.network)
    arrays = {name: values.detach().cpu().numpy().astype(np.float32) for name, values in weights.items()}
    about = {
        "format": FORMAT,
        "algorithm": _algorithm(policy.settings),
        "rules": policy.rules.as_dict(),
        "talk": policy.talk,
        "steps": policy.steps,
        "layout": policy.layout,
        **tables_of(layout_rules(policy.rules, policy.layout)),
        "network": form.as_dict(),
        "training": _training(policy.settings),
        "versions": policy.versions,
        "history": _history(policy),
        "evaluation": _evaluation(policy),
    }
    files = _files(folder, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / f".{name}.lock"):
            _write_pair(files, array_bytes(arrays), about)
    except OSError as error:
        raise UserError(f"cannot write {shown(files[0])}: {reason(error)}") from None
    return files


def check_name(name: str) -> None:
    """Refuse what cannot be the name of an agent.

    Raises
    ------
    UserError
        For what is not small letters, digits and _, and for a name that is too long.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > LONGEST_NAME:
        raise UserError(
            f"a name must be small letters, digits and _, at most {LONGEST_NAME}, not {quoted(name)}"
        )


def _files(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{name}.npz", folder / f"{name}.json"


def _write_pair(files: tuple[Path, Path], numbers: bytes, about: dict[str, Any]) -> None:
    """Write both files of a model, or leave both as they were."""
    before = files[0].read_bytes() if files[0].is_file() else None
    about["weights_digest"] = weights_digest(numbers)  # by which a pair is known that was cut in between
    try:
        write_file(files[0], numbers)
        write_json(files[1], about)
    except BaseException:
        if before is None:
            files[0].unlink(missing_ok=True)
        else:
            write_file(files[0], before)
        raise


def network_arrays(network: nn.Module) -> tuple[NetworkForm, dict[str, torch.Tensor]]:
    """Return the form of a network that leads from observations to logits, and its arrays by name.

    Raises
    ------
    UserError
        For a network that is no symmetric one, nor linear layers with one function between them.
    """
    from agents.compiled.network_kinds import NetworkForm
    from train.symmetric_network import SymmetricPolicy

    if isinstance(network, SymmetricPolicy):
        return network.network.form, network.network.arrays()
    layers, activation = _layers(network)
    arrays = {}
    for number, layer in enumerate(layers):
        arrays[f"weight_{number}"], arrays[f"bias_{number}"] = layer.weight, layer.bias
    sizes = (layers[0].in_features, *(layer.out_features for layer in layers))
    return NetworkForm("plain", sizes, activation), arrays


def _layers(network: nn.Module) -> tuple[list[nn.Linear], str]:
    """Return the linear layers of a network and the name of the function between them."""
    from torch import nn

    from train.torch_ppo import ACTIVATIONS

    steps = [module for module in network.modules() if not any(True for _ in module.children())]
    steps = [module for module in steps if not isinstance(module, nn.Flatten | nn.Sequential)]
    between = {type(module) for module in steps[1::2]}
    names = [name for name, kind in ACTIVATIONS.items() if between == {kind}]
    layers = [module for module in steps[::2] if isinstance(module, nn.Linear)]
    if len(layers) != len(steps[::2]) or len(steps) % 2 == 0 or not names:
        kinds = ", ".join(type(module).__name__ for module in steps)
        raise UserError(f"a model is Linear layers with relu or tanh between them; this one is {kinds}")
    return layers, names[0]


def _algorithm(settings: dict[str, Any] | None) -> str:
    """Return what trained the policy."""
    return "PPO" if settings is not None and settings["trainer"] == "torch" else "MaskablePPO"


def _training(settings: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the settings that decide what is learned: where the run was kept is none of them."""
    if settings is None:
        return None
    return {name: value for name, value in settings.items() if name != "runs_dir"}


def _history(policy: LoadedPolicy) -> list[dict[str, Any]]:
    """Return how the run was made, where the policy stands in a run folder."""
    from train.history import history_summary
    from train.run_folder import RunFolder

    folder = policy.file.parent
    if folder.name == "checkpoints":
        folder = folder.parent
    return history_summary(RunFolder(folder))


def _evaluation(policy: LoadedPolicy) -> dict[str, Any] | None:
    """Return the final evaluation of the run, when the policy is its trained model."""
    from train.run_folder import RunFolder

    folder = RunFolder(policy.file.parent)
    if policy.file != folder.model_file or not folder.evaluation_file.is_file():
        return None
    result = read_json(folder.evaluation_file, "evaluation")
    try:
        if "sets" in result:  # a summary over many rule sets
            return None
        own = result["agents"][0]
        names = ("first_seed", "games", "wins", "win_rate", "interval_95", "mean_doors", "mean_cards_left")
        if result["steps"] != policy.steps or result.get("sampled", False):
            return None
        return {name: own[name] for name in names}
    except (KeyError, IndexError, TypeError) as error:
        raise UserError(
            f"{shown(folder.evaluation_file)} is no evaluation: {type(error).__name__}: {quoted(error)}"
        ) from None


if __name__ == "__main__":
    sys.exit(main())
