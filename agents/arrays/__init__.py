"""Files of arrays: read without running anything, written whole."""
