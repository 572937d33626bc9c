"""Known failures: listed ones pass, new and expired ones fail, and so does an entry that nobody needs any more."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.path import Path as DocumentPath
from pytest_planguard.document.path import wildcard
from pytest_planguard.errors import RunError
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.gate.known_failures import (
    Baseline,
    BaselineReport,
    KnownFailure,
    baseline_text,
    check_baseline,
    covering,
    pruned,
    read_baseline,
    updated,
    write_baseline,
)
from pytest_planguard.runs.model.broken_rules import Broken, broken_rules
from pytest_planguard.runs.model.run import CaseRow

from ...support.cost import assert_growth
from ...support.document_paths import PATHS, WILDCARD_PATHS
from ...support.runs import attempt, bad, case, finding, good, run

TODAY = date(2026, 5, 1)
TEXT = st.text(max_size=8)
DAYS = st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1)).map(date.isoformat)
ENTRIES = st.builds(
    KnownFailure, TEXT, TEXT, WILDCARD_PATHS, DAYS, st.none() | TEXT, st.none() | TEXT, DAYS,
    st.dictionaries(st.sampled_from(["ticket", "x"]), TEXT, min_size=1), TEXT,
)  # fmt: skip
LISTED = '{"planguard": "baseline", "format": 1, "failures": [{"case": "a", "rule": "x", %s}]}'
ROWS = [bad("a", code="one_of", path=("r", 0)), bad("b"), good("c")]


def held(entries: list[KnownFailure], rows: list[CaseRow] = ROWS) -> BaselineReport:
    """The rows against a list of these entries."""
    return check_baseline(Baseline(tuple(entries)), rows, TODAY)


def test_a_failure_that_is_not_listed_is_new() -> None:
    """Case, rule and wildcard path identify a failure; the same rule elsewhere is another one."""
    report = held([KnownFailure("a", "one_of", ("r", None)), KnownFailure("b", "missing", ("other",))])
    assert [str(entry) for entry in report.new] == ["b: missing at a"]
    assert ([str(e) for e in report.known], report.ok) == (["a: one_of at r[*]"], False)


def test_items_of_a_list_are_one_entry() -> None:
    """A rule broken at three items of a list is one known failure, whatever the indices are next time."""
    rows = [case("a", attempt("{}", *(finding("one_of", ("r", n)) for n in range(3))))]
    assert [str(entry) for entry in held([], rows).new] == ["a: one_of at r[*]"]


@given(PATHS, PATHS)
def test_an_entry_covers_another_path_only_where_indices_alone_differ(
    first: DocumentPath, second: DocumentPath
) -> None:
    """Law: keys are compared as they are, "0" and "*" too, and an index stands for every index."""
    listed = updated(Baseline(), [bad("a", path=first)], TODAY)
    report = check_baseline(listed, [bad("a", path=second)], TODAY)
    assert report.ok is (wildcard(first) == wildcard(second))


def test_an_expired_entry_fails_and_its_last_day_does_not() -> None:
    """Expiry names the last day on which the failure may occur."""
    entry = KnownFailure("a", "one_of", ("r", None), expires="2026-05-01")
    listed = [entry, KnownFailure("b", "missing", ("a",))]
    assert held(listed).ok
    report = check_baseline(Baseline(tuple(listed)), ROWS, date(2026, 5, 2))
    assert (report.expired, report.ok) == ((entry,), False)


@pytest.mark.parametrize("variant", ["gpt-4.1", "gpt-4-1", "v2--gpt-4.1"])
def test_an_entry_of_one_model_covers_no_other(variant: str) -> None:
    """With `models=[...]` two rows have one key. The entry names its model, and outlives the other's success."""
    one = replace(bad("a", model="gpt-4.1"), variant=variant)
    other = replace(bad("a", model="small"), variant="small")
    listed = updated(Baseline(), [one], TODAY)
    assert [str(entry) for entry in listed.entries] == ["a with gpt-4.1: missing at a"]
    assert [entry.model for entry in check_baseline(listed, [one, other], TODAY).new] == ["small"]
    assert covering(listed, other, [Broken("missing", ("a",))], TODAY) == ()
    assert covering(listed, one, [Broken("missing", ("a",))], TODAY) == listed.entries
    assert not listed.covers([one, other], [Broken("missing", ("a",))], TODAY)
    repaired = replace(good("a", model="small"), variant="small")
    assert check_baseline(listed, [one, repaired], TODAY).ok
    assert check_baseline(listed, [repaired], TODAY).unseen == listed.entries


@pytest.mark.parametrize("variants", [("fast", "smart"), ("v2--fast", "v2--smart"), ("v2", "v2"), (None, None)])
@pytest.mark.parametrize("real", [("gpt-5-mini", "gpt-5"), ("gpt-5", "gpt-5")])
def test_the_name_of_a_model_in_the_test_counts_not_what_the_app_makes_of_it(
    variants: tuple[str | None, str | None], real: tuple[str, str]
) -> None:
    """The app may map "fast" to any model, even to that of "smart". Variants for prompts are no part of an entry."""
    fast, smart = (
        replace(bad("a", model=model), variant=variant, for_model=name)
        for name, variant, model in zip(("fast", "smart"), variants, real, strict=True)
    )
    listed = updated(Baseline(), [fast], TODAY)
    assert [str(entry) for entry in listed.entries] == ["a with fast: missing at a"]
    assert check_baseline(listed, [replace(fast, variant="v3--fast", model="gpt-6")], TODAY).ok
    assert [entry.model for entry in check_baseline(listed, [fast, smart], TODAY).new] == ["smart"]
    assert check_baseline(listed, [smart], TODAY).unseen == listed.entries
    mended = replace(good("a", model=real[1]), variant=variants[1], for_model="smart")
    found = gate(compare(run("a", [fast, mended]), run("b", [fast, smart])), [FailOn.NEW], TODAY, baseline=listed)
    assert found.reasons == ("1 new failure",)
    assert gate(compare(run("a", [mended]), run("b", [fast])), [FailOn.NEW], TODAY, baseline=listed).ok


def test_an_entry_without_a_model_covers_no_case_of_a_model_and_the_report_says_so() -> None:
    """It would hide new failures of the other models. A case that names no model keeps its entry."""
    entry = KnownFailure("a", "missing", ("a",))
    named = replace(bad("a"), for_model="fast")
    assert covering(Baseline((entry,)), named, broken_rules([named]), TODAY) == ()
    report = held([entry], [named])
    assert (report.ok, report.without_model, report.fixed, report.unseen) == (False, (entry,), (), ())
    assert pruned(Baseline((entry,)), [named], TODAY).entries == (entry,)
    assert held([entry], [bad("a")]).known == (entry,)
    assert held([entry], [bad("a"), replace(good("a"), for_model="fast")]).without_model == ()
    assert held([entry], [replace(named, stale=("the prompt changed",))]).unseen == (entry,)


def test_an_entry_covers_every_model_of_a_variant_with_another_name() -> None:
    """A variant that is a version of the prompt, or none, is no axis of the list: a new model keeps its entries."""
    listed = updated(Baseline(), [replace(bad("a", model="m1"), variant="v1")], TODAY)
    assert check_baseline(listed, [bad("a", model="m2")], TODAY).ok


def test_an_entry_whose_failure_is_gone_fails() -> None:
    """A listed failure that passes now must be taken out; one whose case did not run or is stale stays."""
    listed = [KnownFailure("c", "missing", ("x",)), KnownFailure("not run", "missing"), KnownFailure("s", "missing")]
    report = held(listed, [good("c"), bad("s", stale=("the prompt changed",))])
    assert ([entry.case for entry in report.fixed], report.ok) == (["c"], False)
    assert [entry.case for entry in report.unseen] == ["not run", "s"]


def test_an_entry_of_a_test_is_gone_only_if_its_recording_had_broken_the_rule() -> None:
    """A cassette cannot show what else a test checks. A case that is no test, or a row of a test run, can."""
    entry = KnownFailure("t.py::a", "missing", ("a",))
    listed, recorded = Baseline((entry,)), good("t.py::a")

    def gone(row: CaseRow, before: list[CaseRow] | None, listed: Baseline = listed) -> bool:
        report = check_baseline(listed, [row], TODAY, before)
        assert report.unseen == (() if report.fixed else listed.entries)
        assert pruned(listed, [row], TODAY, before).entries == report.unseen
        return bool(report.fixed)

    assert not gone(recorded, [good("t.py::a")])
    assert gone(recorded, [bad("t.py::a")])
    assert gone(recorded, None)
    assert gone(replace(recorded, result="passed"), [good("t.py::a")])
    assert gone(good("a"), [good("a")], Baseline((replace(entry, case="a"),)))
    assert not gone(replace(recorded, stale=("changed",)), [bad("t.py::a")])


def test_updating_lists_what_is_new_and_keeps_what_is_known() -> None:
    """Known entries keep their day, owner and reason; new ones get today's day."""
    known = KnownFailure("a", "one_of", ("r", None), "2026-01-01", "ann", "model bug", "2026-12-31", {"ticket": "T-1"})
    found = updated(Baseline((known,)), ROWS, TODAY)
    assert found.entries == (known, KnownFailure("b", "missing", ("a",), "2026-05-01"))
    assert check_baseline(found, ROWS, TODAY).ok


def test_updating_does_not_change_what_the_run_is_told() -> None:
    """The report is made with the list as it was: writing failures down does not make them good."""
    before = Baseline()
    updated(before, ROWS, TODAY)
    assert not check_baseline(before, ROWS, TODAY).ok


def test_an_expired_entry_stays_expired_when_updating() -> None:
    """Only a person extends an expiry."""
    expired = KnownFailure("a", "one_of", ("r", None), expires="2026-01-01")
    assert expired in updated(Baseline((expired,)), ROWS, TODAY).entries


def test_pruning_takes_out_only_what_is_proven_gone() -> None:
    """Entries of cases that did not run stay."""
    listed = Baseline(
        (KnownFailure("c", "missing"), KnownFailure("not run", "missing"), KnownFailure("b", "missing", ("a",)))
    )
    assert [entry.case for entry in pruned(listed, ROWS, TODAY).entries] == ["b", "not run"]


@given(st.lists(ENTRIES, max_size=5))
def test_a_baseline_written_and_read_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, found: list[KnownFailure]
) -> None:
    """Every field survives, own fields too, sorted by case, rule and place, the same text again."""
    path = tmp_path_factory.mktemp("baseline") / "baseline.json"
    baseline = Baseline(tuple(found))
    assert read_baseline(write_baseline(path, baseline)) == baseline
    assert baseline_text(Baseline(tuple(reversed(baseline.entries)))) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "the baseline is not JSON"),
        ("[]", 'it is not a baseline: the field "planguard" must be "baseline"'),
        ('{"planguard": "baseline", "format": 2}', "baseline format 2, and this planguard reads 1"),
        ('{"planguard": "baseline", "format": 1, "failures": [{"rule": "x"}]}', "entry 1: the field 'case' must be"),
        (
            LISTED % '"path": [], "expires": "soon"',
            "entry 1: the field 'expires' must be a day like 2026-12-31, got 'soon'",
        ),
        (LISTED % '"place": "steps[*]"', "entry 1: the field 'path' is missing: [] for the whole answer"),
        (LISTED % '"path": "steps[*]"', "entry 1: the field 'path' must be a list, got 'steps[*]'"),
        (LISTED % '"path": ["steps", 0]', "entry 1: the field 'path' must list keys, and null for any item of a list"),
    ],
)
def test_a_broken_baseline_is_one_message(tmp_path: Path, content: str, said: str) -> None:
    """The message names the file, the entry and the field."""
    path = tmp_path / "baseline.json"
    path.write_text(content)
    with pytest.raises(RunError) as error:
        read_baseline(path)
    assert said in str(error.value)
    assert str(path) in str(error.value)


def test_a_case_is_covered_by_entries_for_all_that_it_breaks() -> None:
    """Each failure needs an entry that has not expired, of the same case; nothing listed covers nothing."""
    late = KnownFailure("a", "length", ("steps",), expires="2020-01-01")
    listed = Baseline((KnownFailure("a", "enum", ("priority",)), late, KnownFailure("b", "length", ("steps",))))
    enum, length = Broken("enum", ("priority",)), Broken("length", ("steps",))
    assert covering(listed, good("a"), [enum], TODAY) == (KnownFailure("a", "enum", ("priority",)),)
    assert covering(listed, good("a"), [enum, length], TODAY) == ()
    assert covering(listed, good("a"), [enum, length], date(2019, 12, 31)) == (
        KnownFailure("a", "enum", ("priority",)),
        late,
    )
    assert covering(listed, good("c"), [enum], TODAY) == ()


@pytest.mark.parametrize("changed", [{"stale": ("changed",)}, {"result": "failed", "outcome": "unrecorded"}])
def test_what_no_recording_answers_is_no_contract_failure(changed: dict[str, Any]) -> None:
    """A stale or missing recording is neither listed by an update nor taken for a failure that is gone."""
    row = replace(bad("a"), **changed)
    listed = Baseline((KnownFailure("a", "enum", ("priority",)),))
    assert updated(listed, [row], TODAY) == listed
    assert check_baseline(listed, [row], TODAY).unseen == listed.entries


def test_an_entry_listed_twice_counts_once() -> None:
    """The first of two entries with one identity is kept."""
    entry = KnownFailure("a", "x", owner="ann")
    assert Baseline((entry, replace(entry, owner="bob"))).entries == (entry,)


def test_each_failure_is_looked_up_in_the_same_time() -> None:
    """Twenty times the failures and the entries cost about twenty times as much, in a gate and in a test session."""

    def gated(number: int) -> None:
        rows = [bad(f"case-{n}") for n in range(number)]
        listed = Baseline(tuple(KnownFailure(row.key, "missing", ("a",)) for row in rows))
        found = compare(run("a", [good(row.key) for row in rows]), run("b", rows))
        assert len(gate(found, [FailOn.NEW], TODAY, baseline=listed).known) == number
        assert all(covering(listed, row, broken_rules([row]), TODAY) for row in rows)

    assert_growth(gated, 100, 2_000, below=60)
