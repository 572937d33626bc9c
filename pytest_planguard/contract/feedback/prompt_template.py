"""The variables `$RETRY_INFO` and `$VALIDATION_ERRORS` in prompt templates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import UsageError

RETRY_INFO = "RETRY_INFO"
"""'RETRY 2/3'; empty on the first attempt."""
VALIDATION_ERRORS = "VALIDATION_ERRORS"
"""The findings, one per line; empty on the first attempt."""
# "$RETRY_INFO" and "${RETRY_INFO}", but not "$RETRY_INFORMATION", which belongs to the app.
_VARIABLE = re.compile(r"\$(?:\{(RETRY_INFO|VALIDATION_ERRORS)\}|(RETRY_INFO|VALIDATION_ERRORS)\b)")
# "RETRY 2/3" at the start of a command-style text.
_HEADER = re.compile(r"RETRY \d+/\d+")


def has_variables(content: object) -> bool:
    """Return True if a prompt template, or a part of a message, names one of the variables."""
    return any(_VARIABLE.search(text) is not None for text in _texts(content))


def fill_content(content: Any, feedback: str) -> Any:
    """Return a message's content (a text or a list of parts) with the variables replaced by the feedback.

    With "", both are empty. A feedback with a RETRY header is split after that line. Any other replaces
    `$VALIDATION_ERRORS`.

    Raises:
        UsageError: the content has only `$RETRY_INFO`, so a retry would not say what was wrong.
    """
    if {found[1] or found[2] for text in _texts(content) for found in _VARIABLE.finditer(text)} == {RETRY_INFO}:
        raise UsageError(
            "the prompt template has no $VALIDATION_ERRORS: a retry would not say what was wrong; add it where the "
            "errors should appear"
        )
    if isinstance(content, str):
        return _filled(content, feedback)
    return [{**part, "text": _filled(part["text"], feedback)} if has_variables([part]) else part for part in content]


def _texts(content: Any) -> list[str]:
    parts = content if isinstance(content, list) else [{"text": content}]
    return [part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str)]


def _filled(template: str, feedback: str) -> str:
    header = _HEADER.match(feedback)
    info = header[0] if header else ""
    values = {RETRY_INFO: info, VALIDATION_ERRORS: feedback[len(info) :].lstrip("\n")}
    return _VARIABLE.sub(lambda found: values[found[1] or found[2]], template)


def first_messages(messages: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
    """Return the messages of a first attempt, with empty variables in user turns."""
    first = []
    for message in messages:
        key = "parts" if "parts" in message else "content"
        has_some = message.get("role") == "user" and has_variables(message.get(key))
        first.append({**message, key: fill_content(message[key], "")} if has_some else dict(message))
    return first
