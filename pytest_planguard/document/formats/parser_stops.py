"""Find the places at which strict JSON parsers stop in a text, with positions as each parser counts them.

An app parses an answer as received, trimmed, or from its first bracket on, and quotes the parser's error: `"{"a": 1}`
stops pydantic's parser with "trailing characters at line 1 column 4", although there is a document inside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

Position = tuple[int, int | None]
"""Line and column, both 1-based; column None if unknown. An offset in characters is a column of line 0."""

TEXT_LIMIT = 100_000
"""Maximum length of a text to parse again. No parse error would quote a longer answer."""
_SHOWN = 40
"""Maximum number of characters after a stop that a parser may quote: `unexpected token at 'Sure! {"a": 1}'`."""
_BOM = "\ufeff"
# Brackets at which an app may cut an answer: "Sure! {" parses from its first bracket on.
_BRACKETS = re.compile(r"[{\[]")
# "expected value at line 1 column 7".
_RUST_PLACE = re.compile(r" at line (\d+) column (\d+)\Z")
# Most parsers report "Truely" at its start, Jackson at its end.
_WORD = re.compile(r"\w*+")
_CUT = ("Unterminated", "EOF")
"""Starts of the messages about a text that ends too early."""


@dataclass(frozen=True, slots=True)
class ParserStops:
    """All places at which a strict parser of a text stops; empty for a text that every parser reads."""

    places: frozenset[Position] = frozenset()
    messages: tuple[str, ...] = ()
    """The parsers' messages, with their places."""
    following: tuple[str, ...] = ()
    """The text after each stop, clipped; "" if a parser reached the end."""


@dataclass(frozen=True, slots=True)
class _Stop:
    text: str
    """The parser's input."""
    index: int
    """Offset of the stop, in characters from 0."""
    message: str
    named: Position
    """The place in the parser's message."""


@lru_cache(maxsize=8)  # called for each finding and each text of the feedback
def parser_stops(text: str) -> ParserStops:
    """Return the places at which Python's and pydantic's strict parsers stop, in every way of counting.

    Parsers of other languages stop at the same characters, or at the end of the word there. Columns and offsets count
    characters, UTF-8 bytes, or UTF-16 units.
    """
    if len(text) > TEXT_LIMIT:
        return ParserStops()
    stops = [stop for given in _as_parsed(text) for parser in (_python, _rust) for stop in _all_of(parser(given))]
    return ParserStops(
        frozenset(place for stop in stops for place in (stop.named, *_places(stop))),
        tuple(dict.fromkeys(stop.message for stop in stops)),
        tuple(dict.fromkeys(stop.text[stop.index : stop.index + _SHOWN] for stop in stops)),
    )


def _as_parsed(text: str) -> dict[str, None]:
    """Return the texts that apps may pass to a parser: the answer, trimmed, without byte order mark, its brackets."""
    bare = text.removeprefix(_BOM)
    found, last = _BRACKETS.search(bare), max(bare.rfind("}"), bare.rfind("]"))
    first = found.start() if found else len(bare)
    cut = (bare[first:], bare[first : last + 1]) if found else ()
    return dict.fromkeys([text, bare, bare.lstrip(), bare.rstrip(), bare.strip(), *filter(None, cut)])


def _all_of(stop: _Stop | None) -> Iterator[_Stop]:
    """Yield a stop, and any other place that parsers report for it, of another kind or version.

    This is the end of a text that was cut off (some report its open string instead), or a comma before a closing
    bracket.
    """
    if stop is None:
        return
    yield stop
    if stop.message.startswith(_CUT):
        yield replace(stop, index=len(stop.text))
    before = stop.text[: stop.index].rstrip()
    if before.endswith(",") and stop.text[stop.index : stop.index + 1] in ("]", "}"):
        yield replace(stop, index=len(before) - 1)


def _python(text: str) -> _Stop | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _Stop(text, error.pos, str(error), (error.lineno, error.colno))
    except (ValueError, RecursionError):  # more digits or levels than Python reads
        return None
    return None


def _rust(text: str) -> _Stop | None:
    """Return the stop of pydantic's parser, which counts bytes. It puts a line break at column 0 of the next line."""
    from pydantic_core import from_json

    try:
        from_json(text.encode("utf-8", "replace"))  # it does not accept a lone surrogate
    except ValueError as error:
        found = _RUST_PLACE.search(str(error))
        if found:
            line, column = int(found[1]), int(found[2])
            return _Stop(text, _index(text, line, column), str(error), (line, column))
    return None


def _index(text: str, line: int, column: int) -> int:
    start = sum(len(one) for one in islice(text.split("\n"), line - 1)) + line - 1
    before = text[start : start + column].encode("utf-8", "surrogatepass")[: max(column - 1, 0)]
    return start + len(before.decode("utf-8", "ignore")) if column else start - 1


_COUNTED: tuple[Callable[[str], int], ...] = (
    len,
    lambda text: len(text.encode("utf-8", "surrogatepass")),
    lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
)


def _places(stop: _Stop) -> Iterator[Position]:
    """Yield a stop as line and column, and as an offset. Jackson reports the end of an unknown word."""
    word_end = _WORD.match(stop.text, stop.index).end()  # type: ignore[union-attr]  # matches the empty text
    for index in {stop.index, word_end}:
        start = stop.text.rfind("\n", 0, index) + 1
        line = stop.text.count("\n", 0, index) + 1
        for counted in _COUNTED:
            yield line, counted(stop.text[start:index]) + 1
            yield 0, counted(stop.text[:index])
