"""Every example runs as it stands."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.long import long_after

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ARGUMENTS = {
    "train_maskable_ppo.py": [["--steps", "8192"], ["--steps", "8192", "--env", "OnirimCoop-v0"]],
    "coop_self_play.py": [["--games", "100"]],
}
RUNS = [
    run
    for path in sorted(EXAMPLES.glob("*.py"))
    for run in long_after(1, [(path.name, arguments) for arguments in ARGUMENTS.get(path.name, [[]])])
]


@pytest.mark.parametrize(
    ("name", "arguments"), RUNS, ids=lambda value: value if isinstance(value, str) else " ".join(value)
)
def test_example_runs(name, arguments, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
