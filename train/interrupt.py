"""Interrupt: Ctrl-C, SIGTERM and SIGHUP as a wish to stop at the next safe place."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class Interrupt:
    """While entered, the first Ctrl-C only sets :attr:`wished`; a second one raises as usual.

    A training that is cut in the middle of an update would leave half-updated weights. What
    :func:`onirim_env.command.run_command` makes of SIGTERM and SIGHUP comes here, too.

    Attributes
    ----------
    wished : bool
        Whether a signal came.
    """

    def __init__(self) -> None:
        self.wished = False
        self._before: Any = None
        # Signals reach the main thread only, and only it may set handlers.
        self._can_listen = threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Interrupt:
        if self._can_listen:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._can_listen:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        # In the background of a script Ctrl-C is ignored, but other signals end in its handler, too.
        if number == signal.SIGINT and self._before is signal.SIG_IGN:
            return
        self.wished = True
        signal.signal(signal.SIGINT, self._before)
