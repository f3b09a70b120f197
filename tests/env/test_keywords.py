"""Keywords that environments do not have are TypeErrors as Python's own, with what is allowed."""

import gymnasium as gym
import pytest

from onirim_env import onirim_coop_v0
from onirim_env.env import OnirimEnv
from onirim_env.keywords import read_rules
from onirim_env.rules import OPTIONS
from onirim_env.sb3 import OnirimVecEnv
from onirim_env.vector import OnirimVectorEnv

MAKERS = [
    OnirimEnv,
    OnirimVectorEnv,
    lambda **options: OnirimVecEnv(2, **options),
    lambda **options: gym.make("Onirim-v0", **options),
    lambda **options: gym.make("OnirimCoop-v0", **options),
    lambda **options: gym.make_vec("Onirim-v0", 2, vectorization_mode="vector_entry_point", **options),
    onirim_coop_v0.raw_env,
    onirim_coop_v0.env,
    onirim_coop_v0.parallel_env,
]


UNEXPECTED = "got an unexpected keyword argument"


def allowed_in(error):
    """Return the names that a message lists; ``gym.make`` adds words of its own."""
    return str(error.value).rpartition("allowed are ")[2].partition(" was raised")[0].split(", ")


@pytest.mark.parametrize("make", MAKERS)
def test_an_unknown_keyword_is_pythons_own_error_with_all_that_is_allowed(make):
    with pytest.raises(
        TypeError, match=r"__init__\(\) got an unexpected keyword argument 'frameskip'; "
    ) as error:
        make(frameskip=1)
    allowed = allowed_in(error)
    assert {"reward", "illegal_action", "talk", "layout", "render_mode", "expansions", "hard"} <= set(allowed)
    assert {option.keyword for option in OPTIONS} <= set(allowed)
    assert "\n" not in str(error.value) and isinstance(error.value, ValueError)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("given", "meant"),
    [("rewards", "reward"), ("series_serch", "series_search"), ("expansion", "expansions")],
)
def test_a_misspelt_keyword_is_answered_with_the_one_that_is_meant(make, given, meant):
    with pytest.raises(TypeError, match=f"{UNEXPECTED} '{given}'; did you mean '{meant}'"):
        make(**{given: "win"})


def test_an_option_of_an_expansion_that_is_not_played_names_it():
    hint = (
        r"'parallel_planning'; rule option parallel_planning belongs to the expansion 'book_of_steps', "
        r"which is not among the expansions \('towers'\); allowed"
    )
    with pytest.raises(TypeError, match=hint):
        OnirimEnv(parallel_planning="any", expansions=["towers"])


def test_every_allowed_keyword_is_taken():
    with pytest.raises(TypeError) as error:
        OnirimEnv(nothing=1, expansions=["book_of_steps"])
    allowed = allowed_in(error)
    assert "parallel_planning" in allowed
    own = ("render_mode", "reward", "illegal_action", "talk", "layout", "partner_action")
    rules = OnirimEnv(expansions=["book_of_steps"]).rules
    values = rules.as_dict()
    assert set(allowed) == {*own, *values}
    assert read_rules(OnirimEnv, values) == rules
