"""The frame of every command: errors in one line, an orderly end, and the exit status."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from onirim_env.errors import Busy, FileError, UserError
from onirim_env.files import reason, shown

FAILED = 1
USAGE_ERROR = 2
_OWN = ("", "onirim_env", "agents", "train")
INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


def run_command(
    name: str, work: Callable[[], int | None], interrupted: Callable[[], str] = lambda: "interrupted"
) -> int:
    """Run a command, and return its exit status.

    SIGTERM and SIGHUP end it as Ctrl-C does. What is printed goes out line by line, so a disk that is
    full or a reader that has gone away is noticed at once.

    Parameters
    ----------
    name
        What errors begin with.
    work
        The command: returns its exit status, None for 0.
    interrupted
        Returns what is said after Ctrl-C.

    Returns
    -------
    int
        What ``work`` returns; 2 for a :class:`UserError`, a :class:`FileError` and :class:`Busy`, and
        where a package is not installed;
        1 when a file cannot be read or written (a full disk);
        130 after Ctrl-C, 128 and the number of another signal; 0 when nobody reads the output any more.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # something else took its place
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with ending_in_order() as signals:
        try:
            status = work() or 0
            if sys.stdout is not None:  # it is None where it was closed from the beginning
                sys.stdout.flush()
        except (UserError, FileError, Busy) as error:
            _complain(f"{name}: {' '.join(str(error).splitlines())}")
            status = USAGE_ERROR
        except ModuleNotFoundError as error:
            package = (error.name or "").partition(".")[0]
            if package in _OWN:
                raise
            _complain(f'{name}: needs the package {package}; in a clone, pip install ".[train]" brings it')
            status = USAGE_ERROR
        except KeyboardInterrupt:
            _complain(interrupted())
            status = INTERRUPTED
        except BrokenPipeError:  # who reads has seen enough
            _drop_output()
            status = 0
        except OSError as error:
            _drop_output()
            where = f"{shown(error.filename)}: " if error.filename else ""
            _complain(f"{name}: {where}{reason(error)}")
            status = FAILED
        except SystemExit as error:
            status = _status_of(error)
    return 128 + signals[0] if signals and status == INTERRUPTED else status


@contextmanager
def usage_errors(*kinds: type[Exception]) -> Iterator[None]:
    """Turn errors of a block that looks at what was given into a :class:`UserError`.

    Parameters
    ----------
    *kinds
        Which errors, beside ValueError.
    """
    mistakes: tuple[type[Exception], ...] = (ValueError, *kinds)
    try:
        yield
    except mistakes as error:
        raise UserError(str(error)) from None


def _status_of(error: SystemExit) -> int:
    if isinstance(error.code, str):
        _complain(error.code)
        return FAILED
    return error.code or 0


def _complain(text: str) -> None:
    with suppress(OSError):
        print(text, file=sys.stderr)


def _drop_output() -> None:
    """Send what is left to nowhere: Python would complain once more while it closes stdout."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def ending_in_order() -> Iterator[list[int]]:
    """While entered, SIGTERM and SIGHUP do what Ctrl-C does at that moment.

    A signal that was ignored before (``nohup``) stays ignored.

    Yields
    ------
    list of int
        The numbers of the signals that came.
    """
    came: list[int] = []
    before: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:
        came.append(number)
        like_ctrl_c = signal.getsignal(signal.SIGINT)
        if not callable(like_ctrl_c):  # a process in the background ignores Ctrl-C
            raise KeyboardInterrupt
        like_ctrl_c(number, frame)

    # Signals reach the main thread only, and only it may set handlers.
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, end)
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
