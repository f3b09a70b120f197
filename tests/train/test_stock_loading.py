"""The model of a run loads with sb3-contrib alone: no file of this repository is needed for it."""

import os
import subprocess
import sys

import numpy as np
import pytest

from onirim_env.env import OnirimEnv
from tests.long import as_long

LOAD = """
import sys
import numpy as np
from sb3_contrib import MaskablePPO
model = MaskablePPO.load(sys.argv[1])
observation, mask = np.load(sys.argv[2]), np.load(sys.argv[3])
action, _ = model.predict(observation, action_masks=mask, deterministic=True)
assert not [name for name in sys.modules if name.split(".")[0] in ("train", "agents", "onirim_env")]
print(type(model.policy).__name__, int(action))
"""


@pytest.mark.parametrize(
    "settings", [{"shared_trunk": False}, as_long({"shared_trunk": True, "activation": "relu"})]
)
def test_the_model_of_a_run_loads_with_sb3_contrib_alone(trained, tmp_path, settings):
    training, folder = trained(trainer="sb3", **settings)
    env = OnirimEnv()
    observation, info = env.reset(seed=0)
    np.save(tmp_path / "observation.npy", observation)
    np.save(tmp_path / "mask.npy", info["action_mask"].astype(bool))
    files = (folder.model_file, tmp_path / "observation.npy", tmp_path / "mask.npy")
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", LOAD, *map(str, files)],
        cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    policy, action = done.stdout.split()
    assert policy == "MaskableActorCriticPolicy"
    masks = info["action_mask"].astype(bool)
    expected, _ = training.model.predict(observation, action_masks=masks, deterministic=True)
    assert int(action) == int(expected)
