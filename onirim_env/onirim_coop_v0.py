"""The public face of the PettingZoo environment: ``from onirim_env import onirim_coop_v0``."""

from onirim_env.coop import env, raw_env

__all__ = ["env", "raw_env"]
