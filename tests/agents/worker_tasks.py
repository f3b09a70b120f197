"""Tasks for workers, in a module that other processes can import."""

import os
import signal
import time
from functools import partial
from pathlib import Path

from onirim_env.errors import UserError


def squares():
    """Makes what squares numbers."""
    return lambda number: number * number


def note_making(folder):
    """Notes the process that makes it, and squares numbers."""
    (Path(folder) / str(os.getpid())).touch()
    return lambda number: number * number


def die_once(folder):
    """Squares numbers, but dies of 3 the first time."""

    def work(number):
        mark = Path(folder) / "died"
        if number == 3 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    return work


def die_of_three():
    """Squares numbers, but dies of 3 each time."""

    def work(number):
        if number == 3:
            os._exit(9)
        return number * number

    return work


def refuse_three():
    """Squares numbers, but raises an error of a user's for 3."""

    def work(number):
        if number == 3:
            raise UserError("three is not allowed")
        return number * number

    return work


class Odd(Exception):
    """An error that no other process can make from its arguments."""

    def __init__(self, one, two):
        super().__init__("odd")


def raise_odd():
    """Raises what cannot be pickled."""

    def work(number):
        raise Odd(1, 2)

    return work


def cannot_be_made():
    """Fails before any task."""
    raise UserError("no agent here")


def sleepy(folder):
    """Squares numbers, the first at once and the others never."""
    return partial(_sleep, folder)


def _sleep(folder, number):
    if number:
        (Path(folder) / str(os.getpid())).touch()
        time.sleep(600)
    return number
