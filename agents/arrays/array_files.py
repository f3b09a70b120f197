"""Files of arrays (``.npz``): written whole, and read only where they hold what is expected of them.

Who reads a file knows which arrays it has, and of which shapes. What the file says of itself, in the
directory of the zip file and in the header of each array, is compared with that before memory is used.
Nothing in these files is pickled.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.arrays.zip_entries import ZipEntries
from onirim_env.errors import FileError
from onirim_env.files import shown, write_file

MOST_HEADER = 1000
"""How many bytes the header of an array has at most."""
OTHERS = 4_000_000
"""How many bytes a file may have beside the arrays that are read: others, names, directory."""


class Form(NamedTuple):
    """What an array is expected to be.

    Attributes
    ----------
    shape
        Its sizes; a range where several are allowed.
    dtype
        Its dtype.
    """

    shape: tuple[int | range, ...]
    dtype: Any

    @property
    def most_bytes(self) -> int:
        """How many bytes its numbers take at most."""
        sizes = [size.stop - 1 if isinstance(size, range) else size for size in self.shape]
        return prod(sizes) * np.dtype(self.dtype).itemsize

    def fits(self, shape: tuple[int, ...], dtype: np.dtype) -> bool:
        """Whether an array of some shape and dtype is of this form."""
        return (
            dtype == np.dtype(self.dtype)
            and len(shape) == len(self.shape)
            and all(
                size in wished if isinstance(wished, range) else size == wished
                for size, wished in zip(shape, self.shape)
            )
        )

    @property
    def text(self) -> str:
        """The form in words."""
        sizes = [
            f"{size.start} to {size.stop - 1}" if isinstance(size, range) else str(size)
            for size in self.shape
        ]
        return _text(np.dtype(self.dtype), sizes)


def array_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return the content of a file of arrays."""
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def write_arrays(file: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Write a file of arrays, all or nothing."""
    write_file(file, array_bytes(arrays))


def read_arrays(file: Path, *expected: Mapping[str, Form], what: str = "file") -> dict[str, np.ndarray]:
    """Read arrays of a file; it may have others, which are left alone.

    Parameters
    ----------
    file
        The file.
    *expected
        Names of arrays and their forms. Of several such tables the first one counts that fits.
    what
        What the file is, for messages.

    Returns
    -------
    dict
        The arrays by name.

    Raises
    ------
    FileError
        When the file cannot be read, or an array is missing, of another form, or damaged; the message
        is one line with the name of the file.
    """
    most = max(sum(form.most_bytes + MOST_HEADER for form in forms.values()) for forms in expected)
    entries = ZipEntries.of_file(file, most + OTHERS, what)
    errors = []
    for forms in expected:
        try:
            return {name: _read_array(entries, f"{name}.npy", form) for name, form in forms.items()}
        except FileError as error:
            errors.append(error)
        except ValueError as error:
            errors.append(FileError(f"{what} {shown(file)}: {error}"))
    raise errors[0]


def _read_array(entries: ZipEntries, entry: str, form: Form) -> np.ndarray:
    begin = io.BytesIO(entries.begin(entry, MOST_HEADER))
    try:
        shape, by_columns, dtype = _read_header(begin)
    except Exception as error:  # a header is text that may be anything
        raise ValueError(f"{entry} is no array: {' '.join(str(error).split())[:200]}") from None
    if not form.fits(shape, dtype):
        raise ValueError(f"{entry} is {_text(dtype, map(str, shape))}, not {form.text}")
    start, size = begin.tell(), prod(shape) * dtype.itemsize
    if entries.size(entry) != start + size:
        raise ValueError(f"{entry} has {entries.size(entry) - start:,} bytes of numbers, not {size:,}")
    numbers = np.frombuffer(entries.read(entry, start + size), dtype, offset=start)
    return numbers.reshape(shape, order="F" if by_columns else "C").copy()


def _read_header(opened: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype]:
    version = np.lib.format.read_magic(opened)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(opened, MOST_HEADER)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(opened, MOST_HEADER)
    raise ValueError(f"version {version} of the format is not read")


def _text(dtype: np.dtype, sizes: Any) -> str:
    return f"{str(dtype)[:40]} ({', '.join(sizes)[:80]})"
