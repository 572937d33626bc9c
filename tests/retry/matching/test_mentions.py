"""The words about each place that a text names: their sentence, the words beside the place, and those near it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import read
from pytest_planguard.retry.matching.named_place import PlacedText, PlaceMention
from pytest_planguard.retry.reading.addresses import vocabulary
from pytest_planguard.wire.exchange import Role

from ...support.one_item import in_one_item

DATA = {"age": 7, "name": "x", "room": "cave", "day": "d", "mood": "m", "note": "n", "size": 3, "kind": "k"}
AGE = Finding("minimum", ("age",), "too small", FailureKind.RANGE, expected="at least 18", actual="7")
NAME = Finding("missing", ("name",), "required, missing", FailureKind.MISSING)
ITEM = Finding("minimum", ("guests", 1, "age"), "too small", FailureKind.RANGE, expected="at least 18", actual="7")
BOOKING = {"room": "cave", "day": "d", "note": "n", "guests": [{"age": 40, "name": "A"}, {"age": 7, "name": "B"}]}


def placed(text: str, finding: Finding, data: Any) -> PlacedText:
    """Return the places in a text about an answer."""
    (new,) = read([Delta(2, (Piece(text, 4, Role.USER),))]).texts
    return PlacedText(new, text, data, vocabulary(data, None, [finding.path]))


def mentioned(text: str, finding: Finding = AGE, data: Any = None) -> list[PlaceMention]:
    """Return the mentions of a finding's place in a text."""
    data = DATA if data is None else data
    return [*placed(text, finding, data).mentions(finding)]


@in_one_item
@pytest.mark.parametrize(
    ("text", "sense", "beside"),
    [
        ("room is bad, age must be at least 18", "agrees", ", age must be at least 18"),
        ("room is bad age must be at least 18", "agrees", " is bad age must be at least 18"),
        ("room must be at least 18 age", "agrees", " must be at least 18 age"),
        ("room must be at least 18, age", "nothing", ", age"),
        ("room bad, age is fine, it must be at least 18", "agrees", ", age is fine, it must be at least 18"),
        ("must be at least 18, hm age is odd, room bad", "agrees", "must be at least 18, hm age is odd, "),
        ("age is fine but room must be at least 18", "nothing", "age is fine but "),
        ("age, name and room must be at least 18", "agrees", "age, name and room must be at least 18"),
        ("day 1 room, age, name must be at least 18 kind", "agrees", ", age, name must be at least 18 "),
        ("room name kind day mood note age", "nothing", " age"),
        ("age day room mood note size must be at least 18", "nothing", "age "),
        ('[{"age": "no"}, {"room": "must be at least 18"}]', "unknown", '[{"age": "no"}, {"'),
        ('"age": ["no"], "room": ["at least 18"]', "unknown", '"age": ["no"], "'),
        ("age: 7", "nothing", "age: 7"),
        ("age: ∅", "nothing", "age: ∅"),
        ("Invalid 'age': is missing", "contradicts", "Invalid 'age': is missing"),
        ("Invalid 'age', must be at least 18", "agrees", "Invalid 'age', must be at least 18"),
        ("invalid age", "agrees", "invalid age"),
        ("age is ok. It must be at least 18", "nothing", "age is ok"),
        ("age=7 ?? at least 18\nmore", "agrees", "age=7 ?? at least 18\nmore"),
        ("sorry age=7 ?? at least 18\nmore", "unknown", "sorry age=7 ?"),
    ],
)
def test_the_words_beside_a_place(text: str, sense: str, beside: str) -> None:
    """Its clauses up to the next places, which names in a list share."""
    (one,) = mentioned(text)
    assert (one.sense.value, one.beside) == (sense, beside)


@pytest.mark.parametrize(
    ("text", "sense"), [("- name: ∅", "unknown"), ("name: ∅ is fine", "nothing"), ("name ∅. room: hm", "unknown")]
)
def test_a_missing_field_alone_on_its_line_may_be_told(text: str, sense: str) -> None:
    """A quoted answer would have a value there."""
    (one,) = mentioned(text, NAME)
    assert one.sense.value == sense


@in_one_item
@pytest.mark.parametrize(
    ("text", "sentence", "near"),
    [
        ("Hello. age is odd. Bye", " age is odd", " age is odd. Bye"),
        ("age:\nodd\n\nmore", "age:\nodd\n\nmore", "age:\nodd\n\nmore"),
        ("age\nodd\nroom: bad", "age\nodd\n", "age\nodd\n"),
        ("odd\nwhile setting age", "odd\nwhile setting age", "odd\nwhile setting age"),
        ("first\nodd\nwhile setting age", "odd\nwhile setting age", "odd\nwhile setting age"),
        ("room bad\nwhile setting age", "while setting age", "while setting age"),
        ('{\n  "limit": 18,\n  "at": "age"\n}', '  "at": "age"', '{\n  "limit": 18,\n  "at": "age"\n}'),
        ('{\n  "limit": 18,\n  "at": "age"\n}\n\n18', '  "at": "age"', '{\n  "limit": 18,\n  "at": "age"\n}'),
        (
            '{\n  "room": 1,\n  "limit": 18,\n  "at": "age",\n  "min": 3,\n  "kind": 4\n}',
            '  "at": "age",',
            '": 1,\n  "limit": 18,\n  "at": "age",\n  "min": 3,\n  "',
        ),
        ('{"limit": 9,\n  "room": 18, "at": "age"}', '  "room": 18, "at": "age"}', '": 18, "at": "age"}'),
    ],
)
def test_the_sentence_of_a_place_and_the_words_near_it(text: str, sentence: str, near: str) -> None:
    """A note on the line above is part of it; near it are the members of its JSON object, up to other places."""
    (one,) = mentioned(text)
    assert (text[slice(*one.words)], one.near) == (sentence, near)


@in_one_item
@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        (f"too small{' ' * 391}age", True),
        (f"too small{' ' * 392}age", False),
        (f"age{' ' * 391}too small", True),
        (f"age{' ' * 392}too small", False),
        (f"age:\n{'-' * 289}too small", True),
        (f"age:\n{'-' * 290}too small", False),
    ],
)
def test_how_far_from_a_place_its_words_may_be(text: str, agrees: bool) -> None:
    """In 400 characters of its sentence, or in 300 below it."""
    (one,) = mentioned(text)
    assert (one.sense.value == "agrees") is agrees


def test_the_words_near_a_place_go_on_for_300_characters() -> None:
    """A number there may be its bound."""
    for dashes, end in ((297, "-18"), (298, "--1"), (299, "---")):
        (one,) = mentioned(f"age: bad\n{'-' * dashes}18")
        assert one.near[-3:] == end


@in_one_item
@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("room guests guests guests age odd", " guests guests guests age odd"),
        ("room guests guests guests guests age odd", "room guests guests guests guests age odd"),
        ("age odd guests guests guests room", "age odd guests guests guests "),
        ("age odd guests guests guests guests room", "age odd guests guests guests guests room"),
    ],
)
def test_the_four_places_on_each_side_limit_the_words(text: str, beside: str) -> None:
    """Those around the place itself do not."""
    (one,) = mentioned(text, ITEM, BOOKING)
    assert one.beside == beside


def test_the_place_itself_in_another_spelling_limits_the_words_as_well() -> None:
    """Each mention has its own."""
    short, full = mentioned("age odd, guests[1].age even", ITEM, BOOKING)
    assert (short.beside, full.beside) == ("age odd, ", "age odd, guests[1].age even")


@in_one_item
@pytest.mark.parametrize(
    ("text", "nearness", "others"),
    [
        ("guests[1]: age too small", "exact", []),
        ("guests[1]\nage too small", "exact", []),
        ("guests[1]\n\nage too small", "open", []),
        ("guests[1]\nroom\nday\nage too small", "exact", ["room", "day"]),
        ("guests[1]\nroom\nday\nnote\nage too small", "open", ["room", "day", "note"]),
        ("age too small (guests[1])", "exact", []),
        ("age too small\n(guests[1])", "open", []),
        ("age too small, room (guests[1])", "open", ["room"]),
        ('{"m": "age too small"}, {"at": "guests[1]"}', "open", []),
        ('{"m": "age too small", "at": "guests[1]"}', "exact", []),
        ("guests[0].age\nage too small", "open", ["guests[0].age"]),
        ("guests[1].name: x, age too small", "open", ["guests[1].name"]),
        ("guests.age too small", "open", []),
        ("rooms[0].age too small", None, ["age"]),
        ("guests[0].age and age too small", None, ["guests[0].age", "age"]),
        ("guests[1] too small", None, []),
    ],
)
def test_the_item_that_a_name_belongs_to(text: str, nearness: str | None, others: list[str]) -> None:
    """One of the three places before it down to an empty line, or the next one in its line or JSON object."""
    found = [one.nearness.value for one in mentioned(text, ITEM, BOOKING)]
    assert found == ([nearness] if nearness else [])
    assert placed(text, ITEM, BOOKING).others(ITEM) == others
