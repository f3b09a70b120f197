"""Agents that play Odin, one file each; what an agent is (``base.py``)."""
