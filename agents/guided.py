"""The guided agent: the search, guided by a trained network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agents import FOLDER
from agents.base import Misfit
from agents.network_model import NetworkModel, read_model, tables_of
from agents.search import DOUBT, SearchAgent

if TYPE_CHECKING:
    from agents.compiled.search_kernel import Tools
    from onirim_env.rules import RuleSet

MODELS = {
    (1, "open"): "ppo_solo",
    (1, "closed"): "ppo_solo",
    (2, "open"): "ppo_coop_open",
    (2, "closed"): "ppo_coop_closed",
}
"""The trained network that guides, by number of players and talk."""
TURNS_AHEAD = 4
"""How many turns the network plays in a playout."""
VALUES = FOLDER / "guided_values"
"""The value networks, by the name of the model whose games they have learned from."""


class GuidedAgent(SearchAgent):
    """Searches as ``search`` does, with a trained network in place of the rules policy.

    The network names the plan that others must be shown to be better than, and plays the turns of a
    playout, and the value network has learned how games end that the network plays. Parameters are
    those of ``search``.

    Raises
    ------
    Misfit
        For rules that no stored network was trained on.
    """

    name = "guided"

    def _make_tools(self) -> Tools:
        name = MODELS[self.rules.players, self.talk]
        model = read_model(FOLDER / "models" / f"{name}.json")
        if model.tables != tables_of(self.rules):
            raise Misfit(f"guided cannot play {self.rules}: {name} is for other observations or actions")
        return guided_tools(model, self.rules, VALUES / f"{name}.npz")


def guided_tools(model: NetworkModel, rules: RuleSet, values: Path) -> Tools:
    """Return the tools of a search that a network guides.

    Parameters
    ----------
    model
        The network.
    rules
        The rules; observations and actions must be those of the model.
    values
        The file of a value network that has learned from games of such a network.
    """
    from agents.compiled.policy_kernel import policy_record
    from agents.compiled.search_kernel import make_tools
    from agents.compiled.search_value import read_network

    return make_tools(
        rules,
        read_network(rules.players, values),
        TURNS_AHEAD,
        DOUBT[rules.players],
        model.about["talk"] == "closed",
        policy_record(model),
        network_plays=True,
    )
