"""The shells that games share: environments over any batch of games that keeps to ``batch.py``.

They import no game and know no rule, record or card. A game's own classes (``onirim_env/env.py``,
``vector.py``, ``coop.py``, ``sb3.py``) make its batch, give it to a shell and say in their docstrings what
the game is.
"""
