"""Models that ``MaskablePPO.save`` of sb3-contrib wrote, read without running what is pickled in them.

Of such a zip file two entries are read: ``policy.pth``, a state dictionary, and ``data``, which is JSON.
Values that JSON does not know are in it as pickles, which are left alone, with a description beside
them, which says whether the layers are joined by tanh or relu.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import nn

from agents.arrays.zip_entries import ZipEntries
from agents.network_model import MOST_LAYERS, MOST_NUMBERS
from onirim_env.errors import FileError, quoted
from onirim_env.files import reason, shown
from train.state_files import read_tensors, wrong_tensor

MOST_DATA = 64_000_000
"""How many bytes ``data`` has at most: the last observations are in it."""

_KNOWN_CLASSES = ("sb3_contrib.common.maskable.policies", "train.fast_policy")
_PLAIN_ARGUMENTS = {"activation_fn", "net_arch", "ortho_init", "share_features_extractor", "normalize_images",
                    "optimizer_class", "optimizer_kwargs", ":type:", ":serialized:"}  # fmt: skip
_LAYER = re.compile(r"mlp_extractor\.policy_net\.(\d{1,3})\.weight")
_OTHERS = re.compile(r"(mlp_extractor\.(policy|value)_net\.\d{1,3}|action_net|value_net)\.(weight|bias)")
_ACTIVATIONS: dict[str, type[nn.Module]] = {
    "<class 'torch.nn.modules.activation.Tanh'>": nn.Tanh,
    "<class 'torch.nn.modules.activation.ReLU'>": nn.ReLU,
}


def read_stock_model(entries: ZipEntries, file: Path) -> tuple[nn.Sequential, int | None]:
    """Return the layers of a model that lead from observations to logits, and its decisions.

    Parameters
    ----------
    entries
        The zip file.
    file
        What it is called in messages.

    Raises
    ------
    FileError
        For what is no such model, and for one whose policy is more than plain layers.
    """
    if not {"data", "policy.pth"} <= set(entries.names):
        raise FileError(
            f"{shown(file)} is no model: it has neither onirim.json nor what MaskablePPO.save writes"
        )
    data = _data(entries, file)
    activation = _activation(data, file)
    state = read_tensors(entries, "policy.pth", file)
    numbers = sorted(int(match[1]) for name in state if (match := _LAYER.fullmatch(name)))
    names = [*(f"mlp_extractor.policy_net.{number}" for number in numbers), "action_net"]
    if len(names) > MOST_LAYERS or not all(_OTHERS.fullmatch(name) for name in state):
        raise _refused(file, f"its policy has {quoted(sorted(state))}")
    layers = [_layer(state, name, file) for name in names]
    if any(before.out_features != after.in_features for before, after in pairwise(layers)):
        raise _refused(file, "its layers do not fit each other")
    modules: list[nn.Module] = [layers[0]]
    for layer in layers[1:]:
        modules += [activation(), layer]
    steps = data.get("num_timesteps")
    return nn.Sequential(*modules), steps if type(steps) is int and steps >= 0 else None


def _data(entries: ZipEntries, file: Path) -> dict[str, Any]:
    try:
        data = json.loads(entries.read("data", MOST_DATA))
    except FileError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileError(f"{shown(file)}: data is not JSON: {reason(error)[:200]}") from None
    if not isinstance(data, dict):
        raise FileError(f"{shown(file)}: data is {quoted(data)}, not values by name")
    return data


def _activation(data: dict[str, Any], file: Path) -> type[nn.Module]:
    """Return what stands between the layers."""
    policy, arguments = data.get("policy_class"), data.get("policy_kwargs")
    module = policy.get("__module__") if isinstance(policy, dict) else None
    if module not in _KNOWN_CLASSES:
        raise _refused(file, f"its policy is a class of {quoted(module)}")
    if not isinstance(arguments, dict) or not arguments.keys() <= _PLAIN_ARGUMENTS:
        raise _refused(file, f"the arguments of its policy are {quoted(arguments)}")
    named = arguments.get("activation_fn", "<class 'torch.nn.modules.activation.Tanh'>")
    if not isinstance(named, str) or named not in _ACTIVATIONS:
        raise _refused(file, f"its layers are joined by {quoted(named)}")
    return _ACTIVATIONS[named]


def _layer(state: dict[str, Any], name: str, file: Path) -> nn.Linear:
    weight, bias = (state.get(f"{name}.{part}") for part in ("weight", "bias"))
    if not isinstance(weight, torch.Tensor) or weight.dim() != 2 or not 0 < weight.numel() <= MOST_NUMBERS:
        raise _refused(file, f"its {name} has no weights")
    outputs, inputs = weight.shape
    for part, value, shape in (("weight", weight, (outputs, inputs)), ("bias", bias, (outputs,))):
        wrong = wrong_tensor(value, shape)
        if wrong:
            raise FileError(f"{shown(file)}: {name}.{part} {wrong}")
    layer = nn.Linear(inputs, outputs)
    layer.load_state_dict({"weight": weight, "bias": bias})
    return layer


def _refused(file: Path, why: str) -> FileError:
    return FileError(
        f"{shown(file)} cannot be read without running code that is in it: {why}; "
        "only policies of plain layers with tanh or relu between them can"
    )
