"""One run in figures."""

from dataclasses import replace

from pytest_planguard.runs.figures import figures_of_run

from ..support.runs import attempt, bad, case, finding, good, run

ROWS = [
    good("a", model="m1"),
    case("b", attempt("1", finding("missing", ("x",))), attempt("2"), model="m1"),
    bad("c", code="one_of", model="m2"),
    bad("d", stale=("the prompt changed",), model="m2"),
    good("e"),
]


def test_a_run_counts_good_cases_outcomes_and_rules() -> None:
    """A stale case is counted as stale and nowhere else; a rule counts once for each case."""
    found = figures_of_run(run("r", ROWS))
    assert (found.cases.hits, found.cases.total, found.stale) == (3, 4, 1)
    assert found.outcomes == (("converged", 3), ("exhausted", 1))
    assert found.rules == (("one_of", 1),)


def test_models_fail_in_their_own_ways() -> None:
    """Every attempt counts for its model, also one that a retry fixed; a model nobody names is unknown."""
    found = figures_of_run(run("r", ROWS))
    rows = {m.model: (m.cases.hits, m.cases.total, m.attempts.hits, m.attempts.total, m.kinds) for m in found.models}
    assert rows == {
        "(unknown)": (1, 1, 1, 1, ()),
        "m1": (2, 2, 2, 3, (("content", 1),)),
        "m2": (0, 1, 0, 1, (("content", 1),)),
    }
    assert found.kinds == ("content",)


def test_what_nobody_judged_is_neither_good_nor_bad() -> None:
    """Plain values that no contract saw do not raise the share of good cases."""
    plain = replace(good("b"), judged=(replace(good("b").judged[0], outcome=""),))
    found = figures_of_run(run("r", [good("a"), plain]))
    assert (found.cases.hits, found.cases.total) == (1, 1)
