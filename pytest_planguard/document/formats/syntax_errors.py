"""Explain in plain words why a text is not sound JSON, and locate the fault. Runs only after the strict parser fails.

It takes one pass with an explicit stack, so linear time for any depth and length. Grammar: RFC 8259, plus NaN and
Infinity, which are defects of a readable text.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING

from ..limits import MAX_PROBLEMS, clip, possessive
from .json_load import string_end
from .reading import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

_CLOSERS = {"{": "}", "[": "]"}
_OPEN_STRING = '"' + possessive(r'[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
# `"a\n"`, but not `"a\q"` or one with a line break.
_STRING = re.compile(f'{_OPEN_STRING}"')
_NUMBER = r"-?(?:0|[1-9][0-9]*+)" + possessive(r"\.[0-9]++", "?") + possessive("[eE][-+]?[0-9]++", "?")
# "-1.5e3" or "true", but not "1.5.2" or "trueish".
_SCALAR = re.compile(rf"(?:{_NUMBER}|true|false|null|NaN|-?Infinity)(?![\w.+-])")
# The valid start of a string: `"a` of `"a\q"`.
_STRING_START = re.compile(_OPEN_STRING)
# `\` or `\u00` at the end of a text: the rest may have been cut off.
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{0,3})?\Z")
_CUT_NUMBER = "[0-9]++" + possessive(r"\.[0-9]*+", "?") + possessive("[eE][-+]?[0-9]*+", "?")
# "-", "1." or "1e+" at the end of a text.
_CUT_SCALAR = re.compile("-?" + possessive(_CUT_NUMBER, "?") + r"\Z")
_NAMES = ("true", "false", "null")
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_WORDS = (*_NAMES, *_NOT_FINITE)
# Up to six words in a row are quoted: "text without quotes: call the plumber".
_WORD = re.compile(r"[\w.+$-]++" + possessive(r" ?+[\w.+$-]++", "{0,5}"))
# `title:`, as JavaScript writes keys.
_BARE_KEY = re.compile(r"([^\W\d][\w$-]*+)[ \t]*+:")
_PYTHON = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_QUOTES = "'‘’“”`«»"
_COMMENTS = ("//", "/*", "#")


class _Found(Exception):
    """Carries a fault out of the reader as an exception."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


# JSON's white space: a no-break space is text without quotes.
_SPACE = re.compile(r"[ \t\n\r]*+")


def first_fault(text: str, start: int = 0) -> Fault | None:
    """Return the first fault of the JSON value that starts at `start`; None if that value is sound.

    Text after the value is ignored.
    """
    try:
        _Reader(text, start).run()
    except _Found as found:
        return found.fault
    return None


def defects(text: str) -> list[Fault]:
    """Return the defects that Python's parser accepts in a text, in order, at most `MAX_PROBLEMS`.

    These are equal keys, numbers that are not finite, and integers too long to read.
    """
    reader = _Reader(text, 0)
    reader.run()
    return reader.defects


class _Reader:
    """Reads tokens one by one.

    A state is a method that reads a token and returns the next state; None ends the value.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.open: list[tuple[str, int]] = []
        self.path: list[str | int] = []
        """For each open object and list, the step to its current value."""
        self.keys: list[dict[str, int]] = []
        """For each open object and list, its keys and their offsets."""
        self.defects: list[Fault] = []

    def run(self) -> None:
        state: Callable[[], object] | None = self.value
        while state is not None:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches the empty text
            if self.at == len(self.text):
                raise self.truncated("the document")
            state = state()  # type: ignore[assignment]  # a recursive callable type cannot be written down

    def value(self) -> object:
        char = self.text[self.at]
        if char in _CLOSERS:
            self.open.append((char, self.at))
            self.path.append("" if char == "{" else 0)
            self.keys.append({})
            self.at += 1
            return self.first_key if char == "{" else self.first_item
        if char == '"':
            return self.string(self.after)
        scalar = _SCALAR.match(self.text, self.at)
        if scalar is None:
            raise self.no_value()
        self.at = scalar.end()
        if scalar[0] not in _NAMES:
            self.number(scalar[0])
        return self.after if self.open else None

    def number(self, word: str) -> None:
        digits = word.lstrip("-")
        if word in _NOT_FINITE:
            self.defect("non_finite", f"{word} is not a JSON number", word)
        elif not digits.isdigit() and not isfinite(float(word)):
            message = f"{clip(word)} is too large for a number: it would be read as Infinity"
            self.defect("non_finite", message, word)
        elif digits.isdigit() and not _readable(word):
            message = f"an integer of {len(digits):,} digits cannot be read"
            self.defect("invalid_json", message, word, expected="a shorter number")

    def defect(self, code: str, message: str, word: str, expected: str | None = None, first: int | None = None) -> None:
        """Record a defect of the last word read."""
        related = () if first is None else (("the first of the equal keys", first),)
        start, path = self.at - len(word), tuple(self.path)
        if len(self.defects) < MAX_PROBLEMS:
            self.defects.append(Fault(code, message, start, self.at, expected, clip(word), path, related))

    def first_item(self) -> object:
        return self.after() if self.text[self.at] == "]" else self.value()

    def first_key(self) -> object:
        return self.after() if self.text[self.at] == "}" else self.key()

    def key(self) -> object:
        if self.text[self.at] != '"':
            raise self.no_key()
        start = self.at
        state = self.string(self.colon)
        key = self.path[-1] = string_end(self.text, start + 1)[0]
        first = self.keys[-1].setdefault(key, start)
        if first != start:
            word = self.text[start : self.at]
            message = f"key {clip(word)} appears more than once in the same object"
            self.defect("duplicate_key", message, word, first=first)
        return state

    def colon(self) -> object:
        if self.text[self.at] != ":":
            raise self.fault('missing ":" after a key', expected='":"')
        self.at += 1
        return self.value

    def after(self) -> object:
        char = self.text[self.at]
        opener, start = self.open[-1]
        if char == "," or char == _CLOSERS[opener]:
            self.at += 1
            if char == ",":
                if opener == "{":
                    return self.key
                self.path[-1] = int(self.path[-1]) + 1
                return self.value
            for stack in (self.open, self.path, self.keys):
                stack.pop()
            return self.after if self.open else None
        if char in "]}":
            raise self.fault(
                f'wrong closing bracket "{char}": the "{opener}" is still open',
                expected=f'"{_CLOSERS[opener]}"',
                related=((f'the open "{opener}"', start),),
            )
        raise self.no_comma()

    def string(self, then: Callable[[], object]) -> object:
        whole = _STRING.match(self.text, self.at)
        if whole is None:
            raise self.bad_string()
        self.at = whole.end()
        return then if self.open else None

    # Faults for a place at which no token fits: each method returns a fault, and none reads on.

    def truncated(self, inside: str) -> _Found:
        closers = [f'"{_CLOSERS[opener]}"' for opener, _ in reversed(self.open)]
        still = f"; {len(closers)} bracket{'s are' if len(closers) > 1 else ' is'} still open" if closers else ""
        related = tuple((f'the open "{opener}"', start) for opener, start in self.open[-1:])
        end = len(self.text)
        expected = " and ".join(closers[:5]) or None  # 200 may be open
        message = f"the text ends inside {inside}{still}"
        return _Found(Fault("truncated", message, end, end, expected, related=related))

    def bad_string(self) -> _Found:
        end = _STRING_START.match(self.text, self.at).end()  # type: ignore[union-attr]  # stands on a quote
        if end == len(self.text) or _CUT_ESCAPE.match(self.text, end):
            return self.truncated("a string")
        self.at = end
        char = self.text[end]
        if char == "\\":
            seen = self.text[end : end + 2]
            return self.fault(
                f'invalid escape {seen} in a string: a backslash itself is written "\\\\"',
                expected="a valid escape",
                actual=seen,
            )
        if char in "\r\n":
            return self.fault("line break inside a string: close the string, or write \\n", expected='"\\""')
        return self.fault(
            f"control character U+{ord(char):04X} inside a string", expected=f"\\u{ord(char):04x}", actual=None
        )

    def no_value(self) -> _Found:
        word = self.word()
        # First: "tru" at the end of a text was cut off; elsewhere it is text without quotes.
        if word and self.at + len(word) == len(self.text) and self.is_cut(word):
            return self.truncated("a number" if word[0] in "-0123456789" else "a word")
        common = self.trailing_comma() or self.common_slip()
        if common:
            return common
        if word in _PYTHON:
            message = f"{word} is not JSON: write {_PYTHON[word]}"
            return self.fault(message, expected=_PYTHON[word], actual=word)
        if word and (word[0] in "-+.0123456789"):
            return self.fault(f"not a JSON number: {clip(word)}", expected="a number", actual=clip(word))
        if word:
            return self.fault(f"text without quotes: {clip(word)}", expected="a value", actual=clip(word))
        return self.fault("missing value", expected="a value")

    def no_key(self) -> _Found:
        common = self.trailing_comma() or self.common_slip()
        if common:
            return common
        bare = _BARE_KEY.match(self.text, self.at)
        if bare:
            name = clip(bare.group(1))
            return self.fault(f'key without quotes: write "{name}"', expected=f'"{name}"', actual=name)
        return self.fault("a key must be a string in double quotes", expected="a key in double quotes")

    def no_comma(self) -> _Found:
        opener, start = self.open[-1]
        expected = f'"," or "{_CLOSERS[opener]}"'
        char = self.text[self.at]
        related = ((f'the open "{opener}"', start),)
        if self.text.startswith(_COMMENTS, self.at):
            return self.fault("JSON has no comments", expected=expected)
        if char == ":" and opener == "[":
            return self.fault('":" inside a list: only objects have keys', expected=expected, related=related)
        if char in '"{[' or _SCALAR.match(self.text, self.at):
            return self.fault('missing ","', expected=expected, related=related)
        return self.fault(f"unexpected text after a value: {self.seen()}", expected=expected, related=related)

    def trailing_comma(self) -> _Found | None:
        before = self.text[: self.at].rstrip(" \t\n\r") if self.text[self.at] in "]}" else ""
        if not before.endswith(","):
            return None
        self.at = len(before) - 1
        return self.fault("trailing comma", expected=f'"{_CLOSERS[self.open[-1][0]]}"')

    def common_slip(self) -> _Found | None:
        if self.text[self.at] in _QUOTES:
            char = self.text[self.at]
            return self.fault(f"strings need straight double quotes; got {char}", expected='"\\""', actual=char)
        if self.text.startswith(_COMMENTS, self.at):
            return self.fault("JSON has no comments")
        return None

    def is_cut(self, word: str) -> bool:
        """Return True if a word or number at the end of the text may have been cut off."""
        starts = any(full.startswith(word) and full != word for full in _WORDS)
        return starts or bool(word[0] in "-0123456789" and _CUT_SCALAR.match(word))

    def word(self) -> str:
        found = _WORD.match(self.text, self.at)
        return found.group() if found else ""

    def seen(self) -> str:
        return clip(self.word() or self.text[self.at])

    def fault(
        self,
        message: str,
        *,
        expected: str | None = None,
        actual: str | None = None,
        related: tuple[tuple[str, int], ...] = (),
    ) -> _Found:
        seen = actual or self.seen()
        return _Found(Fault("invalid_json", message, self.at, self.at + 1, expected, seen, related=related))


def _readable(digits: str) -> bool:
    """Return True if Python reads the integer: it refuses thousands of digits, which take quadratic time."""
    try:
        int(digits)
    except ValueError:
        return False
    return True
