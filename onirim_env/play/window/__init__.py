"""Playing in a window: ``python -m onirim_env play --window``.

``uses.py`` tells what can be done with a card, ``ordering.py`` keeps a Prophecy that is being ordered,
``desk.py`` is the game with what its people are about to do, ``mouse.py`` and ``keyboard.py`` turn input into
decisions, ``places.py`` says where things stand, ``scene.py`` what is shown, in the pieces of ``pieces.py``,
``drawing.py`` draws it, and ``app.py`` opens the window and waits for events.
"""
