"""One request and its answer as they are in a cassette: plain HTTP, not interpreted. The last line counts them.

A YAML block has no end, so a file that is cut off after any line of an exchange is still YAML. Its first and last lines
are comments, so vcrpy loads the file. A file that vcrpy rewrites has neither, and does not count as a part of ours.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import Any

from ...wire.body import codings_left, unpack
from ...wire.exchange import LATENCY_HEADER, Message, latency_text

Headers = tuple[tuple[str, tuple[str, ...]], ...]
"""Header names as sent, each with its values, in the order of the message."""

_CODING = "content-encoding"
_REFRAMED = frozenset({_CODING, "transfer-encoding", "content-length"})


@dataclass(frozen=True, slots=True)
class Interaction:
    """A recorded request and response. Bodies are unpacked: no compression, no chunks."""

    method: str
    url: str
    request_headers: Headers
    request_body: bytes
    status: int
    reason: str
    response_headers: Headers
    response_body: bytes

    @property
    def request(self) -> Message:
        """The request in the form that the wire layer reads."""
        return Message(flat(self.request_headers), self.request_body, self.method, self.url)

    @property
    def response(self) -> Message:
        """The response in the form that the wire layer reads."""
        return Message(flat(self.response_headers), self.response_body, self.method, self.url, self.status)


_JSON: Headers = (("Content-Type", ("application/json",)),)


def as_data(content: bytes | bytearray) -> Any:
    """Return UTF-8 as text, anything else as {"base64": "…"}."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def local_request(url: str, body: bytes) -> Message:
    """Return a request that is not sent over HTTP, in the form that the gate reads."""
    return Message(flat(_JSON), body, "POST", url)


def local_exchange(url: str, request: bytes, response: bytes, latency_s: float) -> Interaction:
    """Return an exchange that was not sent over HTTP, and that has just ended. Its bodies are JSON."""
    headers = with_latency((*_JSON, ("Date", (formatdate(usegmt=True),))), latency_s)
    return Interaction("POST", url, _JSON, request, 200, "OK", headers, response)


def with_latency(headers: Headers, latency_s: float | None) -> Headers:
    """Add the measured latency to a response's headers. It replaces any latency that the server sent."""
    own = tuple(header for header in headers if header[0].lower() != LATENCY_HEADER)
    return own if latency_s is None else (*own, (LATENCY_HEADER, (latency_text(latency_s),)))


def flat(headers: Headers) -> Mapping[str, str]:
    """Return headers by lower-case name, with several values of one name joined by a comma."""
    return {name.lower(): ", ".join(values) for name, values in headers}


def collect(pairs: Iterable[tuple[str, object]]) -> Headers:
    """Return headers from (name, value or list of values) pairs. A repeated name keeps all its values."""
    merged: dict[str, list[str]] = {}
    for name, value in pairs:
        values = value if isinstance(value, list | tuple) else [value]
        merged.setdefault(_text(name), []).extend([_text(v) for v in values])
    return tuple((name, tuple(values)) for name, values in merged.items())


def request_message(method: str, url: str, headers: Headers, body: bytes) -> Message:
    """Return a request in the form that the wire layer reads, with its body in plain bytes."""
    still_true, plain = unpacked(headers, body)
    return Message(flat(still_true), plain, method, url)


def unpacked(headers: Headers, body: bytes) -> tuple[Headers, bytes]:
    """Return the body in plain bytes, and the headers that still apply to it.

    A body that cannot be unpacked (a broken stream) keeps its bytes and its headers; one in an unknown coding keeps its
    Content-Encoding.
    """
    if not any(name.lower() in _REFRAMED for name, _ in headers):
        return headers, body
    plain = unpack(flat(headers), body)
    if plain.problem:
        return headers, body
    return tuple(_still_true(headers)), plain.body


def _still_true(headers: Headers) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the headers that apply to an unpacked body."""
    for name, values in headers:
        left = codings_left(", ".join(values)) if name.lower() == _CODING else ""
        if left:
            yield name, (left,)
        elif name.lower() not in _REFRAMED:
            yield name, values


def _text(value: object) -> str:
    if type(value) is str:  # nearly always
        return value
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


# The end mark: the last line of a cassette, with the number of its exchanges and a digest of them.


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
            # With its length: the method "GET" with "x" is not "GE" with "Tx".
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
    return text.encode("utf-8", "surrogatepass")  # a file may hold half of an emoji
