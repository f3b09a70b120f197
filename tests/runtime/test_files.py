"""Files are written whole or not at all, and only plain ones of a sensible size are read."""

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from onirim_env.errors import Busy, FileError, quoted
from onirim_env.files import (
    check_output,
    check_output_folder,
    clear_folder,
    locked,
    read_file,
    read_json,
    write_file,
)

LONG = "n" * 300


@pytest.fixture
def small_files():
    """Let no file grow beyond a hundred bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_fails_half_way_leaves_the_old_file_alone(tmp_path, small_files):
    file = tmp_path / "game.json"
    write_file(file, "old")
    with pytest.raises(OSError) as raised:
        write_file(file, "new" * 1000)
    assert raised.value.filename in (None, str(file))
    assert file.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_an_interrupted_write_leaves_the_old_file_alone(tmp_path, monkeypatch):
    file = tmp_path / "file"
    write_file(file, b"old")
    monkeypatch.setattr("pathlib.Path.replace", lambda *paths: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        write_file(file, b"new")
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link_and_permissions_stay(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_device_is_written_to_as_it_is():
    null = Path(os.devnull)
    write_file(null, "x")
    assert null.is_char_device()


@pytest.mark.parametrize("name", [LONG, "a\0b"])
def test_a_name_that_cannot_be_is_an_os_error(tmp_path, name):
    with pytest.raises(OSError):
        write_file(tmp_path / name, "x")


def test_the_longest_name_that_can_be_is_written(tmp_path):
    file = tmp_path / ("ä" * 127)
    write_file(file, "x")
    assert file.read_text() == "x"


def test_unfinished_files_of_killed_processes_go_and_others_stay(tmp_path):
    killed = subprocess.Popen([sys.executable, "-c", ""])
    killed.wait()
    left = [tmp_path / f".{name}.{killed.pid}.01234567.part" for name in ("game.json", "other.json")]
    living = tmp_path / f".game.json.{os.getpid()}.01234567.part"
    mine = tmp_path / ".game.json.mine.part"
    for file in (*left, living, mine):
        file.write_text("half")
    write_file(tmp_path / "game.json", "whole")
    assert [file.exists() for file in (*left, living, mine)] == [False, True, True, True]
    clear_folder(tmp_path)
    assert [file.exists() for file in (*left, living, mine)] == [False, False, True, True]


def test_an_output_is_checked_before_the_work(tmp_path):
    (tmp_path / "folder").mkdir()
    for bad, reason in (
        (tmp_path / "folder", "is a folder"),
        (tmp_path / "nowhere" / "x.json", "there is no folder"),
        (tmp_path / LONG, "too long"),
        (tmp_path / ("n" * 250 + ".json"), None),
    ):
        if reason is None:
            check_output("--json", bad)
            continue
        with pytest.raises(ValueError, match=f"--json.*{reason}"):
            check_output("--json", bad)
    check_output("--json", tmp_path / "new.json")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("folder", ["/dev/null", "/proc/nothing"])
def test_a_folder_for_outputs_is_checked_before_the_work(folder):
    with pytest.raises(ValueError, match="--results"):
        check_output_folder("--results", Path(folder))


@pytest.mark.parametrize("name", ["/dev/zero", "fifo", "folder", "missing", "large", "a\0b", LONG])
def test_only_plain_files_of_a_sensible_size_are_read(tmp_path, name):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "large").write_bytes(b"x" * 101)
    with pytest.raises(FileError, match=r"\Arecord .*\Z") as raised:
        read_file(tmp_path / name, 100, "record")
    assert len(str(raised.value)) < 400


def test_json_with_a_byte_order_mark_is_read_and_nested_json_is_refused(tmp_path):
    file = tmp_path / "file.json"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert read_json(file) == {"a": 1}
    for text, reason in ((b"[" * 100_000, "nested"), (b"{", "not JSON"), (b"\xff", "UTF-8")):
        file.write_bytes(text)
        with pytest.raises(FileError, match=reason):
            read_json(file)


def test_a_lock_keeps_other_processes_out_and_goes_with_its_process(tmp_path):
    file = tmp_path / "lock"
    code = f"""
import pathlib
from onirim_env.files import locked
with locked(pathlib.Path({str(file)!r})):
    print("locked", flush=True)
    input()
"""
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"locked\n"
    with pytest.raises(Busy, match="run x is in use"), locked(file, wait=False, what="run x"):
        pass
    holder.kill()
    holder.wait()
    with locked(file, wait=False):
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_lock_goes_at_the_end_of_its_block_although_a_forked_process_lives_on(tmp_path):
    file = tmp_path / "lock"
    code = f"""
import os, pathlib
from onirim_env.files import locked
file = pathlib.Path({str(file)!r})
read, write = os.pipe()
with locked(file):
    child = os.fork()
    if child == 0:
        os.read(read, 1)
        os._exit(0)
with locked(file, wait=False):
    print("free")
os.write(write, b"x")
os.waitpid(child, 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.stdout, done.stderr) == ("free\n", "")


VALUES = {
    "text": "x" * 10**7,
    "lines": "\n" * 500,
    "lists": [["x" * 1000] * 1000] * 1000,
    "number": 10**9000,
    "nested": {1: {2: {3: {4: {5: 6}}}}},
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_messages_cut_what_they_repeat(value):
    assert len(quoted(value)) <= 120
    assert "\n" not in quoted(value)
