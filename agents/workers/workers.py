"""Who works: so many processes, or a Ray cluster."""

from __future__ import annotations

import argparse
import importlib.util
import os
from dataclasses import dataclass

from onirim_env.errors import UserError, quoted

HERE = "local"
"""The address that stands for a cluster on this machine, which is started and ended with the command."""


@dataclass(frozen=True)
class Workers:
    """Who works on tasks. Results are the same whoever does.

    Attributes
    ----------
    number
        How many work at most; None: as many as a cluster has cores.
    ray
        Address of a Ray cluster, or :data:`HERE`; None for processes of this machine.
    """

    number: int | None = 1
    ray: str | None = None

    @property
    def alone(self) -> bool:
        """Whether this process does all of it."""
        return self.ray is None and self.number == 1


ALONE = Workers()


def add_worker_options(parser: argparse.ArgumentParser, default: int | None = 1) -> None:
    """Add ``--workers`` and ``--ray`` to a parser.

    Parameters
    ----------
    parser
        Of a command.
    default
        How many processes work when nothing is said; None: one for each core.
    """
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--workers", type=int, metavar="N",
        help=f"processes that work side by side (default: {default or cores}); it changes no result",
    )  # fmt: skip
    parser.add_argument(
        "--ray", nargs="?", const=HERE, metavar="ADDRESS",
        help="spread the work over the Ray cluster at ADDRESS, such as auto or ray://host:10001, or over one "
        "on this machine; --workers then says how many cores at most",
    )  # fmt: skip
    parser.set_defaults(default_workers=default or cores)


def read_workers(arguments: argparse.Namespace) -> Workers:
    """Return who is to work by the options of :func:`add_worker_options`.

    Raises
    ------
    ValueError
        For a number that cannot be.
    UserError
        For ``--ray`` without the package.
    """
    number: int | None = arguments.workers
    if number is not None and number < 1:
        raise ValueError(f"--workers must be at least 1, not {number}")
    if arguments.ray is None:
        return Workers(number or arguments.default_workers)
    if not arguments.ray.strip():
        raise ValueError(f"--ray takes the address of a cluster or nothing, not {quoted(arguments.ray)}")
    check_ray("--ray")
    return Workers(number, arguments.ray)


def check_ray(option: str) -> None:
    """Raise a UserError unless the package Ray is there, which an option needs."""
    if importlib.util.find_spec("ray") is None:
        raise UserError(f'{option} needs the package Ray: pip install "onirim-env[ray]"')
