"""Exact equality of what environments return: keys, shapes, dtypes and values."""

import numpy as np


def assert_same(actual, expected, where="result"):
    """Fail, naming the place, unless the two are equal in structure, types and values."""
    if isinstance(expected, dict):
        assert isinstance(actual, dict), f"{where}: {type(actual)}"
        assert actual.keys() == expected.keys(), f"{where}: keys {sorted(actual)} and {sorted(expected)}"
        for key in expected:
            assert_same(actual[key], expected[key], f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        assert type(actual) is type(expected) and len(actual) == len(expected), f"{where}: {actual!r}"
        for index, (one, other) in enumerate(zip(actual, expected)):
            assert_same(one, other, f"{where}[{index}]")
    elif isinstance(expected, np.ndarray) and expected.dtype == object:
        assert isinstance(actual, np.ndarray) and actual.dtype == object, f"{where}: {actual!r}"
        assert_same(list(actual), list(expected), where)
    elif isinstance(expected, np.ndarray):
        assert isinstance(actual, np.ndarray), f"{where}: {type(actual)}"
        assert actual.dtype == expected.dtype, f"{where}: {actual.dtype} and {expected.dtype}"
        np.testing.assert_array_equal(actual, expected, err_msg=where)
    else:
        assert type(actual) is type(expected), f"{where}: {type(actual)} and {type(expected)}"
        assert actual == expected, f"{where}: {actual!r} and {expected!r}"
