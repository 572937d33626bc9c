"""The words of a comparison: numbers that a person reads."""

from dataclasses import replace

import pytest

from pytest_planguard.report.comparison_words import (
    DiffReport,
    added_mark,
    age_days,
    axis_name,
    case_title,
    evidence_text,
    figure_cells,
    headline,
    p_text,
    rate_text,
    samples_text,
    title,
)
from pytest_planguard.report.page import plain
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_axes import axes_of
from pytest_planguard.runs.compare.run_diff import Axis, Bucket, CaseDiff, Figure
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.statistics import Paired, Rate

from ...support.runs import bad, good, run
from ..diffs import NOW


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (Figure("cost", 0.0000312, 0.5, "cost", 1), ("cost", "0.0000312", "0.5", "+1602464.1 %")),
        (Figure("cost", 1234.567, 12.0, "cost", 1), ("cost", "1,234.57", "12", "-99.0 %")),
        (Figure("recorded latency", 0.0104, 0.0, "s", 1), ("recorded latency (s)", "0.0104", "0", "-100.0 %")),
        (
            Figure("valid at the first attempt", 0.5, 1.0, "share", 2),
            ("valid at the first attempt", "50 %", "100 %", "+50 points"),
        ),
    ],
)
def test_a_figure_is_told_with_its_unit_and_without_powers_of_ten(figure: Figure, told: tuple[str, ...]) -> None:
    """Money below a cent is written out; seconds say that they are; a share changes in points."""
    assert tuple(map(plain, figure_cells(figure))) == told


def test_a_digest_says_what_it_is_made_from() -> None:
    """A bare digest tells a first reader nothing; a model's name speaks for itself."""
    told = {name: axis_name(Axis(name, ("0123",), ("4567",))) for name in ("contract", "model")}
    assert told == {"contract": "contract (name and a digest of its rules)", "model": "model"}


def test_many_digests_are_counted_for_each_side() -> None:
    """Two runs with as many contracts differ all the same."""
    base, candidate = (
        run("x", [good(f"c{n}", contracts=(("C", f"d{n + shift}"),)) for n in range(5)]) for shift in (0, 2)
    )
    (axis,) = axes_of(base, candidate)
    assert (axis.before, axis.after) == (
        ("5 different ones, 3 of them also now",),
        ("5 different ones, 3 of them also before",),
    )


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (Figure("n", None, 1.0), ("n", "-", "1", "")),
        (Figure("n", 1.0, None), ("n", "1", "-", "")),
        (Figure("n", None, 0.5, "share"), ("n", "-", "50 %", "")),
        (Figure("n", 0.0, 3.0), ("n", "0", "3", "")),
        (Figure("n", 0.0, 1.0, "share"), ("n", "0 %", "100 %", "+100 points")),
        (Figure("n", 0.25, 0.25, "share"), ("n", "25 %", "25 %", "+0 points")),
        (Figure("n", 0.5, 0.254, "share"), ("n", "50 %", "25 %", "-25 points")),
        (Figure("n", 1.0, 1.005), ("n", "1", "1.00", "+0.5 %")),
        (Figure("n", -0.5, 0.12345), ("n", "-0.5", "0.123", "-124.7 %")),
        (Figure("n", 1_000.0, 999.999), ("n", "1,000", "1,000.00", "-0.0 %")),
        (Figure("n", 1.5, 3.0, "s"), ("n (s)", "1.50", "3", "+100.0 %")),
    ],
)
def test_the_cells_of_a_figure(figure: Figure, told: tuple[str, ...]) -> None:
    """Unknown values are dashes; nothing is relative to zero or to an unknown value."""
    assert tuple(map(plain, figure_cells(figure))) == told


TITLES = {
    Bucket.NEW_FAILURE: ("new failure", "new failures"),
    Bucket.FIXED: ("fixed", "fixed"),
    Bucket.STILL_FAILING: ("still failing", "still failing"),
    Bucket.CHANGED_VALID: ("changed but valid", "changed but valid"),
    Bucket.UNCHANGED: ("unchanged", "unchanged"),
    Bucket.STALE: ("stale", "stale"),
    Bucket.UNSTABLE: ("unstable", "unstable"),
    Bucket.ADDED: ("added", "added"),
    Bucket.REMOVED: ("removed", "removed"),
    Bucket.NOT_COMPARABLE: ("not comparable", "not comparable"),
}


@pytest.mark.parametrize("bucket", Bucket)
def test_the_title_of_a_bucket(bucket: Bucket) -> None:
    """For one case and for two; only where values were judged a change is called valid."""
    assert (title(bucket, 1), title(bucket, 2)) == TITLES[bucket]
    unjudged = ("changed", "changed") if bucket is Bucket.CHANGED_VALID else TITLES[bucket]
    assert (title(bucket, 1, judged=False), title(bucket, 2, judged=False)) == unjudged


@pytest.mark.parametrize(
    ("bucket", "base", "candidate", "words", "mark"),
    [
        (Bucket.NEW_FAILURE, (good("k"),), (bad("k"),), "new failure", ""),
        (Bucket.NEW_FAILURE, (), (bad("k"),), "failure", ""),
        (Bucket.ADDED, (), (bad("k"),), "added and failing", " (fails: a new failure)"),
        (Bucket.ADDED, (), (good("k"),), "added", ""),
        (Bucket.STILL_FAILING, (bad("k"),), (bad("k"),), "still failing", ""),
    ],
)
def test_the_title_of_a_case(
    bucket: Bucket, base: tuple[CaseRow, ...], candidate: tuple[CaseRow, ...], words: str, mark: str
) -> None:
    """Without a base a failure is not new, and an added case that fails says so."""
    case = CaseDiff("k", bucket, base=base, candidate=candidate)
    assert (case_title(case), added_mark(case)) == (words, mark)


def test_the_headline_lists_what_there_is() -> None:
    """In the order of a report; the added cases that fail are counted among them."""
    base = run("a", [good("one"), bad("two"), good("gone")])
    assert headline(compare(base, run("b", []))) == "3 removed"
    added = [bad("x"), bad("y"), good("z")]
    assert headline(compare(base, run("b", [bad("one"), *added]))) == (
        "1 new failure, 3 added (2 of them fail), 2 removed"
    )
    assert headline(compare(base, run("b", [good("one"), good("two"), bad("x")]))) == (
        "1 fixed, 1 unchanged, 1 added (1 of them fails), 1 removed"
    )
    assert headline(compare(run("a", []), run("b", []))) == "no cases"
    changed = compare(run("a", [good("one", "1")]), run("b", [good("one", "2")]))
    assert [headline(replace(changed, judged=judged)) for judged in (True, False)] == [
        "1 changed but valid",
        "1 changed",
    ]


@pytest.mark.parametrize(
    ("rate", "text", "samples"),
    [
        (Rate(0, 0), "none", "none good"),
        (Rate(3, 5), "3 of 5 (60 %, 95 % interval 23 to 88 %)", "; pass@2 0.90, pass^2 0.30"),
        (Rate(5, 5), "5 of 5 (100 %, 95 % interval 57 to 100 %)", ""),
        (Rate(0, 5), "0 of 5 (0 %, 95 % interval 0 to 43 %)", ""),
        (Rate(1, 2), "1 of 2 (50 %, 95 % interval 9 to 91 %)", ""),
        (Rate(1, 3), "1 of 3 (33 %, 95 % interval 6 to 79 %)", "; pass@2 0.67, pass^2 0.00"),
        (
            Rate(10, 11),
            "10 of 11 (91 %, 95 % interval 62 to 98 %)",
            "; pass@2 1.00, pass^2 0.82; pass@5 1.00, pass^5 0.55; pass@10 1.00, pass^10 0.09",
        ),
        (Rate(1_200, 1_500), "1,200 of 1,500 (80 %, 95 % interval 78 to 82 %)", None),
    ],
)
def test_a_share_with_its_interval(rate: Rate, text: str, samples: str | None) -> None:
    """And, of samples, the chances of two, five and ten tries, as long as there are more samples than tries."""
    assert rate_text(rate) == text
    if samples is not None:
        assert samples_text(rate) == (f"{text} good{samples}" if rate.total else samples)


@pytest.mark.parametrize(
    ("paired", "text"),
    [
        (
            Paired(3, 0, 20),
            ("no evidence of a change (better in 3, worse in 0 of 20 cases, p = 0.25; "
            "about 18 more cases like these would decide)"),
        ),
        (Paired(5, 0, 6), ("no evidence of a change (better in 5, worse in 0 of 6 cases, p = 0.062; "
         "about 1 more case like these would decide)")),
        (Paired(2, 2, 9), "no evidence of a change (better in 2, worse in 2 of 9 cases, p = 1)"),
        (Paired(0, 8, 1_234), "worse (better in 0, worse in 8 of 1,234 cases, p = 0.0078)"),
        (Paired(20, 0, 20), "better (better in 20, worse in 0 of 20 cases, p < 0.0001)"),
    ],
)  # fmt: skip
def test_the_evidence_of_a_comparison(paired: Paired, text: str) -> None:
    """With the number of cases that would decide, if any number would."""
    assert evidence_text(paired) == text


@pytest.mark.parametrize(
    ("p", "text"),
    [(0.0001, "p = 0.0001"), (0.000099, "p < 0.0001"), (0.01234, "p = 0.012"), (1.0, "p = 1"), (0.5, "p = 0.5")],
)
def test_a_p_value(p: float, text: str) -> None:
    """Two digits, and a bound for a tiny one."""
    assert p_text(p) == text


@pytest.mark.parametrize(
    ("when", "days"),
    [
        ("2026-11-21T23:59:59+00:00", 0),
        ("2026-11-20T00:00:00+00:00", 1),
        ("2026-11-07", 14),
        ("2026-12-24", 0),
        ("last week", None),
        (None, None),
    ],
)
def test_the_age_in_days(when: str | None, days: int | None) -> None:
    """Of a day or a time; a day in the future is of today."""
    assert age_days(when, NOW) == days
    assert age_days(when, None) is None


def test_known_failures_are_counted_beside_the_cases() -> None:
    """After the gate's word; without a gate there are only the cases."""
    diff = compare(run("a", [good("x"), good("y")]), run("b", [bad("x"), bad("y")]))
    told = [DiffReport(diff, GateResult(known=diff.cases[:n])) for n in range(3)]
    assert [report.verdict_line for report in told] == [
        "PASS: 2 new failures",
        "PASS: 2 new failures (1 of the new failures is known)",
        "PASS: 2 new failures (2 of the new failures are known)",
    ]
    assert DiffReport(diff).verdict_line == "2 new failures"
    assert DiffReport(diff, judged="2 of 2 answers are bad").verdict_line == "2 of 2 answers are bad"
    assert [told[1].is_known(case) for case in diff.cases] == [True, False]
    assert [report.fails for report in (told[0], DiffReport(diff), DiffReport(diff, GateResult(("x",))))] == [
        False, False, True,
    ]  # fmt: skip
    assert (DiffReport(diff).command, DiffReport(diff, judged="x").command) == ("planguard diff", "planguard check")


def test_the_axes_that_need_an_explanation() -> None:
    """A digest of a contract and the way in which requests find their cassette."""
    names = ("contract", "match", "model", "commit")
    assert [axis_name(Axis(name, (), ())) for name in names] == [
        "contract (name and a digest of its rules)",
        "match (how requests find their cassette)",
        "model",
        "commit",
    ]
