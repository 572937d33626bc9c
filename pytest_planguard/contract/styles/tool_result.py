"""The tool_result style: what a tool says to a model that called it with arguments that break the contract."""

from __future__ import annotations

from .correction import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded, fitted
from .entries import entry

_FOOT = "Call the tool again with all arguments, corrected."
_MORE = 40  # characters kept free for "…and 1,234 more problems."


def word_tool_result(correction: Correction) -> Worded:
    """Speaks of the call, not of an answer. The placement dialogue puts it into the result of the bad call."""
    head = f"The call was not run: its arguments failed validation. {correction.problems}:"
    lines = [f"{number}. {entry(finding)}" for number, finding in enumerate(correction.findings, start=1)]
    shown = fitted(lines, LINE_LIMIT, TEXT_LIMIT - len(head) - len(_FOOT) - _MORE)
    more = len(lines) - shown
    rest = [f"…and {more} more problem{'s' if more > 1 else ''}."] if more else []
    return Worded("\n".join([head, *lines[:shown], *rest, _FOOT]), shown)


TOOL_RESULT = Style("tool_result", word_tool_result, opening="The call was not run: its arguments failed validation")
