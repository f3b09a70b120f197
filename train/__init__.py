"""Training and evaluation of agents from a configuration file: ``python -m train CONFIG``."""
