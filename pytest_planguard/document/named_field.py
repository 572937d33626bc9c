"""The field of a parsed line that a user names on the command line: "output", "response.text"."""

from __future__ import annotations

from typing import Any

SHOWN = 8
"""Fields that a message lists at most."""


class NoFieldError(LookupError):
    """The line has no such field; the message says what it has instead."""


def named_field(value: Any, name: str) -> Any:
    """The value at a dotted name. A plain name only: keys with a dot in them, and list items, have none.

    Raises:
        NoFieldError: a step of the name leads nowhere.
    """
    for step in name.split("."):
        if not (isinstance(value, dict) and step in value):
            has = ", ".join(list(value)[:SHOWN]) or "nothing" if isinstance(value, dict) else type(value).__name__
            raise NoFieldError(f"no field {step!r}; it has: {has}")
        value = value[step]
    return value
