"""The rules of Odin, once, compiled with numba. Importing this package imports numba."""
