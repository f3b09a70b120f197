"""OdinEnv: Odin for one learner, as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.game import Game
from onirim_env.odin.render import RENDER_MODES, render_game
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.keywords import read_rules
from onirim_env.shells.seats import ALL, RANDOM, Opponents, view_of
from onirim_env.shells.single import SingleShell


class OdinEnv(SingleShell):
    """Odin, the climbing and shedding game for two to six players, for one learner.

    ## Description

    54 cards of six colours and the numbers 1 to 9; nine are dealt to each player. The leader of a round lays
    one card, or the whole hand where it is one set. The others play or pass in turn: a play is a set of one
    colour or of one number, has as many cards as the table or one more, and a higher value (its digits in
    descending order); its player takes one of the beaten cards. When all others have passed, its owner leads
    anew. Who has no card left ends the hand; each card left costs the others a point. The game ends when
    somebody has 15 points, and the fewest points win. Rules: docs/odin.md.

    ## Seats

    ``seats="all"``: the learner plays every seat in turn, each from its own view; a reward is that of the
    player who has just decided, and ``info["rewards"]`` has what each player got in the step. A number: the
    learner has that seat, and ``opponents`` decide for the others inside of a step. ``info["player"]`` is
    whose decision it is.

    ## Action space

    ``Discrete(110)``: ids 0 to 53 play a card, 54 ends a play, 55 passes, 56 to 109 take a beaten card; two
    more with the goat, 3,525 more (6,585 with the goat) with ``play_actions="whole"``.
    :class:`~onirim_env.odin.ActionTable` gives the texts; ``info["action_mask"]`` (int8) has what is legal.

    ## Observation space

    ``Box``, float32, shape (673,): what the player to move may know, seats counted from that player. The
    named layout is :func:`~onirim_env.odin.observation_layout`.

    ## Rewards

    ``reward="win"``: 1 at the end, shared by those with the fewest points. ``"rank"``: from 1 for the first
    to -1 for the last. ``"points"``: at the end of each hand minus its points / 9.

    ## End

    After the hand in which somebody reaches the limit, or after one hand with ``episode="hand"``. ``info``
    then has ``points``, ``winners``, ``hands``, ``won`` and ``is_success``. An illegal action ends the game
    with reward -1 (``illegal_action="lose"``), or raises :class:`~onirim_env.IllegalAction` (``"raise"``).

    Parameters
    ----------
    render_mode
        ``"ansi"`` or None.
    reward
        ``"win"``, ``"rank"`` or ``"points"``.
    illegal_action
        ``"lose"`` or ``"raise"``.
    seats
        ``"all"``, or the learner's seat.
    opponents
        With one seat: ``"random"``, a callable from observations (float32, shape (n, 673)) and masks (int8,
        shape (n, n_actions)) to n actions, or where to import one from, ``"package.module:name"``.
    **rule_options
        Keywords of :class:`~onirim_env.odin.RuleSet`, such as ``players=4``.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    _render_game = staticmethod(render_game)

    def __init__(
        self,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        seats: int | str = ALL,
        opponents: str | Opponents = RANDOM,
        **rule_options: Any,
    ) -> None:
        rules = read_rules(OdinEnv, RuleSet, rule_options)
        batch = OdinBatch(1, rules, reward, illegal_action)
        super().__init__(view_of(batch, seats, opponents), render_mode)

    @property
    def rules(self) -> RuleSet:
        """The rule set of the environment."""
        rules: RuleSet = self._batch.rules
        return rules

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record where the learner plays all seats."""
        game: Game = super().game
        return game
