"""Odin: rules, engine, environments, agents."""
