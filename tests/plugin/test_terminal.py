"""The section at the end of a run: short where all is well."""

from typing import Any

from pytest_planguard.plugin.terminal import _notable, _orphans, _summary, _table


def row(outcome: str = "converged", attempts: int = 1, **changes: Any) -> dict[str, Any]:
    """A row as a passed case leaves it."""
    conversation = {"attempts": [{}] * attempts, "checks": [{"name": "carried", "status": "pass"}]}
    base = {"test": "t.py::t", "outcome": outcome, "result": "passed", "stale": [], "conversations": [conversation]}
    return {**base, "tokens": {"input": 1000, "output": None}, **changes}


def test_one_line_says_it_all():
    """Cases by outcome, the most frequent first; attempts; tokens where known."""
    rows = [row(), row(attempts=2), row("stuck", attempts=3)]
    assert _summary(rows) == "3 cases: 2 converged, 1 stuck; 6 attempts; 3,000 tokens"


def test_nothing_to_count():
    """Answers that were only checked have neither attempts nor tokens."""
    assert _summary([row("valid", conversations=[], tokens={"input": None, "output": None})]) == "1 case: 1 valid"


def test_only_what_deserves_a_look_is_listed():
    """A case that was right at once is counted, not listed."""
    assert not _notable(row())
    assert _notable(row(attempts=2))
    assert _notable(row(result="failed"))
    assert _notable(row(stale=["request 1 differs"]))


def test_the_table():
    """Attempts of each conversation, and the checks that failed."""
    failed = {"attempts": [{}, {}], "checks": [{"name": "carried", "status": "fail"}]}
    assert _table([row("stuck", result="failed", conversations=[failed, failed])]) == (
        "outcome  attempts  tokens  result  failed checks  test\n"
        "stuck        2, 2   1,000  failed  carried        t.py::t"
    )


def test_orphans():
    """Nothing is said where there are none."""
    assert list(_orphans([])) == []
    assert list(_orphans(["a.yaml", "b\x1b.yaml"])) == [
        "",
        "2 recordings are used by no test; remove or rename:",
        "  a.yaml",
        "  b\\x1b.yaml",
    ]


def test_the_table_names_lost_feedback():
    """A retry that lost its findings got no answer, so no check of the row says it; the table does."""
    cut = {"attempts": [{}], "checks": [{"name": "valid", "status": "fail"}]}
    lost = row("stopped", result="failed", conversations=[cut], misses=["lost feedback: the retry carries none"])
    assert "failed  carried, valid  t.py::t" in _table([lost])
    assert "failed  valid  " in _table([{**lost, "misses": ["stale recording: changed"]}])
