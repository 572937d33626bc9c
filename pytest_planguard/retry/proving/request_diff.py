"""Compare two requests, ignoring quotations of the answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Any, Self

from ...document.path import Path, get_at, value_at
from ..linking.sameness import canonical, normal_text

ANSWER = "\u27e6answer\u27e7"
"""Replaces a quoted answer, or a part of it."""
VALUE = "\u27e6value\u27e7"
"""Replaces a changed value that is quoted separately."""
_QUOTED_INPUT = re.compile(r"input_value=[\[{(][^\n]{0,300}?, input_type=")
"""Pydantic's quotation of the object around a finding, cut in its middle."""
# A bracket that may open a quoted document: "Your answer: {".
_OPENING = re.compile(r"[\[{]")
_SCANS = 2_000
"""Maximum number of brackets of one text at which to look for a quoted document."""
_SHORTEST_BEGINNING = 40
"""Minimum length of a quoted beginning of an answer, in characters. A shorter one may be chance: "Sure, here is the
JSON:"."""
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """An answer to give the app instead of the recorded one."""

    text: str
    """The whole answer; unchanged parts keep their positions."""
    before: Any
    """The parsed answer before the change; None if it was not a sound document."""
    after: Any
    """The parsed answer after the change."""
    places: tuple[Path, ...]
    """The places at which the two differ; ((),) if they have nothing in common."""


@dataclass(frozen=True, slots=True)
class Quotations:
    """All spellings in which a request may quote one of two answers, whole or in part."""

    texts: Sequence[str]
    """Both answers, the longer one first."""
    normal: Collection[str]
    """Both answers with normal spaces."""
    quoted: Sequence[_Quoted]
    """Whole documents, then the values at the changed places."""
    scalars: re.Pattern[str] | None
    """A pattern for the values at the changed places; None if they are not texts or numbers."""

    @classmethod
    def of(cls, changed: ChangedAnswer, answer: str) -> Self:
        """Return the spellings of an answer and of its changed form."""
        texts = sorted({answer.strip(), changed.text.strip()} - {""}, key=len, reverse=True)
        both = (changed.before, changed.after)
        parts = [get_at(data, path) for data in both for path in changed.places]
        # Enclosing values first: a value removed from one would make it unrecognisable.
        around = (v for data in both for path in changed.places for v in _around(data, path))
        quoted = (_Quoted([*both, *around]), _Quoted(parts))
        return cls(texts, {normal_text(text) for text in texts}, quoted, _scalar_pattern(parts))

    def whole(self) -> Self:
        """Return the same spellings without those of the values at the changed places."""
        return replace(self, quoted=self.quoted[:1], scalars=None)

    def without(self, value: object) -> Any:
        """Return the body with each quotation replaced by the same mark."""
        if isinstance(value, dict):
            if canonical(value) in self.quoted[0].keys:
                return ANSWER
            return {key: self.without(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.without(item) for item in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        normal = normal_text(text)
        # An app that closes a bad stream has only the beginning of the answer.
        begins = len(normal) >= _SHORTEST_BEGINNING and any(answer.startswith(normal) for answer in self.normal)
        if begins or normal in self.normal:
            return ANSWER
        for quote in self.texts:
            for spelling in (quote, json.dumps(quote, ensure_ascii=False)[1:-1], json.dumps(quote)[1:-1]):
                text = text.replace(spelling, ANSWER)
        for quoted in self.quoted:
            text = quoted.without(text)
        text = _QUOTED_INPUT.sub(f"input_value={ANSWER}, input_type=", text)
        return self.scalars.sub(VALUE, text) if self.scalars is not None else text


class _Quoted:
    """Documents in every spelling that a text may use for them."""

    def __init__(self, values: Iterable[Any]) -> None:
        # The document around a member of the root is the whole answer, which is listed already.
        documents = {id(value): value for value in values if isinstance(value, dict | list)}.values()
        self.keys = {canonical(value) for value in documents}
        self._spellings = sorted({s for value in documents for s in _spellings(value)}, key=len, reverse=True)

    def without(self, text: str) -> str:
        """Return the text with each document replaced: the usual layouts by search, any other by parsing."""
        for spelling in self._spellings:
            text = text.replace(spelling, ANSWER)
        parts, at, scans = [], 0, 0
        for opening in _OPENING.finditer(text) if self.keys else ():
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


def _around(data: object, path: tuple[str | int, ...]) -> Iterable[object]:
    """Yield the objects and lists around a place, the outermost first."""
    for depth in range(len(path)):
        try:
            yield value_at(data, path[:depth])
        except LookupError:
            return


def _spellings(value: object) -> list[str]:
    """Return how clients may print a value: as Python, and as JSON in the usual layouts, also escaped."""
    try:
        layouts = [json.dumps(value, ensure_ascii=False, separators=s) for s in ((", ", ": "), (",", ":"))]
        layouts += [json.dumps(value, ensure_ascii=False, indent=indent) for indent in (2, 4)]
    except (TypeError, ValueError, RecursionError):
        return []
    return [*layouts, *(json.dumps(t)[1:-1] for t in layouts), repr(value)]


def _scalar_pattern(values: Iterable[object]) -> re.Pattern[str] | None:
    """Return a pattern for the changed value, old or new, as a separate word."""
    texts = {str(v) if not isinstance(v, bool) else json.dumps(v) for v in values if isinstance(v, str | int | float)}
    texts = {t.strip() for t in texts if t.strip()}
    if not texts:
        return None
    listed = "|".join(re.escape(t) for t in sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{listed})(?!\w)")


# Numbers differ between runs without a new word: "line 4" and "line 12" are both "line #".
_DIGITS = re.compile(r"\d+")
# "2 problems", "1 problem"; "2 errors were found", "1 error was found": the count decides the ending and the verb.
_COUNT = re.compile(r"\d+(\s+[^\W\d_]+?)(?:e?s|en?)?\b(?:\s+(?:is|are|was|were|has|have)\b)?")
_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
"""Thai, Japanese and Chinese have no spaces between words, so each character is compared separately."""
_LETTERS = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W\d_])+")
TOKENS = re.compile(rf"\d+|{_LETTERS.pattern}")
"""Numbers and words."""


class Difference(StrEnum):
    """How two requests differ, apart from the quoted answers."""

    NONE = auto()
    NUMBERS = auto()
    """Only digits differ: a position, a length."""
    COUNT = auto()
    """Only the number of reported errors differs: "2 problems" and "1 problem"."""
    VALUES = auto()
    """Only the wrong value differs, quoted separately. No word says what is wrong with it."""
    WORDS = auto()


def compare(before: object, now: object, echo: Quotations, clean: Callable[[str], str]) -> Difference:
    """Compare the body of a request after an answer with the body after its changed form.

    Args:
        before: the JSON body of the first request, or its text.
        now: the same for the second.
        echo: the spellings of the two answers.
        clean: removes volatile text (ids, timestamps) from a body's compact JSON text.
    """
    one, other = (_cleaned(echo.without(body), clean) for body in (before, now))
    if one == other:
        return Difference.NONE
    if _uncounted(one) != _uncounted(other):
        return Difference.WORDS
    return Difference.COUNT if _one_less(one, other) else Difference.NUMBERS


def _uncounted(text: str) -> str:
    """Return the text without its numbers and without the plural endings of counts."""
    return _DIGITS.sub("#", _COUNT.sub(r"#\1", text))


def _one_less(one: str, other: str) -> bool:
    """Return True if every number that differs is a count, and is one lower in the second text."""
    pairs = zip(_DIGITS.finditer(one), _DIGITS.findall(other), strict=False)
    changed = [(number, now) for number, now in pairs if number[0] != now]
    return bool(changed) and all(
        # No app counts a billion errors, and Python reads no number of more than 4,300 digits.
        len(now) < 10 and number[0] == str(int(now) + 1) and _COUNT.match(one, number.start())
        for number, now in changed
    )


def left_out(before: object, now: object, echo: Quotations, clean: Callable[[str], str]) -> Difference:
    """Return the words of the first request that the second leaves out. Words that only the second has do not count.

    With another error in place of a finding, every app says something new. An app that mentioned the finding has
    dropped its words about it; any other app has only added words. The arguments are those of `compare`.
    """
    one, other = (_words(echo.without(body), clean) for body in (before, now))
    if not _within(_LETTERS.findall(one), _LETTERS.findall(other)):
        return Difference.WORDS
    if not _within(TOKENS.findall(one), TOKENS.findall(other)):
        return Difference.NUMBERS
    whole = echo.whole()
    quoting, without = (_words(whole.without(body), clean) for body in (before, now))
    return Difference.NONE if _within(TOKENS.findall(quoting), TOKENS.findall(without)) else Difference.VALUES


def _cleaned(body: object, clean: Callable[[str], str]) -> str:
    """Return a body as compact JSON without volatile text. `clean` recognises ids by the members that hold them."""
    return clean(json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def _words(body: Any, clean: Callable[[str], str]) -> str:
    """Return the words of a body without volatile text."""
    try:
        return clean(_flat(json.loads(_cleaned(body, clean))))
    except ValueError:  # a user's own normaliser may leave invalid JSON
        return clean(_flat(body))


def _flat(value: object) -> str:
    """Return the words of a body, in a fixed order, without the marks for quotations."""
    if isinstance(value, dict):
        return "\n".join(f"{key} {_flat(value[key])}" for key in sorted(value))
    if isinstance(value, list):
        return "\n".join(map(_flat, value))
    return str(value).replace(ANSWER, " ").replace(VALUE, " ")


def _within(words: list[str], others: list[str]) -> bool:
    """Return True if all these words are among the others, in order."""
    left = iter(others)
    return all(word in left for word in words)
