"""The guided agent: the search, guided by a trained network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agents.base import Misfit
from agents.network_model import read_model, tables_of
from agents.search import HEAD_START, SearchAgent

if TYPE_CHECKING:
    from agents.search_kernel import Tools

MODELS = {(1, "open"): "ppo_solo", (1, "closed"): "ppo_solo"}
"""The trained network that guides, by number of players and talk."""
TURNS_AHEAD = 4
"""How many turns the network plays in a playout."""
VALUE_FILE = Path(__file__).parent / "guided_value.npz"
"""The value network, which learned from games of that network."""


class GuidedAgent(SearchAgent):
    """Searches as ``search`` does, with a trained network in place of the rules policy.

    The network names the plan that gets the head start (a prior) and plays the turns of a playout, and
    the value network has learned how games end that the network plays. Parameters are those of
    ``search``.

    Raises
    ------
    Misfit
        For rules or a number of players that no stored network was trained on.
    """

    name = "guided"

    def _make_tools(self) -> Tools:
        from agents.policy_kernel import policy_record
        from agents.search_kernel import make_tools
        from agents.search_value import read_network

        players = self.rules.players
        name = MODELS.get((players, self.talk))
        if name is None:
            raise Misfit(
                f"guided cannot play {self.rules} in {self.talk} talk: no stored network was trained on that"
            )
        model = read_model(Path(__file__).parent / "models" / f"{name}.json")
        if model.tables != tables_of(self.rules):
            raise Misfit(f"guided cannot play {self.rules}: {name} is for other observations or actions")
        return make_tools(
            self.rules,
            read_network(players, VALUE_FILE),
            TURNS_AHEAD,
            HEAD_START[players],
            self.talk == "closed",
            policy_record(model),
            network_plays=True,
        )
