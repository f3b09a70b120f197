"""Every block of the README and the docs is what it says: code runs, outputs are what comes out."""

import json

import pytest

from onirim_env import Game
from tests.docs.command_lines import run
from tests.docs.pages import LANGUAGES, LIBRARIES_PAGE, PAGES, PROGRAMS, blocks, name_of, words_of

PLAYED = (
    "python -m onirim_env play --seed 2",
    "play blue sun\nplay blue moon\nplay blue sun\nplay red moon\n",
)
OUTPUT_OF = {
    "-- turn 3 --": PLAYED,
    "A Nightmare! It has to be paid for": PLAYED,
    "Doors gained and lost": ("python -m agents stats rules", ""),
}
"""Of outputs that follow no code: how they begin, the command that printed them, and what was typed."""

PAGES_WITH_CODE = [
    page
    for page in PAGES
    if page != LIBRARIES_PAGE and any(block.language == "python" for block in blocks(page))
]
ALL_BLOCKS = [block for page in PAGES for block in blocks(page)]
OUTPUTS_OF_COMMANDS = [block for block in ALL_BLOCKS if block.language == "text" and not block.printed]
JSON_BLOCKS = [block for block in ALL_BLOCKS if block.language == "json"]


@pytest.mark.parametrize("page", PAGES_WITH_CODE, ids=name_of)
def test_code_runs_and_prints_what_stands_below_it(page, monkeypatch, tmp_path, capsys):
    """The blocks of a page run one after the other, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    names = {"__name__": name_of(page)}
    for block in blocks(page):
        if block.language == "python":
            capsys.readouterr()
            exec(compile(block.text, block.place, "exec"), names)
        elif block.printed:
            assert capsys.readouterr().out.strip("\n") == block.text, block.place


@pytest.mark.parametrize("block", OUTPUTS_OF_COMMANDS, ids=lambda block: block.place)
def test_output_is_what_its_command_prints(block, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    beginnings = [beginning for beginning in OUTPUT_OF if block.text.startswith(beginning)]
    assert beginnings, f"{block.place}: which command prints this? Say so in OUTPUT_OF"
    run(*OUTPUT_OF[beginnings[0]])
    assert block.text in capsys.readouterr().out


@pytest.mark.parametrize("block", JSON_BLOCKS, ids=lambda block: block.place)
def test_json_is_a_position_or_a_record(block):
    source = json.loads(block.text)
    game = Game.from_record(source) if "actions" in source else Game.from_position(source)
    assert game.legal_texts()


@pytest.mark.parametrize("block", ALL_BLOCKS, ids=lambda block: block.place)
def test_every_block_is_of_a_kind_that_is_tested(block):
    assert block.language in LANGUAGES
    if block.language == "bash":
        for line in block.text.splitlines():
            assert not words_of(line) or words_of(line)[0] in PROGRAMS


def test_readme_shows_masks_and_plays_a_game_of_two(capsys):
    """The first example ends with a batch and its masks, the second with no agent left."""
    (readme,) = (page for page in PAGES if name_of(page) == "README.md")
    names = {}
    for block in blocks(readme):
        if block.language == "python":
            exec(compile(block.text, block.place, "exec"), names)
    assert "Doors" in capsys.readouterr().out
    assert names["infos"]["action_mask"].shape == (1024, 70)
    assert names["env"].agents == []
