"""Laws of made-up answers: valid ones are valid, each near miss is rejected for the reason that it names."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from pathlib import PurePath
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, Phase, assume, find, given, settings
from hypothesis import strategies as st
from hypothesis.statistics import collector
from pydantic import UUID4, BaseModel, Field, PastDate, SecretStr, field_validator

from pytest_planguard import Contract, UsageError, count, custom, in_range, min_length, one_of, plan_rules
from pytest_planguard.testing import near_misses, texts, valid_answers
from pytest_planguard.testing.answers.near_miss import AnswerText, NearMiss

from ...support.nightly import SLOW, drawn
from ...support.one_item import in_one_item
from .contracts import CONTRACTS, Ticket, as_json_schema, whole

SETTINGS = settings(SLOW, suppress_health_check=[HealthCheck.too_slow])


def promised(contract: Contract, miss: NearMiss) -> bool:
    """Whether the contract reports what the near miss says, where it says so or above."""
    return any(
        finding.kind is miss.failure
        and miss.code in (None, finding.code)
        and (miss.path[: len(finding.path)] == finding.path or finding.path[: len(miss.path)] == miss.path)
        for finding in contract.check(miss.text).errors
    )


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", CONTRACTS)
def test_valid_answers_are_valid(name: str) -> None:
    """Whatever the contract demands."""
    contract, own = CONTRACTS[name]

    @SETTINGS
    @given(valid_answers(contract, given=own))
    def check(text: str) -> None:
        verdict = contract.check(text)
        assert verdict.ok, verdict.errors

    check()


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", CONTRACTS)
def test_near_misses_are_rejected_as_promised(name: str) -> None:
    """With the promised kind of finding, at the place that was made wrong or around it."""
    contract, own = CONTRACTS[name]

    @SETTINGS
    @given(near_misses(contract, given=own))
    def check(miss: NearMiss) -> None:
        assert promised(contract, miss), (miss, contract.check(miss.text).errors)

    check()


@pytest.mark.slow
def test_every_kind_comes_about() -> None:
    """Among the contracts of this folder each kind of near miss has its place."""
    from pytest_planguard.testing.answers.near_miss import KINDS

    first = settings(database=None, phases=[Phase.generate])  # what it shrinks to is another matter
    homes: dict[str, str] = dict.fromkeys(KINDS, "ticket")
    homes |= dict.fromkeys(["below", "above", "not_a_multiple", "pattern", "format", "extra_key"], "everything")
    homes |= {"too_long": "everything", "more_items": "JSON Schema, nested", "repeated_item": "JSON Schema"}
    homes |= {"lost_text": "constraints on a schema", "forbidden_text": "constraints on a schema"}
    homes |= {"unequal_lists": "constraints alone"}
    homes |= dict.fromkeys(["unknown_ref", "self_reference", "cycle", "repeated_id"], "spec-kit plan")
    for kind, home in homes.items():
        contract, own = CONTRACTS[home]
        miss = find(near_misses(contract, [kind], given=own), lambda _: True, settings=first)  # type: ignore[list-item]
        assert promised(contract, miss), miss


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kinds"),
    drawn(
        [
            ("constraints on a schema", None),  # a list of different texts that keep a pattern
            ("tagged union", ["above"]),  # one of two alternatives has a bound
            ("everything", ["repeated_item"]),  # an optional list, which has to have two items
            ("spec-kit plan", ["cycle"]),  # takes two tasks
        ],
        2,
    ),
)
def test_hardly_any_example_is_thrown_away(name: str, kinds: Any) -> None:
    """At most one in ten ends in a filter or an `assume`: what is wanted is made by construction."""
    contract, own = CONTRACTS[name]
    contract = contract if name != "everything" else as_json_schema(contract) or contract
    statuses = statuses_of(near_misses(contract, kinds, given=own), 60)
    assert statuses["valid"] == 60
    assert statuses["invalid"] <= 0.1 * statuses.total()


def statuses_of(strategy: st.SearchStrategy[Any], number: int) -> Counter[str]:
    """Count the examples that come through, "valid", and those that a filter or an `assume` ends, "invalid"."""
    statuses: Counter[str] = Counter()

    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def examples(example: Any) -> None:
        """Take each example as it is."""

    def count_statuses(statistics: Any) -> None:
        statuses.update(case["status"] for case in statistics["generate-phase"]["test-cases"])

    with collector.with_value(count_statuses):
        examples()
    return statuses


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=4, unique=True), st.data())
def test_lists_of_different_items_are_made_from_few_values(values: list[int], data: Any) -> None:
    """All of them, where the list has to have as many."""
    schema = {"type": "array", "uniqueItems": True, "minItems": len(values)}
    listed = {**schema, "items": {"enum": values}}
    assert sorted(json.loads(data.draw(valid_answers(whole(listed))))) == sorted(values)
    low = min(values)
    ranged = {**schema, "items": {"type": "integer", "minimum": low, "maximum": low + len(values) - 1}}
    assert sorted(json.loads(data.draw(valid_answers(whole(ranged))))) == [low + at for at in range(len(values))]


@pytest.mark.slow
def test_a_miss_shrinks_to_something_small() -> None:
    """What a failing test shows is the least that fails."""
    miss = find(near_misses(whole(Ticket), ["unlisted_value"]), lambda _: True, settings=settings(database=None))
    assert json.loads(miss.text) == {"title": "000", "priority": "planguard_extra", "steps": ["", ""]}
    assert str(miss) == "unlisted_value at priority"


@SETTINGS
@given(texts(Contract(Ticket)))
def test_texts_say_what_can_be_read_from_them(answer: AnswerText) -> None:
    """The reader of this package agrees: it finds the document where one can be found, and none elsewhere."""
    verdict = Contract(Ticket).check(answer.text)
    assert verdict.ok == answer.readable, answer
    if answer.readable:
        assert verdict.data == answer.value


@pytest.mark.slow
def test_a_fence_is_a_miss_only_where_the_bare_document_is_demanded() -> None:
    """`extract="embedded"` takes the document out of it."""
    first = settings(database=None, phases=[Phase.generate])
    assert find(near_misses(whole(Ticket), ["fenced"]), lambda _: True, settings=first).kind == "fenced"

    @SETTINGS
    @given(near_misses(Contract(Ticket)))
    def check(miss: NearMiss) -> None:
        assert miss.kind not in ("fenced", "prose_around", "thinking")

    check()


class Checked(BaseModel):
    """A field that only its own code can judge."""

    code: str

    @field_validator("code")
    @classmethod
    def even(cls, value: str) -> str:
        """An even length."""
        assert len(value) % 2 == 0
        return value


@in_one_item
@pytest.mark.parametrize(
    ("contract", "message"),
    [
        (
            Contract(Checked),
            (
                "the validator Checked.even decides by its own code: pass given={'code': …} with a strategy for that "
                "field, or a function that fixes the value drawn there"
            ),
        ),
        (
            Contract(dict[str, PastDate]),
            (
                "no values are made for a date in the past: pass given={'.*': …} with a strategy for that field, or a "
                "function that fixes the value drawn there"
            ),
        ),
        (
            Contract(dict[int, str]),
            (
                "no values are made for a mapping with keys of type int: pass given={'': …} with a strategy for that "
                "field, or a function that fixes the value drawn there"
            ),
        ),
        (
            Contract(Ticket, constraints=[custom("title", lambda _: None)]),
            (
                "no values are made for the custom constraint on 'title': pass given={'title': …} with a strategy, or "
                "a function that fixes what is drawn"
            ),
        ),
        (
            Contract(Ticket, rules=[lambda _, __: ()]),
            (
                "the contract's rules (<lambda>) decide by their own code: pass given={'': …} with a strategy for the "
                "whole answer, or a function that fixes the value drawn"
            ),
        ),
        (
            Contract({"not": {"type": "string"}}),
            "no values are made for the keyword 'not' of the schema at '': give a strategy for its field with `given`",
        ),
        (
            Contract({"properties": {"a": {"type": "string", "format": "hostname"}}}),
            (
                "no values are made for the format 'hostname' of the schema at '/properties/a': give a strategy for "
                "its field with `given`"
            ),
        ),
        (
            Contract({"properties": {"a": {"type": "array", "minItems": 3, "maxItems": 2}}}),
            "no value fits the schema at '/properties/a': at least 3 and at most 2 items",
        ),
        (
            Contract({"properties": {"a": {"allOf": [{"type": "string"}, False]}}}),
            "no value fits the schema at '/properties/a': a part of its allOf is false",
        ),
        (
            Contract({"properties": {"a": {"anyOf": [False]}}}),
            "no value fits the schema at '/properties/a': all of its anyOf is false",
        ),
        (
            Contract({"properties": {"a": {"anyOf": [False, {"allOf": [False]}]}}}),
            "no value fits the schema at '/properties/a/anyOf/1': a part of its allOf is false",
        ),
        (
            Contract(Ticket, constraints=[count("steps", 3), count("steps", max=2)]),
            "no answer keeps count on 'steps': at least 3 and at most 2 cannot both be",
        ),
        (
            Contract(Ticket, constraints=[one_of("priority", "urgent")]),
            "no answer keeps one_of on 'priority': none of the values that the schema lists keeps it",
        ),
        (
            Contract(Ticket, constraints=[in_range("title", 1)]),
            "no answer keeps range on 'title': the schema has no number there",
        ),
        (
            Contract(None, rules=plan_rules("kiro-tasks")),
            (
                "no plans are made up for the format 'kiro-tasks'; those of atomicguard, openspec-tasks, "
                "spec-kit-tasks, superpowers are. Pass given={'': …} with a strategy of whole answers"
            ),
        ),
    ],
)
def test_what_no_value_can_be_made_for_is_refused_by_name(contract: Contract, message: str) -> None:
    """Nothing is left out in silence, and demands that exclude each other are told where they stand."""
    with pytest.raises(UsageError) as refused:
        valid_answers(contract)
    assert str(refused.value) == message


def test_an_unknown_kind_is_told_with_the_nearest() -> None:
    """A typing slip would otherwise test nothing."""
    with pytest.raises(UsageError, match=r"^unknown kind 'too_shrt'.*too_short"):
        near_misses(whole(Ticket), ["too_shrt"])  # type: ignore[list-item]


@SETTINGS
@given(valid_answers(Contract(Checked), given={"code": st.sampled_from(["ab", "abcd"])}))
def test_a_given_strategy_stands_in(text: str) -> None:
    """The user's own values take the place of ours."""
    assert json.loads(text)["code"] in ("ab", "abcd")


@dataclass
class Point:
    """A dataclass below a model."""

    x: int
    names: list[str]


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [Decimal, Decimal | None, Point, UUID4, SecretStr, PurePath, IPv4Address, Enum("E", "A B")]
)
def test_types_of_pydantic_have_valid_answers_and_near_misses(kind: Any) -> None:
    """Also where the JSON Schema says less than the type demands, or names a format of pydantic's own."""
    contract = whole(list[kind])

    @settings(SETTINGS, max_examples=15)
    @given(valid_answers(contract), near_misses(contract))
    def check(text: str, miss: NearMiss) -> None:
        assert contract.check(text).ok, text
        assert promised(contract, miss), (miss, contract.check(miss.text).errors)

    check()


Bounded = Literal["low", "high"]


@SETTINGS
@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3), st.integers(0, 3), st.data())
def test_any_bounds_that_agree_are_kept(low: int, more: int, items: int, others: int, data: Any) -> None:
    """For every pair of bounds in which the lower one is the lower one."""

    class Model(BaseModel):
        text: str = Field(min_length=low, max_length=low + more)
        many: list[Bounded] = Field(min_length=items, max_length=items + others)

    contract = whole(Model)
    assert contract.check(data.draw(valid_answers(contract))).ok
    miss = data.draw(near_misses(contract, ["too_short", "too_long", "fewer_items", "more_items"]))
    assert promised(contract, miss), miss


@SETTINGS
@given(st.integers(1, 30), st.data())
def test_a_stricter_constraint_is_what_breaks(chars: int, data: Any) -> None:
    """A text between the schema's bound and the constraint's is a matter of content, not of the schema."""
    contract = whole(Ticket, constraints=[min_length("title", chars)])
    miss = data.draw(near_misses(contract, ["too_short"]))
    assume(miss.path == ("title",))
    assert promised(contract, miss), (chars, miss)
    assert miss.failure.value == ("content" if chars > 3 else "length")
