"""The environments of every game, for tests that hold for all of them."""

import gymnasium as gym

from onirim_env import odin_v0, onirim_coop_v0

SINGLE = {
    "onirim": ("Onirim-v0", {}),
    "onirim with expansions": ("Onirim-v0", {"expansions": ["towers", "glyphs"]}),
    "onirim co-op": ("OnirimCoop-v0", {"talk": "closed"}),
    "odin": ("Odin-v0", {}),
    "odin for four": ("Odin-v0", {"players": 4, "reward": "points"}),
    "odin for six with the goat": ("Odin-v0", {"players": 6, "goat": True, "all_out": "forced"}),
    "odin in whole plays": ("Odin-v0", {"players": 3, "play_actions": "whole", "episode": "hand"}),
    "odin in one seat": ("Odin-v0", {"players": 4, "seats": 2, "reward": "rank"}),
}
"""Environments for one learner: id and keywords."""

TURNS = {
    "onirim co-op": (onirim_coop_v0, {"talk": "closed"}),
    "odin": (odin_v0, {}),
    "odin for four": (odin_v0, {"players": 4, "reward": "points"}),
    "odin for six with the goat": (odin_v0, {"players": 6, "goat": True, "reward": "rank"}),
    "odin in whole plays": (odin_v0, {"players": 3, "play_actions": "whole", "episode": "hand"}),
}
"""Environments of turns: module and keywords."""


def make(name):
    """Return the single environment of a name, without Gymnasium's wrappers."""
    env_id, options = SINGLE[name]
    return gym.make(env_id, disable_env_checker=True, **options).unwrapped


def make_vec(name, num_envs, **more):
    """Return its vector environment."""
    env_id, options = SINGLE[name]
    return gym.make_vec(env_id, num_envs=num_envs, vectorization_mode="vector_entry_point", **options, **more)


def make_vec_env(name, num_envs, **more):
    """Return its environment for stable-baselines3."""
    from onirim_env.sb3 import GameVecEnv

    env_id, options = SINGLE[name]
    return GameVecEnv(num_envs, env_id, **options, **more)
