"""The leaderboard: ``leaderboard.json`` has the rows, ``LEADERBOARD.md`` shows them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from agents.agent_spec import parse_specs
from agents.measure.protocols import PROTOCOLS
from agents.measure.results import Results
from agents.registry import find_agents
from onirim_env.files import locked, read_json, write_file, write_json

COLUMNS = ("agent", "games", "win rate", "95 % interval", "Doors", "cards left", "ms a decision", "commit")

LOCK = ".leaderboard.lock"
"""The file that processes lock while they change the leaderboard."""

INTRODUCTION = """\
# Leaderboard

Written by `python -m agents rank`, from `leaderboard.json` beside it; do not edit.
A protocol is a fixed list of games by seed, under the default rules. In co-op one agent plays both seats, each from its own view, unless two are named.
Intervals are Wilson's, for one agent alone: `python -m agents compare A B` compares two on the same games.
Doors and cards left (Locations in the deck) are means at the end. The time is CPU time of the agent and the game together, on the machine that happened to measure.
The commit is what was checked out when the measurement began; `digest` in `leaderboard.json` tells the agent's code and weights themselves.
"""  # noqa: E501


def leaderboard_row(results: Results) -> dict[str, Any]:
    """Return what the leaderboard keeps of stored results."""
    summary = results.evaluation().as_dict()
    names = ("games", "wins", "win_rate", "interval_95", "mean_doors", "mean_cards_left")
    return {
        "agent": results.agent,
        "protocol": results.protocol,
        **{name: summary[name] for name in names},
        "ms_per_decision": round(results.milliseconds, 6),
        **{name: results.header[name] for name in ("commit", "digest", "versions")},
    }


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """Return the rows of the leaderboard of a folder, best first in each protocol."""
    file = folder / "leaderboard.json"
    rows: list[dict[str, Any]] = read_json(file, "leaderboard") if file.exists() else []
    return rows


def update_leaderboard(rows: list[dict[str, Any]], folder: Path) -> None:
    """Put rows in the leaderboard in place of older ones, and write both files.

    A row of fewer games does not replace one of more games of the same agent. Processes that enter rows
    at once wait for each other.
    """
    with locked(folder / LOCK):
        by_key = {(row["protocol"], row["agent"]): row for row in read_rows(folder)}
        for row in rows:
            old = by_key.get((row["protocol"], row["agent"]))
            if old is None or old["digest"] != row["digest"] or old["games"] <= row["games"]:
                by_key[row["protocol"], row["agent"]] = row
        _write(list(by_key.values()), folder)


def remove_rows(agents: Sequence[str], protocols: Sequence[str], folder: Path) -> None:
    """Take the rows of agents in protocols out of the leaderboard, and write both files."""
    with locked(folder / LOCK):
        kept = [
            row for row in read_rows(folder) if row["agent"] not in agents or row["protocol"] not in protocols
        ]
        _write(kept, folder)


def _write(rows: list[dict[str, Any]], folder: Path) -> None:
    """Write the files of rows, best first in each protocol."""
    order = list(PROTOCOLS)
    ranked = sorted(rows, key=lambda row: (order.index(row["protocol"]), -row["win_rate"], row["agent"]))
    write_json(folder / "leaderboard.json", ranked)
    write_file(folder / "LEADERBOARD.md", leaderboard_text(ranked))


def leaderboard_text(rows: list[dict[str, Any]]) -> str:
    """Return the leaderboard as Markdown, a table for each protocol."""
    parts, entries = [INTRODUCTION], find_agents()
    for name, protocol in PROTOCOLS.items():
        own = [row for row in rows if row["protocol"] == name]
        if not own:
            continue
        lines = [f"| {' | '.join(COLUMNS)} |", f"|---{'|--:' * (len(COLUMNS) - 1)}|"]
        lines += [f"| {' | '.join(_cells(row))} |" for row in own]
        parts.append(f"## {name}\n\n" + "\n".join(lines) + "\n")
        fewer = [f"{row['agent']} {row['games']:,}" for row in own if row["games"] < protocol.games]
        if fewer:
            parts.append(
                f"Measured on fewer than the protocol's {protocol.games:,} games, on its first ones: "
                f"{', '.join(fewer)}.\n"
            )
        gone = [row["agent"] for row in own if not _is_there(row["agent"], entries)]
        if gone:
            parts.append(
                f"Measured when they were here; their files are gone by now: {', '.join(gone)} "
                "(`python -m agents rank --remove NAME` takes a row out).\n"
            )
    return "\n".join(parts)


def _is_there(agent: str, entries: Collection[str]) -> bool:
    """Whether the agents that a row names can still be found."""
    return all(spec.name in entries for spec in parse_specs(agent))


def _cells(row: dict[str, Any]) -> list[str]:
    low, high = row["interval_95"]
    return [
        row["agent"],
        f"{row['games']:,}",
        f"{100 * row['win_rate']:.2f} %",
        f"{100 * low:.2f} to {100 * high:.2f} %",
        f"{row['mean_doors']:.2f}",
        f"{row['mean_cards_left']:.2f}",
        f"{row['ms_per_decision']:.3g}",
        row["commit"] or "unknown",
    ]
