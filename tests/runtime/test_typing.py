"""Type checkers know which names the package has."""

import subprocess
import sys

import pytest

import onirim_env

USES = "import onirim_env\n" + "".join(f"onirim_env.{name}\n" for name in onirim_env.__all__)


@pytest.fixture
def checked(tmp_path):
    pytest.importorskip("mypy", reason="needs the extra 'dev'")

    def run(code):
        (tmp_path / "user.py").write_text(code, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "mypy",
            "--follow-imports=silent",
            "--cache-dir",
            str(tmp_path / "cache"),
        ]
        return subprocess.run([*command, str(tmp_path / "user.py")], capture_output=True, text=True).stdout

    return run


@pytest.mark.long
def test_a_misspelt_name_of_the_package_is_found_and_the_others_pass(checked):
    printed = checked(USES + "onirim_env.Gmae\n")
    assert 'Module has no attribute "Gmae"' in printed
    assert printed.count("error:") == 1
