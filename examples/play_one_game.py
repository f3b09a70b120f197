"""Play one game with random legal actions."""

import gymnasium as gym

import onirim_env  # noqa: F401  registers the environments

env = gym.make("Onirim-v0", render_mode="ansi")
observation, info = env.reset(seed=7)
terminated = False
while not terminated:
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)
print(env.render())
print(f"won: {info['won']}, Doors: {info['doors']}, turns: {info['turns']}")
