"""Zip files that somebody else may have made: entries are read only where they are small enough."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from onirim_env.errors import FileError
from onirim_env.files import read_file, shown

MOST_DIRECTORY = 1_000_000
"""How many bytes the directory of a zip file has at most; Python makes an object of each of its entries."""

_END, _END_64, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_END_SIZE, _END_64_SIZE, _LOCATOR_64_SIZE = 22, 56, 20


class ZipEntries:
    """The entries of a zip file. Nothing is unpacked that is larger than was asked for.

    Parameters
    ----------
    content
        The whole zip file.
    name
        What messages call it.

    Attributes
    ----------
    names : list of str
        Names of the entries.

    Raises
    ------
    FileError
        For what is no zip file, or one with a directory that is too large.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self._name = name
        size = _directory_size(content)
        if size is None:
            raise FileError(f"{name} is no whole zip file")
        if size > MOST_DIRECTORY:
            raise FileError(f"{name} has too many entries: a directory of {size:,} bytes")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(content))
        except Exception as error:  # a directory may be damaged in any way
            raise FileError(f"{name} is a damaged zip file: {_reason(error)}") from None
        self.names = self._archive.namelist()

    @classmethod
    def of_file(cls, file: Path, most: int, what: str) -> ZipEntries:
        """Return the entries of a file of at most so many bytes; see :func:`onirim_env.files.read_file`."""
        return cls(read_file(file, most, what), f"{what} {shown(file)}")

    def size(self, entry: str) -> int:
        """Return how many bytes an entry has when it is unpacked, as the directory says."""
        if entry not in self.names:
            raise FileError(f"{self._name} has no entry {entry}")
        return self._archive.getinfo(entry).file_size

    def read(self, entry: str, most: int) -> bytes:
        """Return the content of an entry.

        Parameters
        ----------
        entry
            Its name.
        most
            How many bytes it may have.

        Raises
        ------
        FileError
            When it is not there, too large, damaged, or packed in an unusual way.
        """
        size = self.size(entry)
        if size > most:
            raise FileError(f"{self._name}: {entry} is too large: {size:,} bytes, at most {most:,}")
        content = self.begin(entry, size + 1)
        if len(content) != size:
            raise FileError(f"{self._name}: {entry} is damaged: {len(content):,} of {size:,} bytes")
        return content

    def begin(self, entry: str, length: int) -> bytes:
        """Return the first so many bytes of an entry, or all of it where it is shorter."""
        self.size(entry)
        info = self._archive.getinfo(entry)
        # Other ways of packing are unpacked without a limit.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"{self._name}: {entry} is packed in a way that is not read")
        try:
            with self._archive.open(info) as opened:
                return opened.read(length)
        except Exception as error:  # a damaged entry may fail in any way
            raise FileError(f"{self._name}: {entry} is damaged: {_reason(error)}") from None


def _directory_size(content: bytes) -> int | None:
    """Return how many bytes the directory of a zip file has, or None where there is none at its end."""
    end = content[-_END_SIZE:]
    if not end.startswith(_END) or len(end) < _END_SIZE:
        return None
    locator = content[-_END_SIZE - _LOCATOR_64_SIZE : -_END_SIZE]
    if not locator.startswith(_LOCATOR_64):
        return int.from_bytes(end[12:16], "little")
    start = len(content) - _END_SIZE - _LOCATOR_64_SIZE - _END_64_SIZE
    end_64 = content[max(0, start) : start + _END_64_SIZE]
    return int.from_bytes(end_64[40:48], "little") if end_64.startswith(_END_64) else None


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
