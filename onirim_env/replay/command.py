"""``python -m onirim_env replay``: a record as a text, or as a page for a browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from onirim_env.files import shown
from onirim_env.keywords import TALKS


def add_options(parser: argparse.ArgumentParser, *, html_required: bool = False) -> None:
    """Add the options that say which record is shown, and where."""
    parser.add_argument("record", type=Path, metavar="RECORD", help="a JSON file (docs/positions.md)")
    parser.add_argument(
        "--talk", choices=TALKS, default="open",
        help="two players: closed marks the cards that the partner could not see (default: open)",
    )  # fmt: skip
    add_html(parser, required=html_required)


def add_html(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add the option for the page."""
    parser.add_argument(
        "--html", type=Path, metavar="FILE", required=required,
        help="write the game as one page that a browser opens and that needs no network; "
        "an older page of this name is replaced, other files are not",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Print or write what a command line asks for.

    Raises
    ------
    ValueError
        For a file that is no record, or one that cannot be written (PositionError and FileError are two).
    OSError
        When the page cannot be written after all.
    """
    from onirim_env.replay.page import check_page_file, write_page
    from onirim_env.replay.steps import games_of, replay_steps

    if arguments.html is not None:
        check_page_file("--html", arguments.html)
    replay = replay_steps(games_of(arguments.record, arguments.talk))
    if arguments.html is None:
        print(replay_text(replay))
        return
    write_page(arguments.html, replay)
    print(written_text(arguments.html, replay))


def replay_text(replay: dict[str, Any]) -> str:
    """Return a replay in words: every decision that was taken, and what it led to."""
    lines = [replay["title"]]
    for number, step in enumerate(replay["steps"], start=1):
        if step["taken"] is None:
            continue
        who = f", {replay['names'][step['player']]}" if len(replay["names"]) > 1 else ""
        words = step["choices"][step["taken"]][0]
        lines.append(f"decision {number}, turn {step['turn']}{who}: {words}")
        lines += [f"  {line}" for line in step["happened"]]
    return "\n".join([*lines, replay["result"]])


def written_text(file: Path, replay: dict[str, Any]) -> str:
    """Return what is said of a page that has been written."""
    taken = sum(step["taken"] is not None for step in replay["steps"])
    decisions = f"{taken} decision{'s' * (taken != 1)}"
    size = file.stat().st_size
    lines = [
        f"{replay['title']}: {decisions}. {replay['result']}",
        *([replay["note"]] if replay["note"] else []),
        f"written to {shown(file)} ({size / 1000:.0f} kB)",
    ]
    return "\n".join(lines)
