"""What a vector environment does after the end of a game, in each autoreset mode."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import RecordEpisodeStatistics as VectorRecordEpisodeStatistics

from onirim_env import MaskedSampler
from onirim_env.vector import OnirimVectorEnv
from tests.env.hand_loop import FINAL, HandLoop, assert_row_final, assert_row_info
from tests.env.same import assert_same

N = 5
MODES = ["NextStep", "SameStep"]
LIMITS = [None, 7, 40]


def some_actions(rng, infos):
    """Legal actions for most rows, any id of the space for every twentieth, also after the end."""
    masks = infos["action_mask"]
    legal = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    anything = rng.integers(masks.shape[1], size=len(masks))
    return np.where(rng.random(len(masks)) < 0.05, anything, legal)


def sync_env(mode, limit, options, num_envs=N):
    def make():
        return gym.make("Onirim-v0", max_episode_steps=limit, **options)

    return SyncVectorEnv([make] * num_envs, autoreset_mode=mode)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("mode", MODES)
def test_everything_returned_is_what_sync_vector_env_returns(mode, limit, options):
    """Observations, rewards, flags and the whole info dicts, types included."""
    ours = OnirimVectorEnv(N, autoreset_mode=mode, max_episode_steps=limit, **options)
    theirs = sync_env(mode, limit, options)
    rng = np.random.default_rng(1)
    ends = 0
    for seed in (3, 11, None, [5, None, 7, None, 9]):
        result, expected = ours.reset(seed=seed), theirs.reset(seed=seed)
        assert_same(result, expected, f"reset(seed={seed})")
        for step in range(120):
            actions = some_actions(rng, expected[-1])
            result, expected = ours.step(actions), theirs.step(actions)
            assert_same(result, expected, f"step {step} after reset(seed={seed})")
            ends += int((expected[2] | expected[3]).sum())
    assert ends > 4 * N


@pytest.mark.parametrize("limit", LIMITS)
def test_disabled_mode_returns_what_sync_vector_env_returns_and_the_masks_of_the_other_rows(limit, options):
    """SyncVectorEnv leaves rows out of the infos of a partial reset; here they keep their mask."""
    ours = OnirimVectorEnv(N, autoreset_mode="Disabled", max_episode_steps=limit, **options)
    theirs = sync_env("Disabled", limit, options)
    rng = np.random.default_rng(2)
    assert_same(ours.reset(seed=8), theirs.reset(seed=8))
    infos = ours.reset(seed=9)[1]
    theirs.reset(seed=9)
    ends = 0
    for step in range(200):
        actions = some_actions(rng, infos)
        result, expected = ours.step(actions), theirs.step(actions)
        assert_same(result, expected, f"step {step}")
        infos = result[-1]
        done = result[2] | result[3]
        if not done.any():
            continue
        ends += int(done.sum())
        seeds = [int(rng.integers(1000)) if rng.random() < 0.5 else None for _ in range(N)]
        before = infos["action_mask"]
        observations, infos = ours.reset(seed=seeds, options={"reset_mask": done})
        their_observations, their_infos = theirs.reset(seed=seeds, options={"reset_mask": done.copy()})
        assert_same(observations, their_observations, f"reset after step {step}")
        assert infos.keys() == their_infos.keys()
        for row in range(N):
            if done[row]:
                assert_row_info(
                    infos, row, {name: values[row] for name, values in their_infos.items() if name[0] != "_"}
                )
            else:
                np.testing.assert_array_equal(infos["action_mask"][row], before[row])
    assert ends > 2 * N


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("mode", [*MODES, "Disabled"])
def test_rows_play_as_in_a_hand_written_loop(mode, limit):
    """NEXT_STEP, SAME_STEP and DISABLED against single environments in a plain loop."""
    env = OnirimVectorEnv(N, autoreset_mode=mode, max_episode_steps=limit, reward="doors")
    loop = HandLoop(N, mode, limit, reward="doors")
    rng = np.random.default_rng(3)
    observations, infos = env.reset(seed=20)
    for index, (observation, info) in enumerate(loop.reset(seed=20)):
        np.testing.assert_array_equal(observations[index], observation)
        assert_row_info(infos, index, info)
    ends = 0
    for _ in range(500):
        actions = some_actions(rng, infos)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        final = {name: infos.pop(name) for name in FINAL if name in infos}
        for index, row in enumerate(loop.step(actions)):
            np.testing.assert_array_equal(observations[index], row.observation)
            assert (rewards[index], terminated[index], truncated[index]) == row[1:4]
            assert_row_info(infos, index, row.info)
            assert_row_final(final, index, row.final)
        done = terminated | truncated
        ends += int(done.sum())
        if mode == "Disabled" and done.any():
            observations, infos = env.reset(options={"reset_mask": done})
            for index in np.flatnonzero(done):
                observation, info = loop.reset_row(index)
                np.testing.assert_array_equal(observations[index], observation)
                assert_row_info(infos, index, info)
    assert ends > 5 * N


def test_next_step_ignores_the_action_of_an_ended_row():
    """Two copies that differ only in the ignored actions go on alike."""
    env = OnirimVectorEnv(N, illegal_action="raise")
    other = OnirimVectorEnv(N, illegal_action="raise")
    infos = env.reset(seed=0)[1]
    other.reset(seed=0)
    rng = np.random.default_rng(0)
    ended = np.zeros(N, dtype=bool)
    ignored = 0
    for _ in range(300):
        legal = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        changed = np.where(ended, rng.integers(70, size=N), legal)
        result, copy = env.step(legal), other.step(changed)
        assert_same(result, copy)
        assert not result[1][ended].any() and not result[2][ended].any() and not result[3].any()
        ignored += int(ended.sum())
        ended, infos = result[2], result[4]
    assert ignored > 2 * N


def test_disabled_mode_refuses_to_step_over_an_ended_row():
    env = OnirimVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    env.step(np.array([69, 69]))  # illegal at the start: both games are lost
    before = env._batch.states.copy()
    with pytest.raises(RuntimeError, match="reset_mask"):
        env.step(np.array([0, 0]))
    assert env._batch.states.tobytes() == before.tobytes()
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(RuntimeError, match="1"):
        env.step(np.array([0, 0]))


@pytest.mark.parametrize("mode", [*MODES, "Disabled"])
def test_masks_of_ended_games_are_all_ones(mode):
    env = OnirimVectorEnv(20, autoreset_mode=mode)
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=0)[1]
    ends = 0
    for _ in range(200):
        _, _, terminated, _, infos = env.step(sampler(infos["action_mask"]))
        last = infos.get("final_info", infos)["action_mask"][terminated]
        assert last.all()
        going_on = infos["action_mask"][~terminated]
        assert ((going_on.sum(axis=1) >= 1) & (going_on.sum(axis=1) < 70)).all()
        ends += int(terminated.sum())
        if mode == "Disabled" and terminated.any():
            infos = env.reset(options={"reset_mask": terminated})[1]
    assert ends >= 20


@pytest.mark.parametrize("mode", [mode for one in AutoresetMode for mode in (one, one.value)])
def test_metadata_has_the_autoreset_mode_as_the_enum(mode):
    env = gym.make_vec("Onirim-v0", num_envs=2, vectorization_mode="vector_entry_point", autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is AutoresetMode(mode)


def test_an_unknown_autoreset_mode_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match=r"autoreset_mode cannot be 'later'.*NextStep"):
        OnirimVectorEnv(2, autoreset_mode="later")


@pytest.mark.parametrize("limit", [None, 30])
def test_episode_statistics_of_a_single_environment_are_those_of_the_games(limit):
    """The wrapper's length and return equal what the loop counts, and the record's length."""
    env = RecordEpisodeStatistics(gym.make("Onirim-v0", reward="doors", max_episode_steps=limit))
    sampler = MaskedSampler(seed=1)
    for seed in range(30):
        info = env.reset(seed=seed)[1]
        done, length, total = False, 0, 0.0
        while not done:
            _, reward, terminated, truncated, info = env.step(sampler(info["action_mask"]))
            done, length, total = terminated or truncated, length + 1, total + reward
        assert info["episode"]["l"] == length == len(env.unwrapped.game.record()["actions"])
        assert info["episode"]["r"] == pytest.approx(total)


@pytest.mark.parametrize("limit", [None, 30])
@pytest.mark.parametrize("mode", [*MODES, "Disabled"])
def test_episode_statistics_of_a_vector_environment_are_those_of_the_single_games(mode, limit):
    """No length is off by one, in any mode."""
    env = VectorRecordEpisodeStatistics(
        OnirimVectorEnv(N, autoreset_mode=mode, max_episode_steps=limit, reward="doors")
    )
    sampler = MaskedSampler(seed=2)
    infos = env.reset(seed=4)[1]
    games = [[] for _ in range(N)]
    under_way = [[] for _ in range(N)]
    ended = np.zeros(N, dtype=bool)
    for _ in range(400):
        actions = sampler(infos["action_mask"])
        for row in np.flatnonzero(~ended):
            under_way[row].append(int(actions[row]))
        _, _, terminated, truncated, infos = env.step(actions)
        done = terminated | truncated
        for row in np.flatnonzero(done):
            games[row].append((under_way[row], infos["episode"]["l"][row], infos["episode"]["r"][row]))
            under_way[row] = []
        if mode == "NextStep":
            ended = done
        if mode == "Disabled" and done.any():
            infos = env.reset(options={"reset_mask": done})[1]
    for row in range(N):
        assert len(games[row]) >= 4
        single = gym.make("Onirim-v0", reward="doors").unwrapped
        for game, (actions, length, total) in enumerate(games[row]):
            single.reset(seed=4 + row if game == 0 else None)
            assert total == pytest.approx(sum(single.step(action)[1] for action in actions))
            assert length == len(actions)
