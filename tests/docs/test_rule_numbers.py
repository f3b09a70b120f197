"""Numbers of rules lead somewhere: each one that is cited is on a page, or is that of an option."""

import json
import re

import pytest

from onirim_env.rules import EXPANSIONS, OPTIONS, options_of
from tests.docs.pages import EXPANSIONS_PAGE, PAGES, ROOT, name_of, numbers_on, read

KNOWN = {*numbers_on(ROOT / "docs" / "rules.md"), *numbers_on(EXPANSIONS_PAGE)}
KNOWN |= {option.rule for option in (*OPTIONS, *options_of(EXPANSIONS)) if option.rule}
LETTERS = "|".join(sorted({number.rstrip("0123456789") for number in KNOWN}, key=len, reverse=True))
CITED = re.compile(rf"(?<![\w-])(?:{LETTERS})\d+\b")
SOURCES = [
    *(
        path
        for folder in ("agents", "examples", "onirim_env", "tests", "train")
        for path in (ROOT / folder).rglob("*.py")
    ),
    *(ROOT / "tests" / "model").glob("*.md"),
    *PAGES,
]


def test_every_number_that_is_cited_is_that_of_a_rule():
    cited = {(number, name_of(source)) for source in SOURCES for number in CITED.findall(read(source))}
    assert len(cited) > 300
    assert {(number, name) for number, name in cited if number not in KNOWN} == set()


@pytest.mark.parametrize("name", ["cases.json", "expansion_cases.json"])
def test_every_case_cites_a_rule(name):
    cases = json.loads(read(ROOT / "tests" / "model" / name))
    assert {case["rule"] for case in cases} <= KNOWN
