"""The JSON document keeps the shape that is published, and every strict parser reads it."""

import json
from dataclasses import replace

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.report.diff_data import diff_data, strategies_data
from pytest_planguard.report.pages.comparison import StrategyReport
from pytest_planguard.report.plain_text import json_text
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import Strategy, StrategyPair, StrategyTable
from pytest_planguard.runs.compare.run_diff import Bucket, CaseDiff, Figure, ValueDiff
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.gate.known_failures import KnownFailure
from pytest_planguard.runs.gate.weakening import Weakening
from pytest_planguard.runs.value_diff import MISSING, ChangeKind, FieldChange
from pytest_planguard.runs.value_diff_options import diff_options
from pytest_planguard.statistics import Paired

from ...support.paths import ROOT
from ...support.runs import good, run
from ..diffs import odd_diff, report, reviews_diff
from ..forms import render_json

SCHEMA = ROOT / "docs" / "reference" / "run-diff.schema.json"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None, exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def schema() -> dict:
    """The published schema."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def rich_diff():
    """With verdict tables, moved items, unstable lists and metrics."""
    before = '{"levers": [{"id": 1, "c": "keep"}, {"id": 2, "c": "keep"}], "new": [{"id": "a1", "name": "x"}]}'
    after = '{"levers": [{"id": 2, "c": "drop"}, {"id": 1, "c": "keep"}], "new": [{"id": "b1", "name": "y"}]}'
    options = diff_options(verdicts=["levers[*].c"])
    return compare(run("a", [good("x", before)]), run("b", [good("x", after)]), options)


def unproven_diff():
    """Nothing that could be compared."""
    return compare(run("a", [good("x")]), run("b", [good("y")]))


@pytest.mark.parametrize("diff", [reviews_diff, odd_diff, rich_diff, unproven_diff])
@pytest.mark.parametrize("rows", [False, True])
def test_the_document_keeps_the_published_schema(diff, rows):
    """Valid, for every bucket and with everything that a comparison can hold."""
    jsonschema_rs.validator_for(schema()).validate(json.loads(render_json(report(diff()), rows=rows)))


def test_the_schema_refuses_what_it_does_not_know():
    """A field more, a bucket that is none, a missing field: the schema is no empty promise."""
    validator = jsonschema_rs.validator_for(schema())
    data = json.loads(render_json(report()))
    assert validator.is_valid(data)
    assert not validator.is_valid(data | {"more": 1})
    assert not validator.is_valid({key: value for key, value in data.items() if key != "counts"})
    assert not validator.is_valid(data | {"schema": 2})
    assert not validator.is_valid(data | {"result": "passed"})
    data["cases"][0]["bucket"] = "worse"
    assert not validator.is_valid(data)


def test_the_document_says_the_same_as_every_other_form():
    """Counts, the gate's word and its reasons."""
    data = json.loads(render_json(report()))
    assert {name: number for name, number in data["counts"].items() if number} == {
        "new_failure": 2, "fixed": 1, "still_failing": 4, "changed_valid": 1, "unchanged": 12,
    }  # fmt: skip
    assert (data["result"], data["passed"], data["reasons"]) == ("fail", False, ["2 new failures"])


def test_a_field_that_is_missing_is_not_null():
    """Null, missing and empty are three things."""
    found = compare(run("a", [good("x", '{"b": null}')]), run("b", [good("x", '{"a": null, "b": ""}')]))
    changes = json.loads(render_json(report(found)))["cases"][0]["values"][0]["changes"]
    sides = {change["where"]: {key: change[key] for key in ("before", "after") if key in change} for change in changes}
    assert sides == {"a": {"after": None}, "b": {"before": None, "after": ""}}


@given(VALUES)
def test_whatever_the_value_its_json_is_ascii_and_strict(value):
    """No lone surrogate, no NaN; plain values come back as they were."""
    text = json_text(value)
    assert text.isascii()
    jsonschema_rs.validator_for({}).validate(json.loads(text, parse_constant=pytest.fail))
    json.loads(text).__repr__().encode()


def test_numbers_without_end_are_told_by_their_size():
    """Python refuses to spell out more than 4,300 digits; a report must not end in that."""
    assert json_text([16**9_000]) == '[\n  "(a whole number of 36,001 bits)"\n]'


def test_the_schema_is_linked_from_the_reference():
    """A schema that nobody finds is not published."""
    assert "run-diff.schema.json" in (ROOT / "docs" / "guides" / "compare.md").read_text(encoding="utf-8")


SAME = compare(run("a", [good("k")]), run("b", [good("k")]))
STRATEGY = Strategy("inject", 48, (40, 45), 8, 5, (("converged", 45), ("stuck", 1_002)), 1, 1_056, 100, None)


def test_the_data_of_a_comparison_tell_shares_from_numbers() -> None:
    """In metrics by a flag, in figures by the unit; a missing side has no field."""
    figure = Figure("n", 0.5, 1.0, "share", 3)
    added = FieldChange(ChangeKind.ADDED, ("a",), ("a",), MISSING, None)
    case = CaseDiff("k", Bucket.CHANGED_VALID, values=(ValueDiff("", (added,), metrics=(replace(figure, unit="s"),)),))
    data = diff_data(
        replace(
            SAME,
            cases=(case,),
            figures=(figure,),
            metrics=(figure, replace(figure, unit="")),
        )
    )
    assert data["figures"] == [{"name": "n", "before": 0.5, "after": 1.0, "change": 1.0, "cases": 3, "unit": None}]
    shares = [{"name": "n", "before": 0.5, "after": 1.0, "share": share} for share in (True, False)]
    assert data["metrics"] == shares
    (value,) = data["cases"][0]["values"]
    assert (value["name"], value["metrics"]) == (None, shares[1:])
    assert "before" not in value["changes"][0]
    weaker = Weakening("t", "check", "one", accepted=KnownFailure("x", "y"))
    told = diff_data(SAME, GateResult(weakened=(weaker,)))
    assert [(w["about"], w["kind"], w["what"], w["weight"]) for w in told["weakened"]] == [
        ("t", "check", "one", "weakened")
    ]
    assert told["weakened"][0]["accepted"]["case"] == "x"
    table = StrategyTable((STRATEGY,), (StrategyPair("inject", "blind", Paired(1, 2, 3)),))
    strategies = strategies_data(StrategyReport(table, ()))
    assert (strategies["strategies"][0]["tokens"], strategies["strategies"][0]["outcomes"]) == (
        {"input": 100, "output": None}, {"converged": 45, "stuck": 1_002},
    )  # fmt: skip
    assert strategies["pairs"] == [
        {"one": "inject", "other": "blind", "better": 1, "worse": 2, "pairs": 3, "p": 1.0, "evidence": "no evidence",
         "more": 38},
    ]  # fmt: skip
