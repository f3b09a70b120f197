"""Share: which of the games of a training a learner has, where several learn together."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import distributed


@dataclass(frozen=True)
class Share:
    """The part of learner number ``rank`` of so many.

    All learners have the same weights, draw the same random numbers and go through the same minibatches of
    all games; of each, every one computes the rows of its own games, and gradients are averaged. So several
    learn what one learns that has all the games. Several need the process group of ``torch.distributed``.
    """

    rank: int = 0
    learners: int = 1

    def rows(self, games: int) -> slice:
        """Return which of so many games are its own."""
        each = games // self.learners
        return slice(self.rank * each, (self.rank + 1) * each)

    def gather(self, own: torch.Tensor) -> torch.Tensor:
        """Return values of all games (steps, games) from those of the own ones."""
        if self.learners == 1:
            return own
        parts = [torch.empty_like(own) for _ in range(self.learners)]
        distributed.all_gather(parts, own.contiguous())
        return torch.cat(parts, dim=1)

    def mean(self, value: torch.Tensor) -> torch.Tensor:
        """Return the mean of a number over the learners."""
        if self.learners > 1:
            value = value.clone()
            distributed.all_reduce(value)
            value /= self.learners
        return value

    def all_agree(self, yes: bool, device: torch.device) -> bool:
        """Whether all learners say yes; each of them asks, with the device that it learns on."""
        if self.learners == 1:
            return yes
        noes = torch.tensor([0.0 if yes else 1.0], device=device)
        distributed.all_reduce(noes)
        return not noes.item()

    def own_rows(self, chosen: torch.Tensor, games: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return which of the chosen rows of all games are own ones, and where these are among the own.

        Parameters
        ----------
        chosen
            int64, shape (n,): rows of all games, step after step.
        games
            How many games there are.

        Returns
        -------
        mine, own
            int64, shape (number of own ones,): places in ``chosen``, and rows of the own games.
        """
        if self.learners == 1:
            return torch.arange(len(chosen)), chosen
        own_games = self.rows(games)
        game, step = chosen % games, chosen // games
        mine = torch.nonzero((game >= own_games.start) & (game < own_games.stop))[:, 0]
        return mine, step[mine] * (own_games.stop - own_games.start) + game[mine] - own_games.start


ALL = Share()
"""The share of a learner that learns alone."""
