"""The variables `$RETRY_INFO` and `$VALIDATION_ERRORS` in prompt templates, and checks for missing variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..phrasing import nearest

RETRY_INFO = "RETRY_INFO"
"""'RETRY 2/3'; empty on the first attempt."""
VALIDATION_ERRORS = "VALIDATION_ERRORS"
"""The findings, one per line; empty on the first attempt."""
VARIABLES = (RETRY_INFO, VALIDATION_ERRORS)
# "$RETRY_INFO" and "${RETRY_INFO}", but not "$RETRY_INFORMATION", which belongs to the app.
_VARIABLE = re.compile(r"\$(?:\{(RETRY_INFO|VALIDATION_ERRORS)\}|(RETRY_INFO|VALIDATION_ERRORS)\b)")
# "RETRY 2/3" at the start of a command-style text.
_HEADER = re.compile(r"RETRY \d+/\d+")


def has_variables(content: object) -> bool:
    """Return True if a prompt template, or a part of a message, names one of the variables."""
    return any(_VARIABLE.search(text) is not None for text in _texts(content))


def named_variables(template: str) -> set[str]:
    """Return the variables that a prompt template names."""
    return {found[1] or found[2] for found in _VARIABLE.finditer(template)}


def fill_content(content: Any, feedback: str) -> Any:
    """Return a message's content (a text or a list of parts) with the variables replaced by the feedback.

    With "", both are empty. A feedback with a RETRY header is split after that line. Any other replaces
    `$VALIDATION_ERRORS`.

    Raises:
        UsageError: the content has only `$RETRY_INFO`, so a retry would not say what was wrong.
    """
    if named_variables("\n".join(_texts(content))) == {RETRY_INFO}:
        raise UsageError(f"{lack(VALIDATION_ERRORS)}; add it where the errors should appear")
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


def lack(name: str) -> str:
    """Return what the model does not learn if a template lacks this variable."""
    wants = "how many attempts are left" if name == RETRY_INFO else "what was wrong"
    return f"the prompt template has no ${name}: a retry would not say {wants}"


# Find variables that are missing or misspelt in a prompt template, so that it does not pass feedback on.

# Any name with a sign, "$RETRYINFO": one of four letters or more may be a misspelt variable.
_ANY = re.compile(r"\$\{?([A-Za-z_]{4,40})\b")
# "{{ RETRY_INFO }}" or "RETRY_INFO" alone, but not after "$" or "${".
_BARE = re.compile(rf"(?<![\w$])(?<!\$\{{)({'|'.join(VARIABLES)})\b")


@dataclass(frozen=True, slots=True)
class PromptFault:
    """One thing wrong with a prompt template."""

    message: str
    line: int | None = None
    """The 1-based line; None if the problem has no place."""

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


def lint_prompt(template: str) -> tuple[PromptFault, ...]:
    """Return the reasons why a prompt template does not pass feedback on, sorted by place; () if it does.

    A variable must be written as `$NAME` or `${NAME}`. No other form is replaced.
    """
    named = named_variables(template)
    written = sorted([*_misspelt(template, named), *_bare(template, named)])
    wrong = [PromptFault(message, template.count("\n", 0, at) + 1) for at, message in written]
    return (*wrong, *(PromptFault(lack(name)) for name in VARIABLES if name not in named))


def _misspelt(template: str, named: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the first place of each name that is similar to a missing variable. Other names belong to the app."""
    # Reversed, so that the first place of a name stays in the dict.
    first = {found[1]: found.start() for found in reversed(list(_ANY.finditer(template))) if found[1] not in VARIABLES}
    for name, at in first.items():
        near = nearest(name, VARIABLES)
        if near is not None and near not in named:
            yield at, f"${name} is not a variable; did you mean ${near}?"


def _bare(template: str, named: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the first place of each name without its dollar sign, as other template languages write it."""
    first = {found[1]: found.start() for found in reversed(list(_BARE.finditer(template)))}
    for name, at in first.items():
        if name not in named:
            yield at, f"{name} has no dollar sign, so it is not filled in; write ${name}"


# The section of a prompt template with the feedback and its instruction: `## Retry Context`.

# "## Retry Context ##": only the start of its words counts.
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<words>.*)$", re.MULTILINE)
_NAMED = re.compile(r"retry[ \t]+context\b", re.IGNORECASE)
"""The start of such a heading: "Retry Context", "Retry context (if present)"."""
# A variable with its sign, even if its brace is not closed: the rest of the section is its instruction.
_WRITTEN = re.compile(rf"\$\{{?(?:{'|'.join(VARIABLES)})\b\}}?")


def lint_retry_context(template: str) -> tuple[PromptFault, ...]:
    """Return the problems of a template's section on retries; () if it has the variables and an instruction.

    The section ends at the next heading. A variable outside it is a fault too: on a retry the model would see errors
    without an explanation.
    """
    headings = [*_HEADING.finditer(template)]
    for at, heading in enumerate(headings):
        if _NAMED.match(heading["words"]):
            end = headings[at + 1].start() if at + 1 < len(headings) else len(template)
            line = template.count("\n", 0, heading.start()) + 1
            return tuple(_faults(template[heading.end() : end], template, line))
    message = "no section on retries: got no heading Retry Context; write ## Retry Context above $RETRY_INFO"
    return (PromptFault(message),)


def _faults(section: str, template: str, line: int) -> Iterator[PromptFault]:
    named = named_variables(section)
    for name in VARIABLES:
        if name not in named and name in named_variables(template):
            yield PromptFault(f"${name} is outside the section Retry Context; move it below that heading", line)
    if not re.search(r"\w{2}", _WRITTEN.sub("", section)):
        yield PromptFault("the section Retry Context gives no instruction; say what to do with the errors", line)
