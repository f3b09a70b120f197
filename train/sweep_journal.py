"""Optuna's journal of a sweep, mended before it is opened.

A line that was being written when a sweep was killed stays cut; Optuna ignores it, and would then write
its next line behind it. Its lock stays, too, and is waited for.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from onirim_env.errors import FileError
from onirim_env.files import read_file, shown, write_file

MOST_JOURNAL = 100_000_000
"""How many bytes a journal has at most; a trial has some 1,000."""


def mend_journal(file: Path) -> None:
    """Cut a journal after its last whole line, and take away the lock of a process that was killed.

    Only who has the folder of the sweep for itself may do that.

    Raises
    ------
    FileError
        For a journal with a line that is no entry; the message names the line.
    """
    with suppress(FileNotFoundError):
        file.with_name(f"{file.name}.lock").unlink()
    if not file.exists():
        return
    content = read_file(file, MOST_JOURNAL, "journal")
    whole = content[: content.rfind(b"\n") + 1]
    for number, line in enumerate(whole.splitlines(), 1):
        if not _is_entry(line):
            raise FileError(f"journal {shown(file)} is damaged in line {number}")
    if len(whole) < len(content):
        write_file(file, whole)


def _is_entry(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
