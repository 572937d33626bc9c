"""Two requests that quote two answers are compared by what else they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.document.edit import Edit
from pytest_planguard.replay.matching.normalise import normalise
from pytest_planguard.retry.proving.repair import Repaired
from pytest_planguard.retry.proving.request_diff import Difference, Quotations, compare, left_out

BEFORE = {"ticket": {"title": "Printer", "tags": ["ink"]}, "id": 1}
AFTER = {"ticket": {"title": "Printer", "tags": ["ink", "paper"]}, "id": 1}
ANSWER = json.dumps(BEFORE)
TAGS = Edit("put", ("ticket", "tags"), ["ink", "paper"])
REPAIRED = Repaired(json.dumps(AFTER), BEFORE, AFTER, (TAGS.path,), TAGS, valid=True, reveals=False)


def difference(one: Any, other: Any) -> Difference:
    """Of two requests, the first after the answer, the second after its repaired form."""
    return compare({"messages": one}, {"messages": other}, Quotations.of(REPAIRED, ANSWER), lambda text: text)


@pytest.mark.parametrize(
    "quote",
    [
        json.dumps,
        repr,
        lambda data: f"You wrote:\n{json.dumps(data, indent=3)}\nDo it again [please].",
        lambda data: json.dumps(json.dumps(data)),
        lambda data: f"in {json.dumps(data['ticket'], separators=(',', ':'))} something is wrong",
        lambda data: f"broken [ {{ quote, then {json.dumps(data, sort_keys=True, indent=1)}",
        lambda data: [data, "as an object"],
        lambda data: {"role": "assistant", "arguments": data["ticket"]},
        lambda data: f"[type=too_short, input_value={str(data)[:20]}...{str(data)[-20:]}, input_type=dict]",
        lambda data: f"{data['ticket']['tags']} is what you wrote",
        lambda data: json.dumps({"was": json.dumps(data["ticket"], separators=(",", ":"))}) + " is wrong",
    ],
    ids=[
        "json",
        "python",
        "indented",
        "twice",
        "part",
        "sorted",
        "object",
        "arguments",
        "pydantic",
        "value",
        "escaped",
    ],
)
def test_a_quoted_answer_is_no_difference(quote: Any) -> None:
    """However an answer is quoted, whole, in part or as an object: it says nothing about what the app fed back."""
    assert difference(quote(BEFORE), quote(AFTER)) is Difference.NONE


def test_a_quoted_text_or_number_is_no_difference() -> None:
    """A value that is no object may be quoted anywhere in the text."""
    before, after = {"priority": "hi"}, {"priority": "low"}
    mended = Repaired(
        json.dumps(after), before, after, (("priority",),), Edit("put", ("priority",), "low"), valid=True, reveals=False
    )
    one, other = (f"'{data['priority']}' is what you wrote" for data in (before, after))
    assert compare(one, other, Quotations.of(mended, json.dumps(before)), lambda text: text) is Difference.NONE


@pytest.mark.parametrize("how", [compare, left_out])
def test_an_id_that_a_client_draws_anew_is_no_difference(how: Any) -> None:
    """A client may give each call an id of its own, of no known shape: that is no word about what was wrong."""

    def request(drawn: str) -> list[dict[str, Any]]:
        call = {"id": drawn, "type": "function", "function": {"name": "save", "arguments": "{}"}}
        result = {"role": "tool", "tool_call_id": drawn, "content": "Please try again."}
        return [{"role": "assistant", "tool_calls": [call]}, result]

    def clean(text: str) -> str:
        return normalise(text)

    assert how(request("fe9a93c05"), request("f9dace708"), Quotations.of(REPAIRED, ANSWER), clean) is Difference.NONE


def test_numbers_that_python_does_not_read_are_numbers() -> None:
    """Python reads at most 4,300 digits, and no app counts so many errors."""
    assert difference(f"id {'9' * 5_000}", f"id {'8' * 5_000}") is Difference.NUMBERS


def test_other_words_are_a_difference() -> None:
    """What stands beside the quotation counts: words as words, digits alone as numbers, one error less as a count."""
    assert difference(f"{ANSWER}: wrong priority", f"{REPAIRED.text}: well done") is Difference.WORDS
    assert difference(f"{ANSWER}: 2 errors", f"{REPAIRED.text}: 1 errors") is Difference.COUNT
    assert difference(f"{ANSWER}: line 2", f"{REPAIRED.text}: line 1") is Difference.NUMBERS
    assert difference(f"{ANSWER}: 4 errors", f"{REPAIRED.text}: 2 errors") is Difference.NUMBERS
    assert difference([1, None, "same"], [1, None, "same"]) is Difference.NONE


@pytest.mark.parametrize(
    ("several", "single"),
    [
        ("2 problems:", "1 problem:"),
        ("2 errors were found", "1 error was found"),
        ("2 Probleme", "1 Problem"),
        ("2 errores", "1 error"),
    ],
)
def test_a_plural_is_no_more_than_its_number(several: str, single: str) -> None:
    """One error less changes the count and what agrees with it; that says nothing about which error it was."""
    assert difference(f"{ANSWER}: {several} a", f"{REPAIRED.text}: {single} a") is Difference.COUNT
    assert difference(f"{ANSWER}: {several} a", f"{REPAIRED.text}: {single} b") is Difference.WORDS


def test_a_member_that_was_added_is_quoted_only_once() -> None:
    """Where a place exists in one of the two answers only, the objects around it are known all the same."""
    before, after = {"list": []}, {"list": [{"id": 1}]}
    place = ("list", 0, "id")
    grown = Repaired(json.dumps(after), before, after, (place,), Edit("add", place, 1), valid=True, reveals=False)
    one, other = ([f"you wrote {json.dumps(data['list'])} again"] for data in (before, after))
    assert compare(one, other, Quotations.of(grown, json.dumps(before)), lambda text: text) is Difference.NONE
