"""A finding's own message fed back as it is: no path in front of it, no bullet, at most a number.

The messages of rules and constraints name their place in their own words ("T003 depends on …"), and those of schemas
quote the value, so the message tells where by itself. Validators' words ("Field required") do not, and do not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .keyword_match import Mention, own_words
from .match_finding import verbatim

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from ...contract.finding import Finding
    from ..reading.entry import ErrorEntry

FEWEST_WORDS = 4
"""A shorter message is common speech."""
_READ_LIMIT = 100_000
# In front of a message: the start of its line or a sentence, or a colon, with a bullet or a number: "Please fix: ",
# "- ", "(2) ". Whether a place is in front of the colon, the entries tell.
_IN_FRONT = re.compile(r"(?:^|[.!?;:]\s)\W*(?:\d{1,3}\W+)?\Z")
# Behind it: the end of its sentence or line, with a note on it: "(line 4)", "[distinct]".
_BEHIND = re.compile(r"[.!;,\"']{0,3}[ \t]*(?:[(\[][\w -]{1,60}[)\]][.,;]?)?[ \t]*(?:$|(?<=[.!?;][ \t])(?=\S))", re.M)


def standalone_message(
    finding: Finding, text: str, taken: Container[int] = (), entries: Sequence[ErrorEntry] = ()
) -> Mention | None:
    """Return where the message stands by itself.

    Findings with equal messages are told one by one: places that begin at `taken` speak of another. A line above that
    names a place, and `entries` that place the message themselves, say where it belongs: not here.
    """
    for message in own_words(finding):
        for found in _places(message, text[:_READ_LIMIT]):
            if found.start in taken or _placed_above(text, found.start):
                continue
            around = [e for e in entries if e.start <= found.start < e.end]
            if not any(e.path and verbatim(e.message, finding) for e in around):
                return found
    return None


def _places(message: str, text: str) -> Iterator[Mention]:
    words = message.rstrip(".").split()
    pattern = re.compile(r"\s+".join(map(re.escape, words)) if len(words) >= FEWEST_WORDS else "(?!)")
    for found in pattern.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        if _IN_FRONT.search(text[max(line, found.start() - 200) : found.start()]) and _BEHIND.match(text, found.end()):
            yield Mention(found.start(), found.end())


def _placed_above(text: str, start: int) -> bool:
    """Return whether the line above is one word, which is a place: "tasks[0].status", "`goal`:"."""
    line = text.rfind("\n", 0, start)
    above = text[max(text.rfind("\n", 0, line) + 1, line - 300) : line] if line > 0 else ""
    return len(above.split()) == 1
