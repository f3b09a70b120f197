"""What a command says of work that came to no end: how to go on with it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from onirim_env.files import reason, shown
from train.run_folder import RunFolder


def how_to_resume(folder: RunFolder) -> str:
    """Return how a training goes on, and from where."""
    files = folder.checkpoint_files()
    begin = f"the last checkpoint is {shown(files[0])}" if files else "there is no checkpoint yet"
    return f"{begin}; go on with: {resume_command(folder)}"


def resume_command(folder: RunFolder) -> str:
    """Return the command that goes on with a training."""
    return shlex.join(["python", "-m", "train", "--resume", str(folder.path)])


@contextmanager
def saying_how_to_go_on(how: Callable[[], str]) -> Iterator[None]:
    """Add to errors of the block that come from files, such as a full disk, how to go on.

    Parameters
    ----------
    how
        Returns what to say.
    """
    try:
        yield
    except BrokenPipeError:  # who reads has seen enough: nothing has failed
        raise
    except OSError as error:
        raise OSError(error.errno, f"{reason(error)}; {how()}", error.filename) from None
