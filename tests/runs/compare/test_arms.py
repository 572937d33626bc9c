"""Ways of asking again, side by side on the same tasks."""

import json
from pathlib import Path

import pytest

from pytest_planguard.runs.compare.arms import compare_arms
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.load.load import LoadOptions, load_run
from pytest_planguard.runs.model.run import Run
from pytest_planguard.runs.statistics import Evidence

from ...support.runs import attempt, case, finding, good, run
from ...support.ticket import TICKET

BAD = finding("missing", ("x",))
ARMS = ("blind", "feedback", "inject")


def test_an_arm_counts_attempts_rescues_and_outcomes() -> None:
    """Valid by attempt, rescued of those that failed first, outcomes, calls and tokens."""
    rows = [
        good("a"),
        case("b", attempt("1", BAD, tokens=5), attempt("2", tokens=7)),
        case("c", attempt("1", BAD), attempt("1", BAD), attempt("1", BAD), outcome="stuck"),
    ]
    (arm,) = compare_arms([run("x", rows)]).arms
    assert (arm.tasks, arm.valid_by, arm.failed_first, arm.rescued) == (3, (1, 2, 2), 2, 1)
    assert (arm.ended("stuck"), arm.ended("converged"), arm.calls, arm.input_tokens) == (1, 2, 6, 12)


def test_tasks_are_paired_by_their_key() -> None:
    """Only tasks that both arms have count, each by which arm ends valid."""
    one = run("one", [good("a"), case("b", attempt("1", BAD)), good("only here")])
    other = run("other", [case("a", attempt("1", BAD)), good("b"), good("c")])
    (pair,) = compare_arms([one, other]).pairs
    assert (pair.paired.better, pair.paired.worse, pair.paired.pairs) == (1, 1, 2)


@pytest.fixture
def arms(shared_data: Path) -> dict[str, Run]:
    """The three recorded arms of the local model."""
    options = LoadOptions((TICKET,), max_attempts=4)
    folder = shared_data / "local_model" / "cassettes"
    return {name: load_run(str(folder / name), options, name) for name in ARMS}


@pytest.mark.slow
def test_the_recorded_arms_agree_with_their_own_log(arms: dict[str, Run], shared_data: Path) -> None:
    """Valid by attempt 1 to 4 equals what the recorder noted while it recorded."""
    for arm in compare_arms(list(arms.values())).arms:
        log = (shared_data / "local_model" / f"runs_{arm.name}.jsonl").read_text(encoding="utf-8").splitlines()
        at = [json.loads(line)["converged_at"] for line in log]
        assert arm.valid_by == tuple(sum(n is not None and n <= k for n in at) for k in range(1, 5))
        assert (arm.tasks, arm.failed_first) == (len(log), sum(n != 1 for n in at))


@pytest.mark.slow
def test_the_recorded_arms_give_the_published_p_values(arms: dict[str, Run]) -> None:
    """Blind against feedback 12:0, feedback against inject 1:13, blind against inject 3:3, on 48 paired tasks."""
    pairs = {(p.one, p.other): p.paired for p in compare_arms(list(arms.values())).pairs}
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
def test_two_recorded_arms_compared_as_runs_say_the_same(arms: dict[str, Run]) -> None:
    """The run comparison's own test of valid answers gives the same pairs."""
    found = compare(arms["blind"], arms["feedback"]).valid
    assert (found.paired.worse, found.paired.better, found.paired.pairs) == (12, 0, 48)
    assert found.evidence is Evidence.WORSE
