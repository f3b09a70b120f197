"""Files: written whole or not at all, and read only where they are plain files of a sensible size."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from onirim_env.errors import Busy, FileError

MOST_JSON = 16_000_000
"""How many bytes a JSON file of this package has at most: records, positions, descriptions of models."""

_UNFINISHED = re.compile(r"\..*\.(\d+)\.[0-9a-f]{8}\.part", re.DOTALL)
_NAME_IN_UNFINISHED = 40
"""So many characters of a name stand in that of its unfinished file: names may be as long as can be."""


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file so that whatever happens leaves the old one or the new one, never a part.

    The content goes into a file beside it, which then takes its place. A link stays one, permissions
    stay as they are, and a device or a pipe is written to as it is.

    Parameters
    ----------
    path
        The file.
    content
        All of it; text is written as UTF-8.

    Raises
    ------
    OSError
        When it cannot be written; what was there is as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        path = path.resolve()
        mode = path.stat().st_mode if path.exists() else None
    except (ValueError, RuntimeError) as error:  # a NUL in the name, a circle of links
        raise OSError(None, str(error), str(path)) from None
    if mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        path.write_bytes(data)
        return
    if mode is not None and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))
    _clear_unfinished(path)
    unfinished = _unfinished(path, os.getpid(), secrets.token_hex(4))
    try:
        with unfinished.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            unfinished.chmod(stat.S_IMODE(mode))
        unfinished.replace(path)
    except OSError as error:  # the name that was asked for says more than that of the unfinished file
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _unfinished(path: Path, process: int, token: str) -> Path:
    return path.with_name(f".{path.name[:_NAME_IN_UNFINISHED]}.{process}.{token}.part")


def _clear_unfinished(path: Path) -> None:
    """Remove what processes that were killed have left beside a file."""
    begin = f".{path.name[:_NAME_IN_UNFINISHED]}."
    with suppress(OSError):
        for file in path.parent.iterdir():
            if file.name.startswith(begin):
                _remove_left(file)


def clear_folder(folder: Path) -> None:
    """Remove the unfinished files of processes that were killed from a folder and those in it."""
    for file in folder.rglob(".*.part"):
        _remove_left(file)


def _remove_left(file: Path) -> None:
    match = _UNFINISHED.fullmatch(file.name)
    if match is not None and not _is_running(int(match[1])):
        with suppress(OSError):
            file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if sys.platform == "win32":  # where os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def check_output(option: str, file: Path | None) -> None:
    """Make sure that a file can be written where an option says, before the work that it is for.

    Raises
    ------
    ValueError
        When there is no such folder, when it is a folder itself, or when it cannot be written.
    """
    if file is None:
        return
    try:
        path = file.resolve()
        if path.is_dir():
            raise ValueError(f"{option} {file} is a folder, not a file")
        if not path.parent.is_dir():
            raise ValueError(f"{option} {file}: there is no folder {path.parent}")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
        if not path.exists() or path.is_file():
            # What write_file does, with the whole name: it may be too long, or the folder closed.
            for probe in (_unfinished(path, os.getpid(), secrets.token_hex(4)), path):
                if not probe.exists():
                    probe.open("xb").close()
                    probe.unlink()
    except OSError as error:
        raise ValueError(f"{option} {shown(file)} cannot be written: {reason(error)}") from None
    except RuntimeError as error:
        raise ValueError(f"{option} {shown(file)} cannot be written: {error}") from None


def check_output_folder(option: str, folder: Path) -> None:
    """Make sure that a folder is there or can be made, and that files can be written in it.

    Raises
    ------
    ValueError
        When that is not so.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = _unfinished(folder / "probe", os.getpid(), secrets.token_hex(4))
        probe.open("xb").close()
        probe.unlink()
    except FileExistsError:
        raise ValueError(f"{option} {shown(folder)} is no folder") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{option} {shown(folder)} cannot be written: {reason(error)}") from None


def read_file(path: Path, most: int, what: str = "file") -> bytes:
    """Return the content of a plain file.

    Parameters
    ----------
    path
        The file. A device, a pipe or a socket is refused: it may be endless.
    most
        How many bytes it may have.
    what
        What it is, for the message.

    Raises
    ------
    FileError
        When it cannot be read, is no plain file, or is too large; the message is one line.
    """
    try:
        # To open a pipe may wait for ever, to open a device may do something: look first.
        if not path.is_file():
            path.stat()
            kind = "a folder" if path.is_dir() else "a device or a pipe"
            raise FileError(f"{what} {shown(path)} is {kind}, not a file")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise FileError(f"{what} {shown(path)} cannot be read: {reason(error)}") from None
    except ValueError as error:  # a NUL in the name; or what was just raised
        if isinstance(error, FileError):
            raise
        raise FileError(f"{what} {shown(path)} cannot be read: {error}") from None
    if len(content) > most:
        raise FileError(f"{what} {shown(path)} is too large: {most:,} bytes at most")
    for note in _notes:
        note[path.resolve()] = None
    return content


_notes: list[dict[Path, None]] = []


@contextmanager
def noting_reads() -> Iterator[dict[Path, None]]:
    """Note the files that :func:`read_file` reads while entered: resolved paths, in order."""
    note: dict[Path, None] = {}
    _notes.append(note)
    try:
        yield note
    finally:
        _notes.remove(note)


def read_text(path: Path, most: int, what: str = "file") -> str:
    """Return the text of a plain file in UTF-8, with or without a byte order mark; see :func:`read_file`."""
    content = read_file(path, most, what)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{what} {shown(path)} is no text in UTF-8: {error.reason}") from None


def read_json(path: Path, what: str = "file", most: int = MOST_JSON) -> Any:
    """Return the value of a JSON file; see :func:`read_file`."""
    text = read_text(path, most, what)
    try:
        return json.loads(text)
    except RecursionError:
        raise FileError(f"{what} {shown(path)} is nested too deep") from None
    except ValueError as error:
        raise FileError(f"{what} {shown(path)} is not JSON: {error}") from None


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON; see :func:`write_file`."""
    write_file(path, json_text(value))


def json_text(value: Any) -> str:
    """Return a value as indented JSON."""
    return json.dumps(value, indent=2) + "\n"


def files_of(folder: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the files in a folder that fit any of some patterns, sorted.

    Raises
    ------
    LookupError
        For a pattern that finds no file: what it stood for was moved, and nobody must miss it in silence.
    """
    found: set[Path] = set()
    for pattern in patterns:
        files = [file for file in folder.glob(pattern) if file.is_file()]
        if not files:
            raise LookupError(f"no file of {shown(folder)} fits {pattern!r}")
        found.update(files)
    return sorted(found)


def reason(error: BaseException) -> str:
    """Return why a file cannot be read or written, in a few words."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__


def shown(path: Path | str) -> str:
    """Return the name of a file for a message: cut where it is long, on one line."""
    text = str(path)
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= 200 else f"{text[:120]}...{text[-60:]}"


@contextmanager
def locked(file: Path, wait: bool = True, what: str = "") -> Iterator[None]:
    """Hold a lock between processes, for as long as the block lasts or the process lives.

    Parameters
    ----------
    file
        The file that stands for the lock; it is made, and stays.
    wait
        Whether to wait for others, or to raise.
    what
        What is locked, for the message.

    Raises
    ------
    Busy
        When another process holds it.
    OSError
        When the file cannot be made.
    """
    with file.open("a+b") as opened:
        if not _lock(opened, wait):
            raise Busy(f"{what or shown(file)} is in use by another process")
        try:
            yield
        finally:
            _unlock(opened)


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(file: IO[bytes], wait: bool) -> bool:
        file.seek(0)
        while True:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:  # LK_LOCK gives up after ten seconds
                if not wait:
                    return False
            else:
                return True

    def _unlock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes], wait: bool) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    def _unlock(file: IO[bytes]) -> None:
        # To close the file is not enough: a process that was forked meanwhile has it open, too.
        fcntl.flock(file, fcntl.LOCK_UN)
