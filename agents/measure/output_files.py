"""Pictures that a command is going to draw: checked before it begins its work, written at the end of it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from onirim_env.files import check_output, write_file


def check_picture(option: str, file: Path | None) -> None:
    """Make sure that a picture can be drawn into a file.

    Raises
    ------
    ImportError
        When matplotlib is missing.
    ValueError
        For an ending of no kind of picture, or a folder that is not there.
    """
    if file is None:
        return
    check_output(option, file)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(f"{option} needs matplotlib: pip install matplotlib") from None
    kinds = Figure().canvas.get_supported_filetypes()
    if file.suffix[1:].lower() not in kinds:
        raise ValueError(f"{option} {file}: its ending must be one of {', '.join(sorted(kinds))}")


def save_picture(figure: Any, file: Path) -> None:
    """Write a figure of matplotlib, all or nothing; the file's ending says how.

    The same figure gives the same file.

    Raises
    ------
    OSError
        When it cannot be written.
    """
    import matplotlib

    kind = file.suffix[1:].lower()
    content = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "onirim"}):
        figure.savefig(content, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else None)
    write_file(file, content.getvalue())
