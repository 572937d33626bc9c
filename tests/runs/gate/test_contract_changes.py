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


def test_a_schema_that_is_gone_demands_nothing() -> None:
    """A new one only demands more."""
    none = replace(FACTS, schema=None)
    assert weakenings(FACTS, none) == {"no schema is demanded any more": Weight.WEAKENED}
    assert weakenings(none, FACTS) == {}


def test_changed_code_counts_if_nothing_else_explains_it() -> None:
    """A validator may accept more in a way that no recorded answer shows; a tightening explains the change."""
    old, new = (replace(FACTS, code={"app.py": digest}) for digest in "ab")
    (said,) = weakenings(old, new)
    assert said.startswith("its code changed in app.py, and accepts none of the 0 answers that the base refuses")
    assert weakenings(old, replace(new, parts=(LENGTH,))) == {}
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
