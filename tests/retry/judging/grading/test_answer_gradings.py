"""Findings that an app reports at a place of its own, by their parts, or under another name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.judging.grading.answer_gradings import gradings_of
from pytest_planguard.retry.judging.required_findings import Part
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import read
from pytest_planguard.retry.results import FedBack
from pytest_planguard.wire.exchange import Role

from ....support.one_item import in_one_item

TICKET = {"ticket": {"title": "x"}}
TASKS = {"tasks": [{"id": 1}, {"id": 2}]}


def missing(*path: str | int) -> Finding:
    """Return the finding of a missing field."""
    return Finding("missing", path, "required, missing", FailureKind.MISSING)


def graded(words: str, *findings: Finding, data: Any = None, names: Sequence[str] = ()) -> list[FedBack]:
    """Return the gradings of the findings of one answer by one message."""
    reading = read([Delta(2, (Piece(words, 4, Role.USER),))])
    return [*gradings_of(findings, reading, 1, Part(None, len(findings), data, ""), names, None)]


@in_one_item
@pytest.mark.parametrize(
    ("data", "path", "label"),
    [
        (TICKET, ("ticket", "name"), "located"),
        ({"ticket": {}}, ("ticket", "name"), "located"),
        (TASKS, ("tasks", 0, "name"), "located"),
        (TASKS, ("tasks", 1, "name"), "located"),
        (TASKS, ("tasks", 2, "name"), "weak"),
        (TASKS["tasks"], (1, "name"), "located"),
        (TASKS["tasks"], (2, "name"), "weak"),
        ({**TICKET, "more": 1}, ("ticket", "name"), "weak"),
        ({**TASKS, "more": 1}, ("tasks", 1, "name"), "weak"),
        ({"other": {}}, ("ticket", "name"), "weak"),
        ({"ticket": "x"}, ("ticket", "name"), "weak"),
        ({"ticket": {"who": {}}}, ("ticket", "who", "name"), "weak"),
        ({"tasks": [[{}]]}, ("tasks", 0, 0, "name"), "weak"),
        (None, ("ticket", "name"), "weak"),
    ],
)
def test_an_app_may_validate_a_part_alone(data: Any, path: tuple[str | int, ...], label: str) -> None:
    """The only argument of a call, or an item of the only list: its errors name places inside that part."""
    (found,) = graded("name: Field required", missing(*path), data=data)
    assert (found.label, found.finding.path) == (label, path)


def test_a_place_in_a_part_may_be_a_path() -> None:
    """Of the argument, and of an item."""
    words = "who.name: Field required"
    assert [one.label for one in graded(words, missing("ticket", "who", "name"), data={"ticket": {"who": {}}})] == [
        "located"
    ]
    data = {"tasks": [{"who": {}}]}
    assert [one.label for one in graded(words, missing("tasks", 0, "who", "name"), data=data)] == ["located"]


@in_one_item
@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("ticket: wrong", "located"),
        ("other.title: wrong", "located"),
        ("ticket.title: wrong", "weak"),
        ("0.title: wrong", "weak"),
    ],
)
def test_feedback_that_names_places_from_the_root_names_all_so(heading: str, label: str) -> None:
    """The name of the part alone may be a heading."""
    (found,) = graded(f"{heading}\nname: Field required", missing("ticket", "name"), data=TICKET)
    assert found.label == label


def test_a_part_that_is_wrong_itself_is_named_from_the_root() -> None:
    """Then its name is no heading."""
    first, _ = graded("ticket: wrong\nname: Field required", missing("ticket", "name"), missing("ticket"), data=TICKET)
    assert first.label == "weak"


def test_only_a_schema_with_one_field_has_a_part_of_its_own() -> None:
    """An app that takes two arguments names both."""
    labels = [
        one.label
        for names in ((), ("ticket",), ("ticket", "more"))
        for one in graded("name: Field required", missing("ticket", "name"), data=TICKET, names=names)
    ]
    assert labels == ["located", "located", "weak"]


def whole(*parts: Finding) -> Finding:
    """Return a finding about the whole answer instead of these."""
    return Finding("wrapped", (), "the answer is wrapped", FailureKind.TYPE, replaces=parts)


EXTRA = Finding("extra", ("ticket",), "unexpected", FailureKind.EXTRA)
NAME, RANK = missing("name"), missing("rank")


@in_one_item
@pytest.mark.parametrize(
    ("parts", "words", "label"),
    [
        ((NAME, RANK), "name: Field required\nrank: Field required", "located"),
        ((NAME, RANK), "name: Field required\nPlease add a rank", "weak"),
        ((NAME, RANK), "name: Field required", "wrong"),
        ((NAME, EXTRA), "name: Field required", "located"),
        ((EXTRA, NAME), "name: Field required", "located"),
        ((NAME, EXTRA), "ticket: not permitted", "wrong"),
        ((EXTRA,), "ticket: not permitted", "located"),
        ((EXTRA,), "name: Field required", "wrong"),
        ((), "name: Field required", "wrong"),
    ],
)
def test_a_finding_about_the_whole_answer_is_fed_back_by_its_parts(
    parts: tuple[Finding, ...], words: str, label: str
) -> None:
    """By each of them; unknown members count only if nothing else is wrong."""
    (found,) = graded(words, whole(*parts), data={"ticket": 1}, names=("name", "rank"))
    assert found.label == label
    if label != "wrong":
        assert (found.reason, found.reason_code) == (None, None)
        assert found.evidence == f"request 2, message 4: {words.splitlines()[0]}"


NO_CALL = Finding("no_tool_call", (), "expected a call of the tool plan; got text", FailureKind.NO_TOOL_CALL)
NO_JSON = Finding("invalid_json", (), "not readable", FailureKind.INVALID_JSON)


@in_one_item
@pytest.mark.parametrize(
    ("words", "findings", "labels"),
    [
        ("You should have used the tool", (NO_JSON, NO_CALL), ["weak", "weak"]),
        ("You should have used the tool", (NO_CALL, NO_JSON), ["weak", "weak"]),
        ("You should have used the tool", (NAME, NO_JSON, NO_CALL), ["weak", "weak", "weak"]),
        ("You should have used the tool", (NO_JSON,), ["missing"]),
        ("I could not parse your JSON", (NO_JSON, NO_CALL), ["weak", "weak"]),
        ("I could not parse your JSON", (NO_CALL, NO_JSON), ["weak", "weak"]),
        ("I could not parse your JSON", (NAME, NO_JSON, NO_CALL), ["missing", "weak", "weak"]),
        ("I could not parse your JSON", (NO_CALL,), ["unclear"]),
        ("Please try again", (NO_JSON, NO_CALL), ["missing", "missing"]),
    ],
)
def test_a_text_instead_of_a_call_has_two_names(words: str, findings: tuple[Finding, ...], labels: list[str]) -> None:
    """A missing call, or an invalid document; a call that is asked for feeds back all else."""
    found = graded(words, *findings, names=("name", "rank"))
    assert [one.label for one in found] == labels
    for one in found:
        if one.label == "weak":
            assert (one.evidence, one.reason) == (f"request 2, message 4: {words}", None)
            assert one.reason_code is None
