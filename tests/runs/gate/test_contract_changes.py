"""Contracts of two trees compared part by part: what accepts more is a weakening, what accepts less is none."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.runs.gate.known_failures import Baseline
from pytest_planguard.runs.gate.tree_facts import ContractFacts, Part, changed_files, contract_change
from pytest_planguard.runs.gate.weakening import Weakening, Weight, with_weakenings

from ...support.one_item import in_one_item
from .test_known_failures import TODAY

FACTS = ContractFacts("TICKET", {"type": "object"})


def weakenings(before: ContractFacts, after: ContractFacts, **found: Any) -> dict[str, Weight]:
    """The weakenings in words, each with its weight."""
    change = contract_change(before, after, found.get("accepts", ()), found.get("refuses", ()))
    return {each.what: each.weight for each in change.weakenings()}


def parts(*found: Part) -> ContractFacts:
    """The contract with these parts."""
    return replace(FACTS, parts=found)


LENGTH = Part("constraint", "min_length at title", '{"chars": 3}', 2)


@in_one_item
@pytest.mark.parametrize(
    ("strict", "weak", "said"),
    [
        ((LENGTH,), (), 'the constraint min_length at title {"chars": 3} is gone'),
        ((LENGTH,), (replace(LENGTH, severity=1),), "is now"),
        ((Part("option", "strict", True),), (Part("option", "strict", False),), "the option strict True is strict"),
        ((Part("option", "extract", "whole"),), (Part("option", "extract", "embedded"),), "the option extract whole"),
        ((Part("option", "wrap_list", False),), (Part("option", "wrap_list", True),), "the option wrap_list False"),
        ((), (Part("compare", "title", "similar(0.9)"),), "the compare title similar(0.9) is new"),
        ((Part("compare", "a", "near(0.01)"),), (Part("compare", "a", "near(0.5)"),), "the compare a near(0.01)"),
        ((Part("compare", "a", "similar(0.9)"),), (Part("compare", "a", "similar(0.5)"),), "the compare a similar"),
        ((Part("compare", "a", "near(0.01)"),), (Part("compare", "a", "ignored"),), "the compare a near(0.01)"),
        ((Part("compare", "a", "near(5)"),), (Part("compare", "a", "Ignored here"),), "the compare a near(5)"),
        ((Part("compare", "a", "Similar(9)"),), (Part("compare", "a", "Similar(-1)"),), "the compare a Similar(9)"),
        ((Part("rule", "no_secrets"),), (), "the rule no_secrets is gone"),
    ],
)
def test_a_part_that_demands_less_is_a_weakening(strict: tuple[Part, ...], weak: tuple[Part, ...], said: str) -> None:
    """And none the other way, except that a comparator that is gone is named."""
    ((words, weight),) = weakenings(parts(*strict), parts(*weak)).items()
    assert weight is Weight.WEAKENED
    assert words.startswith(said) or said == "is now"
    back = weakenings(parts(*weak), parts(*strict))
    assert not back or any("compare" in words for words in back)


def test_a_part_with_another_value_is_unclear() -> None:
    """Whether a constraint with other parameters accepts more, only its answers show."""
    other = replace(LENGTH, value='{"chars": 5}')
    said = 'the constraint min_length at title {"chars": 3} is min_length at title {"chars": 5} now'
    assert weakenings(parts(LENGTH), parts(other)) == {said: Weight.UNCLEAR}


@in_one_item
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Part("compare", "a", "near(0.1)"), Part("compare", "a", "near(0.10)")),
        (Part("compare", "a", "similar(0.9)"), Part("compare", "a", "similar(0.90)")),
        (Part("option", "strict", False), Part("option", "strict", True)),
        (Part("option", "extract", "embedded"), Part("option", "extract", "whole")),
        (Part("option", "wrap_list", True), Part("option", "wrap_list", False)),
        (replace(LENGTH, severity=1), LENGTH),
    ],
)
def test_a_part_that_demands_as_much_or_more_is_no_weakening(old: Part, new: Part) -> None:
    """A bound may be written in another way."""
    assert weakenings(parts(old), parts(new)) == {}


@in_one_item
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Part("compare", "a", "near(0.1)"), Part("compare", "a", "similar(0.1)")),
        (Part("compare", "a", "ignored"), Part("compare", "a", "near(0.1)")),
        (Part("constraint", "a", "at least 3"), Part("constraint", "a", "at least 2")),
        (Part("option", "own", 1), Part("option", "own", 2)),
        (Part("call", "strict", True), Part("call", "strict", False)),
    ],
)
def test_a_part_whose_demands_have_no_order_is_unclear(old: Part, new: Part) -> None:
    """Two comparators, and a constraint, an option or a call that only its own code can read."""
    assert [*weakenings(parts(old), parts(new)).values()] == [Weight.UNCLEAR]


def test_parts_are_paired_by_their_kind_and_subject() -> None:
    """A twin is used once; a new part is a weakening only as a comparator, which replaces equality."""
    option, rule = Part("option", "strict", True), Part("rule", "strict", True)
    assert weakenings(parts(option), parts(rule)) == {"the option strict True is gone": Weight.WEAKENED}
    two = (replace(LENGTH, value=1), replace(LENGTH, value=2))
    assert weakenings(parts(*two), parts(replace(LENGTH, value=3))) == {
        "the constraint min_length at title 1 is min_length at title 3 now": Weight.UNCLEAR,
        "the constraint min_length at title 2 is gone": Weight.WEAKENED,
    }
    assert weakenings(parts(LENGTH, rule), parts(option)) == {
        'the constraint min_length at title {"chars": 3} is gone': Weight.WEAKENED,
        "the rule strict True is gone": Weight.WEAKENED,
    }
    assert weakenings(parts(), parts(LENGTH, option, rule)) == {}
    assert weakenings(parts(LENGTH, rule), parts(LENGTH, rule)) == {}


def test_a_schema_that_allows_more_is_a_weakening_at_its_place() -> None:
    """The answer's, and that of each tool that both versions demand. Stricter or reworded ones are none."""
    closed = {"type": "object", "additionalProperties": False}
    wide, narrow = replace(FACTS, tools={"look": FACTS.schema or {}}), replace(FACTS, schema=closed)
    old, new = replace(narrow, tools={"look": closed, "dig": closed}), replace(wide, tools={"look": {}, "cut": {}})
    assert weakenings(old, new) == {
        "other fields are allowed now": Weight.WEAKENED,
        "look: object → any type": Weight.WEAKENED,
        "look: other fields are allowed now": Weight.WEAKENED,
    }
    assert weakenings(FACTS, replace(FACTS, schema={"type": "array"})) == {"object → array": Weight.UNCLEAR}
    assert weakenings(FACTS, narrow) == {}
    assert weakenings(FACTS, replace(FACTS, schema={"type": "object", "title": "Ticket"})) == {}


def test_a_weakening_names_its_contract_and_the_shortest_answer() -> None:
    """At most 90 characters of it; the first by its text if two are as short."""
    (found,) = contract_change(FACTS, FACTS, ("[3, 4]", "[2]", "[1]"), ()).weakenings()
    assert (str(found), found.kind) == (
        "contract TICKET: accepts 3 answers that the base refuses: [1]",
        "contract",
    )
    whole, cut = ("x" * size for size in (90, 91))
    assert [*weakenings(FACTS, FACTS, accepts=(whole,))] == [f"accepts 1 answer that the base refuses: {whole}"]
    assert [*weakenings(FACTS, FACTS, accepts=(cut,))] == [f"accepts 1 answer that the base refuses: {cut[:89]}…"]


def test_a_contract_without_any_change_is_empty() -> None:
    """One with a single kind of change is not."""
    assert contract_change(FACTS, FACTS, (), ()).empty
    changed = (replace(FACTS, schema={}), replace(FACTS, parts=(LENGTH,)), replace(FACTS, code={"app.py": "1"}))
    assert [contract_change(FACTS, after, (), ()).empty for after in changed] == [False] * 3
    old, new = (replace(FACTS, tools={"look": {"type": kind}}) for kind in ("string", "null"))
    assert not contract_change(old, new, (), ()).empty
    assert not contract_change(FACTS, FACTS, ("{}",), ()).empty
    assert not contract_change(FACTS, FACTS, (), ("{}",)).empty


def test_a_schema_that_is_gone_demands_nothing() -> None:
    """A new one only demands more."""
    none = replace(FACTS, schema=None)
    assert weakenings(FACTS, none) == {"no schema is demanded any more": Weight.WEAKENED}
    assert weakenings(none, FACTS) == {}


def test_changed_code_counts_if_nothing_else_explains_it() -> None:
    """A validator may accept more in a way that no recorded answer shows; a tightening explains the change."""
    old, new = (replace(FACTS, code={"app.py": digest}) for digest in "ab")
    old = replace(old, code={**old.code, "b.py": "1"}, refused=("[1]",))
    said = "its code changed in app.py, b.py, and refuses all that the base refuses: 1 answer"
    assert weakenings(old, new) == {said: Weight.UNCLEAR}
    assert weakenings(old, replace(new, schema={"type": "object", "required": ["a"]})) == {}
    assert said in weakenings(old, replace(new, schema={"type": "object", "title": "Ticket"}))
    assert [*weakenings(old, replace(new, schema={}))] == ["object → any type"]
    assert weakenings(old, replace(new, parts=(LENGTH,))) == {}
    assert [*weakenings(replace(old, parts=(LENGTH,)), new).values()] == [Weight.WEAKENED]
    assert weakenings(old, new, refuses=("{}",)) == {}
    assert weakenings(old, new, accepts=("[1]", "{}")) == {
        "accepts 2 answers that the base refuses: {}": Weight.WEAKENED
    }


def test_an_entry_of_the_list_is_never_listed_as_a_weakening() -> None:
    """An update accepts the others, once a person adds a reason and an owner."""
    found = [Weakening("known.json", "baseline", "lists a"), Weakening("t.py::a", "tests", "skip() is new")]
    (entry,) = with_weakenings(Baseline(), found, TODAY).entries
    assert (entry.case, entry.rule) == ("t.py::a", "weakened: skip() is new")


def test_files_that_differ_are_changed_new_or_gone() -> None:
    """By the digest of their code."""
    before, after = {"same.py": "1", "b.py": "1", "gone.py": "1"}, {"same.py": "1", "b.py": "2", "new.py": "1"}
    assert changed_files(before, after) == ("b.py", "gone.py", "new.py")
