"""What a verdict says of its findings, and the error for apps."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind, Reask, strictest
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.contract.verdict import ORIGINAL_LIMIT, SchemaValidationError, Verdict


def finding(kind: FailureKind, severity: str = "retry", path: tuple[str | int, ...] = ()) -> Finding:
    """Return a finding of a kind."""
    return Finding(kind.value, path, "no", kind, Severity(severity))


KINDS = FailureKind
NOTED, WARNED = finding(KINDS.FENCE, "info"), finding(KINDS.MISSING, "warn")
SAID: dict[str, tuple[tuple[Finding, ...], bool, FailureKind | None, Reask]] = {
    "nothing": ((), True, None, Reask.NO),
    "notes alone": ((NOTED, WARNED), True, None, Reask.NO),
    "a bad one after notes": ((NOTED, WARNED, finding(KINDS.TYPE)), False, KINDS.TYPE, Reask.YES),
    "the first of two": ((finding(KINDS.ENUM), finding(KINDS.TYPE)), False, KINDS.ENUM, Reask.YES),
    "one that may be asked once": ((finding(KINDS.TYPE), finding(KINDS.EMPTY)), False, KINDS.TYPE, Reask.ONCE),
    "a cut answer": ((finding(KINDS.EMPTY), finding(KINDS.TRUNCATED)), False, KINDS.EMPTY, Reask.NOT_AT_THIS_LIMIT),
    "no answer": ((finding(KINDS.TRUNCATED), finding(KINDS.TRANSPORT)), False, KINDS.TRUNCATED, Reask.TRANSPORT),
    "a refusal": ((finding(KINDS.TRANSPORT), finding(KINDS.REFUSAL)), False, KINDS.TRANSPORT, Reask.NO),
    "one that ends it": ((finding(KINDS.TYPE), finding(KINDS.ENUM, "fail")), False, KINDS.TYPE, Reask.NO),
}


@pytest.mark.parametrize("name", SAID)
def test_what_findings_say_of_an_answer(name: str) -> None:
    """The first bad one names the kind; the strictest decides whether it is asked again."""
    findings, ok, kind, reask = SAID[name]
    verdict: Verdict[Any] = Verdict("c", "t", findings)
    assert (verdict.ok, verdict.kind, verdict.reask) == (ok, kind, reask)
    assert verdict.errors == tuple(one for one in findings if one not in (NOTED, WARNED))


def test_a_verdict_without_more_is_of_json_and_has_no_value() -> None:
    """Of no kinds at all, nothing is worth asking again."""
    verdict: Verdict[Any] = Verdict("c", "t")
    assert (verdict.findings, verdict.value, verdict.data, verdict.format) == ((), None, None, "json")
    assert strictest([]) is Reask.NO


DATA = {"a": [1, 2, 3], "b": [{"c": [4, 5]}, {"c": [6]}], "d": "text"}
TOUCHED: dict[str, tuple[str, tuple[tuple[str | int, ...], ...], list[tuple[int, Any]]]] = {
    "none": ("a", (), [(0, 1), (1, 2), (2, 3)]),
    "one": ("a", (("a", 1),), [(0, 1), (2, 3)]),
    "within one": ("a", (("a", 1, "x", 0),), [(0, 1), (2, 3)]),
    "the list itself": ("a", (("a",), ()), [(0, 1), (1, 2), (2, 3)]),
    "another list": ("a", (("b", 1),), [(0, 1), (1, 2), (2, 3)]),
    "lists of lists": ("b[*].c", (("b", 0, "c", 1),), [(0, 4), (0, 6)]),
    "no list": ("d", (), []),
    "nothing there": ("e", (), []),
}


@pytest.mark.parametrize("name", TOUCHED)
def test_the_items_that_no_finding_touches(name: str) -> None:
    """With their index; a finding that passes spoils nothing."""
    path, touched, good = TOUCHED[name]
    findings = tuple(finding(KINDS.TYPE, path=one) for one in touched)
    verdict: Verdict[Any] = Verdict("c", "t", (finding(KINDS.TYPE, "warn", ("a", 0)), *findings), data=DATA)
    assert verdict.good_items(path) == good
    assert Verdict("c", "t", data=[7]).good_items() == [(0, 7)]


@pytest.mark.parametrize(
    ("length", "more"), [(499, ""), (500, ""), (501, "… (1 more character)"), (2_000, "… (1,500 more characters)")]
)
def test_an_error_keeps_five_hundred_characters_of_the_answer(length: int, more: str) -> None:
    """What is cut off is counted."""
    error = SchemaValidationError("no", "openai", "x" * length, [NOTED])
    assert error.original_message == "x" * min(length, ORIGINAL_LIMIT) + more
    assert (str(error), error.provider_name, error.findings, ORIGINAL_LIMIT) == ("no", "openai", (NOTED,), 500)


def test_an_error_without_more() -> None:
    """An answer that is not known is None, an empty one is empty."""
    error = SchemaValidationError("no")
    assert (error.provider_name, error.original_message, error.findings) == (None, None, ())
    assert SchemaValidationError("no", original_message="").original_message == ""
