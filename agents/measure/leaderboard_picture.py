"""The leaderboard as a picture: win rates with their intervals, a panel for each protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.measure.output_files import save_picture
from agents.measure.protocols import PROTOCOLS

WIDTH, ROW_HEIGHT = 8.0, 0.3
"""Inches."""


def draw_leaderboard(rows: list[dict[str, Any]], file: Path) -> None:
    """Draw rows of the leaderboard; the ending of the file says as what kind of picture."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    panels = {name: [row for row in rows if row["protocol"] == name] for name in PROTOCOLS}
    panels = {name: own for name, own in panels.items() if own}
    heights = [len(own) + 2 for own in panels.values()]
    figure = Figure(figsize=(WIDTH, ROW_HEIGHT * sum(heights) + 0.4), layout="constrained")
    all_axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    for axes, (name, own) in zip(all_axes, panels.items()):
        _draw_panel(axes, own)
        axes.set_title(name, fontsize="medium", loc="left")
    all_axes[-1].set_xlim(0.0, 1.0)
    all_axes[-1].xaxis.set_major_formatter(PercentFormatter(1.0))
    all_axes[-1].set_xlabel("win rate, with 95 % intervals")
    save_picture(figure, file)


def _draw_panel(axes: Any, rows: list[dict[str, Any]]) -> None:
    places = range(len(rows))
    rates = [row["win_rate"] for row in rows]
    # Where none or all games are won, rounding may put an end of the interval past the rate.
    bars = [
        [max(0.0, row["win_rate"] - row["interval_95"][0]) for row in rows],
        [max(0.0, row["interval_95"][1] - row["win_rate"]) for row in rows],
    ]
    axes.errorbar(rates, places, xerr=bars, fmt="o", capsize=3)
    labels = [f"{row['agent']}, {row['ms_per_decision']:.2g} ms a decision" for row in rows]
    axes.set_yticks(places, labels, fontsize="small")
    axes.set_ylim(len(rows) - 0.5, -0.5)  # the best on top
    axes.grid(alpha=0.3)
