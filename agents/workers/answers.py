"""What comes back from a worker: a result, or an error as it was raised there."""

from __future__ import annotations

import pickle
import traceback
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """What came of a task.

    Attributes
    ----------
    result
        What it returned, if nothing was raised.
    error
        What it raised, pickled; empty where that cannot be.
    trace
        Where it was raised, as text; empty when nothing was raised.
    """

    result: Any = None
    error: bytes = b""
    trace: str = ""


class RaisedThere(Exception):
    """The cause of an error that a worker raised: where that was."""


def answer_of(error: Exception) -> Answer:
    """Return the answer of a task that raised an error."""
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)
    except Exception:  # its class cannot be made again from its arguments, or they cannot be pickled
        pickled = b""
    return Answer(error=pickled, trace=trace)


def result_of(answer: Answer) -> Any:
    """Return the result, or raise what the worker raised."""
    if not answer.trace:
        return answer.result
    error = (
        pickle.loads(answer.error) if answer.error else RuntimeError(answer.trace.strip().splitlines()[-1])
    )
    raise error from RaisedThere(answer.trace)
