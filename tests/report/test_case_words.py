"""The words for cases, their findings and the list of known failures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract.comparison.score import Score
from pytest_planguard.contract.finding import Severity
from pytest_planguard.report.case_words import (
    about_entry,
    about_run,
    bad_findings,
    baseline_blocks,
    baseline_head,
    clipped_lines,
    counts_line,
    entry_line,
    fed_back_text,
    known_reason,
    left_out,
    missing_lines,
    models_of,
    new_lines,
    path_text,
    ruled,
)
from pytest_planguard.report.page import Facts, Listing, plain
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff
from pytest_planguard.runs.gate.known_failures import Baseline, BaselineReport, KnownFailure
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import FedBackRow
from pytest_planguard.runs.model.run import RunHeader

from ..support.runs import attempt, bad, case, finding, good
from .diffs import NOW

ENTRY = KnownFailure("printer", "enum", ("steps", None))


@pytest.mark.parametrize(
    ("entries", "text"),
    [
        ((), "known.json, 0 known failures"),
        ((ENTRY,), "known.json, 1 known failure"),
        (
            (
                replace(ENTRY, first_seen="2026-11-20"),
                replace(ENTRY, case="b", first_seen="2026-11-09"),
                replace(ENTRY, case="c"),
            ),
            "known.json, 3 known failures, the oldest listed 12 days ago",
        ),
        ((replace(ENTRY, first_seen="2026-11-20"),), "known.json, 1 known failure, the oldest listed 1 day ago"),
    ],
)
def test_the_head_of_a_list(entries: tuple[KnownFailure, ...], text: str) -> None:
    """Its size and the age of the oldest entry with a day."""
    assert baseline_head("known.json", Baseline(entries), NOW) == text


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({}, ""),
        ({"expires": "2027-01-31"}, "until 2027-01-31"),
        ({"owner": "ann"}, "owner ann"),
        ({"reason": "spring"}, "spring"),
        ({"owner": "ann", "reason": "spring"}, "owner ann: spring"),
        ({"expires": "2027-01-31", "owner": "ann"}, "until 2027-01-31, owner ann"),
        (
            {"expires": "2027-01-31", "owner": "ann", "reason": "spring"},
            "until 2027-01-31, owner ann: spring",
        ),
    ],
)
def test_what_is_known_about_an_entry(changed: dict[str, str], about: str) -> None:
    """Its last day, its owner, and the reason."""
    entry = replace(ENTRY, **changed)  # type: ignore[arg-type]
    end = f" ({about})" if about else ""
    assert about_entry(entry) == about
    assert entry_line(entry) == f"printer: enum at steps[*]{end}"
    assert known_reason([entry, ENTRY]) == f"known failure: enum at steps[*]{end}; enum at steps[*]"


EVERY = BaselineReport(
    new=(ENTRY,),
    known=(ENTRY,) * 2,
    expired=(ENTRY,) * 3,
    fixed=(ENTRY,) * 4,
    unseen=(ENTRY,) * 5,
    without_model=(ENTRY,),
)


def test_the_kinds_of_entries_in_order() -> None:
    """The counts begin with what is as listed, and the lists with what is worst; only what is as listed folds."""
    assert counts_line(EVERY) == "2 known, 3 expired, 4 gone, 1 not listed, 1 without a model, 5 not seen"
    assert counts_line(BaselineReport()) == "nothing listed"
    assert counts_line(BaselineReport(unseen=(ENTRY,))) == "1 not seen"
    head, *listings = baseline_blocks(EVERY, "known.json", None)
    assert isinstance(head, Facts)
    assert [plain(words) for entry in head.entries for words in entry] == ["baseline known.json", counts_line(EVERY)]
    assert [(each.title, each.folded) for each in listings if isinstance(each, Listing)] == [
        ("3 listed, and expired", False),
        ("4 listed, and gone", False),
        ("1 failing, and not listed", False),
        ('1 listed without a model, though the case is for one: add "model"', False),
        ("2 failed as listed", True),
    ]


@pytest.mark.parametrize("kind", ["known", "expired", "fixed", "without_model", "unseen"])
def test_the_oldest_of_every_listed_entry_counts(kind: str) -> None:
    """Whatever became of it."""
    report = BaselineReport(**{kind: (replace(ENTRY, first_seen="2026-11-20"),)})  # type: ignore[arg-type]
    (head, *_) = baseline_blocks(report, "", NOW)
    assert isinstance(head, Facts)
    label, words = head.entries[0]
    assert label == "baseline"
    assert plain(words).endswith(", the oldest listed 1 day ago")


def test_failures_that_cannot_be_listed_are_named() -> None:
    """Ten cases at most, sorted, each once."""
    end = " (an exception by which the app gives up is named in planguard_gives_up)"
    twice = [ENTRY, replace(ENTRY, rule="type")]
    assert left_out(twice[:1]) == (
        f"1 failure cannot be listed, since the test fails for other reasons, too: printer{end}"
    )
    assert left_out(twice) == f"2 failures cannot be listed, since the test fails for other reasons, too: printer{end}"
    many = [replace(ENTRY, case=f"c{n:02}") for n in range(11)]
    ten = ", ".join(f"c{n:02}" for n in range(10))
    others = "cannot be listed, since the tests fail for other reasons, too"
    assert left_out(many[9::-1]) == f"10 failures {others}: {ten}{end}"
    assert left_out(many) == f"11 failures {others}: {ten} and 1 more{end}"


@pytest.mark.parametrize(
    ("header", "about"),
    [
        (RunHeader("x"), ""),
        (RunHeader("x", commit="0123456789abcdef"), "commit 0123456789ab"),
        (RunHeader("x", commit="0123", dirty=True), "commit 0123 with uncommitted changes"),
        (RunHeader("x", dirty=True), ""),
        (RunHeader("x", created="2026-11-20T10:00:59+00:00"), "2026-11-20 10:00 (1 day old)"),
        (RunHeader("x", created="some day"), "some day"),
        (
            RunHeader("x", commit="0123", created="2026-11-21T10:00:00+00:00"),
            "commit 0123, 2026-11-21 10:00 (0 days old)",
        ),
    ],
)
def test_what_is_known_about_a_run(header: RunHeader, about: str) -> None:
    """Commit, time and age."""
    assert about_run(header, NOW) == about


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ("abc", ["a", "b", "c"]),
        ("abca", ["a", "b", "c"]),
        ("abcd", ["a", "b", "c", "and 1 more finding"]),
        ("abcded", ["a", "b", "c", "and 2 more findings"]),
        ("", []),
    ],
)
def test_three_different_lines_are_shown(lines: str, shown: list[str]) -> None:
    """The others are counted."""
    assert list(clipped_lines(lines)) == shown


def test_the_findings_that_a_case_lists() -> None:
    """Those of newly broken rules; of an added case those of all."""
    row = case("k", attempt("1", finding("x", ("a", 0)), finding("y", ("b",), "odd"), finding("x", ("a", 1))))
    new, old = Broken("x", ("a", None)), Broken("y", ("b",))
    changed = CaseDiff("k", Bucket.NEW_FAILURE, candidate=(row,), broken=(new,), still_broken=(old,))
    assert list(new_lines(changed)) == ["a[0]: wrong", "a[1]: wrong"]
    assert list(new_lines(replace(changed, bucket=Bucket.ADDED))) == ["a[0]: wrong", "a[1]: wrong", "b: odd"]
    assert [(verb, rules) for verb, rules in ruled(replace(changed, repaired=(old,), open=(new,)))] == [
        ("breaks", (new,)),
        ("fixes", (old,)),
        ("still breaks", (old,)),
        ("leaves open", (new,)),
    ]


def test_the_findings_that_make_a_row_bad() -> None:
    """Not its remarks, not those of earlier answers, and wrong values only where the row is bad."""
    remarks = [
        replace(finding(severity), severity=Severity(severity)) for severity in ("info", "warn", "retry", "fail")
    ]
    scored = (Score(0.5, findings=(finding("value"),)),)
    row = case("k", attempt("1", finding("early")), attempt("2", *remarks), expected=scored, result="failed")
    assert [one.code for one in bad_findings(row)] == ["retry", "fail", "value"]
    assert list(bad_findings(good("k", expected=scored))) == []


def test_what_a_retry_lacks_is_told_by_grade() -> None:
    """One line for each grade of each retry, with each place once."""
    grades = [
        *(("a", "unclear"), ("b", "wrong"), ("c", "missing"), ("d", "located"), ("e", "missing"), ("c", "missing")),
        ("f", "partial"),
    ]
    told = tuple(FedBackRow("x", (name,), grade) for name, grade in grades)
    first = replace(attempt("1", finding("x", ("c",))), fed_back=told)
    assert list(missing_lines(case("k", first, replace(first, fed_back=told[:1]), attempt("3")))) == [
        "missing on the way to attempt 2: c, e",
        "wrong on the way to attempt 2: b",
        "unclear on the way to attempt 2: a",
        "unclear on the way to attempt 3: a",
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (FedBackRow("enum", ("p",), "missing"), ("missing", "p [enum]")),
        (FedBackRow("enum", ("p",), "missing", reason="why"), ("missing", "p [enum]: why")),
        (FedBackRow("enum", ("p",), "fed back", "weak", "words", "why"), ("weak", "p [enum]: words")),
        (FedBackRow("enum", (), "unclear", evidence="words"), ("unclear", "(whole answer) [enum]: words")),
    ],
)
def test_what_became_of_a_finding(row: FedBackRow, told: tuple[str, str]) -> None:
    """How firmly it was fed back, and the words, or else the reason."""
    assert fed_back_text(row) == told


def test_small_words() -> None:
    """Calls turn by turn; the models of rows, sorted, each once."""
    assert path_text((("search",), ("search", "price"), ("book",))) == "search → search + price → book"
    assert path_text(()) == ""
    rows = [good("a", model="m2"), bad("b", model="m1"), good("c"), good("d", model="m2")]
    assert models_of(rows) == ("m1", "m2")
