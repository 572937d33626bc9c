"""Blame: the rows of the failure table, user rules, repeated failures, and levels that no pipeline has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.blame import (
    DEFAULT_RULES,
    BlameRule,
    BlameTable,
    Stagnation,
    backtrack_heuristic,
    blamed_level,
    problem_set,
)

from .pipelines import finding, verdict

JSON = Finding("invalid_json", (), "no JSON", FailureKind.INVALID_JSON)
ROWS = [
    ("not parseable as JSON", JSON, 0),
    ("retry_budget <= 0", finding("root-shape", "steps", 0, "retry_budget"), 0),
    ("preconditions {X} not satisfiable", finding("pre-satisfied", "steps", 1, "preconditions", 0), 1),
    ("goal tokens unreachable", finding("goal-reachable", "goal_state", 0), 1),
    ("total_retry_budget exceeds R_max", finding("budget-sum", "total_retry_budget"), 1),
    ("dead-end: no path reaches goal", finding("race", "steps"), 2),
    ("MAX_EXPLORATIONS exceeded", finding("exploration-cap"), 1),
]


@pytest.mark.parametrize(("row", "found", "levels"), ROWS, ids=[row for row, _, _ in ROWS])
def test_a_row_of_the_table(row: str, found: Finding, levels: int) -> None:
    """The first failure of its kind leads back as the table says."""
    assert backtrack_heuristic("g_plan", verdict("plan", found), 1, []) == levels


def test_the_row_about_repeated_failures() -> None:
    """From the second equal failure on, one level more with each answer; three answers lead to the analysis."""
    found = [finding("x", "a")]
    assert [backtrack_heuristic("g_plan", found, n, [found] * (n - 1)) for n in range(1, 6)] == [0, 2, 3, 3, 3]


def test_a_formatting_error_that_stays_escalates_too() -> None:
    """The history is judged before the codes."""
    assert backtrack_heuristic("g_plan", [JSON], 2, [[JSON]]) == 2


def test_different_findings_under_one_headline_are_no_repetition() -> None:
    """Code and path count, the message does not."""
    one, other = finding("x", "steps", 0), finding("x", "steps", 1)
    assert backtrack_heuristic("g_plan", [one], 2, [[other]]) == 0
    reworded = finding("x", "steps", 0, message="in other words")
    assert backtrack_heuristic("g_plan", [one], 2, [[reworded]]) == 2
    assert backtrack_heuristic("g_plan", [one], 3, [[one], [other]]) == 0
    assert problem_set([one, finding("w", severity=Severity.WARN)]) == {("x", ("steps", 0))}


def test_stagnation_can_be_switched_off_or_set() -> None:
    """A threshold of three needs three."""
    found = [finding("x")]
    assert backtrack_heuristic("g_plan", found, 3, [found] * 2, table=BlameTable(stagnation=None)) == 0
    late = BlameTable(stagnation=Stagnation(threshold=3, levels=1))
    assert [backtrack_heuristic("g_plan", found, n, [found] * (n - 1), table=late) for n in (2, 3)] == [0, 1]


@pytest.mark.parametrize("threshold", [-1, 0, 1])
def test_one_failure_is_no_stagnation(threshold: int) -> None:
    """A single failure is equal to itself, so a lower threshold would go back at once."""
    with pytest.raises(UsageError, match=f"must be at least 2: got {threshold}$"):
        Stagnation(threshold=threshold)


def test_rules_of_the_user_come_first() -> None:
    """By code with wildcards, by path, by step; the first that fits counts."""
    table = BlameTable((
        BlameRule("pre-*", 3, step="g_plan"),
        BlameRule("x", 2, "steps[*].name"),
        BlameRule("x", 1),
    ))  # fmt: skip
    assert table.levels("g_plan", [finding("pre-satisfied")]) == 3
    assert table.levels("g_strategy", [finding("pre-satisfied")]) == 1
    assert table.levels("g_plan", [finding("x", "steps", 4, "name")]) == 2
    assert table.levels("g_plan", [finding("x", "steps", "4", "name")]) == 1
    assert table.levels("g_plan", [finding("x", "steps")]) == 1


def test_several_findings() -> None:
    """The deepest counts, among those of the earliest phase; warnings do not count."""
    table = BlameTable()
    near, far = finding("goal-reachable"), finding("race")
    assert table.levels("g_plan", [near, far]) == 2
    assert table.levels("g_plan", [far, JSON]) == 0
    assert table.levels("g_plan", [near, finding("race", severity=Severity.WARN)]) == 1
    assert table.levels("g_plan", []) == 0


def test_giving_up() -> None:
    """A rule of -1 wins, and so does a finding that a retry must not follow, where no rule names it."""
    table = BlameTable((BlameRule("hopeless", -1), BlameRule("known", 1)))
    assert table.levels("g_plan", [finding("race"), finding("hopeless")]) == -1
    assert table.levels("g_plan", [finding("any", severity=Severity.FAIL)]) == -1
    assert table.levels("g_plan", [finding("known", severity=Severity.FAIL)]) == 1
    assert backtrack_heuristic("g_plan", [finding("hopeless")], 9, [[finding("hopeless")]] * 8, table=table) == -1


@given(st.integers(0, 50), st.integers())
def test_the_blamed_level_is_in_the_pipeline(level: int, levels: int) -> None:
    """Whatever a model says."""
    assert 0 <= blamed_level(level, levels) <= level


def test_every_default_has_a_reason_and_a_level_of_the_pipeline() -> None:
    """Reports show the reason."""
    assert all(rule.reason and 0 <= rule.levels <= 3 for rule in DEFAULT_RULES)


def test_rules_that_cannot_be() -> None:
    """Levels below -1, and a path that does not parse."""
    with pytest.raises(UsageError, match=r"^the levels of a blame rule for 'x' must be at least -1: got -2$"):
        BlameRule("x", -2)
    with pytest.raises(UsageError, match="steps"):
        BlameRule("x", 0, "steps[")
