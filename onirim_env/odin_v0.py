"""The public face of the PettingZoo environment: ``from onirim_env import odin_v0``."""

from onirim_env.odin.turns import env, raw_env

__all__ = ["env", "raw_env"]
