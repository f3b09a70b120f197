"""The numbers of actions."""

from __future__ import annotations

from onirim_env.actions import ORDERS, first_code

PLAY = first_code("PLAY")
DISCARD = first_code("DISCARD")
PROPHECY_DISCARD = first_code("PROPHECY_DISCARD")
PROPHECY_PLACE = first_code("PROPHECY_PLACE")
OPEN_DOOR = first_code("OPEN_DOOR")
REFUSE_DOOR = first_code("REFUSE_DOOR")
NIGHTMARE_KEY = first_code("NIGHTMARE_KEY")
NIGHTMARE_DOOR = first_code("NIGHTMARE_DOOR")
NIGHTMARE_REVEAL = first_code("NIGHTMARE_REVEAL")
NIGHTMARE_HAND = first_code("NIGHTMARE_HAND")
PROPHECY_NOTHING = first_code("PROPHECY_NOTHING")
SEARCH = first_code("SEARCH")
PASS = first_code("PASS")
PLAY_SHARED = first_code("PLAY_SHARED")
DISCARD_SHARED = first_code("DISCARD_SHARED")
OPEN_DOOR_SHARED = first_code("OPEN_DOOR_SHARED")
NIGHTMARE_KEY_SHARED = first_code("NIGHTMARE_KEY_SHARED")
NO_SWAP = first_code("NO_SWAP")
SWAP_OUT = first_code("SWAP_OUT")
SWAP_IN = first_code("SWAP_IN")
TAKE = first_code("TAKE")
PROPHECY_ORDER = first_code("PROPHECY_ORDER")
N_ORDERS = len(ORDERS)
