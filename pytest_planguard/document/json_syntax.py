"""Say in plain words where and why a text is no JSON. Runs only after the standard parser has failed.

One pass with an own stack, so depth and length cost no more than linear time. Grammar: RFC 8259, with NaN and
Infinity let through because `json_defects` names them better.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .json_faults import OPENERS, SCALAR, STRING, Fault, Faults, Found

if TYPE_CHECKING:
    from collections.abc import Callable

SPACE = re.compile(r"[ \t\n\r]*+")


def first_fault(text: str, start: int = 0) -> Fault | None:
    """The first fault of the JSON value that starts at `start`; None where that value is sound.

    What follows the value is not looked at.
    """
    try:
        _Reader(text, start).run()
    except Found as found:
        return found.fault
    return None


class _Reader(Faults):
    """A state is a method that reads one token and returns the next state; None ends the value."""

    def run(self) -> None:
        state: Callable[[], object] | None = self.value
        while state is not None:
            self.at = SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches the empty text
            if self.at == len(self.text):
                raise self.truncated("the document")
            state = state()  # type: ignore[assignment]  # a recursive callable type cannot be written down

    def value(self) -> object:
        char = self.text[self.at]
        if char in OPENERS:
            self.open.append((char, self.at))
            self.at += 1
            return self.first_key if char == "{" else self.first_item
        if char == '"':
            return self.string(self.after)
        scalar = SCALAR.match(self.text, self.at)
        if scalar is None:
            raise self.no_value()
        self.at = scalar.end()
        return self.after if self.open else None

    def first_item(self) -> object:
        return self.after() if self.text[self.at] == "]" else self.value()

    def first_key(self) -> object:
        return self.after() if self.text[self.at] == "}" else self.key()

    def key(self) -> object:
        if self.text[self.at] != '"':
            raise self.no_key()
        return self.string(self.colon)

    def colon(self) -> object:
        if self.text[self.at] != ":":
            raise self.fault('missing ":" after a key', expected='":"')
        self.at += 1
        return self.value

    def after(self) -> object:
        char = self.text[self.at]
        opener, start = self.open[-1]
        if char == "," or char == OPENERS[opener]:
            self.at += 1
            if char == ",":
                return self.key if opener == "{" else self.value
            self.open.pop()
            return self.after if self.open else None
        if char in "]}":
            raise self.fault(
                f'wrong closing bracket "{char}": the "{opener}" is still open',
                expected=f'"{OPENERS[opener]}"',
                related=((f'the open "{opener}"', start),),
            )
        raise self.no_comma()

    def string(self, then: Callable[[], object]) -> object:
        whole = STRING.match(self.text, self.at)
        if whole is None:
            raise self.bad_string()
        self.at = whole.end()
        return then if self.open else None
