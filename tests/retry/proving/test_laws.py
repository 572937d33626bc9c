"""Laws of the verdict, for apps that word what is wrong in words drawn at random."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract

from ...support.nightly import SLOW
from .laboratory import experiment, results

pytestmark = pytest.mark.slow

FIELDS = ("harbour", "cargo", "voyage", "captain")
GOOD = dict.fromkeys(FIELDS, 20) | {"legs": [{"miles": 300}, {"miles": 400}, {"miles": 500}]}
LEG = {"type": "object", "properties": {"miles": {"type": "integer", "maximum": 900}}, "required": ["miles"]}
SHIP = Contract(
    {
        "title": "Ship",
        "type": "object",
        "properties": {
            **{name: {"type": "integer", "minimum": 7, "maximum": 63} for name in FIELDS},
            "legs": {"type": "array", "items": LEG},
        },
        "required": [*FIELDS, "legs"],
    }
)
RIGHT, RED = {"proven", "reacts", "unclear"}, {"missing", "wrong"}
Word = Callable[[str, Any], str]
"""How an app words that a field has a bad value."""

NUMBERED = ("leg {}", "[{}]", "Nr. {}:", "legs;{};far")
ORDINALS = ("", "first", "second", "third")
WRONG = st.sets(st.sampled_from(FIELDS), min_size=1, max_size=3)
VALUES = st.integers(100, 9_999)
# Letters that make no word of a rule, a count or a field in any language that is read.
FILLER = st.lists(st.text("bcdfgkq", min_size=4, max_size=8), min_size=2, max_size=5).map(" ".join)


def bad(wrong: set[str], value: int) -> str:
    """Return an answer with the same bad value in some fields, one more each."""
    return json.dumps(GOOD | {field: value + n for n, field in enumerate(sorted(wrong))})


def found(answer: str) -> list[tuple[str, Any]]:
    """Return the bad fields with their values, as an app finds them."""
    data = json.loads(answer)
    plain = [(name, data.get(name)) for name in FIELDS if not isinstance(data.get(name), int) or data[name] > 63]
    return [*plain, *((f"legs[{n}].miles", leg["miles"]) for n, leg in enumerate(_legs(data)) if _is_far(leg))]


def _legs(data: dict[str, object]) -> list[object]:
    legs = data.get("legs")
    return legs if isinstance(legs, list) else []


def _is_far(leg: object) -> bool:
    return isinstance(leg, dict) and isinstance(leg.get("miles"), int) and leg["miles"] > 900


def saying(word: Word, *, without: str = "") -> Callable[[str], str | None]:
    """Return an app that has a sentence for each bad field; one without a sentence for one of them."""

    def say(answer: str) -> str | None:
        verdict = SHIP.check(answer)
        if verdict.ok:
            return None
        told = [word(field, value) for field, value in found(answer) if field != without]
        return "\n".join(told) or "Hm."

    return say


def told(wrong: set[str], value: int, word: Word, *, without: str = "") -> dict[str, str]:
    """Return what becomes of each finding."""
    return results(SHIP, bad(wrong, value), json.dumps(GOOD), saying(word, without=without))


@SLOW
@given(WRONG, VALUES, FILLER, st.booleans())
def test_who_names_places_alone_is_proven(wrong: set[str], value: int, filler: str, in_front: bool) -> None:
    """If the same stands beside each, in front or behind."""

    def word(field: str, _: int) -> str:
        return f"{field}: {filler}." if in_front else f"{filler} `{field}`."

    assert set(told(wrong, value, word).values()) == {"proven"}


@SLOW
@given(WRONG, VALUES, st.permutations(["bcdf gkq", "kqdc fgb", "gbcd dqkf", "qqdd ccff"]), st.booleans())
def test_who_names_the_place_is_never_red(wrong: set[str], value: int, fillers: list[str], has_bound: bool) -> None:
    """Another word beside each place may be another rule: only the bound tells that it is the own one."""
    table = dict(zip(FIELDS, fillers, strict=True))

    def word(field: str, _: int) -> str:
        return f"{field}: {table.get(field, 'bcdf gkqb')}{' 63' if has_bound else ''}."

    assert set(told(wrong, value, word).values()) == {"proven" if has_bound else "unclear"}


@SLOW
@given(WRONG, VALUES, st.sampled_from([None, 1]), st.sampled_from(["because", "reason"]))
def test_words_in_an_object_are_read_as_they_are(wrong: set[str], value: int, indent: int | None, key: str) -> None:
    """An app may send the state of its work as JSON, the answer in it: line breaks and quotes are escaped there."""

    def sent(words: Callable[[str], str]) -> Callable[[str], str | None]:
        def say(answer: str) -> str | None:
            if SHIP.check(answer).ok:
                return None
            return json.dumps({"attempt": 2, "rejected": json.loads(answer), key: words(answer)}, indent=indent)

        return say

    named = sent(lambda answer: "\n".join(f'"{field}" is over 63.' for field, _ in found(answer)))
    assert set(results(SHIP, bad(wrong, value), json.dumps(GOOD), named).values()) == {"proven"}
    first = sorted(wrong)[0]

    def dropping(answer: str) -> str:
        return (
            "\n".join(f'"{field}" is over 63.' for field, _ in found(answer) if field != first) or "Please\ntry again."
        )

    assert results(SHIP, bad(wrong, value), json.dumps(GOOD), sent(dropping))[first] == "missing"


@SLOW
@given(WRONG, VALUES, st.dictionaries(st.sampled_from(FIELDS), FILLER, min_size=4))
def test_who_quotes_the_value_is_never_red(wrong: set[str], value: int, fillers: dict[str, str]) -> None:
    """Though no place is named."""
    shown = told(wrong, value, lambda field, number: f"{fillers.get(field, 'bcdf')} '{number}' gkqb.")
    assert not RED & set(shown.values())


@SLOW
@given(WRONG, VALUES, st.permutations(["bcdf gkq", "kqdc fgb", "gbcd dqkf", "qqdd ccff"]))
def test_whoever_reacts_in_free_words_is_green_and_not_proven(wrong: set[str], value: int, free: list[str]) -> None:
    """A sentence for each field, in words of no language."""
    table = dict(zip(FIELDS, free, strict=True))
    assert set(told(wrong, value, lambda field, _: f"{table.get(field, 'cqcq dbdb')}.").values()) == {"reacts"}


@SLOW
@given(WRONG, VALUES, st.permutations(FIELDS), FILLER)
def test_who_tells_another_field_is_never_proven(wrong: set[str], value: int, other: list[str], filler: str) -> None:
    """For each field that is told as another one; with the right rule and value or without."""
    names = dict(zip(FIELDS, other, strict=True))
    for word in (
        lambda field, number: f"{names.get(field, field)} must be at most 63, not {number}",
        lambda field, _: f"{names.get(field, field)}: {filler}",
    ):
        for field, result in told(wrong, value, word).items():
            assert result != "proven" or names[field] == field


@SLOW
@given(WRONG, VALUES, FILLER, st.booleans())
def test_who_drops_a_finding_is_never_green(wrong: set[str], value: int, filler: str, plain: bool) -> None:
    """That finding is missing; the others are told as before."""
    without = sorted(wrong)[0]
    shown = told(wrong, value, lambda f, _: f"{f}: over 63" if plain else f"{f} {filler}", without=without)
    assert shown.pop(without) == "missing"
    assert set(shown.values()) <= {"proven"}


@SLOW
@given(WRONG, VALUES, FILLER)
def test_who_says_the_same_whatever_is_wrong_is_lost(wrong: set[str], value: int, filler: str) -> None:
    """However much it says."""
    text = f"{filler}: {', '.join(FIELDS)} must be at most 63, 9 errors"
    shown = results(SHIP, bad(wrong, value), json.dumps(GOOD), lambda answer: None if SHIP.check(answer).ok else text)
    assert set(shown.values()) == {"missing"}


@SLOW
@given(WRONG, VALUES, FILLER)
def test_who_only_counts_is_lost(wrong: set[str], value: int, filler: str) -> None:
    """In digits or words, with or without a name for the whole."""
    numbers = ("no", "one", "two", "three", "four", "five")

    def say(answer: str) -> str | None:
        errors = SHIP.check(answer).errors
        return f"{filler}: {numbers[min(len(errors), 5)]} things, {len(errors)} errors" if errors else None

    shown = results(SHIP, bad(wrong, value), json.dumps(GOOD), say)
    assert not {"proven"} & set(shown.values())
    assert len(wrong) == 1 or set(shown.values()) == {"missing"}


@SLOW
@given(st.integers(0, 2), st.integers(1, 2), st.integers(1_000, 9_999), st.sampled_from([*NUMBERED, "the {} leg:"]))
def test_who_tells_another_item_is_never_green(item: int, off: int, value: int, form: str) -> None:
    """Whatever it calls the items; who counts them from 0 or from 1 is right."""
    legs = [{"miles": value if n == item else 300 + n} for n in range(3)]
    answer = json.dumps(GOOD | {"legs": legs})

    def named(number: int) -> str:
        return ORDINALS[number] if form.startswith("the") else str(number)

    def app(shift: Callable[[int], int]) -> Callable[[str], str | None]:
        def say(text: str) -> str | None:
            if SHIP.check(text).ok:
                return None
            far = [n for n, leg in enumerate(_legs(json.loads(text))) if _is_far(leg)]
            others = [f"{field} is bad" for field, _ in found(text) if field in FIELDS]
            return "\n".join([*(f"{form.format(named(shift(n)))} miles are over 900" for n in far), *others]) or "Hm."

        return say

    shifts = [(int, True)] if form in NUMBERED else []
    for shift, right in (*shifts, (lambda n: n + 1, True), (lambda n: (n + off) % 3 + (form not in NUMBERED), False)):
        (proof,) = experiment(SHIP, [answer, json.dumps(GOOD)], app(shift))
        assert (proof.result.value in RIGHT) is right, (shift, proof)


@SLOW
@given(
    st.sets(st.sampled_from(FIELDS), min_size=2, max_size=4),
    VALUES,
    st.lists(FILLER, min_size=4, max_size=4, unique=True),
    st.data(),
    st.sampled_from(["\n", "; ", "\n- "]),
    st.booleans(),
)
def test_who_cuts_the_words_of_the_last_finding_does_not_carry_it(
    wrong: set[str], value: int, free: list[str], data: st.DataObject, between: str, in_json: bool
) -> None:
    """With one error less the app says more of the last one: what it said of it was the beginning of its words."""
    table = dict(zip(FIELDS, (f"{n}q{words}" for n, words in zip("bdgk", free, strict=True)), strict=True))

    def whole(answer: str) -> str:
        return between.join(table[field] for field, _ in found(answer) if field in FIELDS)

    *_, last = (field for field, _ in found(bad(wrong, value)))
    full = whole(bad(wrong, value))
    budget = len(full) - data.draw(st.integers(1, len(table[last]) - 1))

    def say(answer: str) -> str | None:
        if SHIP.check(answer).ok:
            return None
        said = whole(answer)[:budget] or "Hm."
        return json.dumps({"review": said}) if in_json else said

    shown = results(SHIP, bad(wrong, value), json.dumps(GOOD), say)
    assert shown.pop(last) in RED
    assert set(shown.values()) == {"reacts"}
