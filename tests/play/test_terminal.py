"""Playing at a terminal, from answers to what is printed."""

import io
import json
import os
import re
from pathlib import Path

import pytest

from onirim_env import Game, RuleSet
from onirim_env.__main__ import main
from onirim_env.play.colours import paint, wants_colour
from onirim_env.play.session import Advice, Session
from onirim_env.play.terminal import CLEAR, Helpers, Terminal

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


@pytest.fixture
def play(monkeypatch, capsys):
    """Play by the command, with what is typed; return its status and what it wrote to both streams."""

    def command(options, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        try:
            status = main(["play", *options])
        except SystemExit as ended:
            status = ended.code
        return status, *capsys.readouterr()

    return command


def run(lines, session=None, **options):
    """Answer with lines, then with the end of input; return what was printed."""
    written, answers = [], iter(lines)

    def read(prompt):
        written.append(prompt)
        try:
            answer = next(answers)
        except StopIteration:
            raise EOFError from None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    session = session or Session(Game(seed=7))
    terminal = Terminal(session, ["play"], read=read, write=written.append, **{"colour": False, **options})
    try:
        terminal.run()
    finally:
        run.printed = "\n".join(written)
    return run.printed


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("options", [["--seed", "3"], ["--players", "2", "--talk", "closed", "--seed", "3"]])
def test_a_player_who_always_takes_the_first_choice_gets_to_the_end(options, play):
    status, printed, errors = play(options, "1\n" * 1000)
    assert status == 0 and errors == ""
    assert "You have lost: the deck is empty" in printed
    assert "The same game again:\n  python -m onirim_env play" in printed
    assert "--seed 3" in printed and "\x1b" not in printed


def test_a_won_game_says_so():
    position = {
        "players": [{"row": ["red sun", "red moon"], "hand": ["red key", *4 * ["blue sun"]],
                     "doors": ["red door", *(f"{one} door" for one in 2 * ["blue", "green", "brown"])]}],
        "deck": ["red door", "blue moon"],
    }  # fmt: skip
    printed = run(["play red key", ""], Session(Game.from_position(position)))
    assert "Play red key: completes the series and gains a red Door" in printed
    assert "You have won: all 8 Doors are in play." in printed and "8 of 8 Doors, 0 turns." in printed


def test_the_documentation_shows_a_real_session(play):
    section = PAGE.read_text(encoding="utf-8").split("\n## In the terminal\n")[1].split("\n## ")[0]
    excerpts = re.findall(r"```text\n(.*?)\n```", section, flags=re.DOTALL)
    _, printed, _ = play(["--seed", "2"], "2\n1\n2\n1\n")
    assert excerpts
    for excerpt in excerpts:
        assert excerpt in printed


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("99", "There is no choice 99: the numbers go from 1 to 8."),
        ("0", "There is no choice 0: the numbers go from 1 to 8."),
        ("xyzzy", "'xyzzy' is no choice: a number from 1 to 8, or u, s FILE, h, d, q, ?."),
        ("u", "There is no decision of yours to take back."),
        ("s", "Save where? Write s and the name of a file, such as: s game.json"),
        ("s none/game.json", "none/game.json cannot be written: No such file or directory."),
        ("h", "Nobody gives hints here: `python -m agents play --hint rules` in a clone does."),
        ("d", "Discard pile: nothing."),
    ],
)
def test_input_that_does_nothing_gets_one_line(line, answer):
    session = Session(Game(seed=7))
    printed = run([line, "q"], session)
    assert f"\n{answer}\n" in printed
    assert session.actions == []


def test_help_fits_a_screen():
    printed = run(["?", "q"]).split("your choice (? for help): \n")[1]
    lines = printed.split("\nyour choice")[0].split("\n")
    assert "eight Doors" in lines[0] and len(lines) <= 24 and max(map(len, lines)) <= 80


def test_undo_takes_back():
    session = Session(Game(seed=7))
    start = session.game.copy()
    assert "Taken back." in run(["1", "u", "q"], session)
    assert session.game == start


def test_leaving_keeps_the_game_and_says_how_to_go_on(tmp_path):
    assert "Go on with:\n  play --load onirim-7.json" in run(["1", "q"])
    assert "Go on with:\n  play --load onirim-7-2.json" in run(["1"])
    with pytest.raises(KeyboardInterrupt):
        run(["1", KeyboardInterrupt()])
    assert "Go on with:\n  play --load onirim-7-3.json" in run.printed
    assert json.loads((tmp_path / "onirim-7.json").read_text())["actions"] == ["play red sun"]


def test_nothing_is_written_for_a_game_without_a_decision(tmp_path):
    assert "The same game again:\n  play --seed 7" in run(["q"])
    assert list(tmp_path.iterdir()) == []


def test_saving_does_not_overwrite_another_game(tmp_path):
    (tmp_path / "other.json").write_text("mine")
    printed = run(["1", "s other.json", "s game.json", "1", "s game.json", "q"])
    assert "other.json is there already; choose another name." in printed
    assert (tmp_path / "other.json").read_text() == "mine"
    assert len(Session.load(tmp_path / "game.json").actions) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "other.json"]


def test_a_saved_game_is_loaded(play):
    run(["1", "1", "s game.json", "q"])
    status, printed, _ = play(["--load", "game.json"], "u\nu\nq\n")
    assert printed.count("Taken back.") == 2 and status == 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--seed", "x"], "--seed must be a number"),
        (["--option", "players"], "'players' is not of the form option=value"),
        (["--option", "door_key=3"], "rule option door_key cannot be 3; allowed are 'optional', 'automatic'"),
        (["--load", "none.json"], "No such file"),
        (["--load", "."], "record . is a folder, not a file"),
        (["--load", os.devnull], "is a device or a pipe, not a file"),
        (["--load", "n" * 300], "File name too long"),
        (["--seed", "9" * 5000], "--seed must be a number"),
        (["--load", "none.json", "--seed", "3"], "--seed does not go with --load"),
    ],
)
def test_a_bad_command_line_gets_one_line(options, error, play):
    status, _, errors = play(options)
    assert status == 2 and error in errors and errors.count("\n") == 1


def test_closed_talk_hides_the_partners_hand():
    """What only player 0 holds is not on player 1's screen, which is cleared before."""
    session = Session(Game(RuleSet(players=2, draft="dealt"), seed=7, talk="closed"))
    session.take(next(text for text in session.game.legal_texts() if text.startswith("play")))
    session.news(0)
    session.news(1)
    printed = run(["", "q"], session, private=True)
    assert CLEAR in printed and "player 1, take a seat" in printed
    partner = printed[printed.rindex("player 0:") :].split("\n")
    assert "??" in next(line for line in partner if line.startswith("  hand"))


def test_hints_come_with_values():
    session = Session(Game(seed=7))

    def advise(game):
        return Advice("tester", game.legal_actions()[1], {game.legal_actions()[1]: 0.75}, "probability")

    printed = run(["h", "q"], session, helpers=Helpers(adviser=advise, always=True))
    assert "* is what tester would do, with its probability of each choice." in printed
    assert "  2     75 % *  Play blue sun: 1 of 3 blue" in printed
    assert "tester would take 2: Play blue sun: 1 of 3 blue" in printed


def test_hints_say_what_they_rest_on():
    """In how many playouts a value was found, and which rules the adviser does not know."""
    session = Session(Game(seed=7))

    def advise(game):
        first, second, *_ = game.legal_actions()
        values, playouts = {first: 0.9, second: 0.75}, {first: 3, second: 1200}
        return Advice("tester", second, values, "win chance", playouts, "tester does not know this.")

    printed = run(["h", "q"], session, helpers=Helpers(adviser=advise, always=True))
    assert "win chance of each choice /number of playouts. (tester does not" in " ".join(printed.split())
    assert "  1     90 % /3    Play red sun" in printed
    assert "  2  75 % /1200 *  Play blue sun" in printed
    hint = printed[printed.index("tester would take 2") :].split("\n")
    assert hint[1].startswith("  75 % /1200 win chance  2  Play blue sun")  # what it takes comes first
    assert hint[2].startswith("     90 % /3 win chance  1  Play red sun")
    assert "(tester does not know this.)" in hint


def test_colours_are_for_terminals_that_have_them():
    class Stream:
        def isatty(self):
            return True

    assert wants_colour(Stream(), {})
    assert not wants_colour(Stream(), {"NO_COLOR": "1"})
    assert not wants_colour(Stream(), {"TERM": "dumb"})
    assert paint("R* red sun") == "\x1b[91mR*\x1b[0m \x1b[91mred sun\x1b[0m"
    assert paint("Play a Game") == "Play a Game"
