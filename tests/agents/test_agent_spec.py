"""Agents with settings: how they are written, and where they are taken."""

from __future__ import annotations

import json

import pytest

from agents import registry
from agents.__main__ import main
from agents.agent_spec import (
    AgentSpec,
    allowed_settings,
    canonical_spec,
    is_repeatable,
    parse_specs,
    read_settings,
)
from agents.base import Agent
from agents.measure import ranking
from agents.measure.provenance import agent_digest
from agents.registry import load_agent, resolve_names
from agents.search import SearchAgent
from onirim_env.rules import RuleSet

SETTINGS_OF_SEARCH = "settings of search are milliseconds (float), playouts (int)"


class Adjustable(Agent):
    """Has a setting of every type."""

    name = "adjustable"

    def __init__(
        self,
        rules=None,
        talk="open",
        positional: int = 3,
        *,
        steps: int = 1,
        heat: float | None = None,
        bold: bool = False,
        style: str = "plain",
        mixed: float | int = 2,
        table: dict[str, int] | None = None,
    ):
        super().__init__(rules, talk)

    def act(self, observations, masks):
        return masks.argmax(axis=1)


def canonical(text, agent_class=Adjustable):
    (spec,) = parse_specs(text)
    return canonical_spec(spec, agent_class).text


def test_settings_are_the_keyword_only_parameters_of_plain_types():
    assert allowed_settings(Adjustable) == {
        "bold": ("bool",),
        "heat": ("float",),
        "mixed": ("int", "float"),
        "steps": ("int",),
        "style": ("str",),
    }
    assert list(allowed_settings(SearchAgent)) == ["milliseconds", "playouts"]


def test_values_have_the_type_of_the_annotation():
    (spec,) = parse_specs("adjustable[steps=5e3,heat=2,bold=true,style=v1.5,mixed=2.5]")
    values = read_settings(spec, Adjustable)
    assert values == {"bold": True, "heat": 2.0, "mixed": 2.5, "steps": 5000, "style": "v1.5"}
    assert [type(value) for value in values.values()] == [bool, float, float, int, str]


@pytest.mark.parametrize(
    "text",
    ["adjustable[heat=0.5,steps=20]", "adjustable[ steps=2e1, heat=.50 ]", "adjustable[steps=+20,heat=5e-1]"],
)
def test_an_agent_has_one_canonical_name(text):
    assert canonical(text) == "adjustable[heat=0.5,steps=20]"


def test_canonical_names_are_read_back_as_they_are():
    for text in ("adjustable", "adjustable[heat=1e+20]", "adjustable[heat=-0.1]", "adjustable[heat=100]"):
        assert canonical(canonical(text)) == canonical(text)
    assert parse_specs("a[heat=1e+20]+b") == [AgentSpec("a", (("heat", "1e+20"),)), AgentSpec("b")]


@pytest.mark.parametrize("value", ["2.5", "many", "nan", "inf", ""])
def test_a_whole_number_is_needed_where_one_is_annotated(value):
    with pytest.raises(ValueError, match=r"steps must be int, not|KEY=VALUE"):
        canonical(f"adjustable[steps={value}]")


@pytest.mark.parametrize("value", ["a/b", "..\\c", "a|b"])
def test_a_text_can_stand_in_the_name_of_a_file(value):
    with pytest.raises(ValueError, match="style must be str"):
        canonical(f"adjustable[style={value}]")


def test_only_a_time_cannot_be_repeated():
    assert not is_repeatable("search[milliseconds=100]")
    assert not is_repeatable("rules+search[breadth=2,milliseconds=100]")
    assert all(map(is_repeatable, ("search", "search[playouts=100]", "milliseconds", "runs/milliseconds=3")))


def test_an_agent_is_loaded_with_its_settings_and_has_its_canonical_name():
    agent = load_agent("search[playouts=2e1]")
    assert agent.name == "search[playouts=20]" and agent._playouts == 20
    assert load_agent("search").name == "search"
    pair = load_agent("search[playouts=5]+rules", rules=RuleSet(players=2))
    assert pair.name == "search[playouts=5]+rules" and pair.partners[0]._playouts == 5


def test_common_settings_go_to_the_agents_that_have_them():
    assert resolve_names(["search+rules", "random"], ["playouts=7"]) == ["search[playouts=7]+rules", "random"]


def test_settings_are_part_of_the_digest_and_change_none_without_them():
    digests = [
        agent_digest(name, "solo-v1") for name in ("search", "search[playouts=5]", "search[playouts=6]")
    ]
    assert len(set(digests)) == 3


def test_a_misfit_stays_one(monkeypatch):
    class Solo(Adjustable):
        def __init__(self, rules=None, talk="open", *, steps: int = 1):
            super().__init__(rules, talk, steps=steps)
            if self.rules.players != 1:
                raise registry.Misfit(f"solo does not play {self.rules}")

    monkeypatch.setattr(registry, "_agent_class", lambda entry: Solo)
    with pytest.raises(registry.Misfit):
        load_agent("random[steps=3]", rules=RuleSet(players=2))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate search[playout=5]", f"search[playout=5]: no setting 'playout'; {SETTINGS_OF_SEARCH}"),
        ("evaluate search[playouts=few]", f"playouts must be int, not 'few'; {SETTINGS_OF_SEARCH}"),
        ("evaluate search --playouts 0", f"playouts must be positive, not 0; {SETTINGS_OF_SEARCH}"),
        ("evaluate search --playouts 1 --milliseconds 2", f"not both; {SETTINGS_OF_SEARCH}"),
        ("evaluate search[playouts=1] --playouts 2", "playouts is given twice"),
        ("evaluate search --set playouts", "written KEY=VALUE, not 'playouts'"),
        ("evaluate search --set depth=2", f"no agent here has a setting 'depth'; {SETTINGS_OF_SEARCH}"),
        ("evaluate rules --playouts 5", "no agent here has a setting 'playouts'; rules has no settings"),
        ("evaluate rules[x=1]", "rules[x=1]: no setting 'x'; rules has no settings"),
        ("evaluate search[playouts=5", "'search[playouts=5' is no agent; settings are written NAME["),
        ("evaluate search[]", "written KEY=VALUE, not ''"),
        ("watch nobody[playouts=5]", "no agent 'nobody'; agents are "),
        ("rank search --milliseconds 5", "search[milliseconds=5] cannot be repeated"),
        ("compare rules search[milliseconds=5]", "search[milliseconds=5] cannot be repeated"),
    ],
)
def test_bad_settings_are_one_line(capsys, command, message):
    assert main(command.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1


def test_evaluate_shows_settings_and_says_what_cannot_be_repeated(capsys, tmp_path):
    file = tmp_path / "result.json"
    command = ["evaluate", "search[playouts=3]", "search[milliseconds=0.2]", "rules", "--games", "2"]
    assert main([*command, "--json", str(file)]) == 0
    assert (
        capsys.readouterr().out.splitlines()[-1].endswith("depends on the machine: search[milliseconds=0.2]")
    )
    told = {summary["agent"]: summary["repeatable"] for summary in json.loads(file.read_text())}
    assert told == {"search[playouts=3]": True, "search[milliseconds=0.2]": False, "rules": True}


@pytest.mark.parametrize(
    "settings", [["--playouts", "3"], ["--set", "playouts=3"]], ids=["short option", "general option"]
)
def test_options_set_an_agent_as_its_name_does(capsys, settings):
    assert main(["watch", "search[playouts=3]", "--seed", "2"]) == 0
    expected = capsys.readouterr().out
    assert main(["watch", "search", *settings, "--seed", "2"]) == 0
    assert capsys.readouterr().out == expected


def test_rank_and_compare_store_under_the_canonical_name(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(ranking, "LEADERBOARD_FOLDER", tmp_path)
    options = ["--protocol", "solo-v1", "--games", "2", "--workers", "1", "--results", str(tmp_path)]
    assert main(["rank", "search[playouts=3e0]", "search[playouts=3]", *options]) == 0
    (row,) = json.loads((tmp_path / "leaderboard.json").read_text())
    assert (row["agent"], row["games"]) == ("search[playouts=3]", 2)
    assert "| search[playouts=3] | 2 |" in (tmp_path / "LEADERBOARD.md").read_text()
    stored = (tmp_path / "solo-v1" / "search[playouts=3].jsonl").read_text()
    capsys.readouterr()
    assert main(["compare", "search", "rules", "--playouts", "3", *options]) == 0
    assert "search[playouts=3] - rules: " in capsys.readouterr().out
    assert (tmp_path / "solo-v1" / "search[playouts=3].jsonl").read_text() == stored
