"""Attributes of the rows of a batch, asked for as Gymnasium's own vector environments answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from onirim_env.errors import quoted
from onirim_env.shells.batch import Batch

_Rows = Callable[[], tuple[Any, ...]]


class RowAccess:
    """``call``, ``get_attr`` and ``set_attr`` of a batch, whose rows are no environments of their own.

    Rows have ``action_masks()`` (bool), ``observe(player)`` and ``render()``, and the attributes ``game``,
    ``rules``, ``render_mode``, ``action_space``, ``observation_space``, ``spec``, ``metadata``; and whatever
    :meth:`set_attr` gave them.
    """

    _batch: Batch
    num_envs: int
    _given: dict[str, tuple[Any, ...]]

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of every row, or return an attribute of each.

        Parameters
        ----------
        name
            ``"action_masks"``, ``"observe"`` or ``"render"``; or an attribute.
        *args, **kwargs
            For the method.

        Returns
        -------
        tuple
            What each row answers.

        Raises
        ------
        AttributeError
            For a name that rows do not have.
        """
        if name == "action_masks" and name not in self._given:
            return tuple(self._batch.view()[1].astype(np.bool_))
        if name == "observe" and name not in self._given:
            return tuple(self._batch.observe(*args, **kwargs))
        if name == "render" and name not in self._given:
            return self.render() or (None,) * self.num_envs
        values = self.get_attr(name)
        return tuple(value(*args, **kwargs) if callable(value) else value for value in values)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of every row.

        Raises
        ------
        AttributeError
            For a name that rows do not have.
        """
        if name in self._given:
            return self._given[name]
        if name == "game":
            return tuple(self.game(row) for row in range(self.num_envs))
        shared = self._shared()
        if name not in shared:
            raise AttributeError(
                f"games have no attribute {quoted(name)}; there are game, {', '.join(shared)}"
            )
        return (shared[name],) * self.num_envs

    def set_attr(self, name: str, values: Any) -> None:
        """Give every row an attribute, which :meth:`get_attr` returns.

        Parameters
        ----------
        name
            A name that games do not have.
        values
            A list or tuple with one value for each row; or one value for all of them.

        Raises
        ------
        AttributeError
            For an attribute of the games, which is fixed.
        ValueError
            For another number of values.
        """
        if name in ("game", "action_masks", "observe", *self._shared()):
            raise AttributeError(f"{quoted(name)} of games cannot be set; make a new environment")
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"{len(values)} values for {self.num_envs} games; give one for each")
        self._given = {**self._given, name: tuple(values)}

    def _shared(self) -> dict[str, Any]:
        """Return what is the same for all rows, by name."""
        names = ("rules", "render_mode", "spec", "metadata", "action_space", "observation_space")
        return {name: getattr(self, f"single_{name}" if name.endswith("_space") else name) for name in names}

    if TYPE_CHECKING:

        @property
        def rules(self) -> Any: ...  # noqa: D102

        def game(self, row: int) -> Any: ...  # noqa: D102

        def render(self) -> tuple[Any, ...] | None: ...  # noqa: D102
