"""What a review asks after a run, and what each answer writes."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, read_baseline, write_baseline
from pytest_planguard.runs.gate.review_items import Question, Reviewer, ReviewItem
from pytest_planguard.runs.snapshots import PendingSnapshot, PendingStore

from ...support.one_item import in_one_item
from ...support.runs import attempt, bad, case, finding, good, run

TODAY = date(2026, 5, 1)
FAILURE = KnownFailure("a", "missing", ("a",), "2026-01-01", "ann", "a new model")
SNAPSHOT = PendingSnapshot("test_x.py::test[a b]", "a.pgsnap", "1\n", "2\n")
LABELLED = replace(SNAPSHOT, path="cases.jsonl", case="first")


def reviewer(folder: Path, *listed: KnownFailure) -> Reviewer:
    """A review of a folder with this list of known failures."""
    path = folder / "known list.json"
    if listed:
        write_baseline(path, Baseline(listed))
    return Reviewer(PendingStore(folder), path, TODAY)


def test_snapshots_come_first_and_then_failures_by_question(tmp_path: Path) -> None:
    """A pending value asks one of three questions, a list of failures the other three; each has its row, if any."""
    (tmp_path / "a.pgsnap").write_text("1\n")
    found = reviewer(tmp_path, replace(FAILURE, expires="2026-04-30"), KnownFailure("c", "missing", ("a",)))
    for pending in (SNAPSHOT, replace(SNAPSHOT, path="b.pgsnap", before=None), LABELLED):
        found.store.keep(pending)
    rows = [bad("a"), bad("b"), good("c")]
    items = found.items(run("last", rows))
    assert [(item.question.value, item.name, item.outdated) for item in items] == [
        ("snapshot changed", "test_x.py::test[a b]", False),
        ("new snapshot", "test_x.py::test[a b]", False),
        ("another value than expected", "test_x.py::test[a b]", True),
        ("failure that is not listed", "b: missing at a", False),
        ("listed failure that has expired", "a: missing at a", False),
        ("listed failure that no longer fails", "c: missing at a", False),
    ]
    assert [item.row for item in items] == [None, None, None, rows[1], rows[0], rows[2]]
    assert len(found.items(None)) == 3
    assert [item.name for item in replace(found, baseline=None).items(run("last", [bad("d")]))[3:]] == [
        "d: missing at a"
    ]


def test_a_failure_has_the_findings_of_the_last_answers_about_its_rule() -> None:
    """At its place, whatever the index; a snapshot, and a failure whose case is not in the run, have none."""
    wanted, other = finding("enum", ("r", 1)), finding("enum", ("s", 1))
    row = case("a", attempt("{}", finding("enum", ("r", 0))), attempt("{}", wanted, other, finding("type", ("r", 1))))
    failure = KnownFailure("a", "enum", ("r", None))
    assert ReviewItem(Question.NEW, failure, row).findings == (wanted,)
    assert ReviewItem(Question.NEW, failure).findings == ()
    assert ReviewItem(Question.SNAPSHOT, SNAPSHOT, row).findings == ()
    assert ReviewItem(Question.NEW, failure, replace(row, judged=())).findings == ()


def test_accepting_writes_the_list_and_says_what(tmp_path: Path) -> None:
    """A new failure gets its day, an expired one a month more, and one that is gone goes; the others stay."""
    other = KnownFailure("z", "enum")
    found = reviewer(tmp_path, FAILURE, other)

    def accepted(question: Question) -> tuple[str, tuple[KnownFailure, ...]]:
        words = found.accept(ReviewItem(question, FAILURE))
        assert found.baseline is not None
        return words.removeprefix(str(found.baseline)), read_baseline(found.baseline).entries

    assert accepted(Question.NEW) == (": listed", (replace(FAILURE, first_seen="2026-05-01"), other))
    assert accepted(Question.EXPIRED) == (
        ": listed until 2026-05-31",
        (replace(FAILURE, expires="2026-05-31"), other),
    )
    assert accepted(Question.FIXED) == (": removed", (other,))
    with pytest.raises(RunError, match=r"^no baseline is named: --baseline FILE$"):
        replace(found, baseline=None).accept(ReviewItem(Question.NEW, FAILURE))


def test_accepting_a_snapshot_names_its_place(tmp_path: Path) -> None:
    """The file, and the case in it."""
    (tmp_path / "a.pgsnap").write_text("1\n")
    (tmp_path / "cases.jsonl").write_text('{"name": "first", "input": 1, "expected": 1}\n')
    found = reviewer(tmp_path)
    assert found.accept(ReviewItem(Question.SNAPSHOT, SNAPSHOT)) == "a.pgsnap: written"
    assert found.accept(ReviewItem(Question.EXPECTED, LABELLED)) == "cases.jsonl, case first: written"
    assert (tmp_path / "cases.jsonl").read_text() == '{"name": "first", "input": 1, "expected": 2}\n'


def test_rejecting_writes_nothing_and_says_what_stays(tmp_path: Path) -> None:
    """A pending value is forgotten."""
    found = reviewer(tmp_path, FAILURE)
    for pending in (SNAPSHOT, LABELLED):
        found.store.keep(pending)
    said = [
        found.reject(ReviewItem(question, subject))
        for question, subject in (
            (Question.SNAPSHOT, SNAPSHOT),
            (Question.EXPECTED, LABELLED),
            (Question.FIXED, FAILURE),
            (Question.NEW, FAILURE),
            (Question.EXPIRED, FAILURE),
        )
    ]
    assert said == [
        "the snapshot stays: its test fails until the value is as before",
        "the expected value stays: its test fails until the answer is right",
        "the entry stays: nothing is written",
        "it stays a failure: nothing is written",
        "it stays a failure: nothing is written",
    ]
    assert found.store.all() == ()
    assert found.items(None) == ()


@in_one_item
@pytest.mark.parametrize(
    ("item", "command"),
    [
        (ReviewItem(Question.SNAPSHOT, SNAPSHOT), "pytest 'test_x.py::test[a b]' --snapshot-update"),
        (ReviewItem(Question.EXPECTED, LABELLED), "planguard review in a terminal, or edit cases.jsonl, case first"),
        (
            ReviewItem(Question.EXPIRED, FAILURE),
            "edit '/w/known list.json': extend the \"expires\" date of the entry, or fix the failure",
        ),
        (
            ReviewItem(Question.FIXED, FAILURE, bad("a b")),
            "pytest --planguard-baseline='/w/known list.json' --planguard-baseline-prune",
        ),
        (
            ReviewItem(Question.NEW, FAILURE, bad("a b")),
            "pytest 'test_x.py::a b' --planguard-baseline='/w/known list.json' --planguard-baseline-update",
        ),
        (
            ReviewItem(Question.NEW, FAILURE),
            "pytest --planguard-baseline='/w/known list.json' --planguard-baseline-update",
        ),
    ],
)
def test_the_command_that_accepts_an_item(item: ReviewItem, command: str) -> None:
    """Words with blanks are quoted for a shell."""
    assert reviewer(Path("/w")).command(item) == command
