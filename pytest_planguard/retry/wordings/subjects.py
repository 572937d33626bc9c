"""Errors that have their place as the subject of the sentence: `data/lines/1 must have required property 'sku'`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..entry import Entry, parse_place

_SUBJECT = re.compile(
    r"(?:^|(?<=[\n,;.:]\s)|(?<=\n))[ \t]{0,8}(?:[-*•–—✖×]\s+|\d{1,3}[.)]\s+)?"
    r"['\"]?((?:[$#/]|[A-Za-z_])[\w$#./\[\]'\"-]{0,199}?)['\"]?[ \t]+"
    r"(?=(?:must|should|shall|is|are|was|has|have|does|do|requires?|contains?|needs?|cannot|can|may|exceeds?|fails?"
    r"|failed|matches|doesn't|isn't)\b)",
    re.M,
)
_END = re.compile(r"\n|, and\b|[.;] ")
_STEPS = re.compile(r"\w[.\[/]['\"]?\w|\A[$#/]")
_WHOLE = frozenset({"data", "instance"})
"""What validators call the whole answer, and people do not."""
_MESSAGE_LIMIT = 1_000
_READ_LIMIT = 100_000


def subject_entries(text: str) -> Iterator[Entry]:
    """One entry for each sentence that begins with a path of several steps or with a name for the whole answer."""
    found = [m for m in _SUBJECT.finditer(text[:_READ_LIMIT]) if _STEPS.search(m[1]) or m[1] in _WHOLE]
    for subject, following in pairwise([*found, None]):
        assert subject is not None
        stop = min(following.start() if following else len(text), subject.end() + _MESSAGE_LIMIT)
        over = _END.search(text, subject.end(), stop)
        end = over.start() if over else stop
        yield Entry(parse_place(subject[1]), None, text[subject.end() : end].rstrip(" ,;\n"), subject.start(), end)
