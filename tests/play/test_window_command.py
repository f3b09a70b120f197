"""The command lines that open a window, and those that cannot."""

import os
import subprocess
import sys

import pygame
import pytest

from agents.__main__ import main as agents_main
from onirim_env.__main__ import main

PLAY = [sys.executable, "-m", "onirim_env", "play", "--window"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def answer(monkeypatch, *keys):
    """Let somebody press keys, then close the window."""
    waiting = [pygame.event.Event(pygame.KEYDOWN, key=key, unicode="", mod=0) for key in keys]
    waiting.append(pygame.event.Event(pygame.QUIT))

    def wait(timeout):
        events = [event for event in pygame.event.get() if event.type >= pygame.USEREVENT]
        return events[0] if events else waiting.pop(0)

    monkeypatch.setattr(pygame.event, "wait", wait)


def test_a_window_opens_and_tells_how_to_go_on(monkeypatch, capsys):
    answer(monkeypatch, pygame.K_2)
    assert main(["play", "--window", "--seed", "3"]) == 0
    assert "python -m onirim_env play --window --load onirim-3.json" in capsys.readouterr().out
    answer(monkeypatch)
    assert main(["play", "--window", "--load", "onirim-3.json"]) == 0
    assert "Go on with:\n  python -m onirim_env play --window --load onirim-3.json" in capsys.readouterr().out


def test_an_agent_is_the_partner_and_gives_hints(monkeypatch, capsys):
    answer(monkeypatch, pygame.K_2, pygame.K_h)
    options = ["--partner", "rules", "--hint", "rules", "--talk", "closed", "--seed", "3"]
    assert agents_main(["play", "--window", *options]) == 0
    command = "python -m agents play --partner rules --hint rules --window --talk closed --load onirim-3.json"
    assert command in capsys.readouterr().out


@pytest.mark.parametrize("command", [main, agents_main])
def test_without_pygame_one_line_says_what_to_install(command, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pygame", None)
    assert command(["play", "--window"]) == 2
    error = capsys.readouterr().err
    assert 'pip install "onirim-env[render]"' in error and error.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a display")
@pytest.mark.parametrize("driver", [{}, {"SDL_VIDEODRIVER": "nonsense"}])
def test_without_a_display_one_line_says_so(driver):
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {name: value for name, value in os.environ.items() if name not in hidden} | driver
    ran = subprocess.run(PLAY, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 2 and ran.stdout == ""
    assert "error: there is no display for --window" in ran.stderr and ran.stderr.count("\n") == 1


def test_the_window_needs_no_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import pygame\n"
        "pygame.display.init(); pygame.event.post(pygame.event.Event(pygame.QUIT))\n"
        "from onirim_env.__main__ import main\n"
        "raise SystemExit(main(['play', '--window', '--seed', '3']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert ran.returncode == 0 and "play --window --seed 3" in ran.stdout
