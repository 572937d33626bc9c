"""Samples of a case in a comparison: a case counts once, its rates count every sample."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard import Contract, one_of
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Bucket, RunDiff
from pytest_planguard.runs.load.load import load_run
from pytest_planguard.runs.model.case_samples import MOST, each_sample
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import BadSample, CaseRow, SamplesRow

from ...support.exchanges import chat, user, write
from ...support.runs import attempt, finding, good, run

GOOD, BAD = attempt('{"a": "x"}', tokens=10), attempt('{"a": "y"}', finding("enum", ("a",)), tokens=10)


def sampled(key: str, samples: str, least: float = 0.5, **other: float) -> CaseRow:
    """A case of one sample a letter: `+` is good, `-` breaks a rule, `x` fails for a reason of the test's own."""
    judged = tuple(conversation(letter, number) for number, letter in enumerate(samples, 1))
    bad = tuple(BadSample(n, "why") for n, letter in enumerate(samples, 1) if letter != "+")
    counts = SamplesRow(len(samples) - len(bad), len(samples), least, bad)
    result = "passed" if counts.enough else "failed"
    return CaseRow(key, f"test_x.py::{key}", judged=judged, result=result, samples=counts, **other)  # type: ignore[arg-type]


def conversation(letter: str, number: int) -> Judged:
    """The conversation of a sample, named as the plugin names it."""
    name = "1" if number == 1 else f"1 (sample {number})"
    return Judged((BAD if letter == "-" else GOOD,), "exhausted" if letter == "-" else "converged", letter != "-", name)


def diff(base: list[CaseRow], candidate: list[CaseRow], **options: object) -> RunDiff:
    """Two runs of these rows compared."""
    return compare(run("a", base), run("b", candidate), **options)  # type: ignore[arg-type]


def test_rates_count_samples_and_the_paired_test_counts_cases() -> None:
    """Ten cases whose share of good samples fell: 40 samples in the rates, ten pairs in the test."""
    base = [sampled(str(n), "++++") for n in range(10)]
    found = diff(base, [sampled(str(n), "+--+") for n in range(10)])
    assert (found.overall.before.hits, found.overall.before.total) == (40, 40)
    assert (found.overall.after.hits, found.overall.after.total) == (20, 40)
    assert (found.overall.paired.worse, found.overall.paired.pairs) == (10, 10)
    (rule,) = found.rules
    assert (rule.rule, rule.after.hits, rule.paired.worse) == ("enum", 20, 10)
    assert {case.bucket for case in found.cases} == {Bucket.CHANGED_VALID}
    assert found.cases[0].why == "4 of 4 samples good before, 2 of 4 samples good now"


def test_the_rate_that_the_test_asks_for_decides_the_case() -> None:
    """Fewer good samples than wanted are a new failure with its rules; as many as wanted are none."""
    found = diff([sampled("a", "+++-", 0.75)], [sampled("a", "++--", 0.75)])
    (one,) = found.cases
    assert (one.bucket, [str(rule) for rule in one.broken]) == (Bucket.NEW_FAILURE, ["enum at a"])
    assert diff([sampled("a", "++++", 0.5)], [sampled("a", "++--", 0.5)]).cases[0].bucket is Bucket.CHANGED_VALID
    assert diff([sampled("a", "+-")], [sampled("a", "-+")]).cases[0].bucket is Bucket.UNCHANGED


def test_samples_are_not_compared_with_each_other_field_by_field() -> None:
    """Sample 2 of one run has nothing to do with sample 2 of the other."""
    (one,) = diff([sampled("a", "+-")], [sampled("a", "--")]).cases
    assert (one.bucket, one.values) == (Bucket.NEW_FAILURE, ())


def test_more_samples_do_not_make_a_run_dearer() -> None:
    """Figures are means over the samples of a case."""
    base, now = sampled("a", "++", cost=2.0, latency_s=4.0), sampled("a", "++++", cost=4.0, latency_s=8.0)
    figures = {f.name: (f.before, f.after) for f in diff([base], [now]).figures}
    assert figures["output tokens"] == (10, 10)
    assert figures["cost"] == (1.0, 1.0)
    assert figures["recorded latency"] == (2.0, 2.0)


def test_a_sample_that_failed_for_a_reason_of_the_test_is_bad() -> None:
    """Its answers are good, and the row names it all the same; one that no list names is judged by its answers."""
    assert [row.ok for row in each_sample(sampled("a", "+x-"))] == [True, False, False]
    row = sampled("a", "+--")
    assert row.samples is not None
    unlisted = replace(row, samples=replace(row.samples, bad=()))
    assert [part.ok for part in each_sample(unlisted)] == [True, False, False]


@pytest.mark.parametrize("total", [MOST + 1, 1])
def test_a_row_that_claims_too_many_is_one(total: int) -> None:
    """A row is somebody's file: a number in it makes no million rows."""
    row = replace(good("a"), samples=SamplesRow(1, total))
    assert each_sample(row) == (row,)


def test_samples_are_judged_again_one_by_one() -> None:
    """The candidate's contract counts the good ones again, and the wanted rate decides; a test's own failure stays."""
    contract = Contract(dict, constraints=[one_of("a", "y")], name="New")
    found = diff([sampled("a", "++x-", 0.5)], [sampled("a", "--+-", 0.5)], contracts=(contract,))
    (one,) = found.cases
    (before,), (after,) = one.base, one.candidate
    assert before.samples is not None
    assert after.samples is not None
    assert (before.samples.good, before.result, after.samples.good, after.result) == (1, "failed", 3, "passed")
    assert [bad.number for bad in before.samples.bad] == [1, 2, 3]
    assert one.bucket is Bucket.FIXED
    missing = replace(sampled("a", "--x", 0.5), misses=("no cassette",))
    assert diff([missing], [], contracts=(contract,)).cases[0].base[0].result == "failed"
    same = Contract(dict, constraints=[one_of("a", "x")], name="Same")
    (kept,) = diff([sampled("a", "+x-")], [], contracts=(same,)).cases[0].base
    assert [bad.number for bad in kept.samples.bad] == [2, 3]  # type: ignore[union-attr]


def test_sample_files_are_rows_of_one_case(tmp_path: Path) -> None:
    """NAME.2.yaml beside NAME.yaml is the second sample of the same case; alone it is a case of its own."""
    for name in ("a", "a.2", "a.3", "b.2"):
        write(tmp_path / f"{name}.yaml", chat([user("task")], json.dumps({"a": name})))
    found = load_run(str(tmp_path))
    assert sorted((row.key, Path(row.test).name) for row in found.rows) == [
        ("a", "a.2.yaml"), ("a", "a.3.yaml"), ("a", "a.yaml"), ("b.2", "b.2.yaml"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("listed", "results"),
    [((2,), ["passed", "failed", "passed"]), ((), [None, None, None])],
)
def test_a_bad_sample_that_is_not_listed_leaves_the_others_to_their_answers(
    listed: tuple[int, ...], results: list[str | None]
) -> None:
    """A record may list fewer bad samples than it counts: then no sample is called passed."""
    row = replace(sampled("a", "+++"), samples=SamplesRow(2, 3, 0.5, tuple(BadSample(n, "why") for n in listed)))
    assert [sample.result for sample in each_sample(row)] == results
