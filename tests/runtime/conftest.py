import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import onirim_env
from onirim_env.compiling.second_compiler import ALONE

PACKAGE = Path(onirim_env.__file__).resolve().parent


class Python:
    """Runs code in fresh interpreters that import the package from a chosen folder."""

    def __init__(self, folder):
        self.folder = folder

    def start(self, code, packages=PACKAGE.parent, without=(), **variables):
        environment = {**os.environ, ALONE: "1", "PYTHONPATH": str(packages), **variables}
        for name in without:
            environment.pop(name, None)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([sys.executable, "-c", code], cwd=self.folder, env=environment, **pipes)

    def finish(self, process):
        """Return what a process printed, and what it logged; fail unless it ended well."""
        try:
            printed, logged = process.communicate(timeout=300)
        finally:
            process.kill()
        assert process.returncode == 0, f"exit status {process.returncode}\n{printed}\n{logged}"
        return printed.strip(), logged.strip()

    def __call__(self, code, **options):
        return self.finish(self.start(code, **options))


@pytest.fixture
def python(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return Python(folder)


@pytest.fixture
def package_copy(tmp_path):
    """A folder with a copy of the package that no cache belongs to."""
    folder = tmp_path / "copy"
    shutil.copytree(PACKAGE, folder / "onirim_env", ignore=shutil.ignore_patterns("__pycache__"))
    return folder
