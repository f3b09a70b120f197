"""Games as images and in a window."""

import copy
import itertools
import pickle
import sys
import warnings

import gymnasium as gym
import numpy as np
import pygame
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.utils.env_checker import check_env

from onirim_env import Game, MaskedSampler, RuleSet, onirim_coop_v0
from onirim_env.env import OnirimEnv
from onirim_env.render.cards import COLOUR_OF, card
from onirim_env.render.image import render_image
from tests.long import long_after
from tests.render.test_layout import RULES, positions

SHAPE = (600, 800, 3)

ROW = ["red sun", "blue moon", "green key", "brown sun", "red moon", "blue key"] * 3
HAND = ["brown sun", "brown sun", "green sun", "green moon", "green moon"]
POSITIONS = {
    "long row": {"players": [{"row": ROW, "hand": HAND}]},
    "many doors": {
        "players": [{"hand": HAND, "doors": [f"{c} door" for c in COLOUR_OF for _ in range(2)][:7]}]
    },
    "prophecy": {
        "phase": "prophecy_order",
        "revealed": ["red sun", "red door", "nightmare"],
        "placed": ["blue key"],
        "players": [{"hand": HAND[:4]}],
    },
    "nightmare": {"phase": "nightmare", "drawn": "nightmare", "players": [{"hand": ["red key"]}]},
    "door": {"phase": "door", "drawn": "red door", "players": [{"hand": ["red key"]}]},
}


def assert_image(image):
    assert isinstance(image, np.ndarray) and image.shape == SHAPE and image.dtype == np.uint8
    assert image.flags.c_contiguous and image.flags.writeable
    assert image.min() < 60 and image.max() > 200


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_have_images_that_differ(name):
    game = Game.from_position(POSITIONS[name])
    image = render_image(game)
    assert_image(image)
    np.testing.assert_array_equal(image, render_image(game.copy()))
    assert not np.array_equal(image, render_image(Game(seed=0)))


def test_every_decision_changes_the_image():
    env = gym.make("Onirim-v0", render_mode="rgb_array")
    sampler = MaskedSampler(seed=1)
    _, info = env.reset(seed=3)
    image, terminated = env.render(), False
    while not terminated:
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        before, image = image, env.render()
        assert_image(image)
        assert not np.array_equal(image, before)
        np.testing.assert_array_equal(image, env.render())


@pytest.mark.parametrize("talk", ["open", "closed"])
@pytest.mark.parametrize("name", ["solo", "co-op"])
@pytest.mark.parametrize("step", long_after(1, [30, 9]))
def test_an_image_tells_nothing_that_its_viewer_cannot_know(name, talk, step):
    """All that is hidden is dealt anew, and the image stays as it was."""
    changed = 0
    for game in itertools.islice(positions(RULES[name], range(20), talk), 0, 900, step):
        for player in range(game.rules.players):
            other = game.copy()
            other.determinize(player, 5)
            changed += other != game
            np.testing.assert_array_equal(render_image(game, player), render_image(other, player))
    assert changed > 450 // step


def test_the_partners_hidden_cards_change_nothing_in_closed_talk_and_something_in_open_talk():
    hands = ["red sun", "red moon", "red key"], ["blue sun", "blue moon", "blue key"]
    for talk in ("closed", "open"):
        own, shared = ["green sun", "green moon", "green key"], ["brown sun", "brown moon"]
        images = [
            render_image(
                Game.from_position(
                    {"rules": {"players": 2}, "players": [{"hand": own}, {"hand": hand}], "shared": shared},
                    talk=talk,
                )
            )
            for hand in hands
        ]
        assert np.array_equal(*images) == (talk == "closed")


def test_a_partners_prophecy_is_not_told_by_the_last_action_in_closed_talk():
    game = Game(RuleSet(players=2, draft="dealt"), seed=0, talk="closed")
    assert game.phase == "action"
    images = [render_image(game, None, f"prophecy place {kind}") for kind in ("red sun", "nightmare")]
    np.testing.assert_array_equal(*images)
    images = [render_image(game, None, f"play {kind}") for kind in ("red sun", "blue moon")]
    assert not np.array_equal(*images)
    game = Game(RuleSet(players=2, draft="dealt"), seed=0, talk="open")
    images = [render_image(game, None, f"prophecy place {kind}") for kind in ("red sun", "nightmare")]
    assert not np.array_equal(*images)


def test_images_survive_that_pygame_is_ended_by_somebody_else():
    game = Game(seed=2)
    image = render_image(game)
    pygame.init()
    pygame.quit()
    np.testing.assert_array_equal(render_image(game), image)
    other = Game(seed=3)
    other.apply(other.legal_texts()[0])
    assert_image(render_image(other, None, "words never drawn before"))


def test_colours_are_far_apart_for_the_colour_blind():
    """Distances in CIELAB as protans, deutans and tritans see them (Machado and others, 2009)."""
    sights = (
        np.eye(3),
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    )
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    colours = np.array(list(COLOUR_OF.values())) / 255
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    for sight in sights:
        white_parts = np.clip(linear @ np.transpose(sight), 0, 1) @ to_xyz.T / (0.9505, 1, 1.089)
        x, y, z = np.where(white_parts > 0.008856, np.cbrt(white_parts), 7.787 * white_parts + 16 / 116).T
        lab = np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)
        assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(lab, 2)) > 15


def test_a_card_is_drawn_once():
    assert card("red sun", 40, 56) is card("red sun", 40, 56)


@pytest.mark.parametrize("options", [{}, {"players": 2, "talk": "closed"}], ids=["solo", "co-op"])
@pytest.mark.parametrize("render_mode", OnirimEnv.metadata["render_modes"])
def test_check_env_has_no_complaint(options, render_mode, monkeypatch):
    monkeypatch.setitem(OnirimEnv.metadata, "render_fps", 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make("Onirim-v0", render_mode=render_mode, **options)
        check_env(env.unwrapped)
        env.close()


def test_the_pettingzoo_environment_shows_what_the_agent_to_move_may_know():
    env = onirim_coop_v0.env(render_mode="rgb_array", talk="closed")
    env.reset(seed=1)
    images = []
    for agent in env.agent_iter(30):
        observation, _, terminated, _, _ = env.last()
        image = env.render()
        assert_image(image)
        game = env.unwrapped.game
        actions = game.record()["actions"]
        assert game.player == env.possible_agents.index(agent)
        np.testing.assert_array_equal(
            image, render_image(game, game.player, actions[-1] if actions else None)
        )
        images.append(image)
        env.step(None if terminated else env.action_space(agent).sample(observation["action_mask"]))
    assert len({image.tobytes() for image in images}) == 30


def test_the_vector_environment_returns_a_tuple_of_images():
    envs = gym.make_vec(
        "Onirim-v0", num_envs=3, vectorization_mode="vector_entry_point", render_mode="rgb_array"
    )
    envs.reset(seed=4)
    images = envs.render()
    assert isinstance(images, tuple) and len(images) == 3
    for row, image in enumerate(images):
        np.testing.assert_array_equal(image, render_image(Game(seed=4 + row)))
    sync = gym.make_vec("Onirim-v0", num_envs=3, vectorization_mode="sync", render_mode="rgb_array")
    sync.reset(seed=4)
    for image, other in zip(images, sync.render()):
        np.testing.assert_array_equal(image, other)


def test_the_vec_env_of_stable_baselines3_has_images():
    from onirim_env.errors import UnsupportedRenderMode
    from onirim_env.sb3 import OnirimVecEnv

    env = OnirimVecEnv(4, seed=4, render_mode="rgb_array")
    env.reset()
    for row, image in enumerate(env.get_images()):
        np.testing.assert_array_equal(image, render_image(Game(seed=4 + row)))
    assert env.get_attr("render_mode") == ["rgb_array"] * 4
    assert env.render().shape == (1200, 1600, 3)
    assert OnirimVecEnv(2).get_images() == [None, None]
    with pytest.raises(UnsupportedRenderMode, match="'rgb_array'"):
        OnirimVecEnv(2, render_mode="ansi")


def test_images_open_no_window():
    pygame.display.quit()
    env = gym.make("Onirim-v0", render_mode="rgb_array")
    env.reset(seed=0)
    env.render()
    assert not pygame.display.get_init()


@pytest.fixture
def quick(monkeypatch):
    """Let windows show their frames without waiting."""
    monkeypatch.setitem(OnirimEnv.metadata, "render_fps", 1000)


def window_pixels():
    return np.transpose(pygame.surfarray.array3d(pygame.display.get_surface()), (1, 0, 2))


def test_human_mode_shows_every_frame_in_a_window(quick, capsys):
    env = gym.make("Onirim-v0", render_mode="human")
    _, info = env.reset(seed=0)
    assert pygame.display.get_init()
    np.testing.assert_array_equal(window_pixels(), render_image(Game(seed=0)))
    action = int(np.flatnonzero(info["action_mask"])[0])
    env.step(action)
    game = env.unwrapped.game
    np.testing.assert_array_equal(window_pixels(), render_image(game, None, game.table.text(action)))
    assert env.render() is None
    env.close()
    env.close()
    assert not pygame.display.get_init()
    assert capsys.readouterr().out == ""


def test_human_mode_goes_on_after_its_window_was_closed(quick):
    env = OnirimEnv(render_mode="human")
    env.reset(seed=0)
    pygame.quit()
    env.reset(seed=1)
    np.testing.assert_array_equal(window_pixels(), render_image(Game(seed=1)))
    env.close()


def test_frames_come_at_the_rate_of_the_metadata(monkeypatch):
    monkeypatch.setitem(OnirimEnv.metadata, "render_fps", 20)
    env = OnirimEnv(render_mode="human")
    env.reset(seed=0)
    start = pygame.time.get_ticks()
    for _ in range(4):
        env.render()
    assert pygame.time.get_ticks() - start >= 120
    env.close()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_an_environment_with_a_window_can_be_copied(quick, copied):
    env = OnirimEnv(render_mode="human")
    env.reset(seed=0)
    other = copied(env)
    other.step(other.game.legal_actions()[0])
    other.close()
    env.close()


def test_the_window_of_the_pettingzoo_environment_closes(quick):
    env = onirim_coop_v0.env(render_mode="human")
    env.reset(seed=0)
    assert pygame.display.get_init()
    env.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize("render_mode", ["rgb_array", "human"])
def test_without_pygame_one_line_says_what_to_install(monkeypatch, render_mode):
    monkeypatch.setitem(sys.modules, "pygame", None)
    env = OnirimEnv(render_mode=render_mode)
    with pytest.raises(DependencyNotInstalled, match=r'pip install "onirim-env\[render\]"'):
        env.reset(seed=0)
        env.render()
    env.close()


def test_frames_can_be_recorded_as_a_video(tmp_path):
    pytest.importorskip("moviepy")
    env = gym.wrappers.RecordVideo(gym.make("Onirim-v0", render_mode="rgb_array"), str(tmp_path / "videos"))
    _, info = env.reset(seed=0)
    for _ in range(5):
        info = env.step(env.action_space.sample(info["action_mask"]))[-1]
    env.close()
    assert [path.suffix for path in (tmp_path / "videos").iterdir() if path.stat().st_size > 0].count(
        ".mp4"
    ) == 1


def test_frames_are_what_gymnasiums_wrappers_take():
    env = gym.wrappers.RenderCollection(gym.make("Onirim-v0", render_mode="rgb_array"))
    env.reset(seed=0)
    for frame in env.render():
        assert_image(frame)
    env = gym.wrappers.AddRenderObservation(gym.make("Onirim-v0", render_mode="rgb_array"))
    assert env.observation_space.contains(env.reset(seed=0)[0])
