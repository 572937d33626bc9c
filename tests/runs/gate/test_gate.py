"""The gate: what fails a comparison is exactly what was asked for, and each reason is told."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import RunDiff
from pytest_planguard.runs.gate.gate import Budgets, FailOn, GateResult, gate
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, check_baseline, updated
from pytest_planguard.runs.gate.weakening import (
    Weakening,
    Weight,
    baseline_changes,
    with_acceptance,
    with_weakenings,
    without_spent,
)
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import CaseRow

from ...support import reviews
from ...support.one_item import in_one_item
from ...support.runs import attempt, bad, case, finding, good, run

TODAY = date(2026, 5, 1)
NONE_LISTED = Baseline()
SAME = good("same")


def held(base: list[CaseRow], candidate: list[CaseRow], *fail_on: str, **options: object) -> GateResult:
    """The gate over two runs of these rows."""
    diff = compare(run("a", [*base, SAME]), run("b", [*candidate, SAME]))
    return gate(diff, [FailOn(word) for word in fail_on], TODAY, **options)  # type: ignore[arg-type]


STALE = good("a", stale=("the prompt changed",))
MORE = case("a", attempt("{}", finding("missing", ("a",)), finding("enum", ("b",))))


@in_one_item
@pytest.mark.parametrize(
    ("base", "candidate", "fails_on"),
    [
        ([good("a")], [good("a")], set()),
        ([good("a")], [bad("a")], {"new", "worse", "changed", "any"}),
        ([], [bad("a")], {"new", "worse", "changed", "any"}),
        ([], [good("a")], {"any"}),
        ([bad("a")], [bad("a")], set()),
        ([bad("a")], [MORE], {"worse", "changed", "any"}),
        ([good("a")], [good("a", "[1]")], {"changed", "any"}),
        ([good("a", '{"x": [{"y": 1}]}')], [good("a", '{"x": [{"y": ""}]}')], {"changed", "fields", "any"}),
        ([good("a", '{"x": [{"y": 1}]}')], [good("a", '{"x": [{"y": 2}]}')], {"changed", "any"}),
        ([good("a", '{"a.b": 1}')], [good("a", '{"a": {"b": 1}}')], {"changed", "fields", "any"}),
        ([bad("a")], [good("a")], {"changed", "any"}),
        ([good("a")], [STALE], {"stale", "any"}),
        ([good("a", inputs="1")], [bad("a", inputs="2")], {"any"}),
    ],
)
def test_each_word_fails_on_its_own_kind(base: list[CaseRow], candidate: list[CaseRow], fails_on: set[str]) -> None:
    """Every word of --fail-on against every kind of difference; "none" fails on nothing."""
    assert {word.value for word in FailOn if not held(base, candidate, word.value).ok} == fails_on


EXPIRED = Baseline((KnownFailure("a", "missing", ("a",), expires="2026-04-30"),))


@pytest.mark.parametrize(("words", "reasons"), [(("none",), 0), (("none", "stale"), 1), (("stale",), 1)])
def test_an_outdated_list_fails_unless_nothing_else_is_asked_for(words: tuple[str, ...], reasons: int) -> None:
    """`none` beside another word is that other word."""
    assert len(held([bad("a")], [bad("a")], *words, baseline=EXPIRED).reasons) == reasons


WEAKER = Weakening("t", "marker", "match gated → lenient")
UNCLEAR, UNKNOWN = replace(WEAKER, weight=Weight.UNCLEAR), replace(WEAKER, weight=Weight.UNKNOWN)
ACCEPTED = replace(WEAKER, accepted=replace(WEAKER.entry, owner="ann", reason="agreed"))


@pytest.mark.parametrize(
    ("found", "word", "conclusion"),
    [
        (WEAKER, "new", "pass"), (WEAKER, "none", "pass"), (WEAKER, "weakened", "fail"), (WEAKER, "any", "fail"),
        (UNCLEAR, "weakened", "pass"), (UNCLEAR, "any", "fail"),
        (ACCEPTED, "weakened", "pass"), (ACCEPTED, "any", "fail"),
        (UNKNOWN, "new", "pass"), (UNKNOWN, "weakened", "unproven"), (UNKNOWN, "any", "fail"),
    ],
)  # fmt: skip
def test_what_a_weakening_comes_to(found: Weakening, word: str, conclusion: str) -> None:
    """It fails where it is asked for, and what is unknown passes nowhere that it is."""
    assert held([], [], word, weakened=[found]).conclusion == conclusion


def test_an_entry_accepts_one_pull_request() -> None:
    """With owner and reason, in the same words, and only while the base does not list it."""
    entry = replace(WEAKER.entry, owner="ann", reason="agreed")

    def accepted(entry: KnownFailure, before: Baseline = NONE_LISTED, today: str = "2026-05-01") -> bool:
        (found,) = with_acceptance([WEAKER], Baseline((entry,)), before, today)
        return found.accepted is not None

    assert accepted(entry)
    assert not accepted(replace(entry, owner=None))
    assert not accepted(replace(entry, reason=None))
    assert not accepted(replace(entry, rule=f"{entry.rule}, too"))
    assert not accepted(replace(entry, expires="2026-04-30"))
    assert accepted(replace(entry, expires="2026-05-01"))
    assert not accepted(entry, Baseline((entry,)))


def test_the_list_gains_an_entry_for_each_weakening_and_loses_it_after_the_merge() -> None:
    """Until a person has added owner and reason it accepts nothing; a run of the tests leaves it alone."""
    listed = with_weakenings(NONE_LISTED, [WEAKER, ACCEPTED], TODAY)
    assert [(entry.case, entry.rule, entry.owner) for entry in listed.entries] == [("t", WEAKER.entry.rule, None)]
    report = check_baseline(listed, [good("t")], TODAY)
    assert (report.ok, report.unseen) == (True, ())
    assert without_spent(listed, [WEAKER]) == listed
    assert without_spent(listed, []) == NONE_LISTED


def test_a_longer_list_is_a_weakening() -> None:
    """New entries and later days; one with owner and reason is named as accepted."""
    old = KnownFailure("a", "enum", expires="2026-06-01")
    new = KnownFailure("b", "enum", owner="ann", reason="a new model")
    found = [*baseline_changes(Baseline((replace(old, expires=None), new)), Baseline((old,)), "known.json")]
    assert [(str(each), each.accepted) for each in found] == [
        ("known.json: a: enum may fail for ever, and until 2026-06-01 in the base", None),
        ("known.json: lists b: enum, which the base does not", new),
    ]
    assert [w.accepted for w in with_acceptance([*found, *found], NONE_LISTED, NONE_LISTED, "2026-05-01")] == [
        None,
        new,
    ]
    assert not [*baseline_changes(Baseline((old,)), Baseline((replace(old, expires=None),)), "known.json")]
    listed = Baseline((WEAKER.entry, replace(old, case="b"), replace(old, case="z", expires="2026-06-02")))
    before = Baseline((replace(old, case="b"), replace(old, case="z")))
    assert [str(each) for each in baseline_changes(listed, before, "known.json")] == [
        "known.json: z: enum may fail until 2026-06-02, and until 2026-06-01 in the base"
    ]


def test_weakenings_are_sorted_by_certainty_then_kind_and_words() -> None:
    """The surest come first."""
    found = [replace(WEAKER, about="u"), WEAKER, replace(WEAKER, kind="build", about="z")]
    ordered = with_acceptance(found, NONE_LISTED, NONE_LISTED, "2026-05-01")
    assert [(each.kind, each.about) for each in ordered] == [("build", "z"), ("marker", "t"), ("marker", "u")]
    others = [replace(UNKNOWN, about="a"), replace(UNCLEAR, about="b"), replace(WEAKER, about="c")]
    sure = with_acceptance(others, NONE_LISTED, NONE_LISTED, "2026-05-01")
    assert [each.weight.value for each in sure] == ["weakened", "unclear", "unknown"]


def test_two_words_fail_on_either() -> None:
    """`new` and `stale` together."""
    both = held([good("a"), good("b")], [bad("a"), good("b", stale=("x",))], "new", "stale")
    assert both.reasons == ("1 new failure", "1 stale cassette")


def test_evidence_of_worse_is_told_with_its_numbers() -> None:
    """Where many cases fail now and none was fixed, the paired test is a reason of its own."""
    keys = [f"c{n}" for n in range(8)]
    found = held([good(key) for key in keys], [bad(key) for key in keys], "worse")
    assert found.reasons == (
        "8 new failures",
        "good cases: worse in 8 of 9 cases, better in 0 (p = 0.0078)",
        "missing: worse in 8 of 9 cases, better in 0 (p = 0.0078)",
    )


def two_runs(folder: Path) -> tuple[RunDiff, list[CaseRow]]:
    """The comparison of the two review runs, and the candidate's rows."""
    options = LoadOptions((reviews.contract(),))
    base = load_run(str(reviews.write_lines(folder / "a.jsonl", reviews.base())), options)
    candidate = load_run(str(reviews.write_lines(folder / "b.jsonl", reviews.candidate())), options)
    return compare(base, candidate), list(candidate.rows)


def test_a_baseline_of_the_candidate_lets_its_failures_pass(tmp_path: Path) -> None:
    """Two new failures fail the gate; listed as known they are shown and pass; expired they fail again."""
    diff, rows = two_runs(tmp_path)
    assert gate(diff, [FailOn.NEW], TODAY).reasons == ("2 new failures",)
    listed = updated(Baseline(), rows, TODAY)
    known = gate(diff, [FailOn.NEW], TODAY, baseline=listed)
    assert (known.ok, [found.key for found in known.known]) == (True, ["case-0000", "case-0005"])


def test_budgets_hold_what_both_runs_know() -> None:
    """More tokens than allowed fail, within the budget they pass, and a budget that nothing can be held to fails."""
    one, two = ([case("a", attempt("{}", tokens=n))] for n in (100, 115))
    assert held(one, two, "none", budgets=Budgets(tokens=0.2)).ok
    assert held(one, two, "none", budgets=Budgets(tokens=0.1)).reasons == (
        "tokens: +15.0%, and at most +10.0% is allowed",
    )
    assert held(one, two, "none", budgets=Budgets(cost=0.1)).reasons == (
        "cost: a budget was set, and no case has it in both runs",
    )


@pytest.mark.parametrize(("sent", "came", "grown"), [(140, 100, "20.0"), (100, 140, "20.0"), (120, 140, "30.0")])
def test_a_budget_of_tokens_is_for_both_kinds_together(sent: int, came: int, grown: str) -> None:
    """Those of the requests and those of the answers."""
    one, two = (
        [case("a", replace(attempt("{}"), input_tokens=asked, output_tokens=answered))]
        for asked, answered in ((100, 100), (sent, came))
    )
    assert held(one, two, "none", budgets=Budgets(tokens=0.1)).reasons == (
        f"tokens: +{grown}%, and at most +10.0% is allowed",
    )


def test_exactly_the_budget_passes() -> None:
    """The budget is the most that is allowed: 25 % more tokens pass with 0.25, and no more at all with 0."""
    one, two = ([case("a", attempt("{}", tokens=n))] for n in (100, 125))
    assert held(one, two, "none", budgets=Budgets(tokens=0.25)).ok
    assert held(one, one, "none", budgets=Budgets(tokens=0)).ok
    assert not held(one, two, "none", budgets=Budgets(tokens=0.24)).ok
    one, two = ([case("a", attempt('{"a": "%s"}' % ("x" * length)), cost=length / 10)] for length in (10, 11))
    exact = Budgets(cost=0.1, length=0.1)
    assert held(one, two, "none", budgets=exact).reasons == ()  # as floats, 1.1 is more than 10 % above 1.0
    assert len(held(one, two, "none", budgets=Budgets(cost=0.099, length=0.099)).reasons) == 2


def test_what_grows_from_nothing_passes_no_budget() -> None:
    """Tokens where there were none are infinitely more; none where there were none are no growth."""
    none, some = ([case("a", attempt("{}", tokens=n))] for n in (0, 1))
    assert held(none, some, "none", budgets=Budgets(tokens=9)).reasons == (
        "tokens: +inf%, and at most +900.0% is allowed",
    )
    assert held(none, none, "none", budgets=Budgets(tokens=0)).ok


def test_a_list_that_nobody_tends_fails() -> None:
    """An expired entry and one whose failure is gone are reasons; where nothing is to fail they are told only."""
    listed = Baseline(
        (KnownFailure("a", "missing", ("a",), expires="2026-04-30"), KnownFailure("same", "missing", ("x",)))
    )
    found = held([bad("a")], [bad("a")], "new", baseline=listed)
    assert found.reasons == (
        "1 known failure has expired",
        "1 baseline entry no longer fails: remove with --baseline-prune",
    )
    report = held([bad("a")], [bad("a")], "none", baseline=listed)
    assert (report.ok, len(report.baseline.fixed) if report.baseline else 0) == (True, 1)


def test_a_further_rule_of_a_listed_failure_fails_as_in_a_test_session() -> None:
    """It is a reason unless it is listed, too. Without a list, a case that failed before still passes."""
    listed, enum = Baseline((KnownFailure("a", "missing", ("a",)),)), KnownFailure("a", "enum", ("b",))
    reason = "1 failing case breaks another rule that the baseline does not list: enum at b (a)"
    assert held([bad("a")], [MORE], "new", baseline=listed).reasons == (reason,)
    assert held([bad("a")], [MORE], "new", "weakened", baseline=listed).reasons == (reason,)
    assert held([bad("a")], [MORE], "new").ok
    assert held([bad("a")], [MORE], "new", baseline=Baseline((*listed.entries, enum))).ok
    expired = Baseline((*listed.entries, replace(enum, expires="2026-04-30")))
    assert reason in held([bad("a")], [MORE], "new", baseline=expired).reasons
    assert held([bad("a")], [MORE], "none", baseline=listed).ok
    assert held([bad("a")], [MORE], "worse", baseline=listed).reasons == ("1 failing case breaks another rule",)


def test_a_known_failure_is_known_for_each_model() -> None:
    """Cases of several models have the model in their name; the list has the case."""
    base = [good("a", model="m1"), good("a", model="m2")]
    candidate = [bad("a", model="m1"), good("a", model="m2")]
    listed = Baseline((KnownFailure("a", "missing", ("a",)),))
    assert held(base, candidate, "new").reasons == ("1 new failure",)
    assert held(base, candidate, "new", baseline=listed).ok
