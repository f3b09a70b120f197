import pytest

for module in ("torch", "stable_baselines3", "sb3_contrib", "yaml"):
    pytest.importorskip(module, reason="needs the extra 'train'")

TINY = {
    "total_steps": 4096,
    "num_envs": 16,
    "n_steps": 64,
    "batch_size": 256,
    "n_epochs": 2,
    "learning_rate": 1e-3,
    "hidden_layers": [32],
    "checkpoint_every": 2048,
    "eval_every": 2048,
    "eval_games": 20,
    "final_games": 40,
}
"""Settings of a training that takes a second."""


@pytest.fixture(autouse=True)
def one_thread():
    import torch

    torch.set_num_threads(1)


@pytest.fixture
def tiny():
    from train.config_reading import make_config

    return lambda **settings: make_config(TINY, settings)


@pytest.fixture
def tiny_file(tmp_path):
    import yaml

    file = tmp_path / "tiny.yaml"
    file.write_text(yaml.safe_dump({**TINY, "runs_dir": str(tmp_path / "runs")}))
    return file


@pytest.fixture
def trained(tiny, tmp_path):
    """Train in a new run folder; return the training and the folder."""
    from train.run_folder import RunFolder
    from train.training import train

    def run(name="run", **settings):
        config = tiny(**settings)
        folder = RunFolder.create(tmp_path / name, config)
        return train(config, folder), folder

    return run
