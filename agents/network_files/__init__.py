"""Files of networks: arrays in zip files, read without running anything, and what a model says of itself."""
