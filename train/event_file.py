"""EventFile: points for TensorBoard, written at once.

``SummaryWriter`` of torch writes in a thread of its own, in which a full disk ends the thread with a
traceback. Here it is an error of who writes, like any other.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

_VERSION = "brain.Event:2"


class EventFile:
    """A new file of points in a folder.

    Parameters
    ----------
    folder
        Where; it is made when it is not there.
    purge_step
        From this step on, points of files before are hidden; None keeps them.

    Raises
    ------
    OSError
        When it cannot be written; this goes for all methods.
    """

    def __init__(self, folder: Path, purge_step: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        # TensorBoard reads files in the order of their names.
        name = f"events.out.tfevents.{time.time():017.6f}.{socket.gethostname()}.{os.getpid()}"
        self._file = (folder / name).open("xb")
        self._records = RecordWriter(self._file)
        self._write(file_version=_VERSION)
        if purge_step is not None:
            self._write(step=purge_step, session_log=SessionLog(status=SessionLog.START))

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Add a point for each tag."""
        points = [Summary.Value(tag=tag, simple_value=value) for tag, value in values.items()]
        self._write(step=step, summary=Summary(value=points))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, **parts: Any) -> None:
        self._records.write(Event(wall_time=time.time(), **parts).SerializeToString())
        self._file.flush()
