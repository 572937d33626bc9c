"""Two requests that quote two answers are compared by what else they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.document.edit import Edit
from pytest_planguard.replay.matching.normalise import normalise
from pytest_planguard.retry.proving.repair import Repaired
from pytest_planguard.retry.proving.request_diff import Difference, Quotations, compare, left_out

from ...support.one_item import in_one_item

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


COUNTS = {
    ("2 errors are here", "1 error is here"): "count",
    ("2 errors have", "1 error has"): "count",
    ("2 errors of 10", "1 error of 10"): "count",
    ("2 errors of 10", "1 error of 9"): "numbers",
    ("10 errors", "9 errors"): "count",
    ("3 errors, 2 fields", "2 errors, 1 field"): "count",
    ("3 errors, line 4", "2 errors, line 3"): "numbers",
    ("2 boxes", "1 box"): "count",
    ("1 error", "2 errors"): "numbers",
    ("2errors", "1errors"): "numbers",
    ("1000000000 errors", "999999999 errors"): "count",
    ("9999999999 errors", "9999999998 errors"): "numbers",
    ("2 errors", "2 warnings"): "words",
    ("第一", "第七"): "words",
}


@in_one_item
@pytest.mark.parametrize("texts", COUNTS)
def test_each_form_of_a_count(texts: tuple[str, str]) -> None:
    """A number before a word, of up to nine digits, that is one lower; every number that differs must be one."""
    assert difference(*texts).value == COUNTS[texts]


LEFT_OUT = {
    ("x y", "x y z"): "none",
    ("y x", "x y"): "words",
    ("x", ""): "words",
    ("word", "words"): "words",
    ("x 1", "x 2"): "numbers",
    ("x 1", "1 x"): "numbers",
    ("灯不", "灯 又 不"): "none",
    ("灯 不", "不 灯"): "words",
    ("got ink", "ink and paper got ink"): "none",
    (f"x {ANSWER} y", "x y"): "none",
}


@in_one_item
@pytest.mark.parametrize("texts", LEFT_OUT)
def test_what_a_request_leaves_out(texts: tuple[str, str]) -> None:
    """Words in another order are other words, each sign of Chinese is one, and what is added does not count."""
    for one, other in (texts, [[{"a": text}, 1] for text in texts]):
        found = left_out({"messages": one}, {"messages": other}, Quotations.of(REPAIRED, ANSWER), lambda text: text)
        assert found.value == LEFT_OUT[texts]


@in_one_item
@pytest.mark.parametrize(
    ("was", "is_now", "texts", "ways"),
    [
        (True, False, ("got true", "got false"), ("none", "values")),
        (True, False, ("got True", "got False"), ("words", "words")),
        (1.5, 2, ("got 1.5", "got 2"), ("none", "values")),
        ("hi", " low ", ("got hi", "got low"), ("none", "values")),
        ("hi", "hi there", ("got hi there", "got hi"), ("none", "values")),
        ("hi", "low", ("got this", "got tlows"), ("words", "words")),
        ("a.c", "low", ("got abc", "got low"), ("words", "words")),
        ("", "low", ("got", "got low"), ("words", "none")),
        (None, "low", ("got None", "got low"), ("words", "words")),
        ("hi", "low", ("got hi", "got"), ("words", "values")),
        (["pen"], ["ink"], ("got ['pen']", "got ['ink']"), ("none", "values")),
    ],
)
def test_a_changed_value_by_itself(was: Any, is_now: Any, texts: tuple[str, str], ways: tuple[str, str]) -> None:
    """As a separate word, the longer one first; a truth value as in JSON. It is left out as a value, not as a word."""
    one, other = json.dumps({"v": was}), json.dumps({"v": is_now})
    edit = Edit("put", ("v",), is_now)
    repaired = Repaired(other, {"v": was}, {"v": is_now}, (("v",),), edit, valid=True, reveals=False)
    quotations = Quotations.of(repaired, one)
    assert (compare(*texts, quotations, str).value, left_out(*texts, quotations, str).value) == ways


@pytest.mark.parametrize(("length", "way"), [(39, "words"), (40, "none"), (59, "none")])
def test_a_long_beginning_of_the_answer_is_a_quotation(length: int, way: str) -> None:
    """Of 40 characters or more: an app that closes a bad stream has no more of it."""
    answer = "abcdefghij" * 6
    assert compare(answer[:length], answer, Quotations.of(REPAIRED, answer), str).value == way


@pytest.mark.parametrize(("length", "way"), [(300, "none"), (301, "words")])
@pytest.mark.parametrize("bracket", "[{(")
def test_an_input_that_pydantic_shows_is_a_quotation(bracket: str, length: int, way: str) -> None:
    """Up to 300 characters of it, in any bracket and on one line."""
    one, other = (f"[input_value={bracket}{letter * length}, input_type=dict]" for letter in "ab")
    assert difference(one, other).value == way


@pytest.mark.parametrize(("brackets", "way"), [(1_999, "none"), (2_000, "words")])
def test_so_many_brackets_are_read(brackets: int, way: str) -> None:
    """A text of brackets alone takes no longer than that."""
    one, other = (f"{'{ ' * brackets}{json.dumps(data, indent=3)}" for data in (BEFORE, AFTER))
    assert difference(one, other).value == way


def test_an_answer_in_prose_is_quoted_in_each_spelling() -> None:
    """As it is, or as a text of JSON with or without its own letters, also where one answer begins like the other."""
    one, other = "Ähm.\nNo", "Ähm.\nNo, öh"
    repaired = Repaired(other, None, None, (), TAGS, valid=True, reveals=False)
    for spell in (str, json.dumps, lambda text: json.dumps(text, ensure_ascii=False)):
        texts = (f"You wrote: {spell(answer)} Why?" for answer in (one, other))
        assert compare(*texts, Quotations.of(repaired, one), str) is Difference.NONE
    assert compare("Why? Ähm.", "Why? Ähm", Quotations.of(repaired, one), str) is Difference.WORDS


def test_each_of_several_quotations_is_found() -> None:
    """In a layout that only a parser reads."""
    one, other = (" and ".join([json.dumps(data, indent=3)] * 2) for data in (BEFORE, AFTER))
    assert compare(one, other, Quotations.of(REPAIRED, ANSWER).whole(), str) is Difference.NONE


def test_the_order_of_members_is_no_difference() -> None:
    """A client may write them in any."""
    assert difference({"a": "x", "b": [1]}, {"b": [1], "a": "x"}) is Difference.NONE
    assert difference({"a": "x"}, {"b": "x"}) is Difference.WORDS
