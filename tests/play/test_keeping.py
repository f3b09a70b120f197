"""A game is kept whatever ends it: an answer, an error, a signal, a terminal that is gone."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pygame
import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.keeping import Keeping
from onirim_env.play.session import Session
from onirim_env.play.sitting import Helpers
from onirim_env.play.window.drawing import Painter
from tests.long import as_long
from tests.play.test_terminal import run
from tests.play.window_player import Person

PLAY = [sys.executable, "-m", "onirim_env", "play", "--seed", "2"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals of POSIX")
SECOND = "-- turn 2 "


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    Person.close_all()


def play(answers, *options, **more):
    return subprocess.run([*PLAY, *options], input=answers, capture_output=True, check=False, **more)


def saved(folder):
    """Return the actions of the one game that was saved in a folder."""
    [file] = Path(folder).glob("onirim-*.json")
    return json.loads(file.read_text())["actions"]


ANSWERS = {
    "²": "is no choice",
    "٣": "is no choice",
    "9" * 5000: "There is no choice 999",
    "-1": "is no choice",
    "\0": "is no choice",
    "a" * 100_000: "is no choice",
    "s " + "n" * 300: "File name too long",
    "s a\0b": "cannot be written",
    "s ~\0": "cannot be written",
    "s .": "is there already",
    "s /": "is there already",
    "s text/game.json": "cannot be written",
}


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: ascii(answer[:12]))
def test_no_answer_ends_the_game(answer):
    Path("text").touch()
    session = Session(Game(seed=2))
    assert ANSWERS[answer] in run(["2", answer, "2", answer], session)
    assert len(session.actions) == 2 and saved(".") == session.actions


def test_no_bytes_end_the_game():
    """What is no text is no answer, in whatever encoding the terminal is."""
    answers = b"".join(b"\n" + answer.encode() for answer in ANSWERS)
    for encoding in ("utf-8", "ascii"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        done = play(b"2\n\xff\xfe" + answers + b"\n2\n", env=environment)
        assert done.returncode == 0 and done.stderr == b"" and b"-- turn 3 " in done.stdout
    kept = [json.loads(file.read_text())["actions"] for file in Path().glob("onirim-2*.json")]
    assert len(kept) == 2 and len(kept[0]) == 2


def test_a_name_of_bytes_that_are_no_text_is_a_name():
    done = play(b"2\ns \xff\xfe.json\nq\n")
    [file] = Path().iterdir()
    assert b"Saved. Go on with" in done.stdout and len(Session.load(file).actions) == 1


def test_no_answer_at_the_end_loses_the_game():
    session = Session(Game(seed=7))
    while not session.game.over:
        session.take(session.game.legal_texts()[0])
    printed = run(["s " + "n" * 300, "s a\0b", "s .", "s end.json"], session)
    assert printed.count("cannot be written") == 2 and Session.load(Path("end.json")).game == session.game


def test_a_tilde_is_the_home_and_without_such_a_user_a_letter(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    printed = run(["2", "s ~/game.json", "s ~game.json", "q"])
    assert len(json.loads((home / "game.json").read_text())["actions"]) == 1
    assert (tmp_path / "~game.json").exists() and "play --load '~game.json'" in printed


def test_a_file_name_that_looks_like_an_option_can_be_loaded():
    printed = run(["2", "s -game.json", "q"])
    assert "--load ./-game.json" in printed
    done = subprocess.run(
        [*PLAY[:4], "--load", "./-game.json"], input=b"q\n", capture_output=True, check=False
    )
    assert done.returncode == 0


def fail(*_):
    raise ZeroDivisionError("of the helper")


@pytest.mark.parametrize("role", ["partner", "adviser"])
def test_a_program_at_the_table_that_fails_leaves_the_game(role):
    humans = {0} if role == "partner" else {0, 1}
    session = Session(Game(RuleSet(players=2, draft="dealt"), seed=5), humans)
    with pytest.raises(ZeroDivisionError):
        run(["1", "h"], session, helpers=Helpers(partner=fail, adviser=fail))
    assert "Saved. Go on with:\n  play --load onirim-5.json" in run.printed
    assert saved(".") == session.actions != []


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), MemoryError()])
def test_a_terminal_that_fails_leaves_the_game(error):
    with pytest.raises(type(error)):
        run(["2", error])
    assert "Saved. Go on with:\n  play --load onirim-7.json" in run.printed
    assert len(saved(".")) == 1


def test_an_error_after_the_end_leaves_the_whole_game():
    session = Session(Game(seed=7))
    while not session.game.over:
        session.take(session.game.legal_texts()[0])
    with pytest.raises(MemoryError):
        run([MemoryError()], session)
    assert saved(".") == session.actions


@pytest.mark.parametrize("role", ["partner", "adviser", "drawing"])
def test_an_error_in_the_window_leaves_the_game(role, monkeypatch):
    helpers = Helpers(partner=fail, adviser=fail)
    humans = {0} if role == "partner" else {0, 1}
    person = Person(Game(RuleSet(players=2, draft="dealt"), seed=5), helpers=helpers, humans=humans)
    if role == "drawing":
        monkeypatch.setattr(Painter, "draw", fail)
    keys = [pygame.K_2] * 9 if role == "partner" else [pygame.K_2, pygame.K_h]
    for key in keys:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, unicode=chr(key), mod=0))
    with pytest.raises(ZeroDivisionError):
        person.app.run()
    assert "Go on with" in "\n".join(person.written)
    assert saved(".") == person.session.actions != []


def test_what_is_printed_to_nobody_does_not_lose_the_game():
    with subprocess.Popen(
        PLAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(b"2\n")
        process.stdin.flush()
        wait_for(process.stdout.fileno(), SECOND)
        process.stdout.close()
        with suppress(BrokenPipeError):  # it may have ended already
            process.stdin.write(b"2\n")
            process.stdin.close()
        told = process.stderr.read().decode()
    assert process.returncode == 0
    assert "Saved. Go on with:" in told and "Traceback" not in told
    assert saved(".")[0].startswith("play")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_output_is_one_line():
    session = Session(Game(seed=2))
    session.take(session.game.legal_texts()[0])
    session.save(Path("game.json"))
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PLAY[:4], "--load", "game.json"], input=b"u\n", stdout=full, stderr=subprocess.PIPE, check=False
        )
    told = done.stderr.decode()
    assert done.returncode == 1 and told.endswith("error: No space left on device\n")
    assert "--load game.json" in told and "Traceback" not in told


@POSIX
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_program_without_a_stream_ends_in_order(closed):
    done = subprocess.run(
        f'printf "2\\nq\\n" | {" ".join(PLAY)} {closed}', shell=True, capture_output=True, check=False
    )
    assert done.returncode == 0 and done.stderr == b""
    assert closed == "<&-" or len(saved(".")) == 1


def wait_for(descriptor, text):
    """Read from a descriptor until a text has come and what follows it is asked."""
    read = b""
    while text.encode() not in read or b"Discard" not in read.split(text.encode())[1]:
        read += os.read(descriptor, 4096)


@POSIX
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_saves_the_game_in_the_terminal(name):
    number = getattr(signal, name)
    with subprocess.Popen(PLAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as one:
        one.stdin.write(b"2\n")
        one.stdin.flush()
        wait_for(one.stdout.fileno(), SECOND)
        one.send_signal(number)
        told = one.stdout.read().decode()
    assert one.returncode == 128 + number
    assert "Saved. Go on with:\n  python -m onirim_env play --load onirim-2.json" in told
    assert len(saved(".")) == 1


@POSIX
@pytest.mark.parametrize(
    ("name", "package"),
    [
        *(("SIGINT", "onirim_env"), ("SIGTERM", "agents"), ("SIGHUP", "onirim_env")),
        *map(as_long, (("SIGINT", "agents"), ("SIGTERM", "onirim_env"), ("SIGHUP", "agents"))),
    ],
)
def test_a_signal_saves_the_game_in_the_window(name, package):
    code = f"""
import pygame
from {package}.__main__ import main
wait, keys = pygame.event.wait, [pygame.K_2]
def told(milliseconds):
    if keys:
        return pygame.event.Event(pygame.KEYDOWN, key=keys.pop(), unicode="2", mod=0)
    print("ready", flush=True)
    return wait(milliseconds)
pygame.event.wait = told
raise SystemExit(main(["play", "--window", "--seed", "2"]))
"""
    number = getattr(signal, name)
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as one:
        assert one.stdout.readline() == b"ready\n"
        one.send_signal(number)
        told = one.stdout.read().decode()
    assert one.returncode == 128 + number
    assert "--window --load onirim-2.json" in told and len(saved(".")) == 1


@POSIX
def test_a_terminal_that_hangs_up_does_not_take_the_game_with_it():
    import fcntl
    import pty
    import termios

    master, slave = pty.openpty()
    with subprocess.Popen(
        PLAY, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    ) as one:  # fmt: skip
        os.close(slave)
        os.write(master, b"2\n")
        wait_for(master, SECOND)
        os.close(master)
    assert one.returncode == 128 + signal.SIGHUP
    assert len(saved(".")) == 1


@POSIX
@pytest.mark.parametrize("first", [KeyboardInterrupt(), EOFError()])
def test_another_ctrl_c_does_not_end_the_saving(monkeypatch, first):
    fsync = os.fsync

    def interrupted(descriptor):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", interrupted)
    before = signal.getsignal(signal.SIGINT)
    try:
        run(["2", first])
    except KeyboardInterrupt as error:
        assert error is first
    assert "Saved. Go on with" in run.printed and len(saved(".")) == 1
    assert [file.name for file in Path().iterdir()] == ["onirim-7.json"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_game_that_is_interrupted_in_a_decision_is_whole(monkeypatch):
    """Before the action or after it: its record replays."""
    session = Session(Game(seed=7))
    apply = Game.apply

    def interrupted(game, action):
        apply(game, action)
        raise KeyboardInterrupt

    session.take(session.game.legal_texts()[0])
    monkeypatch.setattr(Game, "apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.take(session.game.legal_texts()[0])
    monkeypatch.setattr(Game, "apply", apply)
    assert len(session.actions) == 1 and Game.from_record(session.game.record()) == session.game


@pytest.mark.parametrize("gone", ["removed", "unwritable"])
def test_where_nothing_can_be_written_the_game_is_kept_elsewhere(tmp_path, monkeypatch, gone):
    home = tmp_path / "home"
    home.mkdir()
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.chdir(here)
    if gone == "removed":
        here.rmdir()
    else:
        only_in(monkeypatch, home)
    printed = run(["2", "q"])
    assert f"In this folder nothing can be written; the game is kept in {home}." in printed
    assert f"play --load {home / 'onirim-7.json'}" in printed and len(saved(home)) == 1


def only_in(monkeypatch, folder):
    """Let games be saved in one folder only."""
    opened = Path.open

    def refusing(path, mode="r", *more, **options):
        if mode == "xb" and path.parent != folder and path.suffix == ".json":
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, mode, *more, **options)

    monkeypatch.setattr(Path, "open", refusing)


def test_where_nothing_can_be_written_at_all_the_game_is_told(monkeypatch):
    only_in(monkeypatch, None)
    session = Session(Game(seed=7))
    printed = run(["2", "q"], session)
    assert "In this folder nothing can be written: Permission denied." in printed
    assert (
        f"The game is not saved. The same game again:\n  play --seed 7\nWhat was played: {session.actions[0]}"
        in printed
    )


@POSIX
def test_a_save_that_does_not_fit_leaves_the_older_file():
    """A file of an earlier sitting, written again in one that may write 100 bytes to a file."""
    import resource

    session = Session(Game(seed=2))
    session.take(session.game.legal_texts()[0])
    session.save(Path("game.json"))
    before = Path("game.json").read_bytes()
    done = subprocess.run(
        [*PLAY[:4], "--load", "game.json"], input=b"1\ns game.json\ns new.json\nq\n", capture_output=True,
        check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )  # fmt: skip
    assert done.stdout.count(b"cannot be written: File too large") == 2 and done.stderr == b""
    assert b"The game is not saved" in done.stdout and b"What was played: " in done.stdout
    assert Path("game.json").read_bytes() == before
    assert [file.name for file in Path().iterdir()] == ["game.json"]


def test_sittings_that_save_at_the_same_moment_do_not_overwrite_each_other():
    sittings = [Session(Game(seed=7)) for _ in range(8)]
    for number, session in enumerate(sittings):
        session.take(session.game.legal_texts()[number])
    together = threading.Barrier(len(sittings))

    def leave(session):
        together.wait()
        Keeping(session, ["play"]).farewell()

    threads = [threading.Thread(target=leave, args=[session]) for session in sittings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [json.loads(file.read_text())["actions"] for file in Path().glob("onirim-7*.json")]
    assert sorted(kept) == sorted(session.actions for session in sittings)


def test_a_file_that_somebody_else_has_changed_is_not_overwritten():
    """Two sittings have loaded it, and both save."""
    run(["2", "s game.json", "q"])
    file = Path("game.json")
    sittings = [Session.load(file) for _ in range(2)]
    keepings = [Keeping(session, ["play"], file) for session in sittings]
    for number, session in enumerate(sittings):
        session.take(session.game.legal_texts()[number])
    assert keepings[0].save(file) is None
    assert keepings[1].save(file) == "game.json has been changed by somebody else; choose another name."
    assert keepings[1].save_again() is None
    assert Session.load(file).actions == sittings[0].actions and saved(".") == sittings[1].actions


def test_a_game_from_a_position_is_kept_for_no_seed_deals_it():
    game = Game.from_position({"players": [{"hand": ["red sun"] * 5}]}, 3)
    assert Keeping(Session(game), ["play"]).replay_command() is None
    assert "Saved. Go on with:\n  play --load onirim-3.json" in run(["q"], Session(game))


@pytest.mark.parametrize("seed", [10**400, 2**64, "0x0"])
def test_a_long_seed_does_not_keep_the_game_from_being_saved(seed):
    session = Session(Game(seed=seed))
    assert "Saved. Go on with:" in run(["1", "q"], session)
    assert saved(".") == session.actions


def test_a_loaded_game_goes_on_from_its_file_before_anything_is_decided():
    session = Session(Game(seed=3))
    session.save(Path("game.json"))
    assert "Go on with:\n  play --load game.json" in run(["q"], session, loaded=Path("game.json"))
