"""Self-play in plain torch: one network plays both seats of the PettingZoo environment.

REINFORCE with a baseline, over whole games; the shared reward makes both seats one team.
"""

import argparse

import numpy as np
import torch
from torch import nn

from onirim_env import onirim_coop_v0

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--games", type=int, default=2000, help="games to learn from")
parser.add_argument("--talk", default="open", choices=("open", "closed"))
arguments = parser.parse_args()

torch.manual_seed(0)
torch.set_num_threads(1)
env = onirim_coop_v0.raw_env(talk=arguments.talk, reward="doors")
size = env.observation_space("player_0")["observation"].shape[0]
n_actions = int(env.action_space("player_0").n)
network = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, n_actions + 1))
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)


def policy_and_value(observations, masks):
    output = network(observations)
    logits = output[..., :n_actions].masked_fill(~masks, -1e8)
    return torch.distributions.Categorical(logits=logits, validate_args=False), output[..., n_actions]


doors = []
for game in range(arguments.games):
    env.reset(seed=game)
    observations, masks, actions, rewards = [], [], [], []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        observations.append(observation["observation"])
        masks.append(observation["action_mask"].astype(bool))
        with torch.no_grad():
            choice, _ = policy_and_value(torch.as_tensor(observations[-1]), torch.as_tensor(masks[-1]))
        actions.append(int(choice.sample()))
        env.step(actions[-1])
        rewards.append(env.rewards[agent])
    doors.append(info["doors"])
    returns = torch.as_tensor(np.cumsum(rewards[::-1])[::-1].copy(), dtype=torch.float32)
    choices, values = policy_and_value(
        torch.as_tensor(np.stack(observations)), torch.as_tensor(np.stack(masks))
    )
    advantages = (returns - values).detach()
    losses = -choices.log_prob(torch.as_tensor(actions)) * advantages + 0.5 * (returns - values) ** 2
    loss = (losses - 0.01 * choices.entropy()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (game + 1) % 100 == 0:
        print(f"game {game + 1}: {np.mean(doors[-100:]):.2f} Doors a game")
