import json

from tests.engine.stored_tables import STORED, tables


def test_ids_texts_and_layouts_of_every_set_of_expansions_are_those_that_are_stored():
    assert tables() == json.loads(STORED.read_text(encoding="utf-8"))
