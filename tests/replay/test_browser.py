"""The page in a real browser, opened from a file: it steps, and asks nothing of any network."""

import json

import pytest

from onirim_env import Game, RuleSet
from onirim_env.replay.page import page_text
from onirim_env.replay.steps import games_of, replay_steps
from onirim_env.rules import EXPANSIONS
from tests.replay.conftest import REQUIRE_BROWSER, no_browser, opinions, play, rising_curve

END = "End of the game"


class Page:
    """A page that is open in a browser."""

    def __init__(self, browser, file, name=""):
        self.browser, self.address = browser, file.as_uri()
        browser.get("about:blank")
        self.noted("browser"), self.noted("performance")  # what was before
        browser.get(self.address + name)

    def noted(self, log):
        return self.browser.get_log(log)

    def find(self, selector):
        return self.browser.find_elements("css selector", selector)

    def text(self, selector):
        [found] = self.find(selector)
        return found.text

    def click(self, name):
        [button] = self.find(f'button[aria-label="{name}"]')
        button.click()

    def press(self, key, selector="body"):
        from selenium.webdriver.common.keys import Keys

        [target] = self.find(selector)
        target.send_keys(getattr(Keys, key))

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    @property
    def hash(self):
        return self.run("return location.hash")

    def choices(self):
        return [one.text for one in self.find("#choices .words")]

    def requests(self):
        """Return the addresses that were asked for, those of data in the page itself left out."""
        messages = [json.loads(entry["message"])["message"] for entry in self.noted("performance")]
        addresses = [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]
        return [address for address in addresses if not address.startswith("data:")]


def written(folder, name, *, advised=True):
    """Write the page of a game and return its file and its data."""
    game = play(name)
    games = games_of(game.record(), game.talk)
    advice = (["critic"] * game.rules.players, opinions(games), rising_curve(games)) if advised else ()
    replay = replay_steps(games, *advice)
    file = folder / f"{name}.html"
    file.write_text(page_text(replay), encoding="utf-8")
    return file, replay


@pytest.fixture(scope="module")
def solo(tmp_path_factory):
    return written(tmp_path_factory.mktemp("solo"), "solo_default")


def shows(page, replay, place):
    """Assert that a page shows a step."""
    step = replay["steps"][place]
    last = len(replay["steps"]) - 1
    assert page.hash == ("#end" if place == last else f"#decision-{place + 1}")
    assert page.text("#question") == step["question"]
    assert page.choices() == [choice[0] for choice in step["choices"]]
    assert [one.text for one in page.find("#happened li")] == step["happened"]
    taken = page.find("#choices .taken .words")
    assert [one.text for one in taken] == ([] if place == last else [step["choices"][step["taken"]][0]])
    assert int(page.run("return document.getElementById('slider').value")) == place


@pytest.mark.parametrize(
    "name", ["solo_all_options", "solo_whole_prophecies", "co_op_default", "co_op_closed"]
)
def test_a_page_opens_steps_through_and_asks_nobody_anything(browser, tmp_path, name):
    file, replay = written(tmp_path, name)
    page = Page(browser, file)
    shows(page, replay, 0)
    assert page.text("h1") == replay["title"] and page.text("#result") == replay["result"]
    seen = page.run(
        "const text = (found) => [...document.querySelectorAll(found)].map((one) => one.textContent);"
        "const next = document.getElementById('next');"
        "return Array.from({length: arguments[0]}, () => {"
        "  next.click(); return [text('#question'), text('#choices .words'), text('#happened li')]; });",
        len(replay["steps"]) - 1,
    )
    for step, (question, choices, happened) in zip(replay["steps"][1:], seen):
        assert question == [step["question"]]
        assert choices == [choice[0] for choice in step["choices"]]
        assert happened == step["happened"]
    shows(page, replay, len(replay["steps"]) - 1)
    assert page.text("#where") == END
    page.click("Previous decision")
    shows(page, replay, len(replay["steps"]) - 2)
    assert page.noted("browser") == []
    assert page.requests() == [page.address]
    assert page.run("return performance.getEntriesByType('resource').length") == 0


def test_buttons_step_by_decisions_and_turns(browser, solo):
    file, replay = solo
    turns = [step["turn"] for step in replay["steps"]]
    last = len(turns) - 1
    page = Page(browser, file, "#decision-10")
    shows(page, replay, 9)
    page.click("Next turn")
    third = next(place for place in range(9, last) if turns[place] > turns[9])
    shows(page, replay, third)
    page.click("Previous turn")
    shows(page, replay, turns.index(turns[third - 1]))
    page.click("End")
    shows(page, replay, last)
    page.click("Next decision")
    shows(page, replay, last)
    page.click("First decision")
    shows(page, replay, 0)


def test_keys_step(browser, solo):
    file, replay = solo
    last = len(replay["steps"]) - 1
    page = Page(browser, file)
    for key, place in [("ARROW_RIGHT", 1), ("ARROW_RIGHT", 2), ("ARROW_LEFT", 1), ("END", last), ("HOME", 0)]:
        page.press(key)
        shows(page, replay, place)
    page.press("PAGE_DOWN")
    second = [step["turn"] for step in replay["steps"]].index(2)
    shows(page, replay, second)
    page.press("PAGE_UP")
    shows(page, replay, 0)
    # A key steps once, wherever the focus is.
    for selector in ("#slider", "#next"):
        page.press("HOME", selector)
        page.press("ARROW_RIGHT", selector)
        shows(page, replay, 1)


def test_space_plays_and_pauses(browser, solo):
    from selenium.webdriver.support.wait import WebDriverWait

    page = Page(browser, solo[0])
    page.press("SPACE")
    assert page.find('button[aria-label="Pause"]')
    WebDriverWait(browser, 60).until(lambda _: page.hash not in ("#decision-1", ""))
    page.press("SPACE")
    assert page.find('button[aria-label="Play"]')


def test_the_slider_moves_to_any_decision(browser, solo):
    file, replay = solo
    page = Page(browser, file)
    page.run(
        "const slider = document.getElementById('slider');"
        "slider.value = 12; slider.dispatchEvent(new Event('input', {bubbles: true}));"
    )
    shows(page, replay, 12)


def test_links_lead_to_a_decision(browser, solo):
    file, replay = solo
    page = Page(browser, file, "#decision-20")
    shows(page, replay, 19)
    assert page.find("#here")[0].get_attribute("href") == f"{page.address}#decision-20"
    page.run("location.hash = '#decision-3'")
    shows(page, replay, 2)
    for unknown in ("#decision-999", "#nothing"):
        shows(Page(browser, file, unknown), replay, 0)


def test_the_curve_shows_the_value_and_leads_to_a_decision(browser, solo):
    from selenium.webdriver.common.action_chains import ActionChains

    file, replay = solo
    page = Page(browser, file)
    last = len(replay["steps"]) - 1
    [area] = page.find("#curve-area")
    ActionChains(browser).move_to_element(area).click().perform()  # in the middle
    place = int(page.run("return document.getElementById('slider').value"))
    assert abs(place - last / 2) <= 1
    assert page.text("#curve-value") == f"{100 * replay['curve']['values'][place]:.0f} %"
    assert page.text("#curve-label") == replay["curve"]["label"]


def test_choices_have_their_values_and_bars(browser, solo):
    file, replay = solo
    page = Page(browser, file)
    choices = replay["steps"][0]["choices"]
    assert [one.text for one in page.find("#choices .value")] == [value for _, value, _ in choices]
    widths = page.run(
        "return [...document.querySelectorAll('#choices .bar i')].map((bar) => bar.style.width)"
    )
    assert [float(width[:-1]) for width in widths] == pytest.approx([100 * bar for _, _, bar in choices])


def test_without_advice_there_are_choices_and_no_curve(browser, tmp_path):
    file, replay = written(tmp_path, "solo_default", advised=False)
    page = Page(browser, file)
    shows(page, replay, 0)
    assert page.find("#choices .value, #choices .bar") == []
    assert not page.find("#curve")[0].is_displayed() and not page.find("#unit")[0].is_displayed()


def test_every_card_has_a_name_and_a_letter(browser, solo):
    """Whoever cannot tell the colours apart, or sees none, still knows the cards."""
    page = Page(browser, solo[0], "#decision-30")
    cards = page.run(
        "return [...document.querySelectorAll('.card svg')].map((svg) => "
        "[svg.getAttribute('aria-label'), svg.querySelector('text')?.textContent])"
    )
    assert len(cards) > 20
    letters = {"red": "R", "blue": "B", "green": "G", "brown": "N", "nightmare": "!!"}
    for label, letter in cards:
        words = [word for word in label.split() if word in letters]
        assert letter == (letters[words[0]] if words else None), label


def test_hidden_cards_are_marked_in_closed_talk(browser, tmp_path):
    file, replay = written(tmp_path, "co_op_closed")
    page = Page(browser, file, "#decision-15")
    marks = "".join(side["hidden"] for side in replay["steps"][14]["scene"]["players"])
    assert marks.count("1") == len([one for one in page.find(".hand small") if one.text == "hidden"]) > 0


WIDEST = """
const widths = [];
for (let step = 0; step <= arguments[0]; step += 1) {
  const zones = [...document.querySelectorAll(".zone:not(.row) .cards")];
  widths.push([
    document.documentElement.scrollWidth <= innerWidth,
    zones.filter((zone) => zone.scrollWidth > zone.clientWidth + 6).map((zone) => zone.parentNode.className),
  ]);
  document.getElementById("next").click();
}
return widths;
"""


@pytest.mark.parametrize("size", [(1280, 800), (800, 600), (390, 844)])
@pytest.mark.parametrize("name", ["solo_whole_prophecies", "co_op_all_options"])
def test_nothing_is_wider_than_the_screen(browser, tmp_path, size, name):
    """Of all steps; rows scroll, and every other zone holds its cards."""
    width, height = size
    shape = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
    try:
        file, replay = written(tmp_path, name)
        seen = Page(browser, file).run(WIDEST, len(replay["steps"]) - 1)
        assert seen == [[True, []]] * len(replay["steps"])
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_policy_refuses_what_does_not_belong_to_the_page(browser, solo):
    page = Page(browser, solo[0])
    page.run("document.body.append(Object.assign(new Image(), {src: 'https://example.invalid/a.png'}))")
    page.run(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.bad = 1'}))"
    )
    assert page.run("return window.bad") is None
    messages = [entry["message"] for entry in page.noted("browser")]
    assert any("Content Security Policy" in message and "a.png" in message for message in messages)


def test_a_game_under_way_ends_with_its_open_decision(browser, tmp_path):
    record = {**play("solo_default").record(), "result": None}
    record["actions"] = record["actions"][:7]
    file = tmp_path / "page.html"
    file.write_text(page_text(replay_steps(games_of(record))), encoding="utf-8")
    page = Page(browser, file)
    page.click("End")
    assert page.hash == "#decision-8" and page.text("#where").startswith("Decision 8 of 8")
    assert page.choices() and page.find("#choices .taken") == []


@pytest.mark.parametrize("expansions", [[], list(EXPANSIONS)], ids=["base", "all"])
def test_the_three_cards_of_a_hand_stand_side_by_side(browser, tmp_path, expansions):
    game = Game(RuleSet(players=2, draft="dealt", expansions=expansions), 3)
    file = tmp_path / "page.html"
    file.write_text(page_text(replay_steps(games_of(game.record()))), encoding="utf-8")
    try:
        for width in (1400, 1000, 640):
            shape = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", shape)
            page = Page(browser, file)
            hands = page.run(
                "return [...document.querySelectorAll('.hand')].map((hand) => ["
                "hand.getBoundingClientRect().right,"
                "...[...hand.querySelectorAll('.card')].map((card) => {"
                "  const box = card.getBoundingClientRect(); return [box.top, box.right]; })]);"
            )
            for right, *cards in hands:
                assert len(cards) == 3 and len({top for top, _ in cards}) == 1
                assert max(end for _, end in cards) <= right + 1
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize(("value", "outcome"), [("1", pytest.fail), ("", pytest.skip)])
def test_without_a_browser_tests_are_left_out_unless_one_is_required(monkeypatch, value, outcome):
    monkeypatch.setenv(REQUIRE_BROWSER, value)
    with pytest.raises(outcome.Exception, match="no browser here"):
        no_browser("no browser here")


def test_names_cannot_become_part_of_the_page(browser, tmp_path):
    games = games_of(play("co_op_default").record())
    name = "</script><script>window.bad = 1</script><i id='bad'>"
    file = tmp_path / "page.html"
    file.write_text(page_text(replay_steps(games, [name, name])), encoding="utf-8")
    page = Page(browser, file)
    assert page.run("return window.bad") is None and page.find("#bad") == []
    assert f"player 0 ({name})" in page.text("#table")
    assert page.noted("browser") == []
