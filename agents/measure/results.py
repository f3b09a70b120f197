"""Results on disk: what an agent did in each game of a protocol, one JSON line a game."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from agents.measure.evaluation_result import RESULTS, Evaluation
from agents.measure.protocols import PROTOCOLS, protocol_seeds
from agents.measure.provenance import agent_digest, commit, versions
from onirim_env.errors import Busy, FileError
from onirim_env.files import locked, read_file, read_json, write_json

MOST_LINES = 1_000_000_000
"""How many bytes the stored games of one agent have at most."""


class Results:
    """The stored games of one agent in one protocol.

    | file | holds |
    |---|---|
    | ``<protocol>/<agent>.jsonl`` | a line a game, in the order in which they ended: ``seed``, ``won``, ``doors``, ``cards_left``, ``turns``, ``decisions`` |
    | ``<protocol>/<agent>.json`` | the agent's digest, commit, versions, and how long how many decisions took |

    Games of an agent that has changed since count no more, and go when the first new one is stored.
    Several processes may store games of one agent at once: each adds what the others have not stored.

    Parameters
    ----------
    folder
        Where all results are.
    agent, protocol
        Their names.
    offset
        Leave out so many seeds before the games: others than those of the protocol, stored apart.

    Raises
    ------
    ValueError
        When a file that is there cannot be read.
    """  # noqa: E501

    def __init__(self, folder: Path, agent: str, protocol: str, offset: int = 0) -> None:
        self.agent = agent
        self.protocol = protocol
        self.offset = offset
        home = folder / self.games_name
        self._lines = home / f"{agent}.jsonl"
        self._header_file = home / f"{agent}.json"
        self._lock = home / f".{agent}.lock"
        self.digest = agent_digest(agent, protocol)
        self._games: dict[int, dict[str, Any]] = {}
        self.header = self._read_header()
        self._replaced = self.header["digest"]
        if self.header["digest"] == self.digest:
            self._read_games()
        else:
            self.header = self._new_header()

    @property
    def games_name(self) -> str:
        """Which games these are: the name of the protocol, with the offset where there is one."""
        return f"{self.protocol}+{self.offset}" if self.offset else self.protocol

    def _new_header(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "protocol": self.protocol,
            "digest": self.digest,
            "commit": commit(),
            "versions": versions(),
            "cpu_seconds": 0.0,
            "timed_decisions": 0,
        }

    def _read_header(self) -> dict[str, Any]:
        if not self._header_file.exists():
            return {"digest": None}
        try:
            header: dict[str, Any] = read_json(self._header_file, "results")
            numbers = header["cpu_seconds"], header["timed_decisions"]
            if not all(isinstance(number, (int, float)) for number in numbers):
                raise TypeError(f"{numbers} are no numbers")
            for name in ("digest", "commit", "versions"):
                header[name]
        except FileError as error:
            raise ValueError(f"{error}; delete it to begin anew") from None
        except (KeyError, TypeError) as error:
            raise ValueError(f"{self._header_file} is no header of results ({error!r}); delete it") from None
        return header

    def _read_games(self) -> None:
        if not self._lines.is_file():
            return
        # What follows the last end of a line is not whole.
        content = read_file(self._lines, MOST_LINES, "results")
        for number, line in enumerate(content.split(b"\n")[:-1], 1):
            try:
                game = json.loads(line)
                self._games[game["seed"]] = {name: game[name] for name in RESULTS}
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(f"{self._lines}, line {number}, is no result: {error!r}") from None

    def missing(self, games: int) -> np.ndarray:
        """Return the seeds among the first ``games`` of the protocol that are not stored: int64."""
        seeds = protocol_seeds(self.protocol, games, offset=self.offset)
        return seeds[[seed not in self._games for seed in seeds.tolist()]]

    def add(self, evaluation: Evaluation) -> None:
        """Store games; what is stored stays whole whenever the process ends."""
        self._lines.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._lock):
            self._look_again()
            self._append(evaluation)
            self.header["cpu_seconds"] += evaluation.seconds
            self.header["timed_decisions"] += int(evaluation.decisions.sum())
            write_json(self._header_file, self.header)

    def _look_again(self) -> None:
        """Take over what other processes have stored, or begin the files anew.

        Raises
        ------
        Busy
            When another process stores games of another version of the agent.
        """
        stored = self._read_header()
        if stored["digest"] == self.digest:
            self.header = stored
            self._read_games()
            return
        if stored["digest"] != self._replaced:
            raise Busy(
                f"{self._lines} has games of another version of {self.agent} by now: it has changed since "
                "this measurement began, or another one began since; measure it again"
            )
        self._lines.write_bytes(b"")
        write_json(self._header_file, self.header)

    def _append(self, evaluation: Evaluation) -> None:
        columns = {"seed": evaluation.seeds, **{name: getattr(evaluation, name) for name in RESULTS}}
        rows = zip(*(values.tolist() for values in columns.values()))
        games = [game for row in rows if (game := dict(zip(columns, row)))["seed"] not in self._games]
        self._lines.touch()
        with self._lines.open("r+b") as file:
            file.truncate(self._whole_size())
            file.seek(0, os.SEEK_END)
            file.write("".join(json.dumps(game) + "\n" for game in games).encode())
        self._games.update((game["seed"], game) for game in games)

    def _whole_size(self) -> int:
        """Return the size of the file up to its last whole line."""
        return self._lines.read_bytes().rfind(b"\n") + 1

    @property
    def milliseconds(self) -> float:
        """Mean CPU time of a decision, the agent's and the game's work together."""
        return 1000.0 * self.header["cpu_seconds"] / max(1, self.header["timed_decisions"])

    def evaluation(self, games: int | None = None) -> Evaluation:
        """Return the stored games from the protocol's first one up to the first that is missing.

        Later ones are left out: which games have ended when a measurement is stopped depends on how
        long they take.

        Parameters
        ----------
        games
            No more than so many; all when not given.
        """
        protocol = PROTOCOLS[self.protocol]
        seeds = []
        for seed in protocol_seeds(self.protocol, games, offset=self.offset).tolist():
            if seed not in self._games:
                break
            seeds.append(seed)
        stored: dict[str, Any] = {
            name: np.array([self._games[seed][name] for seed in seeds], dtype=kind)
            for name, kind in RESULTS.items()
        }
        return Evaluation(
            agent=self.agent,
            rules=protocol.rules,
            talk=protocol.talk,
            seeds=np.array(seeds, dtype=np.int64),
            seconds=self.milliseconds * float(stored["decisions"].sum()) / 1000.0,
            **stored,
        )
