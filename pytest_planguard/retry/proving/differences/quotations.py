"""What a request says beside the answer that it quotes: both answers of a trial are masked, whole or in part."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Protocol

from ....document.path import Path, value_at
from ...linking.sameness import canonical, normal_text

ANSWER = "\u27e6answer\u27e7"
"""Stands for an answer that was quoted, or for a part of it."""
VALUE = "\u27e6value\u27e7"
"""Stands for a value that was changed, quoted by itself."""
_QUOTED_INPUT = re.compile(r"input_value=[\[{(][^\n]{0,300}?, input_type=")
"""How pydantic quotes the object around a finding, cut in its middle."""
_OPENING = re.compile(r"[\[{]")
_SCANS = 2_000
"""Brackets of one text at which a quoted document is looked for."""
_SHORTEST_BEGINNING = 40
"""Characters below which the beginning of an answer may stand in a request by chance: "Sure, here is the JSON:"."""
_DECODER = json.JSONDecoder()


class ChangedAnswer(Protocol):
    """An answer that the app is given in the place of the recorded one."""

    @property
    def text(self) -> str:
        """The whole answer."""
        ...

    @property
    def before(self) -> Any:
        """The parsed answer as it was; None where it was no sound document."""
        ...

    @property
    def after(self) -> Any:
        """The parsed answer as it is now."""
        ...

    @property
    def places(self) -> tuple[Path, ...]:
        """Where the two differ."""
        ...


class Quotations:
    """Everything by which a request may quote either answer, whole or in part."""

    def __init__(self, changed: ChangedAnswer, answer: str, *, values: bool = True) -> None:
        """Without `values`, what stood in the changed places is left where it is quoted by itself."""
        self._texts = sorted({answer.strip(), changed.text.strip()} - {""}, key=len, reverse=True)
        self._normal = {normal_text(text) for text in self._texts}
        both = (changed.before, changed.after)
        parts = [_value(data, path) for data in both for path in changed.places] if values else []
        # What is around first: a value that is taken out of it would leave it unknown.
        around = (v for data in both for path in changed.places for v in _around(data, path))
        self._quoted = (_Quoted([*both, *around]), _Quoted(parts))
        self._scalars = _scalar_pattern(parts)

    def without(self, value: Any) -> Any:
        """Return the body with each quotation replaced by one and the same mark."""
        if isinstance(value, dict):
            if canonical(value) in self._quoted[0].keys:
                return ANSWER
            return {key: self.without(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.without(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if self._is_answer(normal_text(text)):
            return ANSWER
        for quote in self._texts:
            for spelling in (quote, json.dumps(quote, ensure_ascii=False)[1:-1], json.dumps(quote)[1:-1]):
                text = text.replace(spelling, ANSWER)
        for quoted in self._quoted:
            text = quoted.without(text)
        text = _QUOTED_INPUT.sub(f"input_value={ANSWER}, input_type=", text)
        return self._scalars.sub(VALUE, text) if self._scalars is not None else text

    def _is_answer(self, text: str) -> bool:
        """Return whether a text is the answer, or its beginning: an app that closes a bad stream has no more of it."""
        if text in self._normal:
            return True
        return len(text) >= _SHORTEST_BEGINNING and any(answer.startswith(text) for answer in self._normal)


class _Quoted:
    """Some documents in the spellings in which a text may have them."""

    def __init__(self, values: Iterable[Any]) -> None:
        documents = [value for value in values if isinstance(value, dict | list)]
        self.keys = {canonical(value) for value in documents}
        self._spellings = sorted({s for value in documents for s in _spellings(value)}, key=len, reverse=True)

    def without(self, text: str) -> str:
        """Return the text with each of them replaced: the usual layouts as they are, any other by reading it."""
        for spelling in self._spellings:
            text = text.replace(spelling, ANSWER)
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
                parts += [text[at : opening.start()], ANSWER]
                at = end
        return "".join([*parts, text[at:]])


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
    return [*layouts, *(json.dumps(t)[1:-1] for t in layouts), repr(value)]


def _scalar_pattern(values: Iterable[Any]) -> re.Pattern[str] | None:
    """Finds the value that was changed, or what it became, as a word of its own."""
    texts = {str(v) if not isinstance(v, bool) else json.dumps(v) for v in values if isinstance(v, str | int | float)}
    texts = {t.strip() for t in texts if t.strip()}
    if not texts:
        return None
    listed = "|".join(re.escape(t) for t in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")
