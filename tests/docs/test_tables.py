"""The tables of the docs are those of the code."""

import html
import importlib.util
import re

import pytest

from onirim_env import ActionTable, RuleSet, observation_layout
from onirim_env.expansions import ALL_KIND_NAMES, EXPANSION_PHASES, EXPANSION_TABLES
from onirim_env.expansions.oniverse import DENIZENS
from onirim_env.expansions.premonitions import PREMONITIONS
from onirim_env.positions.fields import COMMON_FIELDS
from onirim_env.rules import EXPANSION_RULES, EXPANSIONS, OPTIONS, options_of
from tests.docs.pages import PAGES, ROOT, name_of, read
from train.config import settings_table


@pytest.fixture(scope="module")
def hooks():
    """The module that fills the site in; it needs no mkdocs until a site is built."""
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "docs" / "_hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_table_that_a_page_asks_for_is_made(hooks, page):
    asked_for = [line for line in read(page).splitlines() if line.startswith("<!-- table:")]
    made = hooks.with_tables(read(page))
    assert made.count("\n| --- |") == len(asked_for)
    assert not any(line in made for line in asked_for)


@pytest.mark.parametrize("players", [1, 2])
def test_the_action_tables_of_the_site_have_every_action_once(hooks, players):
    ids = []
    for start, stop in re.findall(
        r"^\| (\d+)(?:-(\d+))? \|", hooks.actions_table(RuleSet(players=players)), re.M
    ):
        ids += range(int(start), int(stop or start) + 1)
    first = len(ActionTable()) if players == 2 else 0
    assert ids == list(range(first, len(ActionTable(RuleSet(players=players)))))


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("expansions", [["towers"], ["crossroads", "oniverse"], list(EXPANSIONS)])
def test_the_tables_of_expansions_have_all_that_they_add_once(hooks, players, expansions):
    """Ids of actions, and entries of observations, by the first column of the tables."""
    base, rules = RuleSet(players=players), RuleSet(players=players, expansions=expansions)
    sizes = [
        (hooks.actions_table, len(ActionTable(base)), len(ActionTable(rules))),
        (hooks.observations_table, *(observation_layout(one)[-1].stop for one in (base, rules))),
    ]
    for make, first, last in sizes:
        numbers = []
        for start, stop in re.findall(r"^\| (\d+)(?:-(\d+))? \|", make(rules), re.M):
            numbers += range(int(start), int(stop or start) + 1)
        assert numbers == list(range(first, last))


def test_the_pages_of_rules_have_every_number_that_the_tables_cite(hooks):
    pages = {name: hooks.with_anchors(read(ROOT / "docs" / name)) for name in ("rules.md", "expansions.md")}
    all_modules = RuleSet(players=2, expansions=EXPANSIONS)
    pages["rule_options.md"] = hooks.options_table(RuleSet())
    pages["expansions.md"] = hooks.with_tables(pages["expansions.md"])
    tables = [hooks.actions_table(rules) for rules in (RuleSet(), RuleSet(players=2), all_modules)]
    cited = re.findall(r"\((\w+\.md)#([a-z]+-d?\d+)\)", "\n".join(tables))
    assert {("rules.md", "p-1"), ("expansions.md", "tw-2"), ("expansions.md", "o-d2")} <= set(cited)
    for page, number in cited:
        assert f"{{ #{number} }}" in pages[page], (page, number)


def test_the_page_of_expansions_has_every_module_option_phase_and_power(hooks):
    page = hooks.with_tables(read(ROOT / "docs" / "expansions.md"))
    for word in (*EXPANSIONS, *(option.keyword for option in options_of(EXPANSIONS)), *EXPANSION_PHASES):
        assert f"`{word}`" in page, word
    assert all(f"`{name}`" in page for name in PREMONITIONS)
    assert all(denizen in page.lower() for denizen in DENIZENS)
    assert all(f"| {told.title} |" in page and told.hard in page for told in EXPANSION_RULES)


def test_the_page_of_positions_has_every_field_of_expansions():
    page = read(ROOT / "docs" / "positions.md")
    fields = [name for module in EXPANSION_TABLES for name in (*module.position, *module.player_position)]
    for field in (*COMMON_FIELDS, *fields):
        assert f"`{field}`" in page, field
    others = [name for name in ALL_KIND_NAMES if name.startswith(("lost", "happy", "dead", "oniverse"))]
    assert all(f"`{name}`" in page for name in others)


def test_the_table_of_options_has_every_keyword(hooks):
    table = hooks.options_table(RuleSet())
    assert all(f"| `{option.keyword}` |" in table for option in OPTIONS)


def test_the_table_of_settings_keeps_every_sign_of_what_is_allowed(hooks):
    """Braces mean something to an extension of Markdown, which would take them away."""
    table = html.unescape(hooks.settings_table(RuleSet()))
    assert all(f"| {meaning} | {allowed} |" in table for _, _, allowed, meaning in settings_table())
    assert "{" not in hooks.settings_table(RuleSet()).replace("`{}`", "")


@pytest.mark.parametrize(
    ("link", "becomes"),
    [
        ("[a](../agents/LEADERBOARD.md)", "[a](leaderboard.md)"),
        ("[a](../CONTRIBUTING.md#style)", "[a](contributing.md#style)"),
        ("[a](training.md)", "[a](training.md)"),
        ("[the template](../agents/_template.py)", "the template"),
        ("[a](../agents/nothing.py)", "[a](../agents/nothing.py)"),  # mkdocs warns of this one
        ("![a](images/solo.png)", "![a](images/solo.png)"),
    ],
)
def test_links_between_files_become_links_between_pages(hooks, link, becomes):
    assert hooks.with_links(link, "docs/agents.md", "agents.md") == becomes


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('<script src="https://example.org/a.js"></script>', True),
        ('<link rel="stylesheet" href="//example.org/a.css">', True),
        ("@font-face { src: url(https://example.org/a.woff2) }", True),
        ('<img alt="" src="images/a.png">', False),
        ('<a href="https://example.org">a link that nobody has to follow</a>', False),
    ],
)
def test_what_asks_another_host_is_found_in_a_built_page(hooks, page, found):
    assert bool(hooks.FOREIGN.search(page)) is found


def tables_of(text):
    """Lines of each table of a page, outside of code: lines that begin with a bar and follow each other."""
    tables, inside, code = [], False, False
    for line in text.splitlines():
        code ^= line.strip().startswith("```")
        bar = line.strip().startswith("|") and not code
        if bar and not inside:
            tables.append([])
        if bar:
            tables[-1].append(line.strip())
        inside = bar
    return tables


def n_cells(line):
    """How many cells a line has; a bar in code, or after a backslash, is part of one."""
    return len(re.sub(r"`[^`]*`|\|", "", line).strip("|").split("|"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_table_of_a_page_is_shown_as_one(page):
    """A blank line inside would make text of all rows behind it, a missing bar a row too short."""
    for table in tables_of(read(page)):
        assert len(table) > 2 and re.fullmatch(r"\|(\s*:?-+:?\s*\|)+", table[1]), table[0]
        assert {n_cells(line) for line in table} == {n_cells(table[0])}, table[0]


def test_the_search_of_the_site_works_from_the_disk_and_takes_hyphens():
    import yaml

    class Loader(yaml.SafeLoader):
        """For a file that also names functions."""

    Loader.add_multi_constructor("tag:yaml.org,2002:python/", lambda *_: None)
    site = yaml.load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), Loader)
    plugins = {
        name: options
        for one in site["plugins"]
        for name, options in (one if isinstance(one, dict) else {one: None}).items()
    }
    assert "offline" in plugins  # makes search_index.js
    assert all((ROOT / "docs" / file).is_file() for file in site["extra"]["polyfills"])
    assert "-" not in plugins["search"]["separator"]
