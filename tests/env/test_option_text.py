"""Options on command lines: one spelling of expansions everywhere."""

import argparse

import pytest

from onirim_env import RuleSet
from onirim_env.option_text import add_expansions, expansion_options, read_options
from onirim_env.rules import EXPANSIONS


def rules_of(line):
    parser = argparse.ArgumentParser()
    add_expansions(parser, "play with these")
    return RuleSet(**expansion_options(parser.parse_args(line.split())))


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("", []),
        ("--expansions towers,glyphs", ["expansions=towers,glyphs"]),
        ("--expansions glyphs towers", ["expansions=glyphs,towers"]),
        ("--expansions towers, glyphs --hard towers", ["hard=towers", "expansions=towers,glyphs"]),
        ("--expansions towers glyphs --hard all", ["hard=all", "expansions=glyphs,towers"]),
        ("--expansions all --hard all", ["expansions=all", "hard=all"]),
        ("--expansions all", ['expansions=["towers","oniverse","glyphs"]', "expansions=all"]),
    ],
)
def test_options_and_texts_name_the_same_rules(line, texts):
    assert rules_of(line) == RuleSet(**read_options(texts))


def test_all_stands_for_each_of_them():
    assert rules_of("--expansions all").expansions == EXPANSIONS
    assert rules_of("--expansions towers,glyphs --hard all").hard == ("towers",)


@pytest.mark.parametrize("line", ["--expansions tower", "--expansions all,towers", "--hard x"])
def test_a_word_that_is_none_is_one_line_that_says_what_there_is(line, capsys):
    with pytest.raises(SystemExit):
        rules_of(line)
    assert f"allowed are {', '.join(EXPANSIONS)}, or all" in capsys.readouterr().err.splitlines()[-1]


def test_a_near_miss_is_asked_about():
    with pytest.raises(ValueError, match="did you mean 'towers'"):
        read_options(["expansions=tower"])


def test_a_value_nested_too_deep_is_a_text():
    with pytest.raises(ValueError, match="rule option draft cannot be") as raised:
        RuleSet(**read_options(["draft=" + "[" * 100_000]))
    assert raised.value
