"""``python -m agents.tune``: find better weights for the rules agent, by CMA-ES.

Source: N. Hansen, "The CMA evolution strategy: a tutorial", 2016 (arXiv:1604.00772), by its author's
package ``cma``. The candidates of a generation play the same games, each generation new ones; all
have seeds far below those of the evaluation protocols.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from agents.compiled.rules_weights import weights_for
from agents.measure.evaluation import evaluate
from agents.rules_agent import RulesAgent
from onirim_env.cards import N_DOORS
from onirim_env.command import run_command, usage_errors
from onirim_env.files import check_output, read_json, write_json
from onirim_env.rules import RuleSet

CHECK_GAMES = 4000
"""The mean of the candidates is checked on these first seeds; the candidates play later ones."""
CHECK_EVERY = 5
DOORS_COUNT = 0.05
"""What all Doors together add to a win in the score: losses that were close are better losses."""
LEAST_SCALE = 1.0
"""A weight is changed in steps of its own size, and at least of this one."""


def score(weights: dict[str, float], rules: RuleSet, seeds: range) -> float:
    """Return the win rate of weights on the games of some seeds, and a little for Doors."""
    result = evaluate(RulesAgent(rules, weights=weights), seeds=seeds, batch_size=500, progress=False)
    return result.win_rate + DOORS_COUNT * result.mean_doors / N_DOORS


def tune(
    start: dict[str, float],
    rules: RuleSet,
    *,
    minutes: float,
    games: int,
    population: int,
    step: float,
    file: Path,
) -> None:
    """Improve weights for some time, and write the mean of the candidates to a JSON file.

    Parameters
    ----------
    start
        The weights to begin with.
    rules
        What is played.
    minutes
        How long.
    games
        How many games a candidate plays.
    population
        How many candidates a generation has.
    step
        Standard deviation of the first candidates, in sizes of the weights.
    file
        Where the weights go.
    """
    import cma  # type: ignore[import-untyped]

    names = list(start)
    values = np.array(list(start.values()))
    scale = np.maximum(np.abs(values), LEAST_SCALE)

    def named(point: np.ndarray) -> dict[str, float]:
        return dict(zip(names, (point * scale).tolist()))

    strategy = cma.CMAEvolutionStrategy(
        values / scale, step, {"popsize": population, "seed": 1, "verbose": -9}
    )
    end = time.monotonic() + 60.0 * minutes
    generation = 0
    while time.monotonic() < end:
        first = CHECK_GAMES + generation * games
        seeds = range(first, first + games)
        points = strategy.ask()
        strategy.tell(points, [-score(named(point), rules, seeds) for point in points])
        generation += 1
        mean = named(strategy.mean)
        write_json(file, mean)
        if generation % CHECK_EVERY == 0:
            checked = score(mean, rules, range(CHECK_GAMES))
            print(f"generation {generation}: score {checked:.4f}, step {strategy.sigma:.3f}", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.tune",
        description="Improve the weights of the rules agent (needs the package cma). Enter what comes "
        "out in agents/compiled/rules_weights.py.",
    )
    parser.add_argument("file", type=Path, help="JSON file for the weights that are found")
    parser.add_argument("--players", type=int, choices=(1, 2), default=1, help="default: %(default)s")
    parser.add_argument("--start", type=Path, help="JSON file of weights to begin with; default: the agent's")
    parser.add_argument("--minutes", type=float, default=10.0, help="default: %(default)s")
    parser.add_argument(
        "--games", type=int, default=4000, help="games a candidate plays; default: %(default)s"
    )
    parser.add_argument("--population", type=int, default=20, help="candidates; default: %(default)s")
    parser.add_argument(
        "--step", type=float, default=0.1, help="size of the first steps; default: %(default)s"
    )
    arguments = parser.parse_args(argv)

    def work() -> None:
        import cma  # noqa: F401

        with usage_errors():
            check_output("FILE", arguments.file)
            weights = weights_for(arguments.players)
            if arguments.start is not None:
                weights |= read_json(arguments.start, "--start")
        tune(
            weights, RuleSet(players=arguments.players), minutes=arguments.minutes, games=arguments.games,
            population=arguments.population, step=arguments.step, file=arguments.file,
        )  # fmt: skip

    return run_command("error", work)


if __name__ == "__main__":
    sys.exit(main())
