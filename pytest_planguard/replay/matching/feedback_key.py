"""Feedback by what it names: two wordings of the same errors mean the same request."""

from __future__ import annotations

from typing import Any

from ...retry.reading.entry import ErrorEntry
from ...retry.reading.recognise import recognise


def feedback_as_set(body: Any) -> Any:
    """Return a request body whose later turns have every recognised error replaced by its place and code.

    Only turns after the model's first answer are read: the task itself may look like a list of errors. An error
    without a place or a code keeps its words.
    """
    if not isinstance(body, dict):
        return body
    for name in ("messages", "input"):
        turns = body.get(name)
        if isinstance(turns, list):
            first = next((n for n, turn in enumerate(turns) if _is_answer(turn)), len(turns))
            return {**body, name: [*turns[:first], *(_reduced(t) for t in turns[first:])]}
    return body


def _is_answer(turn: Any) -> bool:
    return isinstance(turn, dict) and (turn.get("role") == "assistant" or turn.get("type") == "function_call")


def _reduced(value: Any) -> Any:
    if isinstance(value, str):
        return reduced_text(value)
    if isinstance(value, list):
        return [_reduced(item) for item in value]
    if not isinstance(value, dict) or _is_answer(value):
        return value
    return {key: _reduced(member) for key, member in value.items()}


def reduced_text(text: str) -> str:
    """Return the text with its located errors taken out and their (place, code) set put behind it."""
    errors = _located(text) if "\n" in text or " " in text else []
    if not errors:
        return text
    rest, at = [], 0
    for error in errors:
        rest.append(text[at : error.start])
        at = error.end
    named = sorted({f"{'.'.join(e.path or ())}={e.code}" for e in errors})
    return " ".join("".join([*rest, text[at:]]).split()) + f" <errors {'; '.join(named)}>"


def _located(text: str) -> list[ErrorEntry]:
    """Return the errors with a place and a code; where several readings overlap, the longest."""
    known = [e for e in recognise(text) if e.path is not None and e.code]
    kept: list[ErrorEntry] = []
    for entry in sorted(known, key=lambda e: (e.start, -e.end)):
        if not kept or entry.start >= kept[-1].end:
            kept.append(entry)
    return kept
