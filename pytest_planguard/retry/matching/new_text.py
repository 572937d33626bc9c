"""One text that a request adds, with the errors that were read in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..reading.entry import ErrorEntry

EVIDENCE_LIMIT = 200
"""Characters of the request that are kept as evidence."""
# Between a key of an outline and what stands below it: ":\n    - ".
_GAP = re.compile(r"[ \n:-]{0,60}")


@dataclass(frozen=True, slots=True)
class NewText:
    """One new text of the next request, with the errors that were read in it."""

    where: str
    """'request 2, message 4'."""
    text: str
    entries: tuple[ErrorEntry, ...]

    def quote(self, start: int, end: int) -> str:
        """Return text[start:end] as evidence: where it stands, and its words, clipped."""
        return f"{self.where}: {clip(self.text[start:end])}"

    def around(self, end: int, name: str = "") -> Iterator[ErrorEntry]:
        """Yield the errors in whose words text[:end] ends, or that an outline has right below this name.

        Those of a JSON value reach over all of it, so they are left out.
        """
        gap = _GAP.match(self.text, end)
        for entry in self.entries:
            if self.text[entry.start] in "[{" or entry.end < end:
                continue
            if entry.start < end:
                yield entry
            elif gap and entry.start <= gap.end() and entry.path and name in entry.path:
                yield replace(entry, path=entry.path[: entry.path.index(name) + 1])


def clip(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
