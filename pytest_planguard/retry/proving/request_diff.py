"""Whether two requests say the same but for the answer that each of them quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ...document.path import value_at
from ..linking.sameness import canonical, normal_text

if TYPE_CHECKING:
    from .repair import Repaired

_MARK = "\u27e6answer\u27e7"
_VALUE = "\u27e6value\u27e7"
_QUOTED_INPUT = re.compile(r"input_value=[\[{(][^\n]{0,300}?, input_type=")
"""How pydantic quotes the object around a finding, cut in its middle."""
_DIGITS = re.compile(r"\d+")
_OPENING = re.compile(r"[\[{]")
_SCANS = 2_000
"""Brackets of one text at which a quoted document is looked for."""
_DECODER = json.JSONDecoder()


class Difference(StrEnum):
    """How two requests differ, the quoted answers left aside."""

    NONE = "none"
    NUMBERS = "numbers"
    """Only in digits: a count of errors, a position."""
    WORDS = "words"


def compare(before: Any, now: Any, repaired: Repaired, answer: str, clean: Callable[[str], str]) -> Difference:
    """Compare the body of a request that answers `answer` with one that answers its repaired form.

    Args:
        before: the JSON body of the first request, or its text.
        now: of the second.
        repaired: what was changed in the answer.
        answer: the answer as it was, as the contract judged it.
        clean: takes volatile text (ids, timestamps) out of a body's JSON text.
    """
    echo = _Echo(repaired, answer)
    one, other = (clean(json.dumps(echo.without(b), sort_keys=True, ensure_ascii=False)) for b in (before, now))
    if one == other:
        return Difference.NONE
    return Difference.NUMBERS if _DIGITS.sub("#", one) == _DIGITS.sub("#", other) else Difference.WORDS


class _Quoted:
    """Some documents in the spellings in which a text may have them."""

    def __init__(self, values: Iterable[Any]) -> None:
        documents = [value for value in values if isinstance(value, dict | list)]
        self.keys = {canonical(value) for value in documents}
        self._spellings = sorted({s for value in documents for s in _spellings(value)}, key=len, reverse=True)

    def without(self, text: str) -> str:
        """Return the text with each of them replaced: the usual layouts as they are, any other by reading it."""
        for spelling in self._spellings:
            text = text.replace(spelling, _MARK)
        parts, at, scans = [], 0, 0
        for opening in _OPENING.finditer(text):
            if opening.start() < at or scans >= _SCANS:
                continue
            scans += 1
            try:
                found, end = _DECODER.raw_decode(text, opening.start())
            except (ValueError, RecursionError):
                continue
            if canonical(found) in self.keys:
                parts += [text[at : opening.start()], _MARK]
                at = end
        return "".join([*parts, text[at:]])


class _Echo:
    """Everything by which a request may quote either answer, whole or in part."""

    def __init__(self, repaired: Repaired, answer: str) -> None:
        self._texts = sorted({answer.strip(), repaired.text.strip()} - {""}, key=len, reverse=True)
        self._normal = {normal_text(text) for text in self._texts}
        path, both = repaired.edit.path, (repaired.before, repaired.after)
        values = [_value(data, path) for data in both]
        # What is around first: a value that is taken out of it would leave it unknown.
        self._quoted = (_Quoted(v for data in both for v in _around(data, path)), _Quoted(values))
        self._scalars = _scalar_pattern(values)

    def without(self, value: Any) -> Any:
        """Return the body with each quotation replaced by one and the same mark."""
        if isinstance(value, dict):
            if canonical(value) in self._quoted[0].keys:
                return _MARK
            return {key: self.without(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.without(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if normal_text(text) in self._normal:
            return _MARK
        for quote in self._texts:
            for spelling in (quote, json.dumps(quote, ensure_ascii=False)[1:-1], json.dumps(quote)[1:-1]):
                text = text.replace(spelling, _MARK)
        for quoted in self._quoted:
            text = quoted.without(text)
        text = _QUOTED_INPUT.sub(f"input_value={_MARK}, input_type=", text)
        return self._scalars.sub(_VALUE, text) if self._scalars is not None else text


def _around(data: Any, path: tuple[str | int, ...]) -> Iterable[Any]:
    """Yield the objects and lists on the way to a place, the outermost first."""
    for depth in range(len(path)):
        try:
            yield value_at(data, path[:depth])
        except LookupError:
            return


def _value(data: Any, path: tuple[str | int, ...]) -> Any:
    try:
        return value_at(data, path)
    except LookupError:
        return None


def _spellings(value: Any) -> list[str]:
    """Return how a client may print a part of the answer: as Python, and as JSON in the usual layouts, also escaped."""
    try:
        layouts = [json.dumps(value, ensure_ascii=False, separators=s) for s in ((", ", ": "), (",", ":"))]
        layouts += [json.dumps(value, ensure_ascii=False, indent=indent) for indent in (2, 4)]
    except (TypeError, ValueError, RecursionError):
        return []
    return [s for s in (*layouts, *(json.dumps(t)[1:-1] for t in layouts), repr(value)) if len(s) > 1]


def _scalar_pattern(values: Iterable[Any]) -> re.Pattern[str] | None:
    """Finds the value that was changed, or what it became, as a word of its own."""
    texts = {str(v) if not isinstance(v, bool) else json.dumps(v) for v in values if isinstance(v, str | int | float)}
    texts = {t.strip() for t in texts if t.strip()}
    if not texts:
        return None
    listed = "|".join(re.escape(t) for t in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")
