"""What is published."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import onirim_env

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "onirim_env"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def source_names(tmp_path_factory):
    """The files of the source distribution."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    [path] = folder.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_the_source_distribution_has_what_its_tests_read(source_names):
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "Makefile",
        "mkdocs.yml",
        "requirements.txt",
    ):
        assert name in source_names
    for folder in ("onirim_env", "agents", "train", "configs", "tests", "examples", "docs"):
        files = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
        kept = {name for name in files if "/." not in name and "__pycache__" not in name}
        assert kept - source_names == set()


def test_the_source_distribution_holds_nothing_of_this_machine(source_names):
    assert not [name for name in source_names if name.startswith((".venv", "runs/", "results/", "site/"))]


def test_the_wheel_needs_no_compiler(wheel):
    """It is pure Python, for every platform."""
    assert wheel.name == f"onirim_env-{onirim_env.__version__}-py3-none-any.whl"


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    """No agents, train or tests in anybody's site-packages, and no compiled leftovers."""
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    sources = {path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*") if path.is_file()}
    sources = {name for name in sources if "__pycache__" not in name}
    assert set(names) == sources
    assert "onirim_env/py.typed" in names


def test_the_wheel_plays(wheel, tmp_path, python):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import onirim_env; print(onirim_env.__file__, onirim_env.RuleSet(players=2))"
    printed, _ = python(code, packages=tmp_path / "site")
    assert printed == f"{tmp_path / 'site' / 'onirim_env' / '__init__.py'} RuleSet(players=2)"


def test_the_wheel_depends_on_nothing_for_training(wheel):
    [metadata] = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA")]
    text = zipfile.ZipFile(wheel).read(metadata).decode()
    needed = re.findall(r"^Requires-Dist: ([\w-]+)(?!.*extra ==).*$", text, flags=re.MULTILINE)
    assert set(needed) == {"gymnasium", "numba", "numpy", "pettingzoo"}


def test_nothing_depends_on_jax():
    assert not re.search(r"\bjax", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), flags=re.IGNORECASE)
    for path in PACKAGE.rglob("*.py"):
        assert not re.search(
            r"^\s*(import|from) jax", path.read_text(encoding="utf-8"), flags=re.MULTILINE
        ), path
