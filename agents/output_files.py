"""Files that a command is going to write, checked before it begins its work."""

from __future__ import annotations

from pathlib import Path


def check_folder(option: str, file: Path | None) -> None:
    """Make sure that a file can be written where an option says.

    Raises
    ------
    ValueError
        When there is no such folder.
    """
    if file is not None and not file.absolute().parent.is_dir():
        raise ValueError(f"{option} {file}: there is no folder {file.absolute().parent}")


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
    check_folder(option, file)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(f"{option} needs matplotlib: pip install matplotlib") from None
    kinds = Figure().canvas.get_supported_filetypes()
    if file.suffix[1:].lower() not in kinds:
        raise ValueError(f"{option} {file}: its ending must be one of {', '.join(sorted(kinds))}")
