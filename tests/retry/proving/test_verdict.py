"""The table that decides what follows from the runs of an app."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product

import pytest

from pytest_planguard import Contract, Finding
from pytest_planguard.retry.proof import ProofResult
from pytest_planguard.retry.proving.experiment import TABLE, Evidence, decide
from pytest_planguard.retry.proving.meaning import ELSEWHERE, Meaning
from pytest_planguard.retry.proving.moved_fault import Item
from pytest_planguard.retry.proving.request_diff import Difference

from .laboratory import results

EVERY = [Evidence(*found) for found in product(Difference, Meaning, (None, *Item))]
GREEN = (ProofResult.PROVEN, ProofResult.REACTS)


def test_each_row_decides_something() -> None:
    """None stands behind another one that holds wherever it does."""
    deciding = {next(at for at, row in enumerate(TABLE) if row.holds(one)) for one in EVERY}
    assert deciding == {*range(len(TABLE))}


@pytest.mark.parametrize("change", [Difference.NONE, Difference.COUNT])
def test_no_words_are_a_loss(change: Difference) -> None:
    """Whatever else is known."""
    assert {decide(one) for one in EVERY if one.change is change} == {ProofResult.MISSING}


def test_who_tells_something_else_is_never_green() -> None:
    """Another place, problem or bound, or another item."""
    wrong = [one for one in EVERY if one.meaning in ELSEWHERE or one.item is Item.STRAYS]
    assert not {decide(one) for one in wrong} & {*GREEN}


def test_only_own_words_are_proven() -> None:
    """And never a number alone, unless it goes with the item."""
    proven = [one for one in EVERY if decide(one) is ProofResult.PROVEN]
    assert {one.meaning for one in proven} == {Meaning.OWN}
    assert all(one.change is Difference.WORDS or one.item is Item.FOLLOWS for one in proven)


def test_words_that_nobody_reads_react() -> None:
    """They are neither red nor a warning."""
    assert decide(Evidence(Difference.WORDS, Meaning.NOTHING)) is ProofResult.REACTS


STAY = Contract(
    {
        "title": "Stay",
        "type": "object",
        "properties": {
            "guest": {"type": "string", "minLength": 3},
            "nights": {"type": "integer", "minimum": 1, "maximum": 28},
        },
        "required": ["guest", "nights"],
    }
)
GUEST = {"type": "object", "properties": {"age": {"type": "integer", "maximum": 120}}, "required": ["age"]}
PARTY = Contract({"title": "Party", "type": "object", "properties": {"guests": {"type": "array", "items": GUEST}}})


def ages(*years: int) -> str:
    """Return guests of these ages."""
    return json.dumps({"guests": [{"age": age} for age in years]})


def never_the_error(_answer: str, _errors: list[Finding]) -> str:
    """Say the same of all errors."""
    return "please try again"


def the_count(_answer: str, errors: list[Finding]) -> str:
    """Say how many there are."""
    return "there are 2 errors" if len(errors) == 2 else "there is 1 error"


def the_beginning(_answer: str, errors: list[Finding]) -> str:
    """Say the first 14 characters of a text."""
    return f"not valid: {', '.join(str(error.path[0]) for error in reversed(errors))}"[:14]


def the_position(answer: str, errors: list[Finding]) -> str:
    """Say where in the text an error is."""
    return f"something is wrong near character {max(answer.find(str(error.path[0])) for error in errors)}"


def of_the_range(words: str) -> Callable[[str, list[Finding]], str]:
    """Return who says these words of a number that is too large, and the contract's about all else."""
    return lambda _, errors: "\n".join(
        words if error.code == "range" else f"{error.path[0]}: {error.message}" for error in errors
    )


EXAMPLES: dict[str, tuple[str, Callable[[str, list[Finding]], str]]] = {
    "it always says: please try again": ("missing", never_the_error),
    "it says: there are 2 errors": ("missing", the_count),
    "it says: that was wrong, please try again": ("missing", of_the_range("that was wrong, please try again")),
    "it says: not valid: nig": ("missing", the_beginning),
    "it says: guest must be at most 28": ("wrong", of_the_range("guest must be at most 28")),
    "it says: nights must be a text": ("wrong", of_the_range("nights must be a text")),
    "it says: `nights` не может быть меньше 1": ("wrong", of_the_range("`nights` не может быть меньше 1")),
    "it says: guests[0].age is over 120": ("wrong", of_the_range("guests[0].age is over 120")),
    "it says: something is wrong near character 40": ("unproven", the_position),
    "it says: nights: nous en avons besoin": ("unclear", of_the_range("nights: nous en avons besoin")),
    "it says: one of your guests is too old": ("reacts", of_the_range("one of your guests is too old")),
    "it says: mehr als 28 Nächte geht nicht": ("proven", of_the_range("mehr als 28 Nächte geht nicht")),
    "it says: that is quite a long stay, isn't it?": ("reacts", of_the_range("that is quite a long stay, isn't it?")),
}
"""What an app says of `nights` = 90, or of the age of the second guest, and what follows."""


def test_the_table_has_an_example_of_each_row() -> None:
    """In its order."""
    assert [(row.example, row.result.value) for row in TABLE] == [(words, one[0]) for words, one in EXAMPLES.items()]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_app_that_says_what_the_example_says(example: str) -> None:
    """The table keeps its word for an app that runs."""
    result, said = EXAMPLES[example]
    party = "guests" in example
    contract = PARTY if party else STAY
    bad, good = ages(30, 410, 50), ages(30, 41, 50)
    if not party:
        bad, good = '{"guest": "An", "nights": 90}', '{"guest": "Anna", "nights": 9}'

    def say(answer: str) -> str | None:
        errors = list(contract.check(answer).errors)
        return said(answer, errors) if errors else None

    found = results(contract, bad, good, say)
    assert found["guests.1.age" if party else "nights"] == result
