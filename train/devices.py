"""Devices: what networks compute on."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from train.errors import UserError

if TYPE_CHECKING:
    import torch

DEVICES = ("auto", "cpu", "cuda", "mps")


def add_device_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--device`` to a parser."""
    parser.add_argument(
        "--device", choices=DEVICES, default="cpu",
        help="what the network computes on; auto: the GPU that torch finds, else the CPU (default: cpu)",
    )  # fmt: skip


def find_device(name: str) -> torch.device:
    """Return a device of torch.

    Parameters
    ----------
    name
        One of :data:`DEVICES`. ``auto``: the GPU that torch finds, else the CPU.

    Raises
    ------
    UserError
        For a device that torch does not find here.
    """
    import torch

    found = _found()
    if name == "auto":
        return torch.device(found[0])
    if name not in found:
        raise UserError(f"device: torch finds no {name} here; allowed are auto, {', '.join(sorted(found))}")
    return torch.device(name)


def _found() -> list[str]:
    """Return the devices that are here, fastest first."""
    import torch

    gpus: dict[str, Callable[[], bool]] = {
        "cuda": torch.cuda.is_available,
        "mps": torch.backends.mps.is_available,
    }
    return [*(name for name, is_here in gpus.items() if is_here()), "cpu"]
