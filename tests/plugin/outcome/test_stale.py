"""A cassette that no longer fits or is too old: whether that fails the test, and what repairs it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.outcome.failure import Problem
from pytest_planguard.plugin.outcome.stale import feedback_is_missing, judge_cassette, outdated
from pytest_planguard.replay.session.rerecord import RerecordHint

from ...support.verdicts import lost_retry
from .conftest import MakeCase

AGAIN = RerecordHint("pytest x --planguard-record=stale", 2, 10)
BAD = [Problem("bad")]
STALE = "the cassette is stale: it no longer fits what is sent"


@pytest.fixture
def case(make_case: MakeCase) -> Case:
    """A case whose cassette is stale and too old, and fails for that."""
    found = make_case(stale_fails=True)
    found.session = SimpleNamespace(rerecord=AGAIN, recorded=(), misses=(), replayed=())  # type: ignore[assignment]
    found.recording = PlayedCassette(expired=("its newest answer is 90 days old",), misses=("no answer",))
    found.stale = ("request 1 differs", "request 2 differs")
    return found


def test_a_stale_cassette_is_a_problem_where_that_fails(case: Case) -> None:
    """With each request that differs, and the command that records it again."""
    judge_cassette(case, [])
    again = "pytest x --planguard-record=stale # about 2 calls, 10 tokens"
    assert [*outdated(case)] == [
        Problem(STALE, "  request 1 differs\n  request 2 differs", again),
        Problem("the cassette has expired: its newest answer is 90 days old", "", again),
    ]
    case.settings = case.settings._replace(stale_fails=False)
    assert [*outdated(case)] == []


def test_an_old_cassette_is_no_problem_beside_another(case: Case) -> None:
    """Its conversations have failed already."""
    judge_cassette(case, BAD)
    assert case.expired == ()
    assert [problem.reason for problem in outdated(case)] == [STALE]


def test_only_a_stale_cassette_is_recorded_again(case: Case) -> None:
    """An earlier hint does not stay."""
    judge_cassette(case, BAD)
    assert case.rerecord_hint == AGAIN
    case.stale = ()
    judge_cassette(case, BAD)
    assert case.rerecord_hint is None
    judge_cassette(case, [])
    assert case.rerecord_hint == AGAIN


@pytest.mark.parametrize("answered", [True, False])
def test_a_retry_without_feedback_is_not_recorded_again(case: Case, answered: bool) -> None:
    """The cassette would keep the bug, whether its request was answered or not."""
    assert not feedback_is_missing(case)
    if answered:
        case.conversations = (lost_retry(),)
    else:
        case.recording = replace(case.recording, misses=("no answer", "missing feedback: the retry says nothing"))
    assert feedback_is_missing(case)
    judge_cassette(case, [])
    assert (case.rerecord_hint, case.rekey_command) == (None, None)
    assert {problem.advice for problem in outdated(case)} == {""}
