"""Progress: one live bar in a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time

from tqdm import tqdm

SECONDS_BETWEEN_LINES = 30.0


class Progress:
    """Shows how far a training is.

    Parameters
    ----------
    total_steps
        Decisions at the end.
    start_steps
        Decisions at the start.
    """

    def __init__(self, total_steps: int, start_steps: int = 0) -> None:
        self._live = sys.stderr.isatty()
        self._total = total_steps
        self._steps = start_steps
        self._state = ""
        self._begun: tuple[float, int] | None = None
        self._last_line = time.monotonic()
        self._bar = tqdm(
            total=total_steps, initial=start_steps, disable=not self._live, unit=" steps",
            unit_scale=True, dynamic_ncols=True, smoothing=0.05,
        )  # fmt: skip

    def advance(self, steps: int) -> None:
        """Show that ``steps`` decisions have been taken in all."""
        self._bar.update(min(steps, self._total) - min(self._steps, self._total))
        self._steps = steps
        if self._begun is None:
            self._begun = (time.monotonic(), steps)  # the engine is compiled before the first step
        elif not self._live and time.monotonic() - self._last_line > SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self.say(self._line(*self._begun))

    def state(self, win_rate: float, reward: float) -> None:
        """Show how the recent games went."""
        self._state = f"win {win_rate:.1%}, reward {reward:.2f}"
        self._bar.set_postfix_str(self._state, refresh=False)

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if self._live:
            self._bar.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()

    def _line(self, begun: float, first: int) -> str:
        speed = (self._steps - first) / max(time.monotonic() - begun, 1e-9)
        left = max(self._total - self._steps, 0) / max(speed, 1e-9)
        return (
            f"{self._steps:,} of {self._total:,} steps, {speed:,.0f} steps/s, "
            f"{left / 60:.1f} minutes left, {self._state or 'no game has ended yet'}"
        )
