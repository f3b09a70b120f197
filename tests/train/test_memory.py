"""Memory that a training frees stays with it."""

import resource
import subprocess
import sys

import pytest

FREEING = """
import resource, sys
from train.memory import keep_freed_memory

if sys.argv[1] == "keep" and not keep_freed_memory():
    sys.exit(3)

def step():
    arrays = [bytearray(2**22) for _ in range(8)]  # what a step has at once, freed together at its end


for _ in range(5):
    step()
faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults)
"""


def test_arrays_that_come_and_go_are_not_asked_of_the_system_again():
    kept = subprocess.run([sys.executable, "-c", FREEING, "keep"], capture_output=True, text=True)
    if kept.returncode == 3:
        pytest.skip("not the allocator of glibc")
    pages = 10 * 8 * 2**22 // resource.getpagesize()
    assert int(kept.stdout) < pages // 20
