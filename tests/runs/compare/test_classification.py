"""The bucket of a case by its rows on both sides, with the reason, and which rows are compared."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.runs.compare.classification import bucket_of, good_samples, pair_cases, sample_shares, status_of
from pytest_planguard.runs.model.judged_answers import Judged
from pytest_planguard.runs.model.run import MISSING_FEEDBACK, CaseRow, SamplesRow

from ...support.one_item import in_one_item
from ...support.runs import attempt, bad, good

GOOD, BAD, STALE = good("a"), bad("a"), good("a", stale=("the prompt changed", "and more"))
UNJUDGED = CaseRow("a", "t", judged=(Judged((attempt("{}"),), "", ok=True, single=True),))
NOTHING = CaseRow("a", "t")
LOST = replace(STALE, result="failed", misses=(f"{MISSING_FEEDBACK}: no finding",))
ASKED, OTHERWISE = replace(GOOD, inputs="1"), replace(BAD, inputs="2")
SAMPLED = replace(GOOD, samples=SamplesRow(4, 4, 0.5))


@in_one_item
@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([GOOD], "good"), ([BAD], "bad"), ([STALE], "stale"), ([UNJUDGED], "not judged"), ([LOST], "bad"),
        ([GOOD, GOOD], "good"), ([BAD, BAD], "bad"), ([GOOD, BAD], "mixed"), ([GOOD, STALE], "stale"),
        ([UNJUDGED, UNJUDGED], "not judged"), ([UNJUDGED, BAD], "mixed"),
    ],
)  # fmt: skip
def test_the_status_of_rows(rows: list[CaseRow], status: str) -> None:
    """Samples that disagree are mixed; one that is stale makes all of them stale."""
    assert status_of(rows) == status


@in_one_item
@pytest.mark.parametrize(
    ("base", "candidate", "bucket", "why"),
    [
        ([], [BAD], "added", "only the candidate has this case"),
        ([BAD], [], "removed", "only the base has this case"),
        ([GOOD], [BAD], "new_failure", ""),
        ([BAD], [GOOD], "fixed", ""),
        ([BAD], [bad("a", code="enum")], "still_failing", ""),
        ([GOOD], [good("a", "[1]")], "unchanged", ""),
        ([UNJUDGED], [replace(UNJUDGED, test="u")], "unchanged", ""),
        ([GOOD], [GOOD], "unchanged", ""),
        ([BAD], [BAD], "still_failing", ""),
        ([GOOD], [STALE], "stale", "the candidate's recording: the prompt changed"),
        ([STALE], [GOOD], "stale", "the base's recording: the prompt changed"),
        ([STALE], [STALE], "stale", "the candidate's recording: the prompt changed"),
        ([GOOD], [LOST], "new_failure", ""),
        ([GOOD], [GOOD, BAD], "unstable", "1 of 1 samples good before, 1 of 2 samples good now"),
        ([GOOD, BAD], [GOOD], "unstable", "1 of 2 samples good before, 1 of 1 samples good now"),
        ([ASKED], [OTHERWISE], "not_comparable",
         "the declared input changed: it is another question under the same key"),
        ([ASKED], [replace(STALE, inputs="2")], "not_comparable",
         "the declared input changed: it is another question under the same key"),
        ([GOOD], [OTHERWISE], "new_failure", ""),
        ([NOTHING], [replace(NOTHING, test="u")], "not_comparable", "no answer of it could be read in either run"),
        ([UNJUDGED], [BAD], "not_comparable", "nothing judged the base: name a contract to judge both sides"),
        ([BAD], [UNJUDGED], "not_comparable", "nothing judged the candidate: name a contract to judge both sides"),
    ],
)  # fmt: skip
def test_the_bucket_of_a_case(base: list[CaseRow], candidate: list[CaseRow], bucket: str, why: str) -> None:
    """With the reason, if one is needed."""
    assert bucket_of(base, candidate) == (bucket, why)


def test_shares_of_samples_are_told_if_there_are_samples() -> None:
    """Of both sides, also if one has a single answer."""
    assert sample_shares([GOOD], [BAD]) == ""
    assert sample_shares([SAMPLED], [BAD]) == "4 of 4 samples good before, 0 of 1 samples good now"
    assert sample_shares([GOOD], [SAMPLED]).startswith("1 of 1 samples good before, ")
    assert good_samples([]) == "0 of 0 samples good"


def pairs(base: list[CaseRow], candidate: list[CaseRow]) -> dict[str, tuple[int, int]]:
    """The number of rows on both sides by the name of the case."""
    return {pair.key: (len(pair.base), len(pair.candidate)) for pair in pair_cases(base, candidate)}


def row(key: str = "a", **other: Any) -> CaseRow:
    """A case with these coordinates."""
    return good(key, **other)


def test_rows_of_one_key_are_samples_unless_both_runs_have_several_models() -> None:
    """Then each model or variant is compared with itself, and one that a run lacks with nothing."""
    one, two = row(model="m1"), row(model="m2")
    assert pairs([row("b"), row("a")], [row("c")]) == {"a": (1, 0), "b": (1, 0), "c": (0, 1)}
    assert pairs([one], [two]) == {"a": (1, 1)}
    assert pairs([one, one], [two]) == {"a": (2, 1)}
    assert pairs([one, one], [one]) == {"a": (2, 1)}
    assert pairs([one, two], [row(model="m3"), row(model="m4")]) == {"a": (2, 2)}
    assert pairs([one, two], [two, two]) == {"a (m1)": (1, 0), "a (m2)": (1, 2)}
    assert pairs([one, row()], [row(), one]) == {"a": (1, 1), "a (m1)": (1, 1)}


def test_a_pair_is_named_by_variant_and_model() -> None:
    """The model is the one that the test names, if it does; one name that is both is said once."""
    rows = [row(variant="v", model="m"), row(variant="m", model="m"), row(model="real", for_model="fast")]
    assert pairs(rows, rows) == {"a (v, m)": (1, 1), "a (m)": (1, 1), "a (fast)": (1, 1)}
