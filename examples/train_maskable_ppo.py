"""Train sb3-contrib's MaskablePPO for a moment, alone or for both seats of co-op.

``python -m train`` does it properly.
"""

import argparse

from sb3_contrib import MaskablePPO

from onirim_env.sb3 import OnirimVecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--env", default="Onirim-v0", help="Onirim-v0 (default) or OnirimCoop-v0")
parser.add_argument("--steps", type=int, default=200_000, help="decisions to train for")
arguments = parser.parse_args()

envs = OnirimVecEnv(64, arguments.env, reward="doors")
model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=2048, n_epochs=4, gamma=1.0, verbose=1)
model.learn(arguments.steps)
returns = [episode["r"] for episode in model.ep_info_buffer]
print(f"mean return of the last {len(returns)} games: {sum(returns) / len(returns):.2f}")
