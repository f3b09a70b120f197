"""The network agent: plays a model of ``agents/models`` without torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agents.base import Agent, Misfit
from agents.network_model import ACTIVATIONS, read_model, tables_of, tables_text
from onirim_env.batch import layout_rules
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
        from agents.network_layer import add_layer

        self._add_layer = add_layer
        read = read_model(model)
        self.name = read.name  # type: ignore[misc]
        self.layout = read.layout
        self.about = read.about
        here = tables_of(layout_rules(self.rules, self.layout))
        sizes = (sum(here["observation"]["fields"].values()), here["actions"]["number"])
        if read.tables != here:
            raise Misfit(
                f"model {read.name} is for {RuleSet(**read.about['rules'])} with {tables_text(read.tables)}; "
                f"{self.rules} has {tables_text(here)}"
            )
        if (read.weights[0].shape[1], read.weights[-1].shape[0]) != sizes:
            raise ValueError(f"model {read.name}: its network has not the sizes of its own tables, {sizes}")
        self._activation = ACTIVATIONS[read.about["network"]["activation"]]
        self._weights = [np.ascontiguousarray(weight.T, dtype=np.float64) for weight in read.weights]
        self._biases = [bias.astype(np.float64) for bias in read.biases]

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
        values = observations.astype(np.float64)
        for number, (weights, biases) in enumerate(zip(self._weights, self._biases)):
            outputs = np.tile(biases, (len(masks), 1))
            self._add_layer(values if number == 0 else self._activation(values), weights, outputs)
            values = outputs
        values[masks == 0] = -np.inf
        return values
