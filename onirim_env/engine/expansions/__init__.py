"""The rules of the expansions: one file for each, beside files that several of them share.

``points.py`` says what of them comes in at which point of the base rules. The shared files (``setup.py``,
``phases.py``, ``series.py``, ``flow.py``, ``doors.py``, ``observe.py``, ``hiding.py``) call the expansions,
at each point in one place. The files of expansions import none of these: what they need of them is declared
in ``declared.py``.
"""
