"""The public face of the PettingZoo environment: ``from onirim_env import onirim_coop_v0``."""

from onirim_env.coop import env, raw_env
from onirim_env.coop_parallel import parallel_env

__all__ = ["env", "parallel_env", "raw_env"]
