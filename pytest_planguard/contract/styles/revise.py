"""The revise style, for loops that send a plan back to its author: a heading, one bullet an issue, and the order."""

from __future__ import annotations

from .correction import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded, fitted
from .entries import entry

HEAD = "The plan validator found structural issues:"
FOOT = "Revise the plan to address these issues."
_MORE = 40  # characters kept free for "- …and 1,234 more issues"


def word_revise(correction: Correction) -> Worded:
    """Heading and order are those of a plan-loop design; the bullets tell path and code, so that they can be read."""
    lines = [f"- {entry(finding)}" for finding in correction.findings]
    shown = fitted(lines, LINE_LIMIT, TEXT_LIMIT - len(HEAD) - len(FOOT) - _MORE)
    more = len(lines) - shown
    rest = [f"…and {more} more issue{'s' if more > 1 else ''}."] if more else []
    return Worded("\n".join([HEAD, *lines[:shown], *rest, FOOT]), shown)


REVISE = Style("revise", word_revise, opening=HEAD)
