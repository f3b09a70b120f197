"""YAML of configurations: settings are few and shallow, so what is more than that is refused unread."""

from __future__ import annotations

from typing import Any

import yaml

MOST_DEPTH = 10
"""How deep lists and mappings may be nested."""
LONGEST_REASON = 200


def parse_yaml(text: str) -> Any:
    """Return the value of a YAML text.

    Raises
    ------
    ValueError
        For what is no YAML, is nested deep, or has aliases, which make much of little; the message is
        one line that goes on after the name of the text, such as ``is not YAML: ...``.
    """
    try:
        _check_events(text)
        return yaml.safe_load(text)
    except _TooMuch as error:
        raise ValueError(str(error)) from None
    # Beside its own errors, YAML raises those of dates that there are not and of numbers without end.
    except (yaml.YAMLError, ValueError, OverflowError, TypeError, AttributeError) as error:
        raise ValueError(f"is not YAML: {' '.join(str(error).split())[:LONGEST_REASON]}") from None


class _TooMuch(Exception):
    """YAML, but more of it than settings need."""


def _check_events(text: str) -> None:
    """Go through a text without making anything of it."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise _TooMuch(f"has an alias (*{str(event.anchor)[:40]}), which settings do not need")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MOST_DEPTH:
                raise _TooMuch(f"is nested more than {MOST_DEPTH} deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
