"""A finding's own message fed back as it is: no path in front of it, no bullet, at most a number.

The messages of rules and constraints name their place in their own words ("T003 depends on …"), and those of schemas
quote the value, so the message tells where by itself. Validators' words ("Field required") do not, and do not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..reading.error_category import GENERIC
from .keyword_match import Mention
from .match_finding import verbatim

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from ...contract.finding import Finding
    from ..reading.entry import ErrorEntry

FEWEST_WORDS = 4
"""A shorter message is common speech."""
_HEADING_WORDS = 3
"""A line of more words is a message or a sentence of its own."""
_READ_LIMIT = 100_000
_ITEM = r"(?:[-*•–—>]\s+|\d{1,3}[.)]\s+|\(\d{1,3}\)\s+|[❌✗✘×⚠]\ufe0f?\s*|\"|'){0,3}"
_LEAD = r"(?:(?:line \d{1,7}|errors?|problems?|issues?|(?:please )?(?:fix|correct|address)(?: this)?)[:,]?\s+){0,2}"
_IN_FRONT = re.compile(r"(?:^|(?<=[.!?;])\s)[ \t]*" + _ITEM + _LEAD + r"\Z", re.IGNORECASE)
_BEHIND = re.compile(
    r"[.!;,\"']{0,3}[ \t]*(?:\(line \d{1,7}\)[.,;]?|\[[\w-]{1,60}\])?[ \t]*(?:$|(?<=[.!?;][ \t])(?=\S))", re.M
)
_PLACE = re.compile(r"[\w\]]\s*(?:[.\[/]|->|→)\s*\w|\b(?:path|field|loc|key|at|in)\b|^\s*[\w\"'`]+\s*:\s*$", re.I)


def standalone_message(
    finding: Finding, text: str, taken: Container[int] = (), entries: Sequence[ErrorEntry] = ()
) -> Mention | None:
    """Return where the message stands by itself.

    Findings with equal messages are told one by one: places that begin at `taken` speak of another. A line above that
    names a place, and `entries` that place the message themselves, say where it belongs: not here.
    """
    for message in _messages(finding):
        for found in _places(message, text[:_READ_LIMIT]):
            if found.start in taken or _placed_above(text, found.start):
                continue
            around = [e for e in entries if e.start <= found.start < e.end]
            if not any(e.path and verbatim(e.message, finding) for e in around):
                return found
    return None


def _messages(finding: Finding) -> list[str]:
    """Its own words, and a validator's that the user wrote."""
    words = [finding.message]
    if finding.validator_message and finding.validator_code in GENERIC:
        words.append(finding.validator_message.removeprefix("Value error, ").removeprefix("Assertion failed, "))
    return [word for word in words if len(word.split()) >= FEWEST_WORDS]


def _places(message: str, text: str) -> Iterator[Mention]:
    pattern = re.compile(r"\s+".join(map(re.escape, message.rstrip(".").split())))
    for found in pattern.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        if _IN_FRONT.search(text[max(line, found.start() - 200) : found.start()]) and _BEHIND.match(text, found.end()):
            yield Mention(found.start(), found.end())


def _placed_above(text: str, start: int) -> bool:
    line = text.rfind("\n", 0, start)
    above = text[max(text.rfind("\n", 0, max(line, 0)) + 1, line - 300) : line] if line > 0 else ""
    return len(above.split()) <= _HEADING_WORDS and bool(_PLACE.search(above))
