"""The page is one small file that needs nothing else; commands that write it."""

import base64
import hashlib
import html
import json
import os
import re
import subprocess
import sys

import pytest

from onirim_env.__main__ import main
from onirim_env.files import MOST_JSON
from onirim_env.render import palette
from onirim_env.replay.page import page_text
from onirim_env.replay.steps import games_of, replay_steps
from tests.replay.conftest import data_of, opinions, rising_curve

LIMIT = 300_000
"""Bytes that a page of a game of 60 decisions may have."""


def page_of(game, agents=()):
    games = games_of(game.record(), game.talk)
    return page_text(replay_steps(games, agents, opinions(games), rising_curve(games)))


def test_a_page_is_small(finished):
    """With numbers for every choice; a longer game may have more."""
    decisions = len(finished.record()["actions"])
    assert decisions > 25
    assert len(page_of(finished).encode()) < LIMIT * min(1, decisions / 60)


def test_a_page_holds_its_game(finished):
    page = page_of(finished)
    steps = data_of(page)["steps"]
    assert len(steps) == len(finished.record()["actions"]) + 1
    assert html.escape(data_of(page)["title"]) in page


def test_a_page_names_no_address(finished):
    page = page_of(finished).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w+\.|@import|url\(|src=", page)
    assert re.findall(r'<link [^>]*href="([^"]*)"', page) == ["data:,"]


def test_the_policy_of_a_page_allows_its_own_style_and_script_and_nothing_else(finished):
    page = page_of(finished)
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'" and rules["img-src"] == "data:"
    for tag in ("style", "script"):
        [text] = re.findall(f"<{tag}>(.*?)</{tag}>", page, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"


def test_colours_are_those_of_the_pictures(finished):
    page = page_of(finished)
    for name, colour in {**palette.COLOUR_OF, "cream": palette.CREAM, "back-line": palette.BACK_LINE}.items():
        assert f"--{name}: rgb{colour};" in page
    used = set(re.findall(r"var\(--([a-z-]+)\)", page))
    assert used <= set(re.findall(r"--([a-z-]+):", page))


def test_texts_are_escaped(finished):
    name = "</script><b>{{data}}&amp;"
    page = page_of(finished, [name] * finished.rules.players)
    assert name not in page
    assert data_of(page)["names"][0] == f"player 0 ({name})"


def command(*words):
    return main(["replay", *map(str, words)])


def test_replay_writes_a_page(record_file, tmp_path, capsys):
    page = tmp_path / "game.html"
    assert command(record_file, "--html", page) == 0
    replay = data_of(page.read_text(encoding="utf-8"))
    record = json.loads(record_file.read_text())
    assert len(replay["steps"]) == len(record["actions"]) + 1
    printed = capsys.readouterr().out
    assert f"{len(record['actions'])} decisions" in printed and str(page) in printed


def test_replay_without_a_page_prints_the_game(record_file, capsys):
    assert command(record_file) == 0
    lines = capsys.readouterr().out.splitlines()
    decisions = [line for line in lines if line.startswith("decision ")]
    assert len(decisions) == len(json.loads(record_file.read_text())["actions"])
    assert lines[-1].startswith("You have lost")


def test_an_older_page_is_replaced_and_no_other_file_is(record_file, tmp_path, capsys):
    page = tmp_path / "game.html"
    assert command(record_file, "--html", page) == command(record_file, "--html", page) == 0
    before = record_file.read_text()
    assert command(record_file, "--html", record_file) == 2
    assert "is there already and is no replay page" in capsys.readouterr().err
    assert record_file.read_text() == before


@pytest.mark.skipif(sys.platform == "win32", reason="devices and pipes of POSIX")
@pytest.mark.parametrize(
    ("record", "page", "message"),
    [
        ("none.json", "game.html", "No such file"),
        (".", "game.html", "record . is a folder, not a file"),
        ("fifo", "game.html", "record fifo is a device or a pipe, not a file"),
        ("/dev/zero", "game.html", "record /dev/zero is a device or a pipe, not a file"),
        ("large", "game.html", "record large is too large"),
        ("x" * 300, "game.html", "File name too long"),
        ("bytes", "game.html", "is no text in UTF-8"),
        ("text", "game.html", "is not JSON"),
        ("list", "game.html", "a record is a dict"),
        ("illegal", "game.html", "actions[0]"),
        ("rules", "game.html", "rules: "),
        ("seed", "game.html", "seed: seed must be a whole number"),
        ("game.json", "no/such/folder/game.html", "there is no folder"),
        ("game.json", ".", "--html . is a folder, not a file"),
        ("none.json", "x" * 300, "cannot be written: File name too long"),
        ("none.json", "/dev/null", "--html /dev/null is a device or a pipe, not a file"),
        ("none.json", "fifo", "--html fifo is a device or a pipe, not a file"),
        ("none.json", "a\nb/c", "there is no folder"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    record_file, tmp_path, monkeypatch, capsys, record, page, message
):
    monkeypatch.chdir(tmp_path)
    os.mkfifo(tmp_path / "fifo")
    with (tmp_path / "large").open("wb") as large:
        large.truncate(MOST_JSON + 1)
    (tmp_path / "bytes").write_bytes(b'{"seed": "\xff"}')
    (tmp_path / "text").write_text("red sun")
    (tmp_path / "list").write_text("[1]")
    (tmp_path / "illegal").write_text('{"seed": 1, "actions": ["open door"]}')
    (tmp_path / "seed").write_text('{"seed": -4}')
    (tmp_path / "rules").write_text('{"rules": {"players": 3}}')
    assert command(record, "--html", page) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and message in printed.err
    assert printed.err.startswith("error: ") and printed.err.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
@pytest.mark.parametrize("module", ["onirim_env", pytest.param("agents", marks=pytest.mark.long)])
def test_a_page_that_does_not_fit_leaves_the_older_one(record_file, tmp_path, module):
    """An older page is written again where a file may have 100 bytes."""
    import resource

    page = tmp_path / "game.html"
    hint = ["--hint", "rules"] if module == "agents" else []
    words = [sys.executable, "-m", module, "replay", str(record_file), "--html", str(page), *hint]
    subprocess.run(words, check=True)  # what has to be compiled is written now
    before = page.read_bytes()
    done = subprocess.run(
        words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == f"error: {page}: File too large\n"
    assert page.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.html", "game.json"]


def test_a_page_needs_neither_torch_nor_pygame(record_file, tmp_path):
    code = f"""
import sys
for name in ("torch", "pygame", "stable_baselines3", "matplotlib"):
    sys.modules[name] = None
from onirim_env.__main__ import main
from onirim_env.files import MOST_JSON
sys.exit(main(["replay", {str(record_file)!r}, "--html", {str(tmp_path / "game.html")!r}]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "game.html").exists()
