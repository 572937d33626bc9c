"""The end mark: the last line of a cassette, with the number of its exchanges and a digest of them.

A YAML block has no end, so a file that is cut off after any line of an exchange is still YAML. Both lines are comments,
so vcrpy loads the file. A file that vcrpy rewrites has neither, and does not count as a part of ours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .interaction import Headers, Interaction

HEAD = "# planguard cassette"
"""The beginning of the first line. A file that has it but no end mark was cut off."""
FIRST_LINE = f"{HEAD}: the last line counts its exchanges\n"
_START = "\n# planguard: "
# "# planguard: 3 exchanges, digest 0123456789abcdef". Half a line does not match, because the digest has a fixed
# length.
_MARK = re.compile(r"\n# planguard: (\d{1,9}) exchanges?, digest ([0-9a-f]{16})[ \t\r]*(?=\n|\Z)")
_ABOVE = ("#", "---", "%")
"""Starts of lines that may come before the first one: a licence, the start of the document."""


@dataclass(frozen=True, slots=True)
class EndMark:
    """The last line of a cassette, which describes the file."""

    count: int
    """Number of exchanges above the mark."""
    digest: str
    """16 hex digits. They depend on the exchanges, not on the layout of the file."""
    is_last: bool = field(default=True, compare=False)
    """True if only comments follow the mark."""

    def __str__(self) -> str:
        """Return the line, without its break."""
        return f"# planguard: {self.count} {'exchange' if self.count == 1 else 'exchanges'}, digest {self.digest}"


class RunningMark:
    """The mark of the exchanges written so far."""

    def __init__(self) -> None:
        self._count = 0
        self._digest = hashlib.sha256()

    def add(self, interaction: Interaction) -> None:
        """Count an exchange, with its bodies as they are in the file."""
        self._count += 1
        for part in _parts(interaction):
            self._digest.update(b"%d:%b" % (len(part), part))

    def mark(self) -> EndMark:
        """Return the mark; exchanges may follow."""
        return EndMark(self._count, self._digest.hexdigest()[:16])


def mark_of(interactions: Iterable[Interaction]) -> EndMark:
    """Return the mark of a whole cassette, with the bodies of its interactions as they are in the file."""
    running = RunningMark()
    for interaction in interactions:
        running.add(interaction)
    return running.mark()


def find_mark(text: str) -> EndMark | None:
    """Return the last end mark of a cassette's text; None without a complete one."""
    at = text.rfind(_START)
    found = _MARK.match(text, at) if at >= 0 else None
    if found is None:
        return None
    below = text[found.end() :].split("\n")
    is_last = all(line.strip() in ("", "...") or line.startswith("#") for line in below)
    return EndMark(int(found[1]), found[2], is_last=is_last)


def with_mark(text: str, mark: EndMark) -> str:
    """Return the text of a whole cassette with another end mark."""
    return f"{text[: text.rfind(_START) + 1]}{mark}\n"


def has_head(text: str) -> bool:
    """Return True if planguard wrote the text, or the file that it is a part of, according to its first line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        line = text[start : end if end >= 0 else len(text)].strip()
        if line.startswith(HEAD):
            return True
        if (line and not line.startswith(_ABOVE)) or end < 0:
            return False
        start = end + 1
    return False


def _parts(interaction: Interaction) -> Iterator[bytes]:
    """Yield the parts that the digest covers. It ignores layout: the case and order of headers, and line endings."""
    yield _encoded(interaction.method)
    yield _encoded(interaction.url)
    yield _headers(interaction.request_headers)
    yield _without_layout(interaction.request_body)
    yield _encoded(f"{interaction.status} {interaction.reason}")
    yield _headers(interaction.response_headers)
    yield _without_layout(interaction.response_body)


def _headers(headers: Headers) -> bytes:
    lines = sorted(f"{name.lower()}: {value}" for name, values in headers for value in values)
    return _encoded("\n".join(lines))


def _without_layout(body: bytes) -> bytes:
    """Return a body without trailing white space, in its lines and at its end, which editors and hooks remove."""
    if b" \n" in body or b"\t\n" in body or b"\r\n" in body:
        body = b"\n".join([line.rstrip() for line in body.split(b"\n")])
    return body.rstrip()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
