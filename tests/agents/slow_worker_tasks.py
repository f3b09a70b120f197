"""A task whose module takes a worker long to import, and says so."""

import sys
import time

if "--multiprocessing-fork" in sys.orig_argv:
    print("importing", flush=True)
    time.sleep(5)


def squares():
    """Makes what squares numbers."""
    return lambda number: number * number
