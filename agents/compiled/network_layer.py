"""One layer of a network, compiled: row by row, so that no row depends on how many there are.

A product of matrices would do, but its libraries start threads, which on a busy machine take several
times longer than the work, and add up in an order that depends on the number of rows.
"""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import kernel


@kernel
def add_layer(inputs: np.ndarray, weights: np.ndarray, outputs: np.ndarray) -> None:
    """Add to each row of ``outputs`` the row of ``inputs`` times ``weights``.

    Parameters
    ----------
    inputs
        float64, shape (n, inputs). Most of an observation is 0, which costs nothing here.
    weights
        float64, shape (inputs, outputs), C order.
    outputs
        float64, shape (n, outputs), the biases at first.
    """
    for row in range(inputs.shape[0]):
        for i in range(inputs.shape[1]):
            value = inputs[row, i]
            if value != 0.0:
                for j in range(weights.shape[1]):
                    outputs[row, j] += value * weights[i, j]
