"""`$RETRY_INFO` and `$VALIDATION_ERRORS`: where a prompt template wants the feedback, instead of in front of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError

RETRY_INFO = "RETRY_INFO"
"""'RETRY 2/3'; empty on the first attempt."""
VALIDATION_ERRORS = "VALIDATION_ERRORS"
"""What was wrong, one line a finding; empty on the first attempt."""
VARIABLES = (RETRY_INFO, VALIDATION_ERRORS)
_VARIABLE = re.compile(r"\$(?:\{(RETRY_INFO|VALIDATION_ERRORS)\}|(RETRY_INFO|VALIDATION_ERRORS)\b)")
_HEADER = re.compile(r"RETRY \d+/\d+")


def has_variables(content: Any) -> bool:
    """Whether a prompt template, or one of the parts of a message, names one of the variables."""
    return any(_VARIABLE.search(text) is not None for text in _texts(content))


def named_variables(template: str) -> set[str]:
    """The variables that a prompt template names."""
    return {found[1] or found[2] for found in _VARIABLE.finditer(template)}


def fill_content(content: Any, feedback: str) -> Any:
    """The content of a message, a text or a list of parts, with a feedback text in the places of the variables.

    Raises:
        UsageError: it has `$RETRY_INFO` alone: a retry would not say what was wrong.
    """
    if isinstance(content, str):
        return fill_variables(content, feedback)
    _forbid_lone_header("\n".join(_texts(content)))
    return [{**part, "text": _filled(part["text"], feedback)} if has_variables([part]) else part for part in content]


def _texts(content: Any) -> list[str]:
    parts = content if isinstance(content, list) else [{"text": content}]
    return [part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str)]


def fill_variables(template: str, feedback: str) -> str:
    """The prompt with a feedback text in the places of the variables; with "" both are empty.

    A text of a style with a RETRY header is parted after that line; any other stands in `$VALIDATION_ERRORS` whole.

    Raises:
        UsageError: the template has `$RETRY_INFO` alone: a retry would not say what was wrong.
    """
    _forbid_lone_header(template)
    return _filled(template, feedback)


def _forbid_lone_header(template: str) -> None:
    if named_variables(template) == {RETRY_INFO}:
        raise UsageError(f"{lack(VALIDATION_ERRORS)}. Put it where the errors shall stand")


def _filled(template: str, feedback: str) -> str:
    header = _HEADER.match(feedback)
    info = header[0] if header else ""
    values = {RETRY_INFO: info, VALIDATION_ERRORS: feedback[len(info) :].lstrip("\n")}
    return _VARIABLE.sub(lambda found: values[found[1] or found[2]], template)


def first_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages of a first attempt: the variables of user turns are empty."""
    return [_first(message) for message in messages]


def _first(message: Mapping[str, Any]) -> dict[str, Any]:
    key = "parts" if "parts" in message else "content"
    if message.get("role") == "user" and has_variables(message.get(key)):
        return {**message, key: fill_content(message[key], "")}
    return dict(message)


def lack(name: str) -> str:
    """What a template without one of the variables keeps from the model."""
    wants = "how many attempts are left" if name == RETRY_INFO else "what was wrong"
    return f"the prompt template has no ${name}: a retry would not say {wants}"
