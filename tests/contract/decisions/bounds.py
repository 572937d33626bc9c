"""Findings right below, at and above each bound of lengths and counts."""

from __future__ import annotations

from pytest_planguard import FailureKind, Finding
from pytest_planguard.document.positions import Span

COUNTS = (1, 2, 10, 11, 12, 20, 21, 22, 40)
LENGTHS = (1, 58, 59, 60, 61, 119, 120, 121, 159, 160, 161, 240, 241, 600)
PLACE = Span(3, 4, 5)


def missing_findings(count: int) -> list[Finding]:
    """Return so many findings of one kind."""
    return [Finding("missing", ("steps", n), "required, missing", FailureKind.MISSING) for n in range(count)]


def long_findings(length: int) -> list[Finding]:
    """Return findings of which each has one long value."""
    text = "x" * length
    kinds = FailureKind
    return [
        Finding("rule", ("a",), text, kinds.RULE, span=PLACE),
        Finding("rule", (text,), "no", kinds.RULE),
        Finding("enum", ("b",), f"expected {text}", kinds.ENUM, allowed=(text, "low"), actual=f'"{text}"'),
        Finding("type", ("c",), "expected another", kinds.TYPE, expected=text, actual=f'"{text}"'),
        Finding(text, ("d",), "a long code", kinds.RULE),
        Finding("rule", ("e",), "a hint", kinds.RULE, hint=text),
        Finding("missing", ("f",), "required, missing", kinds.MISSING, owner=text),
    ]


def many_findings(length: int) -> list[Finding]:
    """Return findings of one length, more than fit into a text."""
    return [Finding("rule", ("a", n), "x" * length, FailureKind.RULE, span=PLACE) for n in range(30)]
