"""Leaving a game, in whatever way: it is kept first, then it is said how to go on."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TextIO

from onirim_env.play.keeping import Keeping

Write = Callable[[str], None]


@contextmanager
def kept(keeping: Callable[[], Keeping], write: Write, *before: str) -> Iterator[None]:
    """Keep the game however the block ends, and say how to go on.

    Ctrl-C, and a signal that does the same (:func:`onirim_env.command.ending_in_order`), ends the block.
    Another one does nothing, so that it cannot end the saving.

    Parameters
    ----------
    keeping
        Returns what keeps the game, when the block has ended.
    write
        Writes a text and a line end. Where it cannot, the standard error output is told.
    *before
        What is written first, whether there is something to say or not.
    """
    with _interrupted_once() as no_more:
        failed = False
        try:
            yield
        except Exception:
            failed = True
            raise
        finally:
            no_more()
            _say([*before, *keeping().farewell(failed)], write)


def _say(texts: list[str], write: Write) -> None:
    """Write texts where anybody may still read them; the game has been kept already."""
    try:
        for text in texts:
            write(text)
    except (OSError, ValueError):  # the terminal is gone, the disk is full
        _drop(sys.stdout)
        try:
            print("\n".join(filter(None, texts)), file=sys.stderr, flush=True)
        except (OSError, ValueError):
            _drop(sys.stderr)


def open_streams() -> None:
    """Let no answer end a game because of its bytes, and no text because the terminal cannot write it.

    What cannot be decoded or encoded is shown as an escape. A program that was started without an output
    writes to nowhere.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # input() needs both
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
    for stream in (sys.stdin, sys.stdout):
        with suppress(AttributeError, ValueError):  # something else took its place
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def read_line(prompt: str) -> str:
    """Return a line of the standard input.

    Raises
    ------
    EOFError
        At its end, or where a program was started without one.
    """
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


def _drop(stream: TextIO | None) -> None:
    """Send what a stream holds to nowhere: Python would try it again at the end, and fail."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)


@contextmanager
def _interrupted_once() -> Iterator[Callable[[], None]]:
    """While entered, only the first Ctrl-C raises KeyboardInterrupt.

    Yields
    ------
    callable
        From its call on, none does.
    """
    if threading.current_thread() is not threading.main_thread():  # no signal comes here
        yield lambda: None
        return
    before = signal.getsignal(signal.SIGINT)
    ended: list[bool] = []

    def end(number: int, frame: FrameType | None) -> None:
        ignored = number == signal.SIGINT and before == signal.SIG_IGN
        if not ended and not ignored:
            ended.append(True)
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, end)
    try:
        yield lambda: ended.append(True)
    finally:
        signal.signal(signal.SIGINT, before)
