"""`$RETRY_INFO` and `$VALIDATION_ERRORS`: where a prompt template wants the feedback, instead of in front of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import UsageError
from .wording import nearest

RETRY_INFO = "RETRY_INFO"
"""'RETRY 2/3'; empty on the first attempt."""
VALIDATION_ERRORS = "VALIDATION_ERRORS"
"""What was wrong, one line a finding; empty on the first attempt."""
VARIABLES = (RETRY_INFO, VALIDATION_ERRORS)
_VARIABLE = re.compile(r"\$(?:\{(RETRY_INFO|VALIDATION_ERRORS)\}|(RETRY_INFO|VALIDATION_ERRORS)\b)")
_ANY = re.compile(r"\$\{?([A-Z][A-Z_]{2,40})\b\}?")
_HEADER = re.compile(r"RETRY \d+/\d+")


def has_variables(text: Any) -> bool:
    """Whether a prompt template names one of the variables."""
    return isinstance(text, str) and _VARIABLE.search(text) is not None


def fill_variables(template: str, feedback: str) -> str:
    """The prompt with a feedback text in the places of the variables; with "" both are empty.

    A text of a style with a RETRY header is parted after that line; any other stands in `$VALIDATION_ERRORS` whole.

    Raises:
        UsageError: the template has `$RETRY_INFO` alone: a retry would not say what was wrong.
    """
    named = {found[1] or found[2] for found in _VARIABLE.finditer(template)}
    if named == {RETRY_INFO}:
        raise UsageError(f"{_lack(VALIDATION_ERRORS)}. Put it where the errors shall stand")
    header = _HEADER.match(feedback)
    info = header[0] if header else ""
    values = {RETRY_INFO: info, VALIDATION_ERRORS: feedback[len(info) :].lstrip("\n")}
    return _VARIABLE.sub(lambda found: values[found[1] or found[2]], template)


def first_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages of a first attempt: the variables of user turns are empty."""
    return [
        {**message, "content": fill_variables(message["content"], "")}
        if message.get("role") == "user" and has_variables(message.get("content"))
        else dict(message)
        for message in messages
    ]


def lint_prompt(template: str) -> tuple[str, ...]:
    """What keeps a prompt template from passing feedback on, one line each; () for a good one."""
    named = {found[1] or found[2] for found in _VARIABLE.finditer(template)}
    unknown = [name for name in dict.fromkeys(_ANY.findall(template)) if name not in VARIABLES]
    return (*_misspelt(unknown), *(_lack(name) for name in VARIABLES if name not in named))


def _misspelt(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        near = nearest(name, VARIABLES)
        if near is not None:
            yield f"${name} is no variable; did you mean ${near}?"


def _lack(name: str) -> str:
    wants = "how many attempts are left" if name == RETRY_INFO else "what was wrong"
    return f"the prompt template has no ${name}: a retry would not say {wants}"
