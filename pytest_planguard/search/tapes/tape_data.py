"""A call tape as plain JSON data: what is read of it is checked field by field, since anybody may have written it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...contract.phrasing import as_json, choices
from ...errors import UsageError
from ...wire.exchange import Finish
from ..context.step_context import TapeKey

VERSION = 1
"""Of the form of a tape as data."""
FINISHES = tuple(finish.value for finish in Finish)


class TapeCall(NamedTuple):
    """One recorded answer and its place in the search."""

    key: TapeKey
    answer: str
    finish: Finish | None = None


def call_data(call: TapeCall) -> dict[str, Any]:
    """Return a call as plain data."""
    step, prefix, feedback, index = call.key.step, call.key.prefix, call.key.feedback, call.key.index
    data = {"step": step, "prefix": prefix, "feedback": feedback, "index": index, "answer": call.answer}
    return data if call.finish is None else {**data, "finish": call.finish.value}


def read_version(data: Mapping[str, Any]) -> None:
    """Check the version.

    Raises:
        UsageError: one that is not known, or none.
    """
    if data.get("version") != VERSION:
        raise UsageError(f"a call tape has version {VERSION}: got {data.get('version')!r}; record it again")


def read_steps(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the steps.

    Raises:
        UsageError: no list of texts.
    """
    steps = data.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
        raise _unread("steps", "a list of names", steps)
    return tuple(steps)


def read_feedback(data: Mapping[str, Any]) -> bool:
    """Return whether the feedback is part of the keys.

    Raises:
        UsageError: neither true nor false.
    """
    feedback = data.get("feedback")
    if not isinstance(feedback, bool):
        raise _unread("feedback", "true or false", feedback)
    return feedback


def read_calls(data: Mapping[str, Any]) -> list[TapeCall]:
    """Return the calls.

    Raises:
        UsageError: no list of calls, a field of the wrong kind, or one call with two answers.
    """
    calls = data.get("calls")
    if not isinstance(calls, list):
        raise _unread("calls", "a list", calls)
    first: dict[TapeKey, tuple[int, TapeCall]] = {}
    for place, item in enumerate(calls):
        call = _call(f"calls[{place}]", item)
        earlier, known = first.setdefault(call.key, (place, call))
        if known != call:
            raise UsageError(
                f"no call tape: got two answers to one call, calls[{earlier}] and calls[{place}]; record it again"
            )
    return [call for _, call in first.values()]


def _call(where: str, data: Any) -> TapeCall:
    if not isinstance(data, Mapping):
        raise _unread(where, "an object", data)
    for name in ("step", "prefix", "feedback", "answer"):
        if not isinstance(data.get(name), str):
            raise _unread(f"{where}.{name}", "a text", data.get(name))
    index, finish = data.get("index"), data.get("finish")
    if type(index) is not int or index < 0:
        raise _unread(f"{where}.index", "a number from 0 on", index)
    if finish is not None and finish not in FINISHES:
        raise _unread(f"{where}.finish", choices(FINISHES), finish)
    key = TapeKey(data["step"], data["prefix"], data["feedback"], index)
    return TapeCall(key, data["answer"], None if finish is None else Finish(finish))


def _unread(where: str, expected: str, value: Any) -> UsageError:
    return UsageError(f"no call tape: {where} must be {expected}: got {as_json(value)}; record it again")
