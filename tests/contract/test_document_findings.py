"""How an answer ended: refusals, cut-off answers, and the kinds of broken documents."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind, Reask
from pytest_planguard.contract.finding import Severity

from ..support.one_item import in_one_item


class Ticket(BaseModel):
    title: str
    steps: list[str]


TICKET = Contract(Ticket)
GOOD = '{"title": "t", "steps": ["a"]}'


@in_one_item
@pytest.mark.parametrize(
    ("finish", "refusal", "message"),
    [
        ("stop", "I can't help", 'the model declined: "I can\'t help"'),
        ("refusal", None, "the model declined (finish reason refusal)"),
        ("content_filter", None, "the model declined (finish reason content_filter)"),
    ],
)
@pytest.mark.parametrize("answer", ["", GOOD, b"", {"title": 1}])
def test_a_refusal_is_named_and_not_asked_again(answer: Any, finish: str, refusal: str | None, message: str) -> None:
    """A refusal field or finish reason decides, whatever the answer says; asking again does not help."""
    verdict = TICKET.check(answer, finish=finish, refusal=refusal)
    assert [item.message for item in verdict.findings] == [message]
    assert (verdict.kind, verdict.reask) == (FailureKind.REFUSAL, Reask.NO)


def test_a_cut_answer_is_truncated_whatever_is_broken() -> None:
    """finish=length with an incomplete document is one finding, truncated, and no re-ask at this limit."""
    verdict = TICKET.check('{"title": "t", "ste', finish="length")
    (found,) = verdict.errors
    assert found.message.startswith("the answer was cut off at the token limit (")
    assert (verdict.kind, verdict.reask) == (FailureKind.TRUNCATED, Reask.NOT_AT_THIS_LIMIT)
    assert TICKET.check("", finish="length").kind is FailureKind.TRUNCATED


def test_a_complete_answer_at_the_limit_is_a_note() -> None:
    """finish=length with a complete valid document passes with a warning; a complete bad one keeps its findings."""
    verdict = TICKET.check(GOOD, finish="length")
    assert verdict.ok
    assert [(item.code, item.severity) for item in verdict.findings] == [("truncated", Severity.WARN)]
    assert TICKET.check('{"title": "t"}', finish="length").kind is FailureKind.MISSING


def test_yaml_that_may_go_on_is_truncated() -> None:
    """A YAML answer that hit the limit parses, but nobody knows whether it was finished; a closed fence says so."""
    text = "title: t\nsteps:\n  - a\n"
    contract = Contract(Ticket, format="yaml")
    assert contract.check(text, finish="length").kind is FailureKind.TRUNCATED
    assert contract.check(f"```yaml\n{text}```", finish="length").ok
    assert contract.check(text).ok


@pytest.mark.parametrize(
    ("answer", "kind", "reask"),
    [
        ("", FailureKind.EMPTY, Reask.ONCE),
        ("  \n", FailureKind.EMPTY, Reask.ONCE),
        ("Here is my plan for you.", FailureKind.PROSE, Reask.YES),
        ('{"title": "t", "steps": ["a"', FailureKind.TRUNCATED, Reask.NOT_AT_THIS_LIMIT),
        ('{"title": "t",, "steps": []}', FailureKind.INVALID_JSON, Reask.YES),
        (GOOD + GOOD, FailureKind.MULTIPLE, Reask.YES),
        ('{"title": "t", "title": "u", "steps": []}', FailureKind.DUPLICATE_KEY, Reask.YES),
        ('{"title": "t", "steps": [NaN]}', FailureKind.NON_FINITE, Reask.YES),
    ],
)
def test_kinds_of_broken_documents(answer: str, kind: FailureKind, reask: Reask) -> None:
    """Each way to be no document has its own kind, which knows whether asking again helps."""
    verdict = TICKET.check(answer)
    assert (verdict.kind, verdict.reask) == (kind, reask)


def test_real_failures_have_the_kind_that_people_gave_them(shared_data: Any) -> None:
    """The real outputs in the failure log are classified as the people who logged them did."""
    cases = json.loads((shared_data / "failures" / "planexe_failures.json").read_text())["cases"]
    marker = "Could not extract json string from output: "
    logged = [(case["category"], case["error"].split(marker)[1]) for case in cases if marker in case["error"]]
    kinds = [(category, TICKET.check(output.strip(" ')\"\n")).kind) for category, output in logged]
    assert kinds.count(("empty_output", FailureKind.EMPTY)) == 8
    assert kinds.count(("no_json(prose)", FailureKind.PROSE)) == 3
    assert len(kinds) == 11


@pytest.mark.parametrize(
    ("answer", "closed"),
    [
        ("```yaml\na: 1\n```", True),
        ("~~~yaml\na: 1\n~~~", True),
        ("```yaml\na: 1\n", False),
        ("a: 1\n", False),
        ('{"a": 1}', True),
        ("# Title\n\n- a\n", False),
    ],
)
def test_what_is_closed_is_complete_at_the_limit(answer: str, closed: bool) -> None:
    """A JSON value, and a fence of either sign; anything else may go on."""
    found = [one for one in Contract(None).check(answer, finish="length").findings if one.code == "truncated"]
    assert [(one.severity, one.message) for one in found] == [
        (Severity.WARN, "the token limit was reached, but the document is complete")
        if closed
        else (Severity.RETRY, found[0].message)
    ]
