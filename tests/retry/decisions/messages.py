"""What single messages, lines, codes and spellings of places come to: one word more or less in a table shows here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from pytest_planguard import FailureKind, Finding

from ...support.decisions import Block, Decided, Messages, inputs, sections
from .hearing import Found, at_limits, heard

_KIND = FailureKind
_AT = ("size",)
RULES = {
    "missing": Finding("missing", _AT, "alfax", _KIND.MISSING),
    "extra": Finding("extra", _AT, "bravox", _KIND.EXTRA),
    "too short": Finding("min_length", _AT, "chark", _KIND.LENGTH, expected="at least 5 characters", actual='"ab"'),
    "too long": Finding("max_length", _AT, "deltox", _KIND.LENGTH, expected="at most 5 characters", actual='"abcdefg"'),
    "too small": Finding("minimum", _AT, "ekkox", _KIND.RANGE, expected="at least 5", actual="1"),
    "too large": Finding("maximum", _AT, "foxtx", _KIND.RANGE, expected="at most 5", actual="9"),
    "out of range": Finding("between", _AT, "gulfx", _KIND.RANGE, expected="from 5 to 7", actual="9"),
    "enum": Finding("enum", _AT, "hottelx", _KIND.ENUM, expected='one of "open", "closed"', allowed=("open", "closed")),
    "type": Finding("type", _AT, "indiox", _KIND.TYPE, expected="an integer", actual='"two"'),
    "format": Finding("pattern", _AT, "juliettx", _KIND.FORMAT, actual='"ab"'),
    "duplicate": Finding("distinct", _AT, "kilux", _KIND.RULE, actual='"ab"'),
    "empty": Finding("empty", (), "limox", _KIND.EMPTY),
    "unknown tool": Finding("tool", (), "mikkex", _KIND.UNKNOWN_TOOL),
    "no tool call": Finding("call", (), "novemx", _KIND.NO_TOOL_CALL),
    "unreadable": Finding("json", (), "oskarx", _KIND.INVALID_JSON),
}
"""A finding of each category of rule: at one place, or about the whole answer."""
SOME_RULES = Found([RULES[rule] for rule in ("missing", "too small", "enum", "type")], {"size": 9})


INVOICE = Found(
    (
        Finding("pattern", ("invoice_no",), "alfax", _KIND.FORMAT, actual='"2024-17"', validator_code="pattern"),
        Finding("enum", ("currency",), "bravox", _KIND.ENUM, actual='"euro"', allowed=("EUR", "USD")),
        Finding("type", ("lines", 0, "quantity"), "chark", _KIND.TYPE, expected="an integer", actual='"two"'),
        Finding("minimum", ("lines", 1, "quantity"), "deltox", _KIND.RANGE, expected="at least 1", actual="0"),
        Finding("minimum", ("lines", 1, "unit_price"), "ekkox", _KIND.RANGE, expected="more than 0", actual="0"),
        Finding("minimum", ("lines", 1, "price"), "foxtx", _KIND.RANGE, expected="more than 0", actual="0"),
        Finding("too_short", ("lines",), "gulfx", _KIND.LENGTH, expected="at least 3 items"),
        Finding("missing", ("customer", "email"), "hottelx", _KIND.MISSING, validator_message="Field required"),
        Finding("missing", ("customer", "address", "city"), "indiox", _KIND.MISSING),
        Finding("pattern", ("customer", "address", "zip"), "juliettx", _KIND.FORMAT, actual='"x"'),
        Finding("extra", ("note",), "kilux", _KIND.EXTRA),
        Finding("format", ("due",), "limox", _KIND.FORMAT, expected="a date", actual='"soon"'),
        Finding("type", ("remark",), "mikkex", _KIND.TYPE, expected="a string", actual="5"),
        Finding("missing", ("number",), "novemx", _KIND.MISSING),
    ),
    {
        "invoice_no": "2024-17",
        "currency": "euro",
        "lines": [{"quantity": "two"}, {"quantity": 0, "unit_price": 0, "price": 0}],
        "customer": {"address": {"zip": "x"}},
        "note": "x",
        "due": "soon",
        "remark": 5,
    },
)
_GONE = "Field required"
PLAN = Found(
    tuple(
        Finding("missing", path, "it is gone", _KIND.MISSING, validator_message=_GONE)
        for path in (*(("goal",), ("tasks", 0, "id"), ("tasks", 0), ("owner",), ("due_date",), ("a", "b", "c", "d")),)
    ),
    {"tasks": [{"id": 1}, {"id": 2}], "goal": None},
)
PARTIAL = Found(
    tuple(
        Finding("missing", path, "it is gone", _KIND.MISSING, validator_message=_GONE)
        for path in (
            *((), ("tasks", 0, "id"), ("tasks", 0), ("a", "b"), ("a b",), ("tasks", "id"), ("0",), ("a",), ("goal",)),
        )
    ),
    {"tasks": [{"id": 1}], "a": {"b": 1}, "a b": 1},
)


def messages(page: Messages) -> Iterator[Block]:
    """Which rule each message is about."""
    yield from _by_rule(page, "messages", ())


def rules(page: Messages) -> Iterator[Block]:
    """Which rule each word of the tables is about."""
    yield from _by_rule(page, "rules", ("missing", "type"))


def _by_rule(page: Messages, name: str, others: Sequence[str]) -> Iterator[Block]:
    """Yield what becomes of a finding of the rule that the messages are about, and of others."""
    for rule, texts in sections("retry", name).items():
        found = [RULES[one] for one in (rule, *(other for other in others if other != rule)) if one in RULES]
        found = found if rule in RULES else [RULES[one] for one in ("missing", "too small", "enum", "type")]
        yield heard(page, f"words about {rule}", Found(found, {"size": 9}), texts, "size: {}")


def codes(page: Messages) -> Iterator[Block]:
    """Which rule each code is about."""
    made = (
        (code, json.dumps([{"path": ["size"], "code": code, "message": "odd"}])) for code in inputs("retry", "codes")
    )
    placed = Found([one for one in RULES.values() if one.path], {"size": 9})
    yield at_limits(page, "a code", placed, made)


def places(page: Messages) -> Iterator[Block]:
    """Which place each spelling names."""
    yield heard(page, "a spelling of a place", PARTIAL, inputs("retry", "places"), "{}: Field required")


def texts(page: Messages) -> Iterator[Block]:
    """What the errors of frameworks name."""
    yield heard(page, "errors that frameworks send", INVOICE, inputs("retry", "texts"))


def lines(page: Messages) -> Iterator[Block]:
    """What each form of a line names."""
    yield heard(page, "lines", PLAN, inputs("retry", "lines"))
    yield _with_and_without(page, "lines in the wordings of frameworks", PLAN, inputs("retry", "lines_of_frameworks"))


def _with_and_without(page: Messages, title: str, contract: Found, given: list[str]) -> Block:
    """Return what is decided where the wordings are known, and where they are not to be used."""
    known, unknown = (heard(page, title, contract, given, known_wordings=one).decided for one in (True, False))
    return Block(
        title, [Decided(a.input, f"{a.decision} | unknown: {b.decision}") for a, b in zip(known, unknown, strict=True)]
    )
