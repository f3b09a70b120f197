"""What the README says of actions, observations and code is so."""

import re
from pathlib import Path

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


def test_the_example_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "Doors" in capsys.readouterr().out
