"""TrainConfig: everything that decides a training, one documented field each.

The fields are the one table of settings: reading YAML, overrides on the command line, ``--help`` and
the documentation all come from it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import onirim_env  # noqa: F401  registers the environments
from agents.compiled.network_kinds import ACTIVATIONS, KINDS, PLAIN, SYMMETRIC, NetworkForm, make_form
from agents.network_model import MOST_NUMBERS
from agents.workers.workers import HERE
from onirim_env.errors import quoted
from onirim_env.keywords import LAYOUTS, TALKS, layout_rules
from onirim_env.observation import observation_layout
from onirim_env.rewards import REWARDS
from onirim_env.rules import RuleSet
from train.config_values import Choice, Flag, Integer, Layers, Names, Number, Options, Text, Value
from train.devices import DEVICES
from train.errors import UserError

ENVIRONMENTS = tuple(sorted(name for name in gym.registry if name.startswith("Onirim")))
"""Ids that can be trained on."""


FIELDS = tuple(field.name for field in observation_layout(RuleSet(players=2)))
"""Names of the fields of an observation."""
TORCH_ONLY = (
    "network", "precision", "ignored_fields", "late_starts", "layout", "mixed_expansions", "mixed_hard",
    "compile", "learners",
)  # fmt: skip
"""Settings that the trainer ``sb3`` knows at their defaults only."""
MOST_STEPS = 10**12
"""A training of more decisions would last for years."""
MOST_ROLLOUT = 2**24
"""How many decisions a rollout has at most: it is kept in memory."""
MOST_GAMES = 1_000_000
"""How many games an evaluation has at most."""


def setting(default: Any, value: Value, meaning: str, *, fixed: bool = False) -> Any:
    """Declare a field of the configuration.

    Parameters
    ----------
    default
        Value where the file says nothing.
    value
        What is allowed, and how text becomes it.
    meaning
        One line for ``--help`` and the documentation.
    fixed
        Whether a resumed training must keep the value: the meaning of the weights depends on it.
    """
    metadata = {"value": value, "meaning": meaning, "fixed": fixed}
    if isinstance(default, dict):
        return dataclasses.field(default_factory=default.copy, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class TrainConfig:
    """The settings of one training; ``python -m train --help`` prints them with their meanings.

    Raises
    ------
    UserError
        For values that do not go together.
    """

    trainer: str = setting(
        "sb3", Choice(("sb3", "torch")), "sb3-contrib's MaskablePPO, or the plain torch one of this package"
    )
    env: str = setting("Onirim-v0", Choice(ENVIRONMENTS), "environment id", fixed=True)
    reward: str = setting("doors", Choice(REWARDS), "what the environment rewards while training")
    talk: str = setting("open", Choice(TALKS), "co-op: whether the partner's hand is seen", fixed=True)
    rules: Mapping[str, Any] = setting(
        {}, Options(), "options of the rules that are not at their default", fixed=True
    )
    layout: str = setting(
        "own",
        Choice(LAYOUTS),
        "actions and observations of the rules, or those of all expansions (trainer torch only)",
        fixed=True,
    )
    mixed_expansions: float = setting(
        0.0, Number(0, 1), "chance of each expansion to be in a game, drawn for each game, with layout full; "
        "0: those of rules in every game (trainer torch only)",
    )  # fmt: skip
    mixed_hard: float = setting(
        0.0, Number(0, 1), "chance of each of these to be in its harder variant (trainer torch only)"
    )
    start_from: str = setting(
        "",
        Text("a run folder or a model file of the same trainer and network, or nothing", empty=True),
        "begin with the weights of a training before, instead of random ones",
    )
    ignored_fields: tuple[str, ...] = setting(
        (), Names(FIELDS), "fields of the observation that the network does not see (trainer torch only)",
        fixed=True,
    )  # fmt: skip
    late_starts: float = setting(
        0.0, Number(0, 1), "share of games that begin in a late position of a game before, with half of "
        "the Doors or more (trainer torch only)",
    )  # fmt: skip
    seed: int = setting(0, Integer(0, 2**63 - 1), "seed of the weights, the games and the drawn actions")
    total_steps: int = setting(
        14_000_000, Integer(1, MOST_STEPS), "decisions to train for, rounded up to whole rollouts"
    )
    num_envs: int = setting(512, Integer(1, MOST_ROLLOUT), "games played side by side")
    n_steps: int = setting(64, Integer(2, MOST_ROLLOUT), "decisions of each game in a rollout")
    batch_size: int = setting(
        2048, Integer(2, MOST_ROLLOUT), "decisions in a minibatch; must divide num_envs * n_steps"
    )
    n_epochs: int = setting(3, Integer(1, 1000), "passes over each rollout")
    learning_rate: float = setting(1.5e-3, Number(0, 1), "step size of Adam at the start")
    learning_rate_end: float = setting(1e-5, Number(0, 1), "step size at the end; linear in between")
    gamma: float = setting(1.0, Number(0, 1), "discount; 1 suits games that end")
    gae_lambda: float = setting(0.97, Number(0, 1), "lambda of the generalised advantage estimate")
    clip_range: float = setting(0.2, Number(0, 1000), "how far a ratio of probabilities counts beyond 1")
    entropy: float = setting(0.01, Number(0, 1000), "coefficient of the entropy bonus at the start")
    entropy_end: float = setting(0.0, Number(0, 1000), "coefficient at the end; linear in between")
    vf_coef: float = setting(0.5, Number(0, 1000), "weight of the value loss")
    max_grad_norm: float = setting(0.5, Number(0, 1e6), "longer gradients are scaled down to this length")
    network: str = setting(
        PLAIN,
        Choice(KINDS),
        "plain layers, or symmetric ones that share their weights over the colours, and Sun and Moon "
        "(trainer torch only)",
        fixed=True,
    )
    hidden_layers: tuple[int, ...] = setting(
        (128, 128),
        Layers(16, 8192),
        "width of each hidden layer, as in [128, 128]; of a symmetric one for each colour, and once more",
        fixed=True,
    )
    activation: str = setting("relu", Choice(ACTIVATIONS), "function after each hidden layer", fixed=True)
    shared_trunk: bool = setting(True, Flag(), "whether policy and value share the hidden layers", fixed=True)
    precision: str = setting(
        "float32",
        Choice(("float32", "bfloat16", "auto")),
        "what layers multiply in while training (trainer torch only); bfloat16 is faster where the "
        "processor has it, and many times slower elsewhere; auto: the faster one here",
    )
    checkpoint_every: int = setting(
        2_000_000, Integer(0, MOST_STEPS), "decisions between checkpoints; 0 keeps the last one only"
    )
    eval_every: int = setting(
        2_000_000, Integer(0, MOST_STEPS), "decisions between greedy evaluations; 0 for none"
    )
    eval_games: int = setting(1000, Integer(1, MOST_GAMES), "games of each evaluation while training")
    final_games: int = setting(1000, Integer(0, MOST_GAMES), "games of the final evaluation; 0 for none")
    final_protocol: bool = setting(
        False,
        Flag(),
        "whether these are the held-out games of the protocol, which nobody may tune on, instead of games "
        "for validation",
    )
    device: str = setting(
        "cpu",
        Choice(DEVICES),
        "what the network computes on; auto: the GPU that torch finds, else the CPU, where the games are "
        "in any case",
    )
    compile: bool = setting(
        False,
        Flag(),
        "whether torch.compile makes code for the network (trainer torch only): it takes a minute, and a "
        "processor gains little by it",
    )
    threads: int = setting(
        1,
        Integer(1, 1024),
        "threads of torch, and in turn of the games where each gets 1,024 or more; "
        "more than 1 seldom helps networks this small",
    )
    learners: int = setting(
        1,
        Integer(1, 1024),
        "how many processes share the games and learn together, by Ray Train (trainer torch only); must "
        "divide num_envs",
    )
    cluster: str = setting(
        HERE, Text(), "address of the Ray cluster of several learners; local: one on this machine"
    )
    runs_dir: str = setting("runs", Text(), "folder in which run folders are made")

    def __post_init__(self) -> None:
        rollout = self.num_envs * self.n_steps
        if rollout > MOST_ROLLOUT:
            raise UserError(f"num_envs: num_envs * n_steps = {rollout:,}; {MOST_ROLLOUT:,} at most")
        if rollout % self.batch_size:
            raise UserError(f"batch_size: {self.batch_size} does not divide num_envs * n_steps = {rollout}")
        if self.num_envs % self.learners:
            raise UserError(f"learners: {self.learners} does not divide num_envs = {self.num_envs}")
        for name in TORCH_ONLY:
            value, default = getattr(self, name), type(self).__dataclass_fields__[name].default
            if self.trainer != "torch" and value != default:
                raise UserError(
                    f"{name}: {quoted(value)} is for trainer torch only, and the trainer is {self.trainer}"
                )
        try:
            rules = self.rule_set()
        except (ValueError, TypeError) as error:  # an option may be named like an argument, as self
            raise UserError(f"rules: {error}") from None
        object.__setattr__(self, "rules", self._changed_rules(rules))
        self._check_mixture(rules)
        self._check_size()

    def _changed_rules(self, rules: RuleSet) -> dict[str, Any]:
        """Return the options that are not those of the environment: equal rules are written alike."""
        own = RuleSet(**self._own_options(), expansions=rules.expansions).as_dict()
        changed = {name: value for name, value in rules.as_dict().items() if value != own.get(name)}
        return {**changed, "expansions": list(rules.expansions)} if rules.expansions else changed

    def _check_size(self) -> None:
        if self.network == SYMMETRIC and not self.shared_trunk:
            raise UserError("shared_trunk: a symmetric network shares its layers, and false was given")
        numbers = self.form().numbers * (1 if self.shared_trunk else 2)
        if numbers > MOST_NUMBERS:
            raise UserError(
                f"hidden_layers: {list(self.hidden_layers)} makes a network of {numbers:,} numbers; "
                f"{MOST_NUMBERS:,} at most"
            )

    def _check_mixture(self, rules: RuleSet) -> None:
        if not self.mixed_expansions:
            if self.mixed_hard:
                raise UserError(f"mixed_hard: {self.mixed_hard} means nothing while mixed_expansions is 0")
            return
        if self.layout != "full":
            raise UserError(f"layout: mixed_expansions needs the layout full, and it is {self.layout}")
        if rules.expansions:
            raise UserError(
                f"rules: mixed_expansions draws the expansions, and rules has {', '.join(rules.expansions)}"
            )
        if self.late_starts:
            raise UserError(f"late_starts: {self.late_starts} does not go together with mixed_expansions")

    def rule_set(self) -> RuleSet:
        """Return the rules of the environment with the options of the configuration."""
        return RuleSet(**{**self._own_options(), **self.rules})

    def _own_options(self) -> dict[str, Any]:
        """Return the rule options that the environment has by itself."""
        return {name: value for name, value in gym.spec(self.env).kwargs.items() if name != "talk"}

    def tables(self) -> RuleSet:
        """Return the rules whose tables number actions and entries of observations."""
        return layout_rules(self.rule_set(), self.layout)

    def form(self) -> NetworkForm:
        """Return the sizes of the network that leads from observations to logits."""
        return make_form(self.network, self.hidden_layers, self.activation, self.tables())

    def at(self, start: float, end: float, steps: int) -> float:
        """Return a value that falls from ``start`` to ``end`` over the training, after ``steps``."""
        return end + (start - end) * max(0.0, 1.0 - steps / self.total_steps)

    def as_dict(self) -> dict[str, Any]:
        """Return every setting as plain YAML and JSON values."""
        values = dataclasses.asdict(self)
        for name in ("hidden_layers", "ignored_fields"):
            values[name] = list(values[name])
        return values


def settings_table() -> list[tuple[str, str, str, str]]:
    """Return name, default, what is allowed and meaning of every setting, as text."""
    defaults = TrainConfig().as_dict()
    return [
        (field.name, str(defaults[field.name]), field.metadata["value"].allowed, field.metadata["meaning"])
        for field in dataclasses.fields(TrainConfig)
    ]
