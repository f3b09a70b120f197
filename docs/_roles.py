"""Roles in docstrings, such as ``:class:`~onirim_env.rules.RuleSet```, as links of the API reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|data|attr|mod|exc):`(~?)([\w.]+)`")


class Roles(griffe.Extension):
    """Makes a link of each role where the reference has the object, and code where it has not."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = ROLE.sub(lambda role: _link(role, obj), obj.docstring.value)


def _link(role: re.Match[str], obj: griffe.Object) -> str:
    short, name = role.groups()
    text = name.rpartition(".")[2] if short else name
    return f'<autoref identifier="{_path(name, obj)}" optional><code>{text}</code></autoref>'


def _path(name: str, obj: griffe.Object) -> str:
    """Return the full path of a name as it is meant in the docstring of an object."""
    if name in obj.members:
        return f"{obj.path}.{name}"
    try:
        return obj.resolve(name)
    except griffe.NameResolutionError:
        return name
