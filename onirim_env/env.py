"""OnirimEnv: the game as a Gymnasium environment."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction

from onirim_env.actions import action_table
from onirim_env.batch import GameBatch, position_option
from onirim_env.buffers import own_arrays
from onirim_env.errors import quoted
from onirim_env.keywords import check_render_mode, read_rules
from onirim_env.observation import highest_values
from onirim_env.render import render_game, require_pygame
from onirim_env.render.window import Window
from onirim_env.rewards import ILLEGAL_REWARD
from onirim_env.rules import RuleSet
from onirim_env.seeding import game_seed

if TYPE_CHECKING:
    from onirim_env.game import Game

RENDER_MODES = ("human", "rgb_array", "ansi")


def action_space(rules: RuleSet) -> spaces.Discrete:
    """Return the action space of a rule set."""
    return spaces.Discrete(len(action_table(rules)))


def observation_space(rules: RuleSet, partner_action: bool = False) -> spaces.Box:
    """Return the observation space of a rule set."""
    high = highest_values(rules, partner_action)
    return spaces.Box(np.zeros_like(high), high.copy(), dtype=np.float32)


def _scalar(values: np.ndarray) -> Any:
    """Return the value of a game: a number of numpy, or a truth value as an array without axes.

    Libraries ask both for their dtype; and of ``numpy.bool_`` Gymnasium's vector environments make arrays of
    objects.
    """
    return values[0].copy() if values.dtype != np.bool_ else np.array(values[0])


class OnirimEnv(gym.Env[np.ndarray, np.integer]):
    """Onirim, Shadi Torbey's card game of escaping a labyrinth of dreams.

    ## Description

    A deck of 76 cards holds Locations of four colours, eight Doors and ten Nightmares. Each turn
    the player plays a Location (its symbol must differ from the last one's) or discards one, and
    fills the hand again. Three Locations of one colour in a row find a Door of that colour; a Key
    opens a Door of its colour when that Door is drawn, shows and orders the next cards when it is
    discarded, or buys off a Nightmare. All eight Doors in play win; an empty deck loses. Every
    decision of the game is one step: plays, discards, each card of a Prophecy, Doors, Nightmares.

    ## Action space

    ``Discrete(70)`` under the default rules; :class:`~onirim_env.ActionTable` gives the texts. Only
    some actions are legal at a time: ``info["action_mask"]`` (int8, shape (70,), new at every reset
    and step) has them, and ``env.action_space.sample(info["action_mask"])`` picks one.
    ``env.unwrapped.action_masks()`` returns the same as bool, as sb3-contrib expects.

    | ids | actions |
    |---|---|
    | 0-11 | play a Location: red sun, red moon, red key, blue sun, ... |
    | 12-23 | discard a Location |
    | 24-40 | Prophecy: discard a card (12 Locations, 4 Doors, Nightmare) |
    | 41-57 | Prophecy: put a card back; the first one is drawn first |
    | 58, 59 | open, refuse the drawn Door |
    | 60-63 | Nightmare: discard a Key, by colour |
    | 64-67 | Nightmare: return a Door, by colour |
    | 68, 69 | Nightmare: reveal five cards, discard the hand |

    ## Observation space

    ``Box``, float32, shape (173,): what the player may know, and nothing more. The named layout is
    :func:`~onirim_env.observation_layout`. The known top of the deck is in it, so no
    memory is needed but in closed talk, where the partner's past decisions tell more.

    ## Start

    A shuffled deck and a hand of five Locations. ``reset(seed=...)`` fixes the game;
    ``reset()`` without a seed deals the next game of the seed given before.
    ``reset(options={"position": {...}})`` starts from a position (a dict or the path of a JSON file).

    ## Rewards

    ``reward="win"``: 1 for a win, 0 otherwise. ``"doors"``: also 1/8 for each Door gained, and
    minus that for each one lost. ``"score"``: a win gives 1 + Locations left in the deck / 53.
    ``"progress"``: what comes into place of what victory needs, as a share of it; given back when the
    game is lost, so that a win comes to 1 and a loss to 0.

    ## End

    The game terminates with a win (all Doors in play) or a loss (a card is needed and the deck is
    empty). It is never truncated. ``info`` then also has ``won`` and, the same, ``is_success`` (bool arrays
    without axes), ``doors``, ``cards_left`` (Locations in the deck) and ``turns`` (int64). The mask
    of an ended game is all ones: any action is ignored there.

    An illegal action ends the game as lost with reward -1 and ``info["illegal_action"]``, and is
    logged once (``illegal_action="lose"``), or raises :class:`~onirim_env.IllegalAction`
    (``"raise"``). An action outside the space always raises ``gymnasium.error.InvalidAction``.

    Parameters
    ----------
    render_mode
        ``"human"`` shows the game in a window after every reset and step, ``"rgb_array"`` returns
        an image from ``render()`` (uint8, shape (600, 800, 3)), ``"ansi"`` a text; None does
        nothing. The first two need pygame (``pip install "onirim-env[render]"``). All of them show
        what the player to move may know, and nothing more.
    reward
        ``"win"``, ``"doors"``, ``"score"`` or ``"progress"``.
    illegal_action
        ``"lose"`` or ``"raise"``.
    talk
        Co-op only: ``"open"`` shows each player the partner's hand, ``"closed"`` does not.
    layout
        ``"own"``: actions and entries of observations are those that the rule set needs. ``"full"``:
        those of a game with all expansions, whichever are played, so that spaces are always the same.
    partner_action
        Co-op only: whether observations end with a field more, what the partner did when last to decide;
        in closed talk without what the partner did in secret.
    **rule_options
        Keywords of :class:`~onirim_env.RuleSet`, such as ``prophecy_actions="permutation"`` or
        ``expansions=["towers", "glyphs"], hard=["towers"]``.

    Notes
    -----
    Version v0 is the base game, with expansions as options.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        talk: str = "open",
        layout: str = "own",
        partner_action: bool = False,
        **rule_options: Any,
    ) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        self.render_mode = render_mode
        rules = read_rules(OnirimEnv, rule_options)
        self._batch = GameBatch(1, rules, reward, illegal_action, talk, layout, partner_action)
        self.action_space = action_space(self._batch.layout_rules)
        self.observation_space = observation_space(self._batch.layout_rules, partner_action)
        self._seeded_by: np.random.Generator | None = None
        self._action = np.zeros(1, dtype=np.int64)
        self._n_actions = len(self._batch.table)
        self._co_op = self.rules.players > 1
        self._position: Any = None
        self._history: list[int] = []
        self._lost_illegally = False
        self._window = Window(self.metadata["render_fps"])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    @property
    def rules(self) -> RuleSet:
        """The rule set of the environment."""
        return self._batch.rules

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game, or set up a position.

        Parameters
        ----------
        seed
            Fixes this game and those that later resets without a seed deal.
        options
            ``{"position": ...}``: a position as a dict, or the path of a JSON file.

        Raises
        ------
        PositionError
            For a position that cannot be, or one of other rules.
        ValueError
            For an unknown option.
        """
        batch = self._batch
        position = position_option(options)
        start = batch.read_position(position)
        super().reset(seed=seed)
        if seed is None and self._seeded_by is self.np_random:
            batch.deal_next(np.ones(1, dtype=np.bool_))
        else:
            self._seeded_by = self.np_random
            batch.deal(np.array([game_seed(self.np_random)]))
        if start is not None:
            batch.place(start, 0)
        self._position = position
        self._history = []
        self._lost_illegally = False
        observations, masks = batch.view()
        if self.render_mode == "human":
            self.render()
        return observations[0], self._info(masks[0])

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take one decision; see the class for what it returns."""
        batch = self._batch
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._n_actions:
            raise InvalidAction(
                f"action {quoted(action)} is outside the space; ids are 0 to {self._n_actions - 1}"
            )
        was_over = batch.n_ended
        self._action[0] = number
        observations, masks, rewards = batch.step(self._action)
        info = self._info(masks[0])
        terminated = batch.n_ended > 0
        if terminated:
            self._add_end(info, number)
        if batch.illegal_in[0] >= 0:
            self._lost_illegally = True
        elif not was_over:
            self._history.append(number)
        if self.render_mode == "human":
            self.render()
        return observations[0], rewards.item(), terminated, False, info

    def forfeit(self, action: int, why: str) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Lose the game for what somebody did beside it, as for an illegal action.

        Parameters
        ----------
        action
            What ``info["illegal_action"]`` is to say.
        why
            The message.

        Returns
        -------
        tuple
            What :meth:`step` returns.

        Raises
        ------
        IllegalAction
            With ``illegal_action="raise"``; the game has not changed then.
        """
        self._batch.forfeit(why)
        self._lost_illegally = True
        observations, masks = self._batch.view()
        info = self._info(masks[0])
        self._add_end(info, action)
        if self.render_mode == "human":
            self.render()
        return observations[0], ILLEGAL_REWARD, True, False, info

    def _add_end(self, info: dict[str, Any], action: int) -> None:
        """Add how the game ended, and the action if that was not legal."""
        info.update({name: _scalar(values) for name, values in self._batch.results().items()})
        info["is_success"] = info["won"].copy()
        if self._batch.illegal_in[0] >= 0:
            info["illegal_action"] = np.int64(action)

    def observe(self, player: int) -> np.ndarray:
        """Return what a player may know, to move or not: float32, shape (observation size,)."""
        return self._batch.observe(player)[0]

    def action_masks(self) -> np.ndarray:
        """Return the legal actions: bool, shape (n_actions,), a new array."""
        return self._batch.view()[1][0].astype(np.bool_)

    def _info(self, mask: np.ndarray) -> dict[str, Any]:
        if self._co_op:
            return {"action_mask": mask, "player": np.int64(self._batch.states["player"][0])}
        return {"action_mask": mask}

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record: a :class:`~onirim_env.Game`."""
        from onirim_env.game import Game

        batch = self._batch
        seed = f"0x{int(batch.states[0]['seed']):016x}"
        texts = [batch.table.text(action) for action in self._history]
        own = action_table(self.rules)
        history = None if self._lost_illegally else [own.id(text) for text in texts]
        return Game._of(batch.states.copy(), self.rules, batch.talk, seed, self._position, history)

    def render(self) -> Any:
        """Show the game as the player to move sees it.

        Returns
        -------
        numpy.ndarray, str or None
            In mode ``"rgb_array"`` an image (uint8, shape (600, 800, 3)), in mode ``"ansi"`` a text.
            Mode ``"human"`` shows the image in a window.

        Raises
        ------
        gymnasium.error.DependencyNotInstalled
            For an image or a window without pygame.
        """
        if self.render_mode is None:
            gym.logger.warn(
                "render() needs a render mode: make the environment with render_mode='rgb_array' or 'ansi'."
            )
            return None
        last_action = None
        if self._history and not self._lost_illegally:
            last_action = self._batch.table.text(self._history[-1])
        if self.render_mode == "human":
            require_pygame()
            self._window.show(self.game, last_action)
            return None
        return render_game(self.game, self.render_mode, last_action)

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._window.close()
