"""Feedback styles: their input and output, and a user's template around the text."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ...errors import UsageError
from ..finding import Finding
from ..phrasing import clip, offered, plural
from .entry_lines import entry

TEXT_LIMIT = 2_000
"""Maximum characters of feedback. A real system sent 201,850 characters for an answer of 10,023."""
LINE_LIMIT = 20
"""Maximum number of problems that the default style lists."""

Counting = Literal["attempts", "retries"]


class Correction(NamedTuple):
    """The input of a style. All findings are bad, belong to one answer, and never mix syntax with schema problems."""

    findings: tuple[Finding, ...]
    attempt: int | None = None
    """The 1-based number of the attempt that failed; None if the caller does not count."""
    max_attempts: int | None = None
    """The total number of attempts allowed, including the first."""
    document: str = "JSON object"
    """The document that the model must return: "JSON object", "YAML document", …"""

    @property
    def problems(self) -> str:
        """'1 problem', '3 problems'."""
        return plural(len(self.findings), "problem")


class Worded(NamedTuple):
    """A style's text, and how many findings it mentions."""

    text: str
    shown: int


@dataclass(frozen=True, slots=True)
class Style:
    """A style: a way to word feedback."""

    name: str
    word: Callable[[Correction], Worded]
    opening: str = ""
    """A pattern for the start of the style's text, to find and replace an earlier block in a prompt; "" for none."""


def fitted(lines: Sequence[str], limit: int, budget: int) -> int:
    """Return how many lines fit: at most `limit`, and at most `budget` characters including line breaks."""
    used = 0
    for shown, line in enumerate(lines[:limit]):
        used += len(line) + 1
        if used > budget:
            return shown
    return min(len(lines), limit)


# A user's frame for feedback: `"Wrong again ({attempt}/{max_attempts}): {errors}"`, or a callable.

Template = str | Callable[[Correction], str]
"""A text with named fields in braces, or a function that writes the whole text."""

FIELDS = ("errors", "count", "attempt", "max_attempts", "retry", "max_retries", "document", "feedback")
"""Fields of a template: `errors` are the default style's lines, `feedback` is the whole text of the style."""


def fill(template: Template, correction: Correction, style: Style) -> Worded:
    """Return the template's text, of at most `TEXT_LIMIT` characters: cut the lines first, then the text itself.

    Raises:
        UsageError: an unknown field; the message names the nearest one and all of them.
    """
    if not isinstance(template, str):
        return Worded(clip(str(template(correction)), TEXT_LIMIT), len(correction.findings))
    fields = template_fields(template)
    lines = [f"{number}. {entry(finding)}" for number, finding in enumerate(correction.findings, start=1)]
    # What the template itself takes, so that the lines are cut and not its last words.
    frame = len(template.format(**_values(correction, "", "")))
    shown = fitted(lines, len(lines), TEXT_LIMIT - frame - 40)  # 40: "…and 1,234 more problems."
    more = [f"…and {len(lines) - shown} more problems."] if shown < len(lines) else []
    whole = style.word(correction) if "feedback" in fields else Worded("", 0)
    text = template.format(**_values(correction, "\n".join([*lines[:shown], *more]), whole.text))
    named = shown if "errors" in fields else whole.shown
    return Worded(clip(text, TEXT_LIMIT), named)


def _values(correction: Correction, errors: str, feedback: str) -> dict[str, object]:
    attempt = correction.attempt or 1
    allowed = correction.max_attempts or attempt + 1
    return {
        "errors": errors,
        "count": len(correction.findings),
        "attempt": attempt,
        "max_attempts": allowed,
        "retry": attempt,
        "max_retries": allowed - 1,
        "document": correction.document,
        "feedback": feedback,
    }


def template_fields(template: str) -> set[str]:
    """Return the names of a template's fields. Raises UsageError if it cannot be filled."""
    try:
        fields = {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}
    except ValueError as exc:
        raise UsageError(f"the feedback template cannot be read: got {exc}; write {{{{ for a brace") from exc
    for name in fields:
        if name not in FIELDS:
            raise UsageError(f"the feedback template has no field {name!r}{offered(name, FIELDS, 'Valid fields')}")
    try:
        template.format(**_values(Correction(()), "", ""))
    except (ValueError, LookupError) as exc:  # `{errors:d}`, `{errors!x}`, `{errors:{width}}`
        raise UsageError(f"the feedback template cannot be filled: got {exc}; write a field alone: {{errors}}") from exc
    return fields
