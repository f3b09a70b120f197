"""Train sb3-contrib's MaskablePPO for a moment; ``python -m train`` does it properly."""

import argparse

from sb3_contrib import MaskablePPO

from onirim_env.sb3 import OnirimVecEnv

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--steps", type=int, default=200_000, help="decisions to train for")
steps = parser.parse_args().steps

envs = OnirimVecEnv(64, reward="doors")
model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=2048, n_epochs=4, gamma=1.0, verbose=1)
model.learn(steps)
print(f"{len(model.ep_info_buffer)} games in the buffer")
