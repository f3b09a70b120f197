"""Signals: Ctrl-C and closing terminals are for the process that started the others, and ends them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def noted_interrupts(noted: list[int]) -> Iterator[None]:
    """Note Ctrl-C in a list: raised inside a wait, it can leave a lock of Python's half released."""
    if threading.current_thread() is not threading.main_thread():  # only that one may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def kept_handlers() -> Iterator[None]:
    """Put the handlers of signals back at the end: commands end in order by theirs, and Ray sets its own."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def start_resource_tracker() -> None:
    """Start the process in which Python notes what others share, so that a closing terminal spares it.

    It heeds neither Ctrl-C nor SIGTERM, but SIGHUP would kill it before those whose things it notes.
    """
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    from multiprocessing import resource_tracker

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what a new process inherits
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


_OF_THE_PARENT = {getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)}


@contextmanager
def blocked_interrupts() -> Iterator[None]:
    """Block Ctrl-C and closing terminals for the processes started meanwhile, until they can ignore them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_THE_PARENT)  # what a new process inherits
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def heed_the_parent_alone() -> None:
    """Let this worker end when the process that started it ends it, or is no more; and for nothing else."""
    for number in _OF_THE_PARENT:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _OF_THE_PARENT)  # see blocked_interrupts
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
