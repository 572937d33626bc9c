"""What findings of every rule come to below words of every kind: bounds, values, senses and parse errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pytest_planguard import FailureKind, Finding
from pytest_planguard.document.positions import Span

from ...support.decisions import Block, Decided, Messages, inputs
from .hearing import Found, at_limits, grades, heard
from .messages import SOME_RULES

Path = tuple[str | int, ...]


def _of(code: str, path: Path, message: str, kind: FailureKind, **more: Any) -> Finding:
    return Finding(code, path, message, kind, **more)


LARGE = _of("maximum", ("nights",), "must be at most 28", FailureKind.RANGE, expected="at most 28", actual="40")
YOUNG = _of(
    *("minimum", ("guests", 3, "age"), "7 is less than 18", FailureKind.RANGE),
    expected="at least 18",
    actual="7",
    validator_code="minimum",
)
LONG = _of(
    *("maxLength", ("title",), "expected at most 8 characters", FailureKind.LENGTH),
    expected="at most 8 characters",
    actual='"A very long name"',
    validator_code="string_too_long",
    validator_message="String should have at most 8 characters",
)
SHORT = _of("minLength", ("X-ray",), "too short", FailureKind.LENGTH, expected="at least 3 characters", actual='"Xy"')
HALF = _of("maximum", ("size",), "must be at most 2,5", FailureKind.RANGE, actual="3.75", validator_code="lte")
SIGNED = _of("greater_than", ("price",), "must be greater than 0", FailureKind.RANGE, actual="-12")
TYPE = _of(
    *("type", ("count",), 'expected an integer; got "two"', FailureKind.TYPE),
    expected="an integer",
    actual='"two"',
    validator_code="int_parsing",
    validator_message="Input should be a valid integer, unable to parse string as an integer",
)
NULL = _of("type", ("count",), "expected a text; got null", FailureKind.TYPE, expected="a text", actual="null")
NONE = _of("type", ("count",), "expected a text", FailureKind.TYPE, actual="None", validator_code="string_type")
DATED = tuple(
    _of("type", ("day",), f"no {word}", FailureKind.TYPE, validator_code=f"{word}_parsing", actual='"soon"')
    for word in ("date", "time", "url", "uuid", "bool")
)
EMPTIES = tuple(
    _of("too_short", ("tags",), "at least 1 item", FailureKind.LENGTH, actual=value, validator_code="minItems")
    for value in ("[]", "{}", '""', "[1]")
)
ENUM = _of(
    *("enum", ("status",), "not allowed", FailureKind.ENUM),
    expected='one of "Draft", "Approved"',
    actual='"pending"',
    allowed=("Draft", "Approved", 3, ""),
)
SINGLE = _of("enum", ("kind",), "not allowed", FailureKind.ENUM, actual='"x y"', allowed=("only", 1))
MANY = _of("enum", ("kind",), "not allowed", FailureKind.ENUM, allowed=tuple(f"v{number}." for number in range(102)))
MISSING = _of("missing", ("goal",), "is missing", FailureKind.MISSING, validator_message="Field required")
EXTRA = _of("extra", ("nmae",), "unexpected", FailureKind.EXTRA, actual="1", validator_code="extra_forbidden")
PATTERN = _of(
    *("format", ("code",), "does not match", FailureKind.FORMAT),
    actual='"ab1"',
    validator_code="pattern",
    validator_message="'ab1' does not match '^[A-Z]+$'",
)
TWICE = _of("distinct", ("tags", 1), "same as the first", FailureKind.RULE, actual='"urgent"', validator_code="unique")
CUT = _of("minLength", ("note",), "too short", FailureKind.LENGTH, actual='"a text that goes on…')
RULE = _of(
    *("rule", ("end",), "Value error, the end is before the start", FailureKind.RULE),
    validator_code="value_error",
    validator_message="Value error, the end is before the start",
)
CHECKED = _of(
    *("rule", (), "seats do not fit", FailureKind.RULE),
    validator_code="assertion_error",
    validator_message="Assertion failed, seats do not fit",
)
OWN = _of("team", (), "the team needs a captain (really)", FailureKind.CONTENT)
TOOL = _of("no_tool_call", (), "no tool was called", FailureKind.NO_TOOL_CALL)
UNKNOWN = _of("unknown_tool", (), "no such tool", FailureKind.UNKNOWN_TOOL)
EMPTY = _of("empty", (), "there is no answer", FailureKind.EMPTY)
WHOLE = _of("type", (), "expected an object", FailureKind.TYPE, expected="an object", actual="[]")
BROKEN = _of("invalid_json", (), "a comma is missing", FailureKind.INVALID_JSON, span=Span(1, 5))
SILENT = _of("odd", ("goal",), " ", FailureKind.CONTENT)
FINDINGS = (
    *(LARGE, YOUNG, LONG, SHORT, HALF, SIGNED, TYPE, NULL, NONE, *DATED, *EMPTIES, ENUM, SINGLE, MISSING, EXTRA),
    *(PATTERN, TWICE, CUT, RULE, CHECKED, OWN, TOOL, UNKNOWN, EMPTY, WHOLE, BROKEN, SILENT),
)
SAYINGS = inputs("retry", "sayings_of_rules")
FREE = inputs("retry", "sentences_of_the_whole")
WORDS = inputs("retry", "praise_and_complaints")
ENTRIES = (
    *((("goal",), "x"), (("Goal",), "x"), (("error",), "x"), (("Error",), "x"), (("goal", "x"), "x"), ((), "x")),
    *((None, "x"), (("ValueError",), "x"), (("JSONException",), "x"), (("a", "KeyError"), "x")),
    *((("ValueErrors",), "x"), (("",), "x"), (("a", "B"), "x"), (("path",), "x"), (("at",), "x")),
    *((("tags", "1"), "duplicate"), (("tags",), "duplicate"), (("tags", "0"), "duplicate")),
    *((("goal",), "Field required"), (None, "Field required"), ((), "no valid JSON"), (("status",), "pending")),
    *((("status",), "pending is wrong"), (("title",), "too long"), (("nights",), "too long")),
)

DATA = {"tags": ["urgent", "urgent"], "status": "pending", "title": "A very long name", "nights": 40}
_SPOKEN_OF = (LARGE, LONG, TYPE, ENUM, MISSING, EXTRA, PATTERN, RULE, CHECKED, OWN, EMPTY, WHOLE)
"""A finding of each sort that words may be about which name no place."""
_WHOLE = (EMPTY, UNKNOWN, WHOLE, BROKEN, CHECKED, OWN, SILENT)
_CODES = (
    *("assertion_error", "content", "custom_error", "error", "length", "range", "rule", "value_error"),
    *("minLength", "string_too_long", "too_long", "enum", "extra", "odd", "team", "value-error"),
)
"""Codes that many rules share, and some that stand for one."""


def rules_of_findings(page: Messages) -> Iterator[Block]:
    """What each saying comes to by itself, and beside the one place of findings of every rule."""
    yield heard(page, "words by themselves", Found(_SPOKEN_OF), SAYINGS)
    at_one = [replace(one, path=("size",)) if one.path else one for one in FINDINGS]
    coded = [replace(one, code=f"{one.path[-1] if one.path else one.code}/{one.code}") for one in FINDINGS]
    codes = [replace(one, code=other.code) for one, other in zip(at_one, coded, strict=True)]
    yield heard(page, "words beside a place", Found(codes), SAYINGS, "size: {}")


def sentences(page: Messages) -> Iterator[Block]:
    """Which sentences are praise or complaints, and which speak of the whole answer."""
    texts = (*WORDS, *FREE)
    yield heard(page, "a sentence beside a place", SOME_RULES, texts, "size: {}")
    yield heard(page, "a sentence by itself", Found(_WHOLE), texts)
    yield heard(page, "a sentence where no tool was called", Found([TOOL]), texts)
    broken, many = Found([BROKEN]), Found([MANY])
    text = "The JSON is bad. The JSON is cut. The YAML is wrong."
    yield heard(page, "several sentences", broken, [text])
    ends = ((f"a sentence that ends at {size}", "invalid JSON".rjust(size)) for size in (100_000, 100_001))
    yield at_limits(page, "the end of what is read", broken, ends)
    lists = ((f"an allowed value behind {last}", f"kind: use v0. or v{last}.") for last in (99, 100, 101))
    yield at_limits(page, "lists of values", many, lists)


def entries_of_findings(page: Messages) -> Iterator[Block]:
    """Which errors concern which findings, by place, code and words."""
    entries = (json.dumps([{"path": path, "message": message}]) for path, message in ENTRIES)
    yield at_limits(page, "an error with its place", Found(FINDINGS, DATA), ((one, one) for one in entries))
    decided = []
    for code in _CODES:
        coded = _of(code, ("x",), "some rule", FailureKind.CONTENT, validator_code=code)
        for message in ("nothing that is known", "is required"):
            text = json.dumps([{"path": ["x"], "code": code, "message": message}])
            known = [replace(one, path=("x",), code=f"{n}/{one.code}") for n, one in enumerate(FINDINGS)]
            alike = f"{grades(page, Found([coded]), text)}; of all: {grades(page, Found(known), text)}"
            decided.append(Decided(code, alike, f"{code}, {message}"))
    yield Block("an error with its code", decided)
    yield at_limits(page, "long errors", Found([ENUM, MISSING, EXTRA]), _long())


def _long() -> Iterator[tuple[str, str]]:
    for size in (80, 81):
        yield f"a code that ends at {size}", f"nmae: {'allowed'.rjust(size)}"
    for size in (2_000, 2_001):
        yield f"values that end at {size}", f"status: {'use Draft or Approved'.rjust(size)}"
        yield f"a message that ends at {size}", f"goal: {'FIELD required'.rjust(size)}"


def _broken(kind: FailureKind, span: Span | None, message: str = "", own: str | None = None) -> Finding:
    return _of(kind.value, (), message, kind, span=span, validator_message=own)


PARSED = (
    _broken(
        FailureKind.INVALID_JSON, Span(3, 5), "a comma is missing", "Expecting ',' delimiter: line 3 column 5 (char 40)"
    ),
    _broken(FailureKind.INVALID_JSON, Span(1, 1), "a comma is missing", None),
    _broken(FailureKind.INVALID_JSON, Span(2, 9), "a key without quotes", None),
    _broken(
        FailureKind.INVALID_JSON, Span(1, 12), "unexpected text", "Expecting ':' delimiter: line 1 column 6 (char 5)"
    ),
    _broken(FailureKind.INVALID_JSON, Span(1, 5), "unexpected text", "extra data at line 2 column 5"),
    _broken(FailureKind.INVALID_JSON, Span(1, 5), "control character", "Invalid control character at line 1"),
    _broken(
        FailureKind.TRUNCATED, Span(4, 1), "the text ends inside a list", "EOF while parsing a list at line 4 column 1"
    ),
    _broken(
        FailureKind.TRUNCATED, Span(1, 12), "the text ends", "Unterminated string starting at: line 1 column 6 (char 5)"
    ),
    _broken(FailureKind.PROSE, Span(2, 4), "text in front of the document", None),
    _broken(FailureKind.FENCE, Span(2, 4), "a fence", "a fence at line 2 column 4"),
    _broken(FailureKind.THINKING, Span(5, 1), "thinking", "thinking at line 5"),
    _broken(FailureKind.MULTIPLE, Span(5, 1), "two documents", "extra data: line 5 column 1"),
    _broken(FailureKind.INVALID_YAML, Span(5, 7), "a tab", "bad indentation at line 5 column 7"),
    _broken(FailureKind.INVALID_JSON, None, "no JSON", "line 7 column 7"),
    MISSING,
)
PARSERS = inputs("retry", "words_of_parsers")


def parse_errors(page: Messages) -> Iterator[Block]:
    """Which parse errors words may mean; each is of an answer of its own."""
    numbered = Found(replace(one, code=f"{at} {one.code}") for at, one in enumerate(PARSED))
    yield heard(page, "a parse error", numbered, PARSERS)
