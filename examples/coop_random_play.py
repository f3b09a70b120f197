"""Two random players in co-op, as PettingZoo's tutorials write it."""

from onirim_env import onirim_coop_v0

env = onirim_coop_v0.env(talk="closed", render_mode="ansi")
env.reset(seed=42)
steps = 0
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
        text = env.render()
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
        steps += 1
    env.step(action)
print(text)
print(f"{steps} decisions; won: {info['won']}, Doors: {info['doors']}")
