"""One run in figures."""

from dataclasses import replace

from pytest_planguard.contract.comparison.score import suite_score
from pytest_planguard.runs.figures import figures_of_run, is_below, score_of_rows

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


def test_the_most_frequent_come_first_and_then_the_names() -> None:
    """Outcomes, rules and kinds alike; an answer without a kind breaks a rule."""
    rows = [bad("a", code="z"), bad("b", code="y"), bad("c", code="y"), bad("d", code="x"), good("e"), good("f")]
    rows += [case("g", replace(attempt("{}"), ok=False)), case("h", attempt("{}", finding("z")), outcome="stuck")]
    found = figures_of_run(run("r", rows))
    assert found.outcomes == (("exhausted", 5), ("converged", 2), ("stuck", 1))
    assert found.rules == (("y", 2), ("z", 2), ("outcome:exhausted", 1), ("x", 1))
    (model,) = found.models
    assert (model.kinds, model.count("rule"), model.count("none")) == ((("content", 5), ("rule", 1)), 1, 0)
    assert found.kinds == ("content", "rule")


def test_a_score_is_below_its_bound_by_more_than_rounding() -> None:
    """Without a score or a bound nothing fails."""
    score = suite_score([])
    assert not is_below(None, 0.5)
    assert not is_below(replace(score, total=0.1), None)
    bounds = {0.9: False, 0.9 + 1e-10: False, 0.9 + 1e-8: True, 0.0: False}
    assert {bound: is_below(replace(score, total=0.9), bound) for bound in bounds} == bounds
    assert score_of_rows([good("a")]) is None


def test_what_nobody_judged_is_neither_good_nor_bad() -> None:
    """Plain values that no contract saw do not raise the share of good cases."""
    plain = replace(good("b"), judged=(replace(good("b").judged[0], outcome=""),))
    found = figures_of_run(run("r", [good("a"), plain]))
    assert (found.cases.hits, found.cases.total) == (1, 1)
