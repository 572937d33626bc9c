"""What a contract kills, what survives, and the constraints that are suggested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

import pytest_planguard
from pytest_planguard import (
    CheckContext,
    ContentConstraint,
    Contract,
    ContractFailed,
    UsageError,
    assert_strength,
    distinct,
    not_copied,
)
from pytest_planguard.cli.inputs.recorded_answers import recorded_answers
from pytest_planguard.contract.strength.evidence import GoodAnswer, evidence_of
from pytest_planguard.contract.strength.measure import Strength, all_mutants, measure, read_equivalents
from pytest_planguard.contract.strength.suggestion import constraint_lines, constraints_module, suggestions

from ...support.one_item import in_one_item

SHARED = Path(__file__).parents[3] / ".." / "shared" / "data"


class Ticket(BaseModel):
    """A bare schema, and what it lets through."""

    title: str = Field(min_length=3, max_length=80)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2, max_length=6)


class RecordedTicket(Ticket):
    """The schema of the local model's tickets."""

    model_config = ConfigDict(extra="forbid")
    steps: list[Annotated[str, Field(min_length=3, max_length=120)]] = Field(min_length=2, max_length=6)


PROMPT = CheckContext(("Write a ticket.",), ('{"title": "Call the brigade right now", "steps": ["Cut the power"]}',))
GOOD = [
    {"title": f"Printer {at} is on fire", "priority": word, "steps": ["Cut the power", f"Call for help, line {at}"]}
    for at, word in enumerate(["low", "high", "low", "high", "medium", "low", "high", "medium", "low"])
]


def strength(
    *constraints: ContentConstraint, answers: Sequence[Any] = GOOD, schema: Any = Ticket, **options: Any
) -> Strength:
    """The strength of a contract of these constraints."""
    good = [GoodAnswer(f"answer {at}", answer, PROMPT) for at, answer in enumerate(answers)]
    return measure(Contract(schema, constraints=constraints), good, **options)


def executed(result: Strength) -> list[ContentConstraint]:
    """The constraints of the suggested Python, which is run."""
    space: dict[str, Any] = {}
    exec(constraints_module(result.suggestions), space)
    return list(space["CONSTRAINTS"])


def test_survivors_name_the_constraint_that_kills_them() -> None:
    """Repeats survive a schema of types and lengths."""
    result = strength(operators=["duplicate"])
    (group,) = result.survivors
    assert (group.operator, group.place, len(group.mutants)) == ("duplicate", "steps", 5)
    assert group.suggestion is not None
    assert group.suggestion.python == 'distinct("steps")'
    assert constraints_module(result.suggestions) == (
        "from pytest_planguard import distinct\n\nCONSTRAINTS = [\n"
        '    # no item repeats in 9 lists\n    distinct("steps"),\n]\n'
    )


def test_the_suggested_python_runs_and_kills_what_survived() -> None:
    """What is printed is what was measured: with it no group with a suggestion is left as it was."""
    bare = strength()
    better = strength(*executed(bare))
    assert bare.share < better.share
    assert not better.rejected
    killed = {(group.operator, group.place) for group in bare.survivors if group.suggestion}
    assert killed
    assert killed.isdisjoint((group.operator, group.place) for group in better.survivors)


TASKS = [
    {"tasks": [{"id": f"T{n}", "needs": ["T1"]} for n in range(1, at)], "a": [1] * at, "b": [2] * at}
    for at in range(3, 7)
]


def test_references_and_parallel_lists_are_suggested_as_python_that_runs() -> None:
    """A helper function stands above the list; both kill their mutants."""
    bare = strength(answers=TASKS, schema=dict, operators=["dangling", "unequal"])
    assert {one.python for one in bare.suggestions} == {
        'custom("", tasks_needs_exist)',
        'same_length("a", "b")',
    }
    better = strength(*executed(bare), answers=TASKS, schema=dict, operators=["dangling", "unequal"])
    assert better.share == 1.0
    assert better.answers == 4


def test_no_suggestion_pins_a_value_or_a_whole_text() -> None:
    """One value that all answers share is no enumeration, and lengths and counts have slack."""
    same = [
        {
            "title": "Printer is on fire",
            "priority": "low",
            "steps": ["Cut all of the power", "Call the fire brigade at once"],
        }
    ] * 6
    for suggestion in strength(answers=same).suggestions:
        assert "Printer" not in suggestion.python
        assert '"low"' not in suggestion.python
        assert suggestion.builder in ("distinct", "min_length", "max_length", "count", "not_copied", "excludes")
        assert suggestion.constraint.params.get("min") != suggestion.constraint.params.get("max", 0)


TEXTS = ("min_length", "max_length", "not_copied", "excludes", "matches")


@in_one_item
@pytest.mark.parametrize(
    ("values", "python"),
    [
        ([1, 5], ['in_range("x", 0, 10)']),
        ([-3, 5], ['in_range("x", -8, 10)']),
        ([0.5, 0.25], ['in_range("x", 0, 1.5)']),
        ([1, 2.5], ['in_range("x", 0, 5.0)']),
        ([True, False], ['one_of("x", True, False)']),
        ([True, 1], []),
        ([None, None], []),
        ([[], []], []),
        ([[1], [1]], ['count("x", 1, 2)']),
        ([[1, 2], []], ['distinct("x")']),
        ([[1, 2], [3, 4, 5, 6]], ['distinct("x")', 'count("x", 1, 8)']),
        (["low", "high"] * 3, ['one_of("x", "high", "low")']),
    ],
)
def test_what_is_suggested_for_values_of_each_type(values: list[Any], python: list[str]) -> None:
    """Values of types that do not belong together have nothing in common to demand."""
    evidence = evidence_of([GoodAnswer(str(at), {"x": value}) for at, value in enumerate(values)])
    found = [one for one in suggestions(evidence, fewer_items=0.5) if one.place == "x" and one.builder not in TEXTS]
    assert [one.python for one in found] == python


def test_a_suggestion_names_three_answers_that_break_it() -> None:
    """And says how many more there are."""
    (one,) = strength(operators=["duplicate"]).suggestions
    doubts = ("a", "a, b", "a, b, c", "a, b, c and 1 more", "a, b, c and 2 more")
    for number, named in enumerate(("", *(f", but for these (are they good?): {doubt}" for doubt in doubts))):
        lines = constraint_lines(replace(one, broken_by=tuple("abcde"[:number])))
        assert lines == f'    # no item repeats in 9 lists{named}\n    distinct("steps"),\n'


def test_a_bound_of_length_is_suggested_with_its_other_end() -> None:
    """A field that may be too long may be too short, whether or not a mutant has shown that."""
    answers = [{"title": f"The printer of floor {at} is on fire", "steps": ["Look", "Call"]} for at in range(9)]
    for operator in ("stub", "ramble"):
        bare = strength(answers=answers, schema=dict, operators=[operator])
        assert {one.builder for one in bare.suggestions if one.place == "title"} == {"min_length", "max_length"}


def test_answers_that_the_contract_rejects_are_named_and_left_out() -> None:
    """They are no good answers by this contract."""
    result = strength(answers=[*GOOD, {"title": "x"}])
    assert (result.answers, result.rejected) == (9, ("answer 9",))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_mutants() -> None:
    """And another seed draws others."""
    answers = [{**answer, "title": f"{answer['title']} {at}"} for at in range(5) for answer in GOOD]
    assert strength(answers=answers, seed=1) == strength(answers=answers, seed=1)
    assert strength(answers=answers, seed=1) != strength(answers=answers, seed=2)


def test_equivalent_mutants_do_not_count() -> None:
    """Listed with a reason; an entry without a survivor is named."""
    listed = read_equivalents("# known\nduplicate steps -- a step may be done twice\ndrop title -- never\n")
    result = strength(operators=["duplicate", "drop"], equivalents=listed)
    assert result.share == 1.0
    assert result.equivalent == 5
    assert [entry.operator for entry in result.unused] == ["drop"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("duplicate steps", "here:1: no equivalent mutant: got 'duplicate steps'; write OPERATOR PLACE -- reason"),
        ("dupe steps -- why", "here:1: unknown operator: got 'dupe'; there are drop, empty, null"),
    ],
)
def test_a_wrong_entry_says_where_and_what_to_write(line: str, message: str) -> None:
    """One line, with the line's number."""
    with pytest.raises(UsageError) as caught:
        read_equivalents(line, "here")
    assert str(caught.value).startswith(message)


def test_without_a_good_answer_nothing_is_measured() -> None:
    """No mutant could be made."""
    with pytest.raises(UsageError) as caught:
        strength(answers=[{}])
    assert str(caught.value) == "no good answer: got 1, and Ticket accepts none; give answers it accepts"


def test_assert_strength_fails_with_the_python_to_add() -> None:
    """The message has shares, survivors and constraints; texts are parsed."""
    contract = Contract(Ticket)
    texts = ['{"title": "Printer on fire", "priority": "low", "steps": ["Cut it", "Call them"]}'] * 2
    with pytest.raises(ContractFailed) as caught:
        assert_strength(contract, texts, operators=["duplicate", "drop"])
    assert str(caught.value) == (
        "Ticket is too weak: got 6 of 8 mutants killed (75%), expected at least 90%; it accepts:\n"
        '  duplicate steps: ["Cut it", "Cut it"]\n'
        "add to the contract:\n"
        "from pytest_planguard import distinct\n\nCONSTRAINTS = [\n"
        '    # no item repeats in 2 lists\n    distinct("steps"),\n]\n'
    )
    assert assert_strength(contract, texts, operators=["drop"]).share == 1.0
    assert assert_strength(contract, texts, at_least=0).share < 1
    with pytest.raises(ContractFailed):
        assert_strength(contract, texts, at_least=1)
    with pytest.raises(UsageError, match=r"^at_least is a share: got 90; give a number from 0 to 1$"):
        pytest_planguard.assert_strength(contract, texts, at_least=90)


@pytest.mark.slow
@pytest.mark.skipif(not (SHARED / "local_model").is_dir(), reason="needs the cassettes in ../shared/data/local_model")
@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("whole", set()),
        ("without distinct", {"distinct"}),
        ("without not_copied", {"not_copied"}),
        ("without both", {"distinct", "not_copied"}),
    ],
)
def test_survivors_of_real_answers_name_exactly_what_was_taken_out(name: str, named: set[str]) -> None:
    """Of the ticket contract, on the local model's cassettes."""
    constraints = [distinct("steps")] if name in ("whole", "without not_copied") else []
    if name in ("whole", "without distinct"):
        constraints += [not_copied(field, sources=("examples", "feedback")) for field in ("title", "steps")]
    contract = Contract(RecordedTicket, constraints=constraints)
    result = measure(contract, recorded_answers([SHARED / "local_model" / "cassettes" / "blind"], contract))
    assert {group.suggestion and group.suggestion.builder for group in result.survivors} == named


def test_a_suggestion_at_the_place_of_the_mutants_is_preferred() -> None:
    """The ids of the items would repeat as well."""
    answers = [{"s": [{"id": f"a{at}"}, {"id": f"b{at}"}]} for at in range(3)]
    (one,) = strength(answers=answers, schema=dict, operators=["duplicate"]).suggestions
    assert one.python == 'distinct("s")'


def test_five_mutants_are_made_of_each_place_by_the_first_seed() -> None:
    """If the caller says neither; another seed takes others."""
    good = [GoodAnswer(str(at), {"title": f"title {at}", "n": at}) for at in range(30)]
    drawn = [*all_mutants(good, evidence_of(good), ["stub"])]
    assert drawn == [*all_mutants(good, evidence_of(good), ["stub"], seed=0, each=5)]
    assert [len(group) for group in drawn] == [5]
    assert drawn != [*all_mutants(good, evidence_of(good), ["stub"], seed=1)]
    results = [measure(Contract(dict), good, operators=["stub"], **more) for more in ({}, {"seed": 0}, {"seed": 1})]
    assert results[0] == results[1] != results[2]


@given(st.lists(st.text("\\\"'\n{}ab ", min_size=1, max_size=6), min_size=2, max_size=2, unique=True))
def test_suggested_python_means_the_suggested_constraints(kinds: list[str]) -> None:
    """Law: with any backslashes, quotes and line breaks in the values."""
    answers = [GoodAnswer(f"answer {at}", {"kind": kinds[at % 2]}) for at in range(6)]
    found = list(suggestions(evidence_of(answers)))
    space: dict[str, Any] = {}
    exec(constraints_module(found), space)
    assert space["CONSTRAINTS"] == [one.constraint for one in found]
