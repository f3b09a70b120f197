"""How a run was made: ``history.json`` of its folder, a segment for each sitting, never rewritten."""

from __future__ import annotations

import platform
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from agents.measure.provenance import commit
from onirim_env.files import read_file, read_json, write_json
from train.checkpoint import MOST_CHECKPOINT
from train.config import TrainConfig
from train.errors import UserError
from train.run_folder import RunFolder, versions

REPOSITORY = Path(__file__).parent.parent


@contextmanager
def segment(folder: RunFolder, config: TrainConfig, command: Sequence[str], name: str) -> Iterator[None]:
    """Note a sitting of a training when it begins, and when and how far it came at its end.

    Parameters
    ----------
    folder
        The run folder.
    config
        All settings of the sitting.
    command
        The words of the command line.
    name
        Name of the configuration; empty for a training that goes on.
    """
    history = read_history(folder)
    settings = {key: value for key, value in config.as_dict().items() if key != "runs_dir"}
    entry: dict[str, Any] = {
        "command": shlex.join(command),
        "configuration": name,
        "started": _now(),
        "ended": None,
        "cpu_seconds": None,
        "steps": None,
        "commit": commit(REPOSITORY),
        "changed_files": _is_changed(REPOSITORY),
        "processor": _processor(),
        "versions": versions(),
        "start_from": _parent(config),
        "settings": settings,
    }
    write_json(folder.history_file, [*history, entry])
    began = time.process_time()
    try:
        yield
    finally:
        entry["ended"] = _now()
        entry["cpu_seconds"] = round(time.process_time() - began, 1)
        entry["steps"] = _steps(folder)
        write_json(folder.history_file, [*history, entry])


def read_history(folder: RunFolder) -> list[dict[str, Any]]:
    """Return the segments of a run, the first one first; none for runs of versions that noted none.

    Raises
    ------
    UserError
        For a file that is no history.
    """
    if not folder.history_file.exists():
        return []
    history = read_json(folder.history_file, "history")
    if not isinstance(history, list) or not all(isinstance(one, dict) for one in history):
        raise UserError(f"{folder.history_file} is no history of a run")
    return history


def history_summary(folder: RunFolder) -> list[dict[str, Any]]:
    """Return what an exported model tells of its run: each segment without the settings that stayed."""
    before: dict[str, Any] = {}
    told = []
    for one in read_history(folder):
        settings = one.get("settings", {})
        changed = {key: value for key, value in settings.items() if before.get(key) != value}
        told.append({**one, "settings": changed if before else settings})
        before = settings
    return told


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S%z")


def _steps(folder: RunFolder) -> int | None:
    """Return how many decisions the newest checkpoint has."""
    files = folder.checkpoint_files()
    return int(files[0].stem.removeprefix("step_")) if files else None


def _is_changed(repository: Path) -> bool | None:
    """Whether files differ from the commit; None where nobody can tell."""
    command = ["git", "-C", str(repository), "status", "--porcelain", "--untracked-files=no"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return bool(done.stdout.strip())


def _processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _parent(config: TrainConfig) -> dict[str, str] | None:
    """Return the training that the weights come from: its path, and a digest of the file."""
    if not config.start_from:
        return None
    path = Path(config.start_from)
    if path.is_dir():
        parent = RunFolder(path)
        path = parent.model_file if parent.model_file.is_file() else parent.last_checkpoint()
    content = read_file(path, MOST_CHECKPOINT, "start_from")
    return {"path": config.start_from, "file": path.name, "digest": sha256(content).hexdigest()[:16]}
