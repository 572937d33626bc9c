"""An experiment as tables."""

import json
from dataclasses import replace

import pytest

from pytest_planguard.plan_search.experiment import Experiment, Trial
from pytest_planguard.report.forms import draw
from pytest_planguard.report.pages.search import scorecard, scorecard_page


def trial(problem: str, policy: str, calls: int | None, category: str, misses: int = 0) -> Trial:
    """A trial; None for a failure after 30 calls."""
    return Trial(problem, policy, 0, calls is not None, calls or 30, "", category, misses, (1,) if calls == 8 else ())


EXPERIMENT = Experiment((
    trial("a", "cbj", 4, "bug fix"), trial("b", "cbj", 8, "feature"),
    trial("a", "full", 4, "bug fix"), trial("b", "full", None, "feature"),
))  # fmt: skip
TEXT = """\
category  policy   ε(1)   ε(5)  ε(10)  ε(20)  ε(30)       95 %  calls  backtracks      delta_vs_full
all       cbj     0.000  0.500  1.000  1.000  1.000  0.34-1.00    6.0        0.50       +0.500 (p=1)
all       full    0.000  0.500  0.500  0.500  0.500  0.09-0.91   17.0        0.00                  -
bug fix   cbj     0.000  1.000  1.000  1.000  1.000  0.21-1.00    4.0        0.00       +0.000 (p=1)
bug fix   full    0.000  1.000  1.000  1.000  1.000  0.21-1.00    4.0        0.00                  -
feature   cbj     0.000  0.000  1.000  1.000  1.000  0.21-1.00    8.0        1.00       +1.000 (p=1)
feature   full    0.000  0.000  0.000  0.000  0.000  0.00-0.79   30.0        0.00                  -"""


def test_as_text() -> None:
    """All problems first, then each category."""
    assert draw(scorecard_page(scorecard(EXPERIMENT)), "text").split() == TEXT.split()


def test_the_columns_of_the_design() -> None:
    """search_epsilon, avg_calls, backtrack_rate and delta_vs_full, as JSON."""
    row = json.loads(json.dumps(scorecard(EXPERIMENT)))[0]
    assert row["search_epsilon"]["share"] == 1.0
    assert row["avg_calls"] == 6.0
    assert row["backtrack_rate"]["share"] == 0.5
    assert row["delta_vs_full"] == {"difference": 0.5, "better": 1, "worse": 0, "p": 1.0}
    assert row["backtrack_depths"] == {"1": 1}


def test_as_markdown() -> None:
    """A table, names as code."""
    lines = draw(scorecard_page(scorecard(EXPERIMENT)), "markdown").splitlines()
    assert lines[2].startswith("| `all` | `cbj` | 0.000 |")
    assert len(lines) == 8


def test_too_much_unrecorded() -> None:
    """No delta, and a line that says why."""
    experiment = Experiment((*EXPERIMENT.trials, trial("c", "cbj", None, "feature", misses=9)))
    rows = scorecard(experiment)
    assert rows[0]["delta_vs_full"] is None
    note = (
        "cbj: 18% of the calls are not recorded, more than 5%; it is not compared. Record the searches of this policy."
    )
    assert draw(scorecard_page(rows), "text").splitlines()[-1] == f"note: {note}"
    assert draw(scorecard_page(rows), "markdown").splitlines()[-1] == f"- note: `cbj`{note[3:]}"


def test_every_figure_of_a_policy() -> None:
    """Counts and shares with their intervals, to three digits here."""
    trials = (
        replace(trial("a", "cbj", 4, "x"), blames=2, blames_right=1, planning_s=1.0, calls_by_step={"s": 4}),
        replace(trial("b", "cbj", None, "x"), jumps=(1, 1, 3), planning_s=2.0, calls_by_step={"s": 29, "t": 1}),
        replace(trial("c", "cbj", None, "x", misses=1), planning_s=None),
    )
    (row, _) = scorecard(Experiment(trials), budgets=(3, 4), controls=())
    assert _rounded(row) == {
        "category": "",
        "policy": "cbj",
        "trials": 2,
        "censored": 1,
        "miss_rate": 0.015,
        "search_epsilon": {"hits": 1, "total": 2, "share": 0.5, "low": 0.095, "high": 0.905},
        "epsilon": {
            "3": {"hits": 0, "total": 2, "share": 0.0, "low": 0.0, "high": 0.658},
            "4": {"hits": 1, "total": 2, "share": 0.5, "low": 0.095, "high": 0.905},
        },
        "avg_calls": 4.0,
        "backtrack_rate": {"hits": 1, "total": 2, "share": 0.5, "low": 0.095, "high": 0.905},
        "backtrack_depths": {"1": 2, "3": 1},
        "calls_by_step": {"s": 16.5, "t": 0.5},
        "blame_precision": {"hits": 1, "total": 2, "share": 0.5, "low": 0.095, "high": 0.905},
        "planning_s": 1.5,
    }


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def test_a_policy_without_a_known_trial_has_dashes() -> None:
    """Nothing can be averaged, and no other policy is there to compare it with."""
    rows = scorecard(Experiment((trial("a", "cbj", None, "", misses=30),)), controls=("full", "cbj"))
    assert (len(rows), rows[0]["planning_s"], rows[0]["delta_vs_full"], "delta_vs_cbj" in rows[0]) == (
        1,
        None,
        None,
        False,
    )
    lines = draw(scorecard_page(rows), "text").split("\n")
    assert lines[1].split() == ["all", "cbj", *("-" * 5), "0.00-1.00", "-", "-", "-"]


@pytest.mark.parametrize(("misses", "noted"), [(5, 0), (6, 1)])
def test_a_policy_may_lack_one_call_in_twenty(misses: int, noted: int) -> None:
    """Five of a hundred are few enough; the note comes once, not for each category."""
    experiment = Experiment((replace(trial("a", "cbj", 100 - misses, "bug fix"), misses=misses),))
    text = draw(scorecard_page(scorecard(experiment)), "text")
    assert text.count("of the calls are not recorded, more than 5%; it is not compared") == noted
