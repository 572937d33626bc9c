"""Server-sent events as the WHATWG HTML standard parses them (section 9.2.6)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# CR LF comes first, so that the pair ends one line: "data: a\r\n" is not a line and the blank line behind it.
# `str.splitlines` would also split at U+2028 and form feeds, which are characters of the data here.
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One dispatched event."""

    data: str
    """The data lines joined by LF."""
    type: str = "message"
    """The event field; "message" where none was sent."""


def parse_events(body: bytes) -> Iterator[Event]:
    """Yield the events of a whole stream.

    The standard drops an event that no blank line ends; here it is kept, since recordings often lose the last blank
    line, and with it the end of the answer.
    """
    data: list[str] = []
    event_type = ""
    for line in [*_LINE_END.split(body.decode("utf-8-sig", errors="replace")), ""]:
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name == "event":
            event_type = value.removeprefix(" ")
        elif not line:
            if data:
                yield Event("\n".join(data), event_type or "message")
            data, event_type = [], ""
