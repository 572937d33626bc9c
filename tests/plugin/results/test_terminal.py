"""The section at the end of a run: short where all is well."""

from collections import Counter
from typing import Any

from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.results.terminal import (
    _live_checks,
    _notable,
    _orphans,
    _pruned,
    _sampled,
    _summary,
    _table,
)


def row(outcome: str = "converged", attempts: int = 1, **changes: Any) -> dict[str, Any]:
    """A row as a passed case leaves it."""
    conversation = {"attempts": [{}] * attempts, "checks": [{"name": "carried", "status": "pass"}]}
    base = {"test": "t.py::t", "outcome": outcome, "result": "passed", "stale": [], "conversations": [conversation]}
    return {**base, "tokens": {"input": 1000, "output": None}, **changes}


def test_one_line_says_it_all():
    """Cases by outcome, the most frequent first; attempts; tokens where known."""
    rows = [row(), row(attempts=2), row("stuck", attempts=3)]
    assert _summary(rows, Counter()) == "3 cases: 2 converged, 1 stuck; 6 attempts; 3,000 tokens"


def test_nothing_to_count():
    """Answers that were only checked have neither attempts nor tokens."""
    silent = row("valid", conversations=[], tokens={"input": None, "output": None})
    assert _summary([silent], Counter()) == "1 case: 1 valid"
    assert _summary([silent], Counter(valid=2)) == "3 cases: 3 valid"


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


def test_bad_samples_are_named():
    """Number and reason of the first ones; a row of an earlier planguard has none to name."""
    counted = {"good": 1, "total": 8, "min_pass_rate": 0.5}
    bad = [{"number": n, "why": f"no {n}"} for n in range(2, 9)]
    assert list(_sampled([row(samples={**counted, "bad": bad}), row(samples=counted)]))[2:] == [
        "  t.py::t: 1 of 8 (12 %, 95 % interval 2 to 47 %) good; at least 50 % wanted",
        *(f"    sample {n}: no {n}" for n in range(2, 7)),
        "    and 2 more that are not good",
        "  t.py::t: 1 of 8 (12 %, 95 % interval 2 to 47 %) good; at least 50 % wanted",
    ]


def test_an_outage_is_counted_as_one():
    """What the endpoint did not answer is not counted as a worse model."""
    unanswered = {"change": "unanswered", "recorded": "converged after 1 attempt", "live": "nothing was judged"}
    assert list(_live_checks([row(canary=unanswered)])) == [
        "",
        "1 recording held against live answers: 1 unanswered",
        "  t.py::t: unanswered: converged after 1 attempt when recorded, nothing was judged now",
    ]


def test_pruning_without_anything_to_prune_is_said(pytestconfig, monkeypatch):
    """Why nothing was removed: nothing is recorded, or there are no older variants; unasked nothing is said."""
    assert list(_pruned([row()], pytestconfig)) == []
    monkeypatch.setattr(pytestconfig.option, "planguard_prune", True)
    way = "--planguard-prune removes only while recording; add --planguard-record=missing, stale or all"
    assert list(_pruned([row()], pytestconfig)) == ["", f"nothing was pruned: {way}"]
    monkeypatch.setitem(pytestconfig.stash._storage, SETTINGS, Settings(record="missing"))
    none = "no case that this run recorded has recordings in variants that its test no longer has"
    assert list(_pruned([row()], pytestconfig)) == ["", f"nothing was pruned: {none}"]
    assert list(_pruned([row(pruned=["a/x.yaml"])], pytestconfig))[1] == "1 recording of older variants removed:"


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
