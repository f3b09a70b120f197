"""What the README says of actions, observations and code is so."""

import re
from pathlib import Path

import pytest

from onirim_env import ActionTable, observation_layout

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def observation_row(field):
    entries = str(field.start) if field.size == 1 else f"{field.start}-{field.stop - 1}"
    return f"| {entries} | `{field.name}` | {field.meaning} |"


def test_the_observation_table_is_the_layout():
    rows = [observation_row(field) for field in observation_layout()]
    assert "\n".join(rows) in README


def test_the_action_table_gives_the_ids():
    table = ActionTable()
    first_of = re.findall(r"^\| (\d+)[-,]? ?\d* \| `([^`]+)`", README, flags=re.MULTILINE)
    first_of = [(int(action), text) for action, text in first_of if " " in text]
    assert len(first_of) == 8
    for action, text in first_of:
        assert table.id(text) == action


@pytest.mark.parametrize("number", [0, 1])
def test_every_example_runs(number, capsys):
    """Row 23: the loop of the PettingZoo environment is one of them."""
    examples = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(examples) == 2
    names = {}
    exec(compile(examples[number], "README.md", "exec"), names)
    if number == 0:
        assert "Doors" in capsys.readouterr().out and names["infos"]["action_mask"].shape == (1024, 70)
    else:
        assert names["env"].agents == []
