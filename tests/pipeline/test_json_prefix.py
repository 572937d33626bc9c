"""The part of a growing JSON text that is complete."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.pipeline.json_prefix import JsonPrefix

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
DOCUMENTS = st.lists(VALUES) | st.dictionaries(st.text(), VALUES)


def fed(text: str, cuts: list[int]) -> JsonPrefix:
    """Fed."""
    prefix = JsonPrefix()
    for start, end in pairwise([0, *sorted({min(cut, len(text)) for cut in cuts}), len(text)]):
        prefix.feed(text[start:end])
    return prefix


def is_part_of(part: Any, whole: Any) -> bool:
    """Whether a completed prefix holds only what the whole document holds in the same places."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(k in whole and is_part_of(v, whole[k]) for k, v in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) <= len(whole) and all(map(is_part_of, part, whole))
    return bool(part == whole)


@pytest.mark.slow
@given(DOCUMENTS, st.lists(st.integers(0, 200)), st.sampled_from([None, 1]), st.booleans())
def test_where_the_text_is_cut_makes_no_difference(
    value: Any, cuts: list[int], indent: int | None, plain: bool
) -> None:
    """Where the text is cut makes no difference."""
    text = json.dumps(value, indent=indent, ensure_ascii=plain)
    prefix = fed(text + " and so on", cuts)
    assert (prefix.end, prefix.broken, prefix.size) == (len(text), None, len(text) + 10)


@pytest.mark.slow
@given(DOCUMENTS, st.integers(0, 300), st.booleans())
def test_a_completed_prefix_is_a_part_of_the_document(value: Any, end: int, opened: bool) -> None:
    """A completed prefix is a part of the document."""
    text = json.dumps(value)
    prefix = JsonPrefix()
    for character in text[:end]:
        prefix.feed(character)
    completed = prefix.completion(text, opened=opened)
    assert completed is None or is_part_of(json.loads(completed), value)


def test_the_last_complete_value_counts() -> None:
    """The last complete value counts."""
    text = '{"title": "Move", "steps": [{"name": "a", "days": 12'
    prefix = fed(text, [7, 30])
    assert prefix.completion(text) == '{"title": "Move", "steps": [{"name": "a"}]}'
    assert prefix.open_paths() == [(), ("steps",), ("steps", 0)]
    assert fed('{"a": {"b": [', []).completion('{"a": {"b": [', opened=True) == '{"a": {"b": []}}'


@pytest.mark.parametrize(
    ("text", "broken"), [("{'a': 1}", 1), ('{"a" 1}', 5), ("[1, , 2]", 4), ('{"a": nil}', 6), ("[1}", 2)]
)
def test_the_first_wrong_token_is_named(text: str, broken: int) -> None:
    """The first wrong token is named."""
    assert fed(text + " ", []).broken == broken
