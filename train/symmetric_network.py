"""The symmetric network: one set of weights for all colours, and for Sun and Moon.

Of each colour it has a vector of units, and one of no colour. A layer computes, with weights V and W
that all colours share,

    c       = W [sum over colours of x ; g]
    x_c    <- f(V x_c + first half of c)        for each colour c
    g      <- f(second half of c)

and so changes nothing but the order of its results when colours are renamed. Weights are averaged with
themselves under a swap of Sun and Moon, of which a part of the units are paired, the others not; so the
same holds for that swap. ``agents/compiled/symmetries.py`` says what of the tables belongs to which colour.

Source of the method: Zaheer et al., Deep Sets, 2017; Ravanbakhsh et al., Equivariance Through
Parameter-Sharing, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from agents.compiled.network_kinds import POOLING, SYMMETRIC, make_form
from agents.compiled.symmetries import symmetries
from onirim_env.cards import N_COLOURS
from onirim_env.rules import RuleSet

PAIRED_SHARE = 0.5
"""The share of the units that change places when Sun and Moon are swapped."""


class TiedLinear(nn.Module):
    """A linear layer that a swap of some inputs, with one of some outputs, leaves as it is.

    Parameters
    ----------
    swapped_inputs, swapped_outputs
        int64, shapes (n_inputs,) and (n_outputs,): where each is after the swap.
    gain
        Of the orthogonal weights at the start.
    bias
        Whether there is one.
    """

    swapped_inputs: torch.Tensor
    swapped_outputs: torch.Tensor

    def __init__(
        self, swapped_inputs: torch.Tensor, swapped_outputs: torch.Tensor, gain: float, bias: bool = True
    ) -> None:
        super().__init__()
        n_inputs, n_outputs = len(swapped_inputs), len(swapped_outputs)
        self.weight = nn.Parameter(torch.empty(n_outputs, n_inputs))
        self.bias = nn.Parameter(torch.zeros(n_outputs)) if bias else None
        self.register_buffer("swapped_inputs", swapped_inputs, persistent=False)
        self.register_buffer("swapped_outputs", swapped_outputs, persistent=False)
        nn.init.orthogonal_(self.weight, gain * 2**0.5)  # an average of two has a smaller norm

    def tied(self) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return weights and biases that the swap leaves as they are."""
        other = self.weight.index_select(0, self.swapped_outputs).index_select(1, self.swapped_inputs)
        weight = 0.5 * (self.weight + other)
        if self.bias is None:
            return weight, None
        return weight, 0.5 * (self.bias + self.bias.index_select(0, self.swapped_outputs))

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the outputs: shape (..., n_outputs)."""
        return functional.linear(inputs, *self.tied())


class Rearranged(torch.autograd.Function):
    """Columns in another order: ``Rearranged.apply(values, order, back)``, ``back`` being its inverse.

    The gradient takes the columns back; torch would add them up one by one.
    """

    @staticmethod
    def forward(ctx: Any, values: torch.Tensor, order: torch.Tensor, back: torch.Tensor) -> torch.Tensor:
        """Return column ``order[i]`` of the values as column i."""
        ctx.save_for_backward(back)
        return values.index_select(1, order)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        """Return the gradient of the values."""
        (back,) = ctx.saved_tensors
        return gradients[0].index_select(1, back), None, None


class SymmetricNetwork(nn.Module):
    """An actor-critic of the same results, renamed, for a game with renamed colours, Sun and Moon.

    Parameters
    ----------
    rules
        The rule set whose observations it takes and whose actions it weighs.
    hidden_layers
        Units of each colour, and as many of none, in each hidden layer.
    activation
        Name of the function after each.
    ignored_fields
        Names of fields of the observation that it does not see.
    """

    colour_head: TiedLinear
    other_head: TiedLinear
    value_head: TiedLinear
    entries: torch.Tensor
    scales: torch.Tensor
    actions: torch.Tensor
    places: torch.Tensor

    def __init__(
        self,
        rules: RuleSet,
        hidden_layers: Sequence[int],
        activation: str,
        ignored_fields: Sequence[str] = (),
    ) -> None:
        super().__init__()
        tables = symmetries(rules, ignored_fields)
        self.form = make_form(SYMMETRIC, hidden_layers, activation, rules)
        self.size = (tables.n_entries, tables.n_actions)
        self.n_own = tables.entries.of_colours.shape[1]
        order = torch.from_numpy(tables.actions.order)
        self.register_buffer("entries", torch.from_numpy(tables.entries.order), persistent=False)
        self.register_buffer("scales", torch.from_numpy(tables.scales), persistent=False)
        self.register_buffer("actions", order, persistent=False)
        self.register_buffer("places", torch.argsort(order), persistent=False)
        self.activation = nn.ReLU(inplace=True) if activation == "relu" else nn.Tanh()
        self.own, self.context = nn.ModuleList(), nn.ModuleList()
        own, none = (torch.from_numpy(swap) for swap in (tables.entries.swapped, tables.entries.none_swapped))
        for units in hidden_layers:
            swapped = swapped_units(units)
            self.own.append(TiedLinear(own, swapped, 2**0.5, bias=False))
            self.context.append(TiedLinear(joined(own, none), joined(swapped, swapped), 2**0.5))
            own = none = swapped
        swaps = torch.from_numpy(tables.actions.swapped), torch.from_numpy(tables.actions.none_swapped)
        self.colour_head = TiedLinear(joined(own, none), swaps[0], 0.01)
        self.other_head = TiedLinear(joined(own, none), swaps[1], 0.01)
        self.value_head = TiedLinear(joined(own, none), torch.zeros(1, dtype=torch.int64), 1.0)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, float32 (n, n_actions), and values, float32 (n,)."""
        x, g = self.units(observations)
        pooled = torch.cat([POOLING * x.sum(1), g], 1)
        logits = self.logits(x, g, pooled)
        return logits.float(), self.value_head(pooled).float()[:, 0]

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the values alone: shape (n,)."""
        x, g = self.units(observations)
        values: torch.Tensor = self.value_head(torch.cat([POOLING * x.sum(1), g], 1))
        return values.float()[:, 0]

    def units(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the last hidden layer: shapes (n, 4, units) of the colours, and (n, units)."""
        sorted_entries = observations.index_select(1, self.entries) * self.scales.to(observations.dtype)
        of_colours = N_COLOURS * self.n_own
        x = sorted_entries[:, :of_colours].reshape(-1, N_COLOURS, self.n_own)
        g = sorted_entries[:, of_colours:]
        for number, (own, context) in enumerate(zip(self.own, self.context)):
            pooled = x.sum(1) if number == 0 else POOLING * x.sum(1)
            to_colours, to_none = context(torch.cat([pooled, g], 1)).chunk(2, 1)
            x = self.activation(own(x).add_(to_colours[:, None]))
            g = self.activation(to_none.clone())
        return x, g

    def logits(self, x: torch.Tensor, g: torch.Tensor, pooled: torch.Tensor) -> torch.Tensor:
        """Return the logits from the last hidden layer."""
        weight, bias = self.colour_head.tied()
        n_units = x.shape[2]
        of_none = functional.linear(g, weight[:, n_units:], bias)
        of_colours = functional.linear(x, weight[:, :n_units]).add_(of_none[:, None])
        in_order = torch.cat([of_colours.flatten(1), self.other_head(pooled)], 1)
        rearranged: torch.Tensor = Rearranged.apply(in_order, self.places, self.actions)  # type: ignore[no-untyped-call]
        return rearranged

    def arrays(self) -> dict[str, torch.Tensor]:
        """Return what leads from observations to logits, as ``agents/compiled/network_kinds.py`` names it."""
        return self._arrays({"colour_head": self.colour_head, "other_head": self.other_head})

    def value_arrays(self) -> dict[str, torch.Tensor]:
        """Return what leads from observations to values, as a network with one output."""
        return self._arrays({"other_head": self.value_head})

    def _arrays(self, heads: dict[str, TiedLinear]) -> dict[str, torch.Tensor]:
        layers: dict[str, nn.Module] = {**heads}
        for number, (own, context) in enumerate(zip(self.own, self.context)):
            layers |= {f"own_{number}": own, f"context_{number}": context}
        found: dict[str, torch.Tensor] = {}
        for name, layer in layers.items():
            assert isinstance(layer, TiedLinear)
            weight, bias = layer.tied()
            found |= {name: weight} if bias is None else {name: weight, f"{name}_bias": bias}
        return found

    def policy(self) -> SymmetricPolicy:
        """Return the part that leads from observations to logits."""
        return SymmetricPolicy(self)


class SymmetricPolicy(nn.Module):
    """The logits of a symmetric network."""

    def __init__(self, network: SymmetricNetwork) -> None:
        super().__init__()
        self.network = network
        self.size = network.size

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return logits, shape (n, n_actions)."""
        x, g = self.network.units(observations)
        return self.network.logits(x, g, torch.cat([POOLING * x.sum(1), g], 1))


def swapped_units(units: int) -> torch.Tensor:
    """Return where each unit of a hidden layer is when Sun and Moon are swapped: int64, shape (units,)."""
    paired = int(units * PAIRED_SHARE) // 2
    places = torch.arange(units)
    return torch.cat([places[paired : 2 * paired], places[:paired], places[2 * paired :]])


def joined(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Return two swaps as one, of two groups of numbers one after the other."""
    return torch.cat([first, len(first) + second])
