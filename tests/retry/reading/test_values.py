"""Values within a text, and the errors in them: what is read, and up to which bound."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.retry.reading.structures import opened, structure_entries, values, without_schemas


@pytest.mark.parametrize(("broken", "tries"), [('["a" ', 39), ("['a' ", 7)])
def test_a_text_with_many_broken_values_is_data(broken: str, tries: int) -> None:
    """Forty attempts at JSON are enough, and eight at Python, whose values are searched for their end."""
    assert [value for value, _, _ in values(broken * tries + '{"b": 1}')] == [{"b": 1}]
    assert list(values(broken * (tries + 1) + '{"b": 1}')) == []


def test_values_that_are_read_are_no_failed_attempts() -> None:
    """Any number of them."""
    assert [value for value, _, _ in values('["a"] ' * 45 + "['b'] " * 45)] == [["a"]] * 45 + [["b"]] * 45


def test_a_value_within_a_broken_one_is_read() -> None:
    """From the next bracket on."""
    assert list(values('[["a"] x')) == [(["a"], 1, 6)]
    assert list(values("{{'a': 1} x")) == [({"a": 1}, 1, 9)]


@pytest.mark.parametrize(("characters", "found"), [(50_000, 1), (50_001, 0)])
def test_a_printed_value_has_at_most_50_000_characters(characters: int, found: int) -> None:
    """JSON may be longer."""
    text = "['" + "x" * (characters - 4) + "']"
    assert len(list(values(text))) == found
    assert len(list(values(text.replace("'", '"')))) == 1


def test_brackets_in_printed_texts_do_not_count() -> None:
    """Nor do escaped quotes."""
    assert list(values(r"""['(', "]", '\'}', [{'a': ('x',)}]] end]""")) == [
        (["(", "]", "'}", [{"a": ("x",)}]], 0, 34),
    ]


ERRORS: dict[str, list[Any]] = {
    'See {"a": "too short"} and {"b": "too long"}.': [("a", None, "too short", 4, 22), ("b", None, "too long", 27, 44)],
    '["x", {"msg": "no", "type": "missing"}]': [(None, "missing", "no", 0, 39)],
    '{"a": [{"msg": "no", "type": "missing"}]}': [("a", "missing", "no", 0, 41)],
    '{"a": [{"msg": "no", "loc": "b"}]}': [("b", None, "no", 0, 34)],
    '{"a": {"msg": "no", "type": "missing", "b": "too short"}}': [("a", "missing", "no", 0, 57)],
    '{"loc": ["a"], "path": "b", "msg": "no"}': [("a.b", None, "no", 0, 40)],
    '{"loc": ["a", 0], "path": "b.c", "msg": "no"}': [("a.0", None, "no", 0, 45)],
    '{"loc": ["a", 0], "path": "b", "msg": "no"}': [("a.0.b", None, "no", 0, 43)],
    '{"loc": [], "msg": "no"}': [("", None, "no", 0, 24)],
    '{"msg": "no", "text": "too short"}': [("text", None, "too short", 0, 34)],
    '{"a": {"b": ["too short", ["too long"]]}}': [("a.b", None, "too short", 0, 41), ("a.b", None, "too long", 0, 41)],
    "['too short']": [],
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors_in_values(text: str) -> None:
    """Each covers the whole value."""
    found = [
        (one.path if one.path is None else ".".join(one.path), one.code, one.message, one.start, one.end)
        for one in structure_entries(text)
    ]
    assert found == ERRORS[text]


@pytest.mark.parametrize(("lists", "found"), [(11, 1), (12, 0)])
def test_lists_are_levels_of_a_value(lists: int, found: int) -> None:
    """Errors are read to the twelfth level."""
    assert len(list(structure_entries('{"a": ' + "[" * lists + '"too short"' + "]" * lists + "}"))) == found


def test_feedback_of_up_to_400_000_characters_is_opened() -> None:
    """A longer text is data."""
    for blanks, words in ((399_989, "goal: no"), (399_990, None)):
        text = '["goal: no"' + " " * (blanks - 1) + "]"
        assert opened(text) == (words or text)


def test_only_texts_with_a_schema_change() -> None:
    """Also one within a list or a tuple that Python printed; other values keep their spelling."""
    schema = "{'properties': {'a': {}}}"
    assert without_schemas(f"See {{'x':  1}} and ['y', {schema}, ({schema}, 2)]") == (
        "See {'x':  1} and [\"y\", {}, [{}, 2]]"
    )
    assert without_schemas(f"{{'a': b'x', ('k',): 1, 'é': {schema}}}") == """{"a": "b'x'", "é": {}}"""
    assert without_schemas("goal: required") == "goal: required"
    assert without_schemas("{'x':  'properties'}") == "{'x':  'properties'}"
    assert without_schemas('Use {"$defs": {"A": {}}}, please') == "Use , please"
