"""The rules of Onirim, once, compiled with numba. Importing this package imports numba."""
