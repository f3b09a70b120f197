"""State dictionaries of torch in files that somebody else may have made.

They are read with ``weights_only``, which makes tensors and plain values and runs nothing. Before that
the file, a zip file itself, is looked at: it holds tensors and their description and nothing else, so
no other reader of torch is asked, and it says how large it is. After that the tensors are compared
with the module that they are for.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from agents.arrays.zip_entries import ZipEntries
from agents.network_model import MOST_NUMBERS
from onirim_env.errors import FileError, quoted
from onirim_env.files import reason, shown

MOST_STATE = 3 * 4 * MOST_NUMBERS
"""How many bytes a state dictionary has at most."""
MOST_DESCRIPTION = 1_000_000
"""How many bytes its description has at most."""
MOST_MISFITS = 300
"""How long the reason is at most that a state does not fit."""

OF_ADAM = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps of each parameter."""

_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_PARTS = re.compile(
    r"[^/]+/(data\.pkl|data/\d+|version|byteorder|\.format_version|\.storage_alignment|\.data/serialization_id)"
)


def read_tensors(entries: ZipEntries, name: str, file: Path) -> dict[str, Any]:
    """Return a state dictionary of a zip file.

    Parameters
    ----------
    entries
        The zip file.
    name
        The entry that holds it.
    file
        What the zip file is called in messages.

    Raises
    ------
    FileError
        For what is none.
    """
    content = entries.read(name, MOST_STATE)
    inner = ZipEntries(content, f"{shown(file)}: {name}")
    for part in inner.names:
        if not _PARTS.fullmatch(part):
            raise FileError(f"{shown(file)}: {name} has {quoted(part)}, and only tensors are read")
    if sum(inner.size(part) for part in inner.names) > MOST_STATE:
        raise FileError(f"{shown(file)}: {name} is too large: {MOST_STATE:,} bytes at most")
    if any(inner.size(part) > MOST_DESCRIPTION for part in inner.names if part.endswith("/data.pkl")):
        raise FileError(f"{shown(file)}: {name} describes too much")
    try:
        state = torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except Exception as error:  # a damaged file may fail in any way
        why = " ".join(reason(error).split())[:200]
        raise FileError(f"{shown(file)}: {name} has no tensors that can be read: {why}") from None
    if not isinstance(state, dict) or not all(isinstance(key, str) for key in state):
        raise FileError(f"{shown(file)}: {name} holds no values by name")
    return state


def misfit(state: Mapping[str, Any], module: nn.Module) -> str | None:
    """Return why a state dictionary is not one of a module, or None."""
    wished = module.state_dict()
    lacking, more = sorted(wished.keys() - state.keys()), sorted(state.keys() - wished.keys())
    if lacking or more:
        texts = [f"no {', '.join(lacking)}"] * bool(lacking) + [f"unknown {', '.join(more)}"] * bool(more)
        return "; ".join(texts)[:MOST_MISFITS]
    for name, tensor in wished.items():
        wrong = wrong_tensor(state[name], tuple(tensor.shape))
        if wrong:
            return f"{name} {wrong}"
    return None


def optimizer_misfit(state: Mapping[str, Any], optimizer: torch.optim.Optimizer) -> str | None:
    """Return why the states of parameters are not those of an optimizer of Adam, or None."""
    parameters = [one for group in optimizer.param_groups for one in group["params"]]
    of_parameters = state.get("state")
    if not isinstance(of_parameters, dict) or of_parameters.keys() not in (set(), {*range(len(parameters))}):
        return f"it is not one of {len(parameters)} parameters"
    for number, one in of_parameters.items():
        for part, shape in (("step", ()), *((part, parameters[number].shape) for part in OF_ADAM[1:])):
            value = one.get(part) if isinstance(one, dict) else None
            wrong = wrong_tensor(value, tuple(shape))
            if (
                not wrong
                and part != "exp_avg"
                and isinstance(value, torch.Tensor)
                and bool((value < 0).any())
            ):
                wrong = "has values below 0"
            if wrong:
                return f"{part} of parameter {number} {wrong}"
    return None


def wrong_tensor(value: Any, shape: tuple[int, ...]) -> str | None:
    """Return what is wrong with a value that is to be a tensor of finite numbers of a shape, or None."""
    if not isinstance(value, torch.Tensor):
        return f"is {quoted(value)}, no tensor"
    if tuple(value.shape) != shape:
        return f"is of the shape {tuple(value.shape)}, not {shape}"
    plain = value.layout is torch.strided and value.device.type == "cpu" and value.dtype in _FLOATS
    if not plain or not bool(torch.isfinite(value).all()):
        return "has values that are no finite numbers"
    return None
