"""Read an answer as Markdown: the text itself, without a thinking block or a fence around the whole."""

from __future__ import annotations

import re

from .problem import Problem
from .reading import Answer, Reading, trim, without_document, wrapper_notes
from .text.prose import classify
from .text.wrapper import Fence

MARKDOWN_INFOS = frozenset({"markdown", "md"})
_HEADING = re.compile(r"(?<![^\r\n]) {0,3}#{1,6}[ \t]++\S")
_ITEM = re.compile(r"(?<![^\r\n]) {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]++\S")
_TABLE = re.compile(r"(?<![^\r\n])[ \t]*+\|?[ \t]*+:?-{3,}+:?[ \t]*+\|")
_BARE_FENCE = re.compile(r"(?<![^\r\n])[ \t]*+(`{3,}+|~{3,}+)[ \t]*+(?=[\r\n]|\Z)")


def read_markdown(answer: Answer) -> Reading:
    """The answer as a Markdown document; the data is its text. Only an answer without any structure can be prose."""
    fence = _wrapper(answer)
    start, end = (answer.thinking.end, len(answer.text)) if fence is None else (fence.body_start, fence.body_end)
    start, end = trim(answer.text, start, end)
    body = answer.text[start:end]
    if not body or (not has_structure(body) and classify(body)[0] != "prose"):
        return without_document(answer, "markdown", "Markdown document")
    problems: tuple[Problem, ...] = ()
    if fence is not None and not fence.closed:
        message = "the code fence is never closed: nothing shows that the Markdown in it is complete"
        problems = (Problem("truncated", message, answer.places.span(len(answer.text)), "the closing fence"),)
    return Reading("markdown", start, end, body, problems, wrapper_notes(answer, start, end, fence))


def has_structure(text: str) -> bool:
    """Return whether a text has a heading, a list of two items, or a table."""
    if _HEADING.search(text) or _TABLE.search(text):
        return True
    items = _ITEM.finditer(text)
    return next(items, None) is not None and next(items, None) is not None


def _wrapper(answer: Answer) -> Fence | None:
    """Return the fence that says Markdown. It ends at the *last* bare fence, for Markdown has fences inside.

    Where a heading, a list or a table stands before it, the answer itself is the document, and the fence an example.
    """
    fence = next((f for f in answer.fences if f.info in MARKDOWN_INFOS), None)
    if fence is None or has_structure(answer.text[answer.thinking.end : fence.start]):
        return None
    mark = answer.text[fence.start]
    closes = [c for c in _BARE_FENCE.finditer(answer.text, fence.body_start) if c.group(1)[0] == mark]
    if not closes:
        return Fence(fence.start, fence.body_start, len(answer.text), len(answer.text), fence.info, closed=False)
    return Fence(fence.start, fence.body_start, closes[-1].start(), closes[-1].end(), fence.info)
