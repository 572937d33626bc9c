"""Ways of asking again, side by side on the same tasks."""

import json
from pathlib import Path

import pytest

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import Run
from pytest_planguard.statistics import Evidence

from ...support.runs import attempt, case, finding, good, run
from ...support.ticket import TICKET

BAD = finding("missing", ("x",))
STRATEGIES = ("blind", "feedback", "inject")


def test_an_arm_counts_attempts_rescues_and_outcomes() -> None:
    """Valid by attempt, rescued of those that failed first, outcomes, calls and tokens."""
    rows = [
        good("a"),
        case("b", attempt("1", BAD, tokens=5), attempt("2", tokens=7)),
        case("c", attempt("1", BAD), attempt("1", BAD), attempt("1", BAD), outcome="stuck"),
    ]
    (strategy,) = compare_strategies([run("x", rows)]).strategies
    assert (strategy.tasks, strategy.valid_by, strategy.failed_first, strategy.rescued) == (3, (1, 2, 2), 2, 1)
    assert (strategy.ended("stuck"), strategy.ended("converged"), strategy.calls, strategy.input_tokens) == (
        1,
        2,
        6,
        12,
    )


def test_tasks_are_paired_by_their_key() -> None:
    """Only tasks that both strategies have count, each by which strategy ends valid."""
    one = run("one", [good("a"), case("b", attempt("1", BAD)), good("only here")])
    other = run("other", [case("a", attempt("1", BAD)), good("b"), good("c")])
    (pair,) = compare_strategies([one, other]).pairs
    assert (pair.paired.better, pair.paired.worse, pair.paired.pairs) == (1, 1, 2)


@pytest.fixture
def strategies(shared_data: Path) -> dict[str, Run]:
    """The three recorded strategies of the local model."""
    options = LoadOptions((TICKET,), max_attempts=4)
    folder = shared_data / "local_model" / "cassettes"
    return {name: load_run(str(folder / name), options, name) for name in STRATEGIES}


@pytest.mark.slow
def test_the_recorded_arms_agree_with_their_own_log(strategies: dict[str, Run], shared_data: Path) -> None:
    """Valid by attempt 1 to 4 equals what the recorder noted while it recorded."""
    for strategy in compare_strategies(list(strategies.values())).strategies:
        log = (shared_data / "local_model" / f"runs_{strategy.name}.jsonl").read_text(encoding="utf-8").splitlines()
        at = [json.loads(line)["converged_at"] for line in log]
        assert strategy.valid_by == tuple(sum(n is not None and n <= k for n in at) for k in range(1, 5))
        assert (strategy.tasks, strategy.failed_first) == (len(log), sum(n != 1 for n in at))


@pytest.mark.slow
def test_the_recorded_arms_give_the_published_p_values(strategies: dict[str, Run]) -> None:
    """Blind against feedback 12:0, feedback against inject 1:13, blind against inject 3:3, on 48 paired tasks."""
    pairs = {(p.one, p.other): p.paired for p in compare_strategies(list(strategies.values())).pairs}
    split = {names: (p.worse, p.better, p.pairs, round(p.p, 5)) for names, p in pairs.items()}
    assert split == {
        ("blind", "feedback"): (12, 0, 48, 0.00049),
        ("blind", "inject"): (3, 3, 48, 1.0),
        ("feedback", "inject"): (1, 13, 48, 0.00183),
    }
    assert {names: p.evidence for names, p in pairs.items()} == {
        ("blind", "feedback"): Evidence.WORSE,
        ("blind", "inject"): Evidence.NONE,
        ("feedback", "inject"): Evidence.BETTER,
    }


@pytest.mark.slow
def test_two_recorded_arms_compared_as_runs_say_the_same(strategies: dict[str, Run]) -> None:
    """The run comparison's own test of valid answers gives the same pairs."""
    found = compare(strategies["blind"], strategies["feedback"]).valid
    assert (found.paired.worse, found.paired.better, found.paired.pairs) == (12, 0, 48)
    assert found.evidence is Evidence.WORSE
