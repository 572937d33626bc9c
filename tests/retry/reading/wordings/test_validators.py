"""Texts of 37 real validators about faults that we made: what is right, and what is known to be wrong."""

from __future__ import annotations

from itertools import groupby

import pytest

from ....support.one_item import in_one_item
from .validators import ENVELOPES, Case, kept

MISJUDGED: dict[str, set[tuple[str, str]]] = {
    "class-validator": {("json", "alarm")},
    "effect": {("message", "miss")},
    "zod 3": {("flatten", "miss"), ("format", "miss"), ("message", "alarm")},
}
"""By validator the renderings whose text tells the fault and is missing (alarm), or another and is fed back (miss).

A fix takes one away; none is ever added.
"""
CASES = {name: list(group) for name, group in groupby(kept(), key=lambda case: case.validator)}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("validator", CASES)
def test_real_validators_are_judged_rightly(validator: str) -> None:
    """A text about the fault feeds it back, one about another fault does not, but for what is named as misjudged."""
    wrong: set[tuple[str, str]] = set()
    for case in CASES[validator]:
        alarms, misses = case.misjudged()
        wrong |= {(case.rendering, "alarm")} if alarms else set()
        wrong |= {(case.rendering, "miss")} if misses else set()
    assert wrong == MISJUDGED.get(validator, set())


def test_every_named_misjudgement_is_of_a_validator() -> None:
    """A name that no case has would hide nothing and tell a reader something false."""
    assert MISJUDGED.keys() <= CASES.keys()


def test_the_kept_cases_have_both_sides() -> None:
    """Every validator has a text that tells its fault and one that tells another, and every envelope is used."""
    cases: list[Case] = kept()
    told = {case.validator for case in cases if case.told}
    assert told == {case.validator for case in cases if not case.told} == CASES.keys()
    assert {case.envelope for case in cases} == ENVELOPES.keys()
