"""Playing in the terminal: ``python -m onirim_env play``.

``session.py`` is the game with its past and knows no terminal; ``questions.py``, ``narration.py`` and
``table.py`` put decisions, events and the table into words; ``terminal.py`` reads and writes.
"""
