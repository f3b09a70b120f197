"""The plan of the house, held against its imports."""

import pytest

from onirim_env.compiling.code_cache import stamped_sources
from onirim_env.files import files_of
from tests.house.imports import HOUSE, circles, closure, files, imports
from tests.house.plan import FACES, ROOMS, room_of

HOUSE_FILES = [file for file in files() if file not in FACES]
NOT_COMPILED = (
    "onirim_env/__init__.py", "onirim_env/errors.py", "onirim_env/files.py", "onirim_env/json_kinds.py",
    "onirim_env/keywords.py", "onirim_env/shells/choices.py", "agents/__init__.py",
    "agents/arrays/array_files.py", "agents/arrays/zip_entries.py",
)  # fmt: skip
"""What kernels' files import and no compiled code depends on: words, and reading of files."""


def shown(file):
    return file.relative_to(HOUSE).as_posix()


def test_every_file_has_a_room_and_every_room_has_files():
    assert [shown(file) for file in HOUSE_FILES if room_of(file) is None] == []
    assert {room_of(file) for file in HOUSE_FILES} == set(range(len(ROOMS)))


def test_imports_run_down_only():
    up = [
        f"{shown(file)} -> {shown(other)}"
        for file in HOUSE_FILES
        for other in imports(file) - FACES
        if room_of(other) < room_of(file)
    ]
    assert up == []


def test_no_files_import_each_other_in_a_circle():
    assert circles({file: imports(file) for file in HOUSE_FILES}) == []


def test_contributing_shows_this_plan():
    text = (HOUSE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [f"| `{room.name}` | {room.meaning} |" for room in ROOMS]
    assert "\n".join(rows) in text


KERNELS = [file for file in HOUSE_FILES if "@kernel\n" in file.read_text(encoding="utf-8")]


@pytest.mark.parametrize("file", KERNELS, ids=shown)
def test_the_stamp_of_machine_code_has_every_file_that_it_is_compiled_from(file):
    missing = closure(file) - set(stamped_sources(file)) - {HOUSE / name for name in NOT_COMPILED}
    assert sorted(map(shown, missing)) == []


def test_there_are_kernels_of_the_engine_and_of_agents():
    assert {room_of(file) for file in KERNELS} >= {room_of(HOUSE / "onirim_env/engine/batch.py")}
    assert any(shown(file).startswith("agents/compiled/") for file in KERNELS)


def test_a_pattern_that_finds_no_file_is_an_error(tmp_path):
    (tmp_path / "there.py").write_text("")
    assert files_of(tmp_path, ("*.py",)) == [tmp_path / "there.py"]
    with pytest.raises(LookupError, match=r"fits 'moved/\*\.py'"):
        files_of(tmp_path, ("*.py", "moved/*.py"))
