"""``python -m agents.search_train``: train the value networks of the search agent (needs torch).

With ``--expansions`` it is the network for solo games with expansions, which learns from a mix of rule sets.

A network learns how games end that the rules policy plays, from positions shortly after a random
action: only there does it see what the search asks about, positions that the policy itself avoids.
All games have other seeds than those of the evaluation protocols.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.compiled.network_kinds import PLAIN, SYMMETRIC
from agents.compiled.policy_kernel import policy_record
from agents.compiled.search_kernel import make_tools
from agents.compiled.search_value import EXPANSION_FILE, FILE, ValueNetwork, value_form, write_networks
from agents.compiled.value_games import NOTED, play_games
from agents.network_model import NetworkModel, read_model
from agents.workers.tasks import in_order, run_tasks
from agents.workers.workers import ALONE, Workers, add_worker_options, read_workers
from onirim_env.actions import action_table
from onirim_env.command import run_command, usage_errors
from onirim_env.compiling.rng import GAMMA
from onirim_env.engine.batch import view_games
from onirim_env.engine.records import shown, state_dtype, written_size
from onirim_env.files import check_output
from onirim_env.observation import FULL_SIZE, columns, observation_size
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet

LAST_SURPRISE = 40
"""The random action is one of so many first decisions of a game."""
EXPANSION_LAST_SURPRISE = 70
"""The same in games with expansions, which have more decisions."""
RULE_SETS = 2000
"""How many rule sets with expansions are drawn, at most; each has an equal share of the games."""
EXPANSIONS_IN_A_GAME = {1: 0.6, 2: 0.22, 3: 0.08, 4: 0.04, 5: 0.02, 6: 0.02, 7: 0.02}
"""How often a rule set has so many expansions."""
HARD_SHARE = 1 / 3
"""How often an expansion is in its harder variant, where it has one."""
UNITS = (96, 48)
"""Units of each colour, and as many of none, of the networks for base games."""
EXPANSION_UNITS = (64, 32)
"""Units of the network for games with expansions, whose observations are seven times as long."""
GAMES_IN_A_PART = 5000
"""Games that a worker plays before it hands them in."""
BATCH = 2048
LEARNING_RATE = 2e-3
FIRST_SEED = 123_456_789


class Part(NamedTuple):
    """Games for a worker: so many, under some rules.

    ``first_seed`` decides the seeds of all parts of one kind, of which it leaves out ``left_out``.
    """

    rules: RuleSet
    games: int
    first_seed: int
    left_out: int = 0


Positions = tuple[np.ndarray, np.ndarray]
"""Positions (records) and whether their games were won (bool), shapes (n,)."""


def positions_of_parts(parts: Sequence[Part], teacher: Path | None, workers: Workers) -> Positions:
    """Let workers play games; return their positions in order."""
    make = partial(_player, teacher)
    done: list[tuple[int, Positions]] = []
    with closing(run_tasks(make, parts, workers)) as ended:
        for result in ended:
            done.append(result)
            if len(done) % 100 == 0:
                print(f"{len(done)} of {len(parts)} parts of the games", flush=True)
    positions, won = zip(*in_order(done))
    return np.concatenate(positions), np.concatenate(won)


def _player(teacher: Path | None) -> Callable[[Part], Positions]:
    return partial(positions_of_games, teacher=None if teacher is None else read_model(teacher))


def positions_of_games(part: Part, teacher: NetworkModel | None) -> Positions:
    """Play games; return their positions."""
    rules, games = part.rules, part.games
    # Seeds of the games are what comes every GAMMA from the first one on.
    first = (part.first_seed + int(GAMMA) * part.left_out) % 2**64
    first_seed = first - 2**64 if first >= 2**63 else first
    closed = teacher is not None and teacher.about["talk"] == "closed"
    policy = None if teacher is None else policy_record(teacher)
    expansions = bool(rules.expansions)
    tools = make_tools(rules, closed=closed, policy=policy)
    positions = np.zeros(NOTED * games, dtype=state_dtype(rules))
    game_of = np.zeros(NOTED * games, dtype=np.int64)
    won = np.zeros(games, dtype=np.bool_)
    last_surprise = EXPANSION_LAST_SURPRISE if expansions else LAST_SURPRISE
    n = play_games(first_seed, rules.flags, last_surprise, tools, positions, game_of, won)
    return positions[:n], won[game_of[:n]]


def drawn_rule_sets(number: int) -> list[RuleSet]:
    """Return so many random solo rule sets with expansions."""
    rng = np.random.default_rng(0)
    sizes, shares = list(EXPANSIONS_IN_A_GAME), list(EXPANSIONS_IN_A_GAME.values())
    rule_sets = []
    for size in rng.choice(sizes, size=number, p=shares):
        expansions = rng.choice(EXPANSIONS, size=size, replace=False).tolist()
        hard = [one for one in expansions if one in CAN_BE_HARD and rng.random() < HARD_SHARE]
        rule_sets.append(RuleSet(expansions=expansions, hard=hard))
    return rule_sets


def parts_of(games: int, rules: RuleSet) -> list[Part]:
    """Return games of one rule set in parts."""
    return [
        Part(rules, min(GAMES_IN_A_PART, games - first), FIRST_SEED, first)
        for first in range(0, games, GAMES_IN_A_PART)
    ]


def parts_of_mix(games: int) -> list[Part]:
    """Return solo games of many rule sets with expansions, a part for each."""
    rule_sets = drawn_rule_sets(min(games, RULE_SETS))
    return [
        Part(rules, games // len(rule_sets), FIRST_SEED + number) for number, rules in enumerate(rule_sets)
    ]


def closed_part(players: int, teacher: NetworkModel | None) -> float:
    """Return the share of positions to see in closed talk: half of them where both talks are played."""
    if teacher is not None:
        return float(teacher.about["talk"] == "closed")
    return 0.5 if players > 1 else 0.0


def observe(positions: np.ndarray, rules: RuleSet, closed_share: float) -> np.ndarray:
    """Return what the players to move see, the first of them in closed talk: float32 (n, size)."""
    table = action_table(rules)
    observations = np.empty((len(positions), written_size(rules)), dtype=np.float32)
    masks = np.empty((len(positions), len(table)), dtype=np.int8)
    closed = int(closed_share * len(positions))
    view_games(positions[:closed], table.ids, True, observations[:closed], masks[:closed])
    view_games(positions[closed:], table.ids, False, observations[closed:], masks[closed:])
    return shown(observations, rules, rules, positions)


def train(
    games: int, players: int, epochs: int, teacher: Path | None = None, workers: Workers = ALONE
) -> ValueNetwork:
    """Play base games and train a symmetric network on them; return it."""
    rules = RuleSet(players=players)
    positions, won = positions_of_parts(parts_of(games, rules), teacher, workers)
    model = symmetric_model(rules)
    share = closed_part(players, None if teacher is None else read_model(teacher))
    fit(positions, won, rules, share, epochs, model.values, model.parameters())
    form = value_form(SYMMETRIC, (observation_size(rules), *UNITS), rules)
    return ValueNetwork(
        form, {name: numpy_of(values) for name, values in model.value_arrays().items()}, rules
    )


def train_with_expansions(games: int, epochs: int, workers: Workers = ALONE) -> ValueNetwork:
    """Play solo games with expansions and train a plain network on them; return it."""
    rules = RuleSet(expansions=EXPANSIONS)
    positions, won = positions_of_parts(parts_of_mix(games), None, workers)
    model = plain_model(observation_size(rules))
    fit(positions, won, rules, 0.0, epochs, lambda seen: model(seen)[:, 0], model.parameters())
    arrays: dict[str, np.ndarray] = {}
    for number, layer in enumerate(list(model)[::2]):
        arrays |= {f"weight_{number}": numpy_of(layer.weight), f"bias_{number}": numpy_of(layer.bias)}
    # What a rule set does not show of a whole observation is always 0.
    whole = np.zeros((EXPANSION_UNITS[0], FULL_SIZE), dtype=np.float32)
    whole[:, columns(rules)] = arrays["weight_0"]
    arrays["weight_0"] = whole
    return ValueNetwork(value_form(PLAIN, (FULL_SIZE, *EXPANSION_UNITS), RuleSet()), arrays, RuleSet())


def symmetric_model(rules: RuleSet) -> Any:
    """Return an untrained network that shares its weights over the colours."""
    import torch

    from train.symmetric_network import SymmetricNetwork

    torch.manual_seed(0)
    return SymmetricNetwork(rules, UNITS, "relu")


def plain_model(n_inputs: int) -> Any:
    """Return an untrained plain network with one output."""
    import torch

    torch.manual_seed(0)
    first, second = EXPANSION_UNITS
    return torch.nn.Sequential(
        torch.nn.Linear(n_inputs, first),
        torch.nn.ReLU(),
        torch.nn.Linear(first, second),
        torch.nn.ReLU(),
        torch.nn.Linear(second, 1),
    )


def numpy_of(values: Any) -> np.ndarray:
    """Return a tensor as a numpy array."""
    array: np.ndarray = values.detach().numpy()
    return array


def fit(
    positions: np.ndarray,
    won: np.ndarray,
    rules: RuleSet,
    closed_share: float,
    epochs: int,
    logits_of: Callable[[Any], Any],
    parameters: Iterable[Any],
) -> None:
    """Train a network to tell from positions whether their games were won.

    Parameters
    ----------
    positions, won
        Records, shape (n,), and bool, shape (n,).
    rules, closed_share
        As for :func:`observe`.
    epochs
        Passes over the positions.
    logits_of
        From observations (a float32 tensor) to logits, shape (batch,).
    parameters
        What is trained.
    """
    import torch

    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    optimizer = torch.optim.Adam(parameters, lr=LEARNING_RATE)
    loss_of = torch.nn.BCEWithLogitsLoss()
    steps = max(1, epochs * len(positions) // BATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=steps)
    total = 0.0
    for step in range(steps):
        chosen = rng.integers(len(positions), size=BATCH)
        logits = logits_of(torch.from_numpy(observe(positions[chosen], rules, closed_share)))
        loss = loss_of(logits, torch.from_numpy(won[chosen].astype(np.float32)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        total += loss.item()
        if (step + 1) % 500 == 0:
            print(f"step {step + 1} of {steps}: loss {total / 500:.4f}", flush=True)
            total = 0.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.search_train",
        description="Train the value networks of the search agent, for one player and for two (needs torch).",
    )
    parser.add_argument("--file", type=Path, help="what to write; default: the agent's own")
    parser.add_argument(
        "--expansions", "--modules", action="store_true", help="for solo games with expansions instead"
    )
    parser.add_argument(
        "--games", type=int, default=900_000, help="games to learn from; default: %(default)s"
    )
    parser.add_argument("--epochs", type=int, default=3, help="passes over them; default: %(default)s")
    parser.add_argument(
        "--teacher",
        metavar="JSON",
        type=Path,
        help="learn from games of this trained network instead (agents/models/NAME.json)",
    )
    add_worker_options(parser)
    arguments = parser.parse_args(argv)
    file = arguments.file or (EXPANSION_FILE if arguments.expansions else FILE)

    def work() -> None:
        import torch  # noqa: F401  before games are played that it is to learn from

        with usage_errors():
            workers = read_workers(arguments)
            check_output("--file", file)
            teacher = None if arguments.teacher is None else read_model(arguments.teacher)
            if arguments.expansions and teacher is not None:
                raise ValueError("no network is a teacher for games with expansions")
        if arguments.expansions:
            networks = {1: train_with_expansions(arguments.games, arguments.epochs, workers)}
        else:
            both = (1, 2) if teacher is None else (teacher.about["rules"]["players"],)
            networks = {
                players: train(arguments.games, players, arguments.epochs, arguments.teacher, workers)
                for players in both
            }
        write_networks(networks, file)

    return run_command("error", work)


if __name__ == "__main__":
    sys.exit(main())
