"""Where strict parsers of a whole text stop."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from pytest_planguard.document.formats.parser_stops import TEXT_LIMIT, ParserStops, parser_stops

from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("text", "places"),
    [
        ('"{"a": 1}', {(1, 4), (0, 3)}),
        ('{"a": 1} {"b": 2}', {(1, 10), (0, 9)}),
        ('Sure! {"a": 1', {(1, 1), (1, 5), (0, 0), (0, 4)}),
        ('{"é": 1, "b" 2}', {(1, 14), (1, 15), (0, 13), (0, 14)}),
        ('{"😀": 1, "b" 2}', {(1, 14), (1, 15), (1, 17), (0, 13), (0, 14), (0, 16)}),
        ('{"a":\n "b', {(2, 2), (2, 3), (2, 4)}),
        ('{"a": "x\ny"}', {(1, 9), (2, 0)}),
        ('{"a": [1,]}', {(1, 9), (1, 10)}),
        ('  \n{"a" 1}', {(2, 6), (1, 6)}),
        ('\ufeff{"a" 1}', {(1, 1), (1, 6)}),
        ("nope", {(1, 1), (1, 2), (1, 5)}),
        ("", {(1, 1), (1, 0)}),
    ],
)
def test_each_way_of_counting_a_place_is_known(text: str, places: set[tuple[int, int]]) -> None:
    """Characters, bytes and units of UTF-16; the text as it came, trimmed, and from its first bracket on."""
    assert places <= parser_stops(text).places


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_places_are_those_that_the_parsers_name(text: str) -> None:
    """And none for a text that they read."""
    said = []
    for parse in (json.loads, from_json):
        try:
            parse(text)
        except ValueError as error:
            said.append(str(error))
    stops = parser_stops(text)
    assert {*said} <= {*stops.messages}
    assert bool(stops.places) is bool(stops.messages)


@pytest.mark.parametrize("text", ["{}", ' [1, "a"]\n', "NaN", "7", "x" * (TEXT_LIMIT + 1)])
def test_a_text_that_is_read_or_too_long_has_no_stops(text: str) -> None:
    """Of the latter nobody quotes a place."""
    assert parser_stops(text) == ParserStops()


@pytest.mark.parametrize(
    "text", ["[" * 50_000, '{"a":' * 20_000, "\n" * TEXT_LIMIT, "9" * 5_000, "\ud800", '{"\ud800" 1}']
)
def test_hostile_texts_are_read_like_any_other(text: str) -> None:
    """Depth, lines without end, and half a character raise nothing."""
    assert isinstance(parser_stops(text), ParserStops)
