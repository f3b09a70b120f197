"""Play 1,024 games side by side with random legal actions."""

import gymnasium as gym

from onirim_env import MaskedSampler

envs = gym.make_vec("Onirim-v0", num_envs=1024, vectorization_mode="vector_entry_point")
pick = MaskedSampler(seed=0)
observations, infos = envs.reset(seed=0)
games = doors = 0
for _ in range(200):
    observations, rewards, terminated, truncated, infos = envs.step(pick(infos["action_mask"]))
    if "doors" in infos:
        games += int(terminated.sum())
        doors += int(infos["doors"].sum())
print(f"{games} games, {doors / games:.2f} Doors a game")
