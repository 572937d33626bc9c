"""Real loops of a small model: figures that must come out of the cassettes alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.results import Convergence

from ..support.paths import ROOT
from ..support.ticket import TICKET

CASSETTES = ROOT / "cassettes" / "local_model"
FIGURES = {
    # valid by attempt 1 to 4, answers equal to the one before, retries, equal to any before, cut and asked again
    "blind": ([28, 36, 40, 43], 0, 40, 0, 8),
    "feedback": ([28, 29, 30, 31], 21, 57, 23, 8),
    "inject": ([28, 34, 41, 43], 0, 41, 0, 13),
}


def judged(path: Path, **options: bool) -> Convergence:
    """The one conversation of a cassette."""
    found = judge(read_cassette(path).exchanges, [TICKET], options=JudgeOptions(max_attempts=4, **options))
    assert len(found.conversations) == 1
    return found.conversations[0]


def loops(shared_data: Path, strategy: str) -> list[Convergence]:
    """All 48 loops of one strategy."""
    return [judged(p) for p in sorted((shared_data / "local_model" / "cassettes" / strategy).glob("*.yaml"))]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", FIGURES)
def test_the_known_figures_come_out(shared_data: Path, strategy: str) -> None:
    """Valid by attempt, repeated answers, and loops that asked again after a cut answer, of 48 loops each."""
    found = loops(shared_data, strategy)
    valid = [sum(any(a.verdict.ok for a in c.attempts[:k]) for c in found) for k in (1, 2, 3, 4)]
    cut = sum(any("cut off" in line for line in c.check("stops").evidence) for c in found)
    retries = sum(len(c.attempts) - 1 for c in found)
    at_once, ever = sum(c.repeated_at_once for c in found), sum(c.repeated for c in found)
    assert (len(found), (valid, at_once, retries, ever, cut)) == (48, FIGURES[strategy])


@pytest.mark.slow
@pytest.mark.parametrize("strategy", FIGURES)
def test_every_attempt_is_the_recorded_one(shared_data: Path, strategy: str) -> None:
    """The cut answers are those whose recorded finish reason says so, one of them a loop that ran into the limit."""
    rows = [
        json.loads(line) for line in (shared_data / "local_model" / f"runs_{strategy}.jsonl").read_text().splitlines()
    ]
    for convergence, row in zip(loops(shared_data, strategy), sorted(rows, key=lambda r: r["prompt"]), strict=True):
        assert [a.verdict.ok for a in convergence.attempts] == [a["valid"] for a in row["attempts"]]
        assert any("cut off" in line or "in loop" in line for line in convergence.check("stops").evidence) == any(
            a["finish_reason"] == "length" for a in row["attempts"][:-1]
        )


def test_blind_retries_carry_nothing(shared_data: Path) -> None:
    """Each of the 40 blind retries dropped every finding that it had to feed back."""
    attempts = [a for c in loops(shared_data, "blind") for a in c.attempts[:-1]]
    assert len(attempts) == 40
    for attempt in attempts:
        grades = {graded.label for graded in attempt.fed_back}
        assert Grade.MISSING in grades
        assert grades <= {Grade.MISSING, Grade.NOT_JUDGED}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "grades"),
    [
        ("feedback", {Firmness.VERBATIM: 19, Firmness.LOCATED: 39}),
        ("inject", {Firmness.VERBATIM: 18, Firmness.LOCATED: 25}),
    ],
)
def test_real_feedback_is_found_with_its_grade(shared_data: Path, strategy: str, grades: dict[Grade, int]) -> None:
    """Every finding of every feedback and inject retry is found; weak is only one about the whole answer."""
    found = loops(shared_data, strategy)
    gradings = [graded for c in found for a in c.attempts for graded in a.fed_back]
    assert {
        g: sum(f.label == g for f in gradings) for g in (*Firmness, *Grade) if any(f.label == g for f in gradings)
    } == grades
    assert all(f.finding.path == () for f in gradings if f.label == Firmness.WEAK)
    assert all(c.check("feedback").status in (CheckStatus.PASS, CheckStatus.NOT_APPLICABLE) for c in found)


def test_copies_are_warned_about_and_change_no_verdict(shared_data: Path) -> None:
    """Injected errors make the small model copy its examples: 6 of 43 valid answers, with the counts unchanged."""
    found = loops(shared_data, "inject")
    assert sum(bool(c.check("copied").evidence) for c in found) == 6
    assert sum(c.outcome is Outcome.CONVERGED for c in found) == 43


@pytest.mark.parametrize(
    ("name", "outcome", "fed_back"),
    [
        ("blind/27", Outcome.CONVERGED, CheckStatus.FAIL),
        ("feedback/27", Outcome.STUCK, CheckStatus.PASS),
        ("feedback/29", Outcome.CONVERGED, CheckStatus.PASS),
        ("inject/27", Outcome.CONVERGED, CheckStatus.PASS),
    ],
)
def test_carried_and_converged_are_two_results(name: str, outcome: Outcome, fed_back: CheckStatus) -> None:
    """A blind retry may converge and a fed-back one may stay stuck."""
    found = judged(CASSETTES / f"{name}.yaml")
    assert (found.outcome, found.check("feedback").status) == (outcome, fed_back)
