"""Server-sent events as the WHATWG HTML standard parses them (section 9.2.6), fed in pieces of any size."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One dispatched event."""

    data: str
    """The data lines joined by LF."""
    type: str = "message"
    """The event field; "message" where none was sent."""


class EventParser:
    """Feeds on pieces of a stream and yields its events; where the pieces are cut makes no difference."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._pieces: list[str] = []
        self._cr = False
        self._data: list[str] = []
        self._type = ""

    def feed(self, piece: bytes) -> Iterator[Event]:
        """Take the next piece and yield the events that it completes."""
        yield from self._lines(self._decode(piece))

    def close(self) -> Iterator[Event]:
        """End the stream and yield the event that no blank line ended.

        The standard drops that event; recordings often lose the last blank line, and with it the end of the answer.
        """
        yield from self._lines(self._decode(b"", final=True))
        self._field("".join(self._pieces))
        yield from self._dispatched()

    def _lines(self, text: str) -> Iterator[Event]:
        if self._cr and text:
            self._cr = False
            text = text.removeprefix("\n")
        start = 0
        for end in _LINE_END.finditer(text):
            self._pieces.append(text[start : end.start()])
            line = "".join(self._pieces)
            self._pieces.clear()
            start = end.end()
            if line:
                self._field(line)
            else:
                yield from self._dispatched()
        self._cr = self._cr or text.endswith("\r")
        self._pieces.append(text[start:])

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._type = value

    def _dispatched(self) -> Iterator[Event]:
        if self._data:
            yield Event("\n".join(self._data), self._type or "message")
        self._data, self._type = [], ""


def parse_events(body: bytes) -> list[Event]:
    """The events of a whole stream."""
    parser = EventParser()
    return [*parser.feed(body), *parser.close()]
