"""The registry of games: the one place that names them all. Importing it imports no game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gymnasium.envs.registration import register, registry


@dataclass(frozen=True)
class Entry:
    """A game: its names, and where its parts are (``"module:name"``).

    Attributes
    ----------
    name
        In commands and records.
    title
        For people.
    env_ids
        Its Gymnasium environments, with the keywords that are theirs.
    rules
        The class of its rule sets.
    table
        Returns the action table of a rule set.
    game
        One game as an object.
    batch
        Makes a batch as one learner plays it: ``batch(num_envs, **keywords of the environment)``.
    env, vector
        The environments of one game and of many.
    turns
        The module of the PettingZoo environment.
    render
        Returns a picture or a text of a game.
    """

    name: str
    title: str
    rules: str
    table: str
    game: str
    batch: str
    env: str
    vector: str
    turns: str
    render: str
    env_ids: dict[str, dict[str, Any]] = field(default_factory=dict)

    def load(self, part: str) -> Any:
        """Import one of the parts."""
        module, _, name = getattr(self, part).partition(":")
        found = import_module(module)
        return getattr(found, name) if name else found


GAMES: tuple[Entry, ...] = (
    Entry(
        "onirim", "Onirim",
        rules="onirim_env.rules:RuleSet",
        table="onirim_env.actions:action_table",
        game="onirim_env.game:Game",
        batch="onirim_env.batch:learner_batch",
        env="onirim_env.env:OnirimEnv",
        vector="onirim_env.vector:OnirimVectorEnv",
        turns="onirim_env.onirim_coop_v0",
        render="onirim_env.render:render_game",
        env_ids={"Onirim-v0": {}, "OnirimCoop-v0": {"players": 2}},
    ),
    Entry(
        "odin", "Odin",
        rules="onirim_env.odin.rules:RuleSet",
        table="onirim_env.odin.actions:action_table",
        game="onirim_env.odin.game:Game",
        batch="onirim_env.odin.batch:learner_batch",
        env="onirim_env.odin.env:OdinEnv",
        vector="onirim_env.odin.vector:OdinVectorEnv",
        turns="onirim_env.odin_v0",
        render="onirim_env.odin.render:render_game",
        env_ids={"Odin-v0": {}},
    ),
)  # fmt: skip


def environments_of(games: Iterable[Entry] = GAMES) -> dict[str, Entry]:
    """Return the ids of the environments of some games, those that others registered too."""
    register_environments()
    return {
        name: entry for name, spec in registry.items() for entry in games if spec.entry_point == entry.env
    }


def register_environments() -> None:
    """Register the environments of all games with Gymnasium, each once."""
    for entry in GAMES:
        for env_id, keywords in entry.env_ids.items():
            if env_id not in registry:
                register(
                    id=env_id, entry_point=entry.env, vector_entry_point=entry.vector, kwargs=dict(keywords)
                )
