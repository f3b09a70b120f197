"""The co-op acceptance cases through the PettingZoo environment."""

import pytest

from onirim_env import onirim_coop_v0
from tests.engine.test_cases import CASES, check, check_shown, name_of

CO_OP = [case for case in CASES if case["position"].get("rules", {}).get("players") == 2]


@pytest.mark.parametrize("make", [onirim_coop_v0.env, onirim_coop_v0.raw_env])
@pytest.mark.parametrize("case", CO_OP, ids=name_of)
def test_case_through_pettingzoo(case, make):
    env = make(talk=case.get("talk", "open"), **case["position"]["rules"])
    env.reset(seed=5, options={"position": case["position"]})
    game = env.unwrapped.game
    before, mover, table = game.position(), game.player, game.table
    assert env.agent_selection == f"player_{mover}"
    for text in case["actions"]:
        assert env.observe(env.agent_selection)["action_mask"][table.id(text)] == 1
        env.step(table.id(text))
    position = env.unwrapped.game.position()
    mask = env.observe(env.agent_selection)["action_mask"]
    assert env.agent_selection == f"player_{position['to_move']}"
    check(case["expect"], before, mover, position, [table.text(action) for action in mask.nonzero()[0]])
    check_shown(case["expect"], env.unwrapped.game)


def test_there_are_co_op_cases():
    assert len(CO_OP) >= 14
