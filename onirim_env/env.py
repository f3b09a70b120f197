"""OnirimEnv: the game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

from onirim_env.batch import GameBatch
from onirim_env.game import Game
from onirim_env.keywords import read_rules
from onirim_env.render import render_game
from onirim_env.render.window import Window
from onirim_env.rules import RuleSet
from onirim_env.shells.single import SingleShell

RENDER_MODES = ("human", "rgb_array", "ansi")


class OnirimEnv(SingleShell):
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

    _render_game = staticmethod(render_game)
    _make_window = Window

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
        rules = read_rules(OnirimEnv, rule_options)
        batch = GameBatch(1, rules, reward, illegal_action, talk, layout, partner_action)
        super().__init__(batch, render_mode)

    @property
    def rules(self) -> RuleSet:
        """The rule set of the environment."""
        rules: RuleSet = self._batch.rules
        return rules

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record: a :class:`~onirim_env.Game`."""
        game: Game = super().game
        return game
