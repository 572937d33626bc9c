"""Fixing one finding: it is gone, nothing else has changed; or it is said why it cannot be done."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Literal

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from pytest_planguard import Contract
from pytest_planguard.contract.constraints.builders import (
    contains,
    count,
    distinct,
    excludes,
    in_range,
    min_length,
    one_of,
)
from pytest_planguard.retry.proving.repair import Repaired, Unrepairable, repair

from ...support.nightly import SLOW


class Step(BaseModel):
    """A part of a plan."""

    model_config = ConfigDict(extra="forbid")
    id: str = Field(pattern=r"^S[0-9]$")
    hours: int = Field(ge=1, le=8)
    due: str | None = None


class Plan(BaseModel):
    """Rules of every kind."""

    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=3, max_length=20)
    priority: Literal["low", "high"]
    tags: list[str] = Field(min_length=1, max_length=3)
    done: bool
    steps: list[Step] = Field(default=[], max_length=4)


PLAN = Contract(Plan)
GOOD = {
    "title": "Printer",
    "priority": "low",
    "tags": ["a", "b"],
    "done": True,
    "steps": [{"id": "S1", "hours": 2}, {"id": "S2", "hours": 3}],
}
Path = tuple[str | int, ...]
DAMAGE: dict[Path, list[Any]] = {
    ("title",): ["T", "x" * 40, 7],
    ("priority",): ["hi", 3, None],
    ("tags",): [[], ["a", "b", "c", "d"], "a"],
    ("done",): ["maybe", 12],
    ("steps", 0, "hours"): [0, 99, "two", None],
    ("steps", 1, "hours"): [-4, [3]],
    ("colour",): ["red"],
    ("steps", 1, "extra"): [{"deep": [1]}],
}


def damaged(choices: dict[Path, Any], gone: set[str]) -> Any:
    """The good plan with some places wrong and some keys gone."""
    data = json.loads(json.dumps(GOOD))
    for path, value in choices.items():
        holder = data
        for part in path[:-1]:
            holder = holder[part]
        holder[path[-1]] = value
    for key in gone - {str(path[0]) for path in choices}:
        del data[key]
    return data


broken = st.builds(
    damaged,
    st.dictionaries(st.sampled_from(sorted(DAMAGE, key=str)), st.none(), min_size=1).flatmap(
        lambda chosen: st.fixed_dictionaries({path: st.sampled_from(DAMAGE[path]) for path in chosen})
    ),
    st.sets(st.sampled_from(["title", "priority", "tags", "done"])),
)
layouts = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"indent": "\t", "sort_keys": True}])
wrappers = st.sampled_from(["{}", "Sure!\n\n```json\n{}\n```\nDone.", "\n {} \n"])


@given(broken, layouts, wrappers)
def test_exactly_one_finding_goes_whatever_else_is_wrong(data: Any, layout: dict[str, Any], wrapper: str) -> None:
    """Law: each of these findings can be fixed; then it alone is gone, in any layout and inside any wrapper."""
    text = wrapper.replace("{}", json.dumps(data, **layout))
    verdict = PLAN.check(text)
    for finding in verdict.errors:
        mended = repair(finding, verdict, PLAN)
        assert isinstance(mended, Repaired), (finding, mended)
        left = Counter(f.identity for f in PLAN.check(mended.text).errors)
        assert left + Counter([finding.identity]) == Counter(f.identity for f in verdict.errors)
        assert mended.valid == (not left)


@pytest.mark.slow
@given(broken, layouts, wrappers)
def test_everything_else_stays_in_its_line(data: Any, layout: dict[str, Any], wrapper: str) -> None:
    """Law: an app that names the lines of other findings must not be taken for one that fed back this one."""
    verdict = PLAN.check(wrapper.replace("{}", json.dumps(data, **layout)))
    for finding in verdict.errors:
        mended = repair(finding, verdict, PLAN)
        assert isinstance(mended, Repaired)
        before = {f.identity: f.span.line for f in verdict.errors if f.span and f is not finding}
        after = {f.identity: f.span.line for f in PLAN.check(mended.text).errors if f.span}
        assert after == before


@SLOW
@given(st.text(max_size=60) | broken.map(json.dumps).flatmap(lambda t: st.integers(0, len(t)).map(lambda n: t[:n])))
def test_no_answer_makes_it_raise(text: str) -> None:
    """Law: whatever a model wrote, a finding is fixed or it is said why not."""
    verdict = PLAN.check(text)
    for finding in verdict.errors:
        found = repair(finding, verdict, PLAN)
        assert isinstance(found, Repaired) or found.reason


def fails(contract: Contract, answer: Any, path: Path, donors: tuple[Any, ...] = ()) -> Repaired | Unrepairable:
    """The repair of the finding at a place of an answer."""
    verdict = contract.check(answer if isinstance(answer, str) else json.dumps(answer))
    finding = next(f for f in verdict.errors if f.path == path)
    return repair(finding, verdict, contract, donors)


def test_a_later_answer_is_believed_first() -> None:
    """The model itself put "high" there later; a value made up would do as well, and say less."""
    bad = {**GOOD, "priority": "hi", "done": "maybe"}
    mended = fails(PLAN, bad, ("priority",), ({**GOOD, "priority": "high"},))
    assert isinstance(mended, Repaired)
    assert mended.words == '"hi" became "high"'
    assert json.loads(mended.text) == {**bad, "priority": "high"}


class Long(BaseModel):
    """A rule that only code knows."""

    number: int
    other: int

    @field_validator("number")
    @classmethod
    def has_three_digits(cls, value: int) -> int:
        """No schema says so."""
        if not 100 <= value <= 999:
            raise ValueError("must have three digits")
        return value


def test_a_validator_of_ones_own_needs_a_later_answer() -> None:
    """What only code knows is not guessed; where the model got it right later, that is taken."""
    contract = Contract(Long)
    bad = {"number": 3, "other": "x"}
    mended = fails(contract, bad, ("number",), ({"number": 800, "other": 1},))
    assert isinstance(mended, Repaired)
    assert json.loads(mended.text)["number"] == 800
    alone = fails(contract, bad, ("number",))
    assert alone == Unrepairable("no value repairs it without changing another finding")


CONSTRAINED = [
    (min_length("text", 30), "short"),
    (one_of("text", "yes", "no"), "maybe"),
    (contains("text", "tea", "milk", language="en"), "coffee"),
    (excludes("text", "secret", language="en"), "a secret thing"),
    (count("text", 2, 3), ["a"]),
    (count("text", 2, 3), ["a", "b", "c", "d"]),
    (in_range("text", 1, 5), 9),
    (in_range("text", 1, 5), 0.5),
]


@pytest.mark.parametrize(("constraint", "value"), CONSTRAINED, ids=lambda v: str(getattr(v, "constraint_type", "")))
def test_content_constraints_are_mended_by_their_parameters(constraint: Any, value: Any) -> None:
    """A constraint says itself what would be right, also without a schema."""
    contract = Contract(None, constraints=[constraint, one_of("other", 1)])
    mended = fails(contract, {"text": value, "other": 2}, ("text",))
    assert isinstance(mended, Repaired), mended
    assert [f.path for f in contract.check(mended.text).errors] == [("other",)]


def test_a_repeated_item_is_mended_by_another_text() -> None:
    """`distinct` names the second of two equal items; the list keeps its length."""
    contract = Contract(None, constraints=[distinct("tags"), one_of("other", 1)])
    mended = fails(contract, {"tags": ["a", "b", "A"], "other": 2}, ("tags", 2))
    assert isinstance(mended, Repaired)
    assert len(json.loads(mended.text)["tags"]) == 3


def test_a_value_in_yaml_is_replaced() -> None:
    """One value on one line can be fixed in YAML, too; the document stays as it was."""
    contract = Contract(Plan, format="yaml")
    text = "title: Printer\npriority: hi  # urgent\ntags: [a]\ndone: perhaps\n"
    mended = fails(contract, text, ("priority",))
    assert isinstance(mended, Repaired)
    assert mended.text == text.replace("hi ", '"low" ')


PLAN_YAML = Contract(Plan, format="yaml")
styles = st.sampled_from([None, False, True])


@pytest.mark.slow
@given(broken, styles, st.booleans())
def test_yaml_is_mended_like_json(data: Any, flow: bool | None, sort: bool) -> None:
    """Law: what is fixed in block and flow style is that finding alone, and every other keeps its line."""
    verdict = PLAN_YAML.check(yaml.safe_dump(data, default_flow_style=flow, sort_keys=sort))
    for finding in verdict.errors:
        mended = repair(finding, verdict, PLAN_YAML)
        if isinstance(mended, Unrepairable):
            assert not flow
            assert finding.code in ("missing", "extra")
            continue
        after = PLAN_YAML.check(mended.text)
        left = Counter(f.identity for f in after.errors)
        assert left + Counter([finding.identity]) == Counter(f.identity for f in verdict.errors)
        before = {f.identity: f.span.line for f in verdict.errors if f.span and f is not finding}
        assert {f.identity: f.span.line for f in after.errors if f.span} == before


def test_what_is_missing_in_yaml_is_added_at_its_end() -> None:
    """Nothing that stands there moves; a mapping in the middle has no such place."""
    text = "```yaml\ntitle: Printer\nsteps:\n- id: S1\n- hours: 3\n  id: S2\ntags: [a]\ndone: true\n```\nBye."
    mended = fails(PLAN_YAML, text, ("priority",))
    assert isinstance(mended, Repaired)
    assert mended.text == text.replace("done: true\n", 'done: true\n"priority": "low"\n')
    inside = fails(PLAN_YAML, text, ("steps", 0, "hours"))
    assert isinstance(inside, Unrepairable)
    assert inside.reason == "no value repairs it without changing another finding"


def test_one_of_two_findings_about_the_same_place() -> None:
    """Each rule of a text is fixed by itself; two of the same kind cannot be told apart."""
    rules = [min_length("text", 12), contains("text", "tea", language="en")]
    contract = Contract(None, constraints=rules)
    verdict = contract.check('{"text": "short"}')
    texts = []
    for finding in verdict.errors:
        mended = repair(finding, verdict, contract)
        assert isinstance(mended, Repaired)
        texts.append(json.loads(mended.text)["text"])
    assert texts == ["short shortx", "short tea"]
    alike = Contract(None, constraints=[contains("text", "tea", language="en"), contains("text", "oil", language="en")])
    refused = fails(alike, {"text": "short"}, ("text",))
    assert isinstance(refused, Unrepairable)
    assert "another finding of the same kind is about the same place" in refused.reason


REFUSED = [
    ('{"title": "Printer", ', (), "the answer is not a well-formed document"),
    ("I am sorry, no ticket today.", (), "the answer is not a well-formed document"),
    ("[1, 2]", (), "it is about the whole answer"),
]


@pytest.mark.parametrize(("text", "path", "reason"), REFUSED)
def test_what_cannot_be_mended_says_why(text: str, path: Path, reason: str) -> None:
    """A cut answer, prose and a wrong root have no single place that could be right."""
    found = fails(PLAN, text, path)
    assert isinstance(found, Unrepairable)
    assert reason in found.reason


class Range(BaseModel):
    """Rules across fields, which are seen only when the fields themselves are right."""

    low: int
    high: int
    name: str

    @field_validator("high")
    @classmethod
    def above(cls, value: int, info: Any) -> int:
        """The upper end must be above the lower."""
        if "low" in info.data and value <= info.data["low"]:
            raise ValueError("high must be above low")
        return value


def test_a_finding_that_hides_another_is_refused() -> None:
    """With `low` right, `high` is found wrong: two things would change at once, and nobody knew which one was told."""
    contract = Contract(Range)
    found = fails(contract, {"low": "x", "high": -5, "name": 3}, ("low",), ({"low": 0, "high": 2, "name": "n"},))
    assert isinstance(found, Unrepairable)
