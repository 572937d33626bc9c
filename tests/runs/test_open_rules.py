"""A conversation that was cut short says nothing of the rules that its final answer would have broken."""

from dataclasses import replace

import pytest

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff, RunDiff
from pytest_planguard.runs.model.broken_rules import FEEDBACK
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.statistics import Evidence

from ..support.runs import bad, finding, missing, run

BASE = bad("a", '{"a": 1}')
MISSING = missing("a", finding("missing", ("a",)))
UNASKED = CaseRow("a", "t", result="failed", outcome="unrecorded", misses=("no cassette",))


def diff(base: CaseRow, candidate: CaseRow) -> RunDiff:
    """One case of two runs compared."""
    return compare(run("a", [base]), run("b", [candidate]))


def told(case: CaseDiff) -> tuple[list[str], ...]:
    """What a case breaks, fixes, still breaks, leaves open."""
    groups = (case.broken, case.repaired, case.still_broken, case.open)
    return tuple([str(rule) for rule in group] for group in groups)


@pytest.mark.parametrize(("candidate", "breaks"), [(MISSING, str(FEEDBACK)), (UNASKED, "outcome:unrecorded")])
def test_who_never_got_a_final_answer_mends_nothing(candidate: CaseRow, breaks: str) -> None:
    """Missing feedback, and a first request without an answer: the base's rule stays open, mirrored too."""
    there, back = diff(BASE, candidate), diff(candidate, BASE)
    (one,), (other,) = there.cases, back.cases
    assert one.bucket is other.bucket is Bucket.STILL_FAILING
    assert told(one) == ([breaks], [], [], ["missing at a"])
    assert told(other) == ([], [breaks], [], ["missing at a"])
    assert one.values == other.values == ()
    assert [rule.rule for rule in there.rules] == [breaks]


def test_ten_cut_short_conversations_are_no_evidence_of_a_better_model() -> None:
    """Ten cases that broke a rule and whose retries now lose their feedback: worse at carrying, nothing else."""
    base = [replace(BASE, key=str(n)) for n in range(10)]
    found = compare(run("a", base), run("b", [replace(MISSING, key=str(n)) for n in range(10)]))
    assert {rule.rule: rule.evidence for rule in found.rules} == {str(FEEDBACK): Evidence.WORSE}


def test_another_conversation_of_the_case_is_still_told() -> None:
    """Only the conversation that was cut short is open: what another one fixes is fixed."""
    second = replace(bad("a", code="enum", path=("b",)).judged[0], name="2")
    fixed = replace(second, outcome="converged", ok=True, attempts=(replace(second.attempts[0], ok=True, findings=()),))
    base = replace(BASE, judged=(*BASE.judged, second))
    (one,) = diff(base, replace(MISSING, judged=(*MISSING.judged, fixed))).cases
    assert told(one) == ([str(FEEDBACK)], ["enum at b"], [], ["missing at a"])
