"""The network agent: plays a model of ``agents/models`` without torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agents.base import Agent, Misfit
from agents.network_model import read_model, tables_of, tables_text
from onirim_env.keywords import layout_rules
from onirim_env.rules import RuleSet


class NetworkAgent(Agent):
    """Takes the legal action to which a trained network gives the highest value.

    It computes in double precision and row by row, so the games played side by side do not matter.

    Parameters
    ----------
    model
        The JSON file of a model; its name is the name of the agent.
    rules, talk
        As for every agent. Rules whose observations and actions are those of the model will do; a model
        of the layout ``full`` plays every set of expansions.

    Attributes
    ----------
    about
        What the model's file says of it, such as the rules that it was trained on.

    Raises
    ------
    Misfit
        When observations or actions of the rules are not those that the model was made for.
    ValueError
        For files that are no model.
    """

    advice_unit = "probability"

    def __init__(self, model: Path, rules: RuleSet | None = None, talk: str = "open") -> None:
        super().__init__(rules, talk)
        from agents.compiled.networks import make_network

        read = read_model(model)
        self.name = read.name  # type: ignore[misc]
        self.layout = read.layout
        self.about = read.about
        tables = layout_rules(self.rules, self.layout)
        here = tables_of(tables)
        if read.tables != here:
            raise Misfit(
                f"model {read.name} is for {RuleSet(**read.about['rules'])} with {tables_text(read.tables)}; "
                f"{self.rules} has {tables_text(here)}"
            )
        try:
            self._compute = make_network(read.form, read.arrays, tables)
        except ValueError as error:
            raise ValueError(f"model {read.name}: {error}") from None

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Take the best legal action of each row."""
        actions: np.ndarray = self._values(observations, masks).argmax(axis=1).astype(np.int64)
        return actions

    def advise(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the probabilities with which the network would take each action (``agents/advice.py``)."""
        values = self._values(observations, masks)
        powers: np.ndarray = np.exp(values - values.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def _values(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the outputs of the network, -inf for what is not legal."""
        values = self._compute(observations)
        values[masks == 0] = -np.inf
        return values
