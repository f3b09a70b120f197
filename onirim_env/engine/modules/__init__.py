"""The rules of the expansions: one file for each, beside files that several of them share.

``points.py`` says what of them comes in at which point of the base rules.
"""
