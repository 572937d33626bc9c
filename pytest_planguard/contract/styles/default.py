"""The default style: one line a finding, place and rule in words, everything else kept."""

from __future__ import annotations

from .correction import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded, fitted
from .entries import entry

_MORE = 40  # characters kept free for "…and 1,234 more problems."


def word_default(correction: Correction) -> Worded:
    """Plain text of at most `TEXT_LIMIT` characters: says that a program speaks, never a class name, URL or traceback.

    Form and order follow what is known to help: see the feedback guide in the documentation.
    """
    head = f"{_opening(correction)} (automated check, not the user). {correction.problems}:"
    foot = f"Keep everything else as it is. Return the whole corrected {correction.document} only."
    lines = [f"{number}. {entry(finding)}" for number, finding in enumerate(correction.findings, start=1)]
    shown = fitted(lines, LINE_LIMIT, TEXT_LIMIT - len(head) - len(foot) - _MORE)
    more = len(lines) - shown
    middle = [*lines[:shown], f"…and {more} more problem{'s' if more > 1 else ''}."] if more else lines
    return Worded("\n".join([head, *middle, foot]), shown)


def _opening(correction: Correction) -> str:
    if correction.attempt is None:
        return "The answer failed validation"
    of = "" if correction.max_attempts is None else f" of {correction.max_attempts}"
    return f"Attempt {correction.attempt}{of} failed validation"


DEFAULT = Style(
    "default", word_default, opening=r"(?:Attempt \d+(?: of \d+)?|The answer) failed validation \(automated"
)
