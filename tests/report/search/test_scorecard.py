"""An experiment as tables."""

import json

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
