"""Rows and runs for tests, without a session."""

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.path import Path
from pytest_planguard.runs.model.judged_answers import AttemptRow, CheckRow, Judged
from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader
from pytest_planguard.runs.store.run_file import by_case, record_lines


def finding(code: str, path: Path = (), message: str = "wrong") -> Finding:
    """A bad finding at a path."""
    return Finding(code, path, message, FailureKind.CONTENT)


def attempt(answer: str, *findings: Finding, tokens: int | None = None) -> AttemptRow:
    """Return an attempt, which is good if it has no finding."""
    kind = findings[0].kind.value if findings else None
    return AttemptRow(answer, not findings, kind, findings, input_tokens=tokens, output_tokens=tokens)


def case(key: str, *attempts: AttemptRow, outcome: str | None = None, **other: Any) -> CaseRow:
    """A case with one conversation."""
    ok = bool(attempts) and attempts[-1].ok
    judged = Judged(attempts, outcome or ("converged" if ok else "exhausted"), ok and outcome is None)
    return CaseRow(key, f"test_x.py::{key}", judged=(judged,), **other)


def good(key: str, answer: str = "{}", **other: Any) -> CaseRow:
    """A case that converged at once."""
    return case(key, attempt(answer), **other)


def bad(key: str, answer: str = "{}", code: str = "missing", path: Path = ("a",), **other: Any) -> CaseRow:
    """Return a case whose one answer breaks one rule."""
    return case(key, attempt(answer, finding(code, path)), **other)


def run(name: str, rows: Sequence[CaseRow], **header: Any) -> Run:
    """A run of these rows."""
    return Run(RunHeader(name, **header), tuple(rows))


def missing(key: str, *findings: Finding, **other: Any) -> CaseRow:
    """Return a case with a bad first answer whose retry feeds nothing back, and so got no answer."""
    misses = ("missing feedback: the retry feeds back no finding of the attempt before it\n  sent: POST /v1",)
    checks = (CheckRow("valid", "fail"),)
    judged = Judged((attempt('{"a": "bad"}', *findings),), "stopped", ok=False, checks=checks)
    return CaseRow(
        key, f"test_x.py::{key}", judged=(judged,), result="failed", outcome="stopped", misses=misses, **other
    )


def run_lines(run: Run) -> Iterator[str]:
    """Return the lines of a run's record; reading them returns the run."""
    return record_lines(run.header, sorted(run.rows, key=by_case))
