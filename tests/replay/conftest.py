import json
import os
import random
import re
import shutil

import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.session import Advice
from onirim_env.replay.steps import Curve
from tests.engine.playthroughs import GAMES

REQUIRE_BROWSER = "ONIRIM_REQUIRE_BROWSER"
"""The environment variable with which tests in a browser fail, rather than being left out, without one."""

CHROMIUM_OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1280,800",
)  # fmt: skip

GAMES_TO_SHOW = {
    **{name: (rules, seed, "open") for name, (rules, seed) in GAMES.items()},
    "co_op_closed": (RuleSet(players=2), 7, "closed"),
}


def play(name):
    """Return the finished game of a name, played at random."""
    rules, seed, talk = GAMES_TO_SHOW[name]
    game = Game(rules, seed, talk=talk)
    rng = random.Random(seed)
    while not game.over:
        game.apply(rng.choice(game.legal_texts()))
    return game


@pytest.fixture(params=GAMES_TO_SHOW)
def finished(request):
    return play(request.param)


@pytest.fixture
def record_file(tmp_path):
    """The file of a record of a solo game."""
    file = tmp_path / "game.json"
    file.write_text(json.dumps(play("solo_default").record()))
    return file


def opinions(games, name="critic", unit="probability"):
    """Return an advice for each decision: the choices in rising order of their values."""
    advices = []
    for game in games:
        legal = game.legal_actions()
        values = {action: (place + 1) / (len(legal) + 1) for place, action in enumerate(legal)}
        advices.append(Advice(name, legal[-1], values, unit) if legal else None)
    return advices


def rising_curve(games):
    return Curve("Chance to win", [place / len(games) for place in range(len(games))])


def data_of(page):
    """Return the data that stands in a page."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page, flags=re.DOTALL)[1])


def no_browser(reason):
    if os.environ.get(REQUIRE_BROWSER):
        pytest.fail(f"{reason}, and {REQUIRE_BROWSER} is set")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium that notes what it is asked to load, and what goes wrong."""
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        no_browser("selenium is not installed")
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        no_browser("chromium or chromedriver is not installed (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for option in (*CHROMIUM_OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()
