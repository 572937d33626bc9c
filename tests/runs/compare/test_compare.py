"""Two runs compared: buckets, axes, rules, evidence; what is not comparable is never called a regression."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, one_of
from pytest_planguard.contract.comparison.score import Score
from pytest_planguard.runs.compare.compare import UNJUDGED, compare
from pytest_planguard.runs.compare.run_diff import Bucket, RunDiff
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.load.source import LoadOptions
from pytest_planguard.runs.model.run import CaseRow, Run
from pytest_planguard.runs.value_diff_options import diff_options
from pytest_planguard.statistics import Evidence, Paired

from ...support import reviews
from ...support.cost import assert_growth
from ...support.runs import attempt, bad, case, finding, good, run

ANSWERS = st.sampled_from(['{"a": 1}', '{"a": 2}', '{"a": [1, 2]}', "no json"])
CODES = st.sampled_from(["missing", "enum"])
KEYS = st.sampled_from("abcde")
ROWS = st.builds(good, KEYS, ANSWERS) | st.builds(bad, KEYS, ANSWERS, CODES)
ROWS |= st.builds(good, KEYS, ANSWERS, inputs=st.sampled_from(["x", "y"]), stale=st.sampled_from([(), ("changed",)]))
ROWS |= st.builds(
    good,
    KEYS,
    ANSWERS,
    cost=st.none() | st.integers(1, 3),
    scores=st.dictionaries(st.sampled_from(["words", "tone"]), st.integers(0, 3)),
    expected=st.just(()) | st.builds(lambda total: (Score(total),), st.sampled_from([0.5, 1.0])),
)
RUNS = st.builds(run, st.just("r"), st.lists(ROWS, max_size=8))
MIRRORED = {
    Bucket.NEW_FAILURE: Bucket.FIXED,
    Bucket.FIXED: Bucket.NEW_FAILURE,
    Bucket.ADDED: Bucket.REMOVED,
    Bucket.REMOVED: Bucket.ADDED,
}


def counts(found: RunDiff) -> dict[str, int]:
    """The buckets that have cases."""
    return {bucket.value: number for bucket, number in found.counts.items() if number}


def diff(base: CaseRow | list[CaseRow], candidate: CaseRow | list[CaseRow], **options: object) -> RunDiff:
    """Two runs of these rows compared."""
    runs = [run(name, [rows] if isinstance(rows, CaseRow) else rows) for name, rows in (("a", base), ("b", candidate))]
    return compare(*runs, **options)  # type: ignore[arg-type]


@given(RUNS)
def test_a_run_compared_with_itself_differs_in_nothing(found: Run) -> None:
    """diff(a, a): no axis, no change, no rule better or worse; bad cases are still failing."""
    same = compare(found, found)
    assert set(same.counts) == set(Bucket)
    quiet = {Bucket.UNCHANGED, Bucket.STILL_FAILING, Bucket.STALE, Bucket.UNSTABLE, Bucket.CHANGED_VALID}
    assert {case.bucket for case in same.cases} <= quiet
    singles = [case for case in same.cases if len(case.base) == 1]
    assert not any(
        case.bucket is Bucket.CHANGED_VALID or case.changes or case.broken or case.repaired for case in singles
    )
    assert not same.axes
    assert {rule.evidence for rule in (same.overall, *same.rules)} == {Evidence.NONE}


@pytest.mark.slow
@given(RUNS, RUNS)
def test_swapped_runs_give_the_mirrored_comparison(one: Run, other: Run) -> None:
    """diff(b, a): new failures are fixed, broken rules are fixed, better is worse, and figures change sides."""
    there, back = compare(one, other), compare(other, one)
    mirrored = {found.key: MIRRORED.get(found.bucket, found.bucket) for found in there.cases}
    assert mirrored == {found.key: found.bucket for found in back.cases}
    assert there.overall.paired.mirrored() == back.overall.paired
    assert {found.key: found.broken for found in there.cases} == {found.key: found.repaired for found in back.cases}
    assert {rule.rule: rule.paired.mirrored() for rule in there.rules} == {r.rule: r.paired for r in back.rules}
    assert [replace(f, before=f.after, after=f.before) for f in there.figures] == list(back.figures)
    assert (there.scored and there.scored.mirrored()) == back.scored


REVIEWS = {
    "whole": {"new_failure": 2, "fixed": 1, "still_failing": 4, "changed_valid": 1, "unchanged": 12},
    "embedded": {"new_failure": 2, "fixed": 1, "still_failing": 3, "changed_valid": 1, "unchanged": 13},
}
"""The buckets of the twenty reviews, by how the contract extracts an answer."""


@pytest.mark.parametrize("extract", REVIEWS)
def test_twenty_answers_fall_into_five_buckets(tmp_path: Path, extract: str) -> None:
    """Only what is new is new: what failed before still fails, and a valid change differs from both."""
    options = LoadOptions((reviews.contract(extract),))  # type: ignore[arg-type]
    base = load_run(str(reviews.write_lines(tmp_path / "a.jsonl", reviews.base())), options)
    candidate = load_run(str(reviews.write_lines(tmp_path / "b.jsonl", reviews.candidate())), options)
    found = compare(base, candidate)
    assert counts(found) == REVIEWS[extract]
    assert [found.key for found in found.of(Bucket.NEW_FAILURE)] == ["case-0000", "case-0005"]
    assert found.overall.evidence is Evidence.NONE


@pytest.mark.parametrize("extract", REVIEWS)
def test_the_verdicts_that_another_tool_recorded_are_not_read(shared_data: Path, extract: str) -> None:
    """The same reviews as another tool stored them, each with that tool's own verdict."""
    folder = shared_data.parent / "bench" / "data"
    options = LoadOptions((reviews.contract(extract),))  # type: ignore[arg-type]
    found = compare(*(load_run(str(folder / f"{name}.jsonl"), options) for name in ("out20", "out20_cand")))
    assert counts(found) == REVIEWS[extract]


def test_a_change_names_the_rule_that_it_breaks_or_fixes() -> None:
    """The changed field carries the code of the finding that came or went there."""
    before = case("a", attempt('{"recommendation": "Go", "risks": []}', finding("count", ("risks",))))
    after = case("a", attempt('{"recommendation": "Proceed", "risks": ["x"]}', finding("one_of", ("recommendation",))))
    (found,) = diff(before, after).cases
    assert [(c.where, c.breaks, c.fixes) for c in found.changes] == [
        ("recommendation", ("one_of",), ()),
        ("risks[0]", (), ("count",)),
    ]


def test_a_finding_that_was_there_before_is_not_broken_by_a_change() -> None:
    """A value that changes from one bad value to another neither breaks nor fixes the rule."""
    before, after = (
        case("a", attempt(f'{{"r": "{value}"}}', finding("one_of", ("r",)))) for value in ("maybe", "perhaps")
    )
    (found,) = diff(before, after).cases
    assert (found.bucket, found.changes[0].breaks, found.changes[0].fixes) == (Bucket.STILL_FAILING, (), ())


def test_another_declared_input_is_not_comparable() -> None:
    """The same key with another question is never a regression, and says why."""
    (found,) = diff(good("a", inputs="111"), bad("a", inputs="222")).cases
    assert (found.bucket, found.fails, found.is_new_failure) == (Bucket.NOT_COMPARABLE, True, False)
    assert found.why == "the declared input changed: it is another question under the same key"


def test_a_stale_recording_is_no_evidence() -> None:
    """A failure on a cassette that no longer fits is stale, whichever side it is."""
    (found,) = diff(good("a"), bad("a", stale=("the prompt changed",))).cases
    assert (found.bucket, found.why) == (Bucket.STALE, "the candidate's recording: the prompt changed")
    (found,) = diff(good("a", stale=("the prompt changed",)), bad("a")).cases
    assert (found.bucket, found.is_new_failure) == (Bucket.STALE, False)


def test_a_new_case_that_fails_counts_for_the_gate() -> None:
    """An added case is added; whether it fails is known all the same."""
    found = diff(good("a"), [good("a"), bad("b"), good("c")])
    assert {case.key: case.is_new_failure for case in found.of(Bucket.ADDED)} == {"b": True, "c": False}


def test_mixed_samples_are_unstable_and_their_shares_are_named() -> None:
    """Samples that disagree are no regression; cases count once, by the sign of their difference."""
    base = [good("a"), good("a"), bad("a"), good("b"), good("b")]
    candidate = [bad("a"), bad("a"), bad("a"), good("b"), good("b")]
    found = diff(base, candidate)
    (unstable,) = found.of(Bucket.UNSTABLE)
    assert unstable.why == "2 of 3 samples good before, 0 of 3 samples good now"
    assert (found.overall.paired.worse, found.overall.paired.pairs) == (1, 2)
    assert (found.overall.before.hits, found.overall.before.total) == (4, 5)


def test_rows_of_several_models_are_paired_model_by_model() -> None:
    """A run with two models is compared model with model, not as samples of one case."""
    base = [good("a", model="one"), bad("a", model="two")]
    candidate = [bad("a", model="one"), bad("a", model="two")]
    found = diff(base, candidate)
    assert {case.key: case.bucket for case in found.cases} == {
        "a (one)": Bucket.NEW_FAILURE,
        "a (two)": Bucket.STILL_FAILING,
    }


def test_axes_come_first() -> None:
    """Model, prompt, variant, contract, commit and packages are listed if they differ."""
    base = run("a", [good("x", model="m1", prompt="p1", variant="v")], commit="1" * 40, packages={"pydantic": "2.1"})
    candidate = run("b", [good("x", model="m2", prompt="p1", variant="v")], commit="2" * 40, dirty=True,
                    packages={"pydantic": "2.2", "new": "1"})  # fmt: skip
    found = {axis.name: (axis.before, axis.after) for axis in compare(base, candidate).axes}
    assert found == {
        "model": (("m1",), ("m2",)),
        "commit": (("111111111111",), ("222222222222 with uncommitted changes",)),
        "pydantic": (("2.1",), ("2.2",)),
    }


def test_where_contracts_differ_both_sides_are_judged_by_the_candidates(tmp_path: Path) -> None:
    """A stricter contract is no regression of the model: the base's raw answer is judged by it too."""
    lax, strict = Contract(None, name="R"), Contract(None, name="R", constraints=[one_of("r", "go", "stop")])
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x", "output": "{\\"r\\": \\"maybe\\"}"}\n')
    base, candidate = (load_run(str(path), LoadOptions((contract,))) for contract in (lax, strict))
    stored = compare(base, candidate)
    assert counts(stored) == {"new_failure": 1}
    assert stored.notes[0].startswith("1 case was judged by different contracts in the two runs.")
    assert counts(compare(base, candidate, contracts=(strict,))) == {"still_failing": 1}


@pytest.mark.parametrize(
    ("one", "other", "notes"), [("d1", "d2", 1), ("d1", "d1", 0), ("d1", None, 0), (None, None, 0)]
)
def test_only_two_known_contracts_can_differ(one: str | None, other: str | None, notes: int) -> None:
    """A row without the digest of its contract says nothing about it."""
    rows = [replace(good("a"), judged=(replace(good("a").judged[0], digest=digest),)) for digest in (one, other)]
    assert len(diff(*rows).notes) == notes


def test_a_test_that_failed_for_its_own_reason_stays_failed_when_judged_again() -> None:
    """Judging the answers again does not turn a failing test green."""
    row = replace(good("a", '{"r": "go"}'), result="failed")
    contract = Contract(None, name="R", constraints=[one_of("r", "go")])
    (found,) = diff(row, row, contracts=(contract,)).cases
    assert (found.bucket, [str(b) for b in found.still_broken]) == (Bucket.STILL_FAILING, ["test:failed"])


def test_unjudged_answers_are_changed_or_not() -> None:
    """Without any verdict cases are compared by value, and white space in JSON is no change."""
    rows = [replace(good("a", text), judged=(replace(good("a", text).judged[0], outcome=""),))
            for text in ('{"a": 1}', '{ "a" : 1 }', '{"a": 2}')]  # fmt: skip
    assert counts(diff(rows[0], rows[1])) == {"unchanged": 1}
    changed = diff(rows[0], rows[2])
    assert (counts(changed), changed.judged, changed.notes) == ({"changed_valid": 1}, False, (UNJUDGED,))
    assert counts(diff(rows[0], good("a"))) == {"not_comparable": 1}


def test_a_case_without_any_readable_answer_is_not_called_unchanged() -> None:
    """Nothing against nothing is not the same."""
    assert counts(diff(CaseRow("a", "t"), CaseRow("a", "t"))) == {"not_comparable": 1}


def test_figures_count_only_what_both_runs_know() -> None:
    """Attempts, tokens and the first-try rate are over cases that have them on both sides."""
    first = case("a", attempt("{}", finding("missing", ("x",)), tokens=10), attempt("{}", tokens=20))
    found = {f.name: (f.before, f.after, f.cases) for f in diff([first, good("b")], [good("a"), good("b")]).figures}
    assert found == {
        "valid at the first attempt": (0.5, 1.0, 2),
        "attempts until valid": (1.5, 1.0, 2),
        "attempts": (3.0, 2.0, 2),
    }


def test_a_figure_is_the_sum_or_the_mean_over_cases() -> None:
    """Samples of a case count by their mean. Cost, tokens, time and attempts add up, and shares do not."""

    def measured(key: str, tokens: int, **other: float) -> CaseRow:
        answer = replace(attempt("{}"), input_tokens=tokens, output_tokens=10 * tokens)
        return case(key, answer, expected=(Score(0.5),), **other)

    base = [measured("a", 1, cost=2, latency_s=4), measured("b", 2, cost=3, latency_s=6)]
    candidate = [*base, measured("b", 4, cost=5, latency_s=8)]
    assert [(f.name, f.unit, f.before, f.after, f.cases) for f in diff(base, candidate).figures] == [
        ("valid at the first attempt", "share", 1, 1, 2),
        ("attempts until valid", "attempts", 1, 1, 2),
        ("attempts", "attempts", 2, 2, 2),
        ("input tokens", "tokens", 3, 4, 2),
        ("output tokens", "tokens", 30, 40, 2),
        ("cost", "cost", 5, 6, 2),
        ("recorded latency", "s", 10, 11, 2),
        ("score of expected values", "score", 0.5, 0.5, 2),
    ]


def test_cases_are_compared_by_their_scores_of_expected_values() -> None:
    """Each case once, by the sign of the difference, if it has a score on both sides; rounding decides nothing."""
    base = [_scored("a", 0.5), _scored("b", 0.3), _scored("c", 1.0), _scored("d", 0.5, 0.7), good("e")]
    candidate = [
        _scored("a", 0.75),
        _scored("b", 0.1 + 0.2),
        _scored("c", 0.9),
        _scored("d", 0.5, 1.0),
        _scored("e", 1.0),
    ]
    assert diff(base, candidate).scored == Paired(2, 1, 4)
    assert diff(candidate, base).scored == Paired(1, 2, 4)
    assert diff([good("a")], [good("a")]).scored is None


def _scored(key: str, *totals: float) -> CaseRow:
    return good(key, expected=tuple(map(Score, totals)))


def test_scores_of_the_user_are_compared_by_their_mean() -> None:
    """A score is a figure over the cases that have it on both sides; samples of a case count by their mean."""
    base = [good("a", scores={"words": 4.0}), good("b", scores={"words": 2.0, "once": 1.0})]
    candidate = [good("a", scores={"words": 5.0}), good("b", scores={"words": 6.0}), good("b", scores={"words": 4.0})]
    found = {f.name: (f.before, f.after, f.cases) for f in diff(base, candidate).figures if f.unit == "score"}
    assert found == {"score words": (3.0, 5.0, 2)}


def test_conclusions_are_counted_in_a_table() -> None:
    """Agreeing and differing values of a marked field, and items that only one side has."""
    before = '{"levers": [{"id": 1, "c": "keep"}, {"id": 2, "c": "keep"}, {"id": 3, "c": "drop"}]}'
    after = '{"levers": [{"id": 2, "c": "drop"}, {"id": 1, "c": "keep"}, {"id": 4, "c": "keep"}]}'
    found = diff(good("a", before), good("a", after), fields=diff_options(verdicts=["levers[*].c"]))
    (table,) = found.verdicts
    assert (table.agree, table.total, table.only_base, table.only_candidate) == (1, 2, 1, 1)
    assert table.turns == (("keep", "drop", 1),)


def test_lists_without_stable_ids_give_metrics_not_rows() -> None:
    """New ids in every run: sizes, completeness and names are compared, and no field row is noise."""
    items = [[{"id": f"{side}{n}", "name": f"{side} lever {n}", "note": note} for n in range(size)]
             for side, size, note in (("a", 5, "[Your name]"), ("b", 8, "done"))]  # fmt: skip
    texts = [str({"levers": found}).replace("'", '"') for found in items]
    (case_diff,) = diff(good("x", texts[0]), good("x", texts[1])).cases
    (value,) = case_diff.values
    assert (case_diff.bucket, value.changes) == (Bucket.CHANGED_VALID, ())
    assert {m.name: (m.before, m.after) for m in value.metrics} == {
        "items of levers": (5, 8),
        "complete items of levers": (1.0, 1.0),
        "unique name in levers": (1.0, 1.0),
        "name shared with the other run": (0.0, 0.0),
        "characters of text per item of levers": (22.0, 15.0),
        "placeholders left in levers": (5, 0),
    }


def test_comparing_by_metrics_leaves_the_buckets_and_drops_the_fields() -> None:
    """A changed answer is changed, one that is only spelt differently is not, and metrics replace the field rows."""
    before = [good("new", '{"a": 1}'), good("spelt", '{"a": 1}'), good("ignored", '{"a": 1, "at": 1}')]
    after = [good("new", '{"a": 2}'), good("spelt", '{"a":1}'), good("ignored", '{"a": 1, "at": 2}')]
    fields = diff_options(ignore=["at"])
    for metrics, shown in ((True, []), (False, ["a"])):
        found = diff(before, after, metrics=metrics, fields=fields)
        assert counts(found) == {"changed_valid": 1, "unchanged": 2}
        assert [".".join(map(str, c.path)) for case in found.cases for v in case.values for c in v.changes] == shown
        assert bool(found.metrics) is metrics


def test_a_list_at_the_root_and_one_at_any_key_are_two_lists() -> None:
    """The root is called "the answer" in figures, and so may be a key."""
    found = diff(good("a", '{"the answer": [{"x": 1}]}'), good("a", '[{"x": 1}]'), metrics=True).metrics
    sizes = {metric.name: (metric.before, metric.after) for metric in found if metric.name.startswith("items of")}
    assert sizes == {"items of the answer": (0, 1), 'items of ["the answer"]': (1, 0)}


@pytest.mark.parametrize("answer", ['{"levers": []}', '{"levers": null}', "{}"])
def test_a_list_that_one_run_left_empty_is_measured(answer: str) -> None:
    """Two items against none: the list counts as empty where it is not there, in either run."""
    full = '{"levers": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}]}'
    for base, candidate, expected in ((full, answer, (2, 0)), (answer, full, (0, 2))):
        found = {m.name: m for m in diff(good("a", base), good("a", candidate), metrics=True).metrics}
        items, complete = found["items of levers"], found["complete items of levers"]
        assert (items.before, items.after) == expected
        assert (complete.before, complete.after) == ((1.0, None) if expected[0] else (None, 1.0))


def test_a_conversation_may_have_the_name_of_a_repeated_one() -> None:
    """A test names a conversation "1 #2"; two others are both called "1", and the second is shown under that name."""

    def named(*answers: str) -> CaseRow:
        judged = [case("x", attempt(answer)).judged[0] for answer in answers]
        return replace(case("x"), judged=(replace(judged[0], name="1 #2"), *judged[1:]))

    (found,) = diff(named('{"a": 1}', "{}", "{}"), named('{"a": 2}', "{}", "{}")).cases
    assert [change.after for change in found.changes] == [2]


def test_many_changes_find_their_findings_in_linear_time() -> None:
    """Ten times the changed fields, each with a finding at its place, cost about ten times as much."""

    def compared(number: int) -> None:
        before = {"items": {f"f{n}": n for n in range(number)}}
        after = {"items": {f"f{n}": -1 - n for n in range(number)}}
        findings = [finding("minimum", ("items", f"f{n}")) for n in range(number)]
        (found,) = diff(good("x", json.dumps(before)), case("x", attempt(json.dumps(after), *findings))).cases
        assert [change.breaks for change in found.changes] == [("minimum",)] * number

    assert_growth(compared, 200, 2_000, below=30)


def test_many_conversations_of_one_name_are_paired_in_linear_time() -> None:
    """A loop of a test may call `check` thousands of times."""

    def compared(number: int) -> None:
        row = case("x", attempt("{}"))
        rows = [
            replace(row, judged=row.judged * (number - 1) + (replace(row.judged[0], ok=ok),)) for ok in (True, False)
        ]
        assert len(diff(*rows).cases) == 1

    assert_growth(compared, 200, 4_000, below=60)


def test_a_rule_counts_the_cases_that_break_it_and_the_rates_of_all() -> None:
    """Good cases count in both rates, and in neither number of cases that break the rule."""
    before, after = [good("a"), good("b"), good("c")], [bad("a"), good("b"), good("c")]
    (rule,) = diff(before, after).rules
    assert (rule.rule, rule.cases_before, rule.cases_after) == ("missing", 0, 1)
    assert [(rate.hits, rate.total) for rate in (rule.before, rule.after)] == [(3, 3), (2, 3)]
    assert (rule.paired.better, rule.paired.worse, rule.paired.pairs) == (0, 1, 3)
