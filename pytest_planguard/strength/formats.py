"""Textual forms that good answers may share: dates, ids, conclusions."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DATE = re.compile(r"([12]\d{3})(-\d{2}-\d{2}(?:[T ].*)?)")
"""A date, with or without a time: "2026-11-22", "2026-11-22T10:00:00Z"."""
DATE = "date of this century"
FORMATS = {
    DATE: r"20\d\d-\d\d-\d\d",
    "date and time of this century": r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d.*",
    "UUID": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    "URL": r"https?://\S+",
    "e-mail address": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "id of a prefix and a number": r"[A-Za-z]{1,10}[-_]?\d{1,8}",
    "number": r"\d{1,8}(\.\d{1,8}){0,3}",
}
"""Names and patterns of the whole text, the strictest first."""
_CONCLUSIONS = {
    "go": "No-Go",
    "no-go": "Go",
    "no go": "Go",
    "yes": "No",
    "no": "Yes",
    "approved": "Rejected",
    "rejected": "Approved",
    "approve": "Reject",
    "reject": "Approve",
    "pass": "Fail",
    "fail": "Pass",
    "true": "False",
    "false": "True",
}
_CONCLUSION = re.compile(r"(?i)(no[- ]go|go|yes|no|approved?|rejected?|pass|fail|true|false)\b")
"""A conclusion at the start of a text: "Go with caution"."""


def format_of_all(texts: Sequence[str]) -> tuple[str, str] | None:
    """Return name and pattern of the first form that all texts have; None where there is none, or no text."""
    for name, pattern in FORMATS.items():
        if texts and all(re.fullmatch(pattern, text) for text in texts):
            return name, pattern
    return None


def stale_date(text: str) -> str | None:
    """Return a date a hundred years back; None for a text that is no date: "2026-11-22" gives "1926-11-22"."""
    match = _DATE.fullmatch(text)
    return f"{int(match[1]) - 100}{match[2]}" if match else None


def is_conclusion(text: str) -> bool:
    """Return whether a text begins with a conclusion."""
    return _CONCLUSION.match(text) is not None


def negated(text: str) -> str:
    """Return the text with the opposite conclusion: "Go with caution" gives "No-Go with caution"."""
    return _CONCLUSION.sub(lambda match: _CONCLUSIONS[match[1].casefold()], text, count=1)
