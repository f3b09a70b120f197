"""Where each field of an observation begins (``onirim_env/observation.py``)."""

from __future__ import annotations

from onirim_env.observation import field_start

HAND = field_start("hand")
UNSEEN = field_start("unseen")
TOP = field_start("top")
LAST_SYMBOL = field_start("last_symbol")
SERIES = field_start("series")
DOORS = field_start("doors")
LIMBO = field_start("limbo")
REVEALED = field_start("revealed")
DRAWN = field_start("drawn")
PHASE = field_start("phase")
DECK_SIZE = field_start("deck_size")
CO_OP_PHASE = field_start("co_op_phase")
TO_MOVE = field_start("to_move")
SHARED_CARDS = field_start("shared")
SWAPPING = field_start("swapping")
PROPHECY_FOLLOWS = field_start("prophecy_follows")
PUBLIC = field_start("public")
PARTNER_HAND = field_start("partner_hand")
PARTNER_HIDDEN = field_start("partner_hidden")
PARTNER_LAST_SYMBOL = field_start("partner_last_symbol")
PARTNER_SERIES = field_start("partner_series")
PARTNER_DOORS = field_start("partner_doors")
PARTNER_TOP = field_start("partner_top")
