"""Changing one place of a document: the rest of the text stays as the model wrote it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.answer import read
from pytest_planguard.document.edit import Edit, edit_document
from pytest_planguard.document.path import value_at
from pytest_planguard.document.path_pattern import walk

from ..support.json_values import INDENTS, JSON_OBJECTS
from ..support.one_item import in_one_item

LIST = '{"a": [1,\n 2,\n 3], "b": {}}'
CASES = [
    (LIST, Edit("put", ("a", 1), "x"), '{"a": [1,\n "x",\n 3], "b": {}}'),
    (LIST, Edit("put", ("a",), []), '{"a": []\n\n, "b": {}}'),
    (LIST, Edit("drop", ("a", 0)), '{"a": [\n 2,\n 3], "b": {}}'),
    (LIST, Edit("drop", ("a", 2)), '{"a": [1,\n 2\n], "b": {}}'),
    (LIST, Edit("drop", ("b",)), '{"a": [1,\n 2,\n 3]}'),
    (LIST, Edit("add", ("b", "c"), None), '{"a": [1,\n 2,\n 3], "b": {"c": null}}'),
    (LIST, Edit("add", ("c",), True), '{"c": true, "a": [1,\n 2,\n 3], "b": {}}'),
    ('So: {"a\\u0062": 1} .', Edit("drop", ("ab",)), "So: {} ."),
    ("a: one\nb: 2\n", Edit("put", ("a",), "two"), 'a: "two"\nb: 2\n'),
    ("a:\n- 1\n- 2\nb: 2\n", Edit("put", ("a",), [3]), "a:\n [3]\n\nb: 2\n"),
    ("a:\n  b:\n    - 1\n    - 2\n  c: 3\n", Edit("put", ("a", "b"), [4]), "a:\n  b:\n     [4]\n\n  c: 3\n"),
    ("a: |\n  one\n  two\nb: 2\n", Edit("put", ("a",), "x"), 'a: "x"\n\n\nb: 2\n'),
    ("a: 1\nb:\n  - x  # why\n  - y\nc: 3\n", Edit("drop", ("b", 1)), "a: 1\nb:\n  - x\n\nc: 3\n"),
    ("a: 1\nb:\n  c: 2\n", Edit("drop", ("b",)), "a: 1\n\n\n"),
    ("a: {b: 1, c: 2}\n", Edit("drop", ("a", "b")), "a: { c: 2}\n"),
    ("a: {b: 1, c: 2}\n", Edit("drop", ("a", "c")), "a: {b: 1}\n"),
    ("a: {}\nb: 1\n", Edit("add", ("a", "c"), 2), 'a: {"c": 2}\nb: 1\n'),
    ("a: 1\nb:\n  c: 2\n", Edit("add", ("b", "d"), [1]), 'a: 1\nb:\n  c: 2\n  "d": [1]\n'),
    ("a: 1\n", Edit("add", ("b",), {"c": 1}), 'a: 1\n"b": {"c": 1}\n'),
]


@in_one_item
@pytest.mark.parametrize(("text", "edit", "expected"), CASES)
def test_one_place_changes(text: str, edit: Edit, expected: str) -> None:
    """Every kind of change, with the commas that go with it; lines that are cut out come back empty."""
    assert edit_document(read(text), edit) == expected


IMPOSSIBLE = [
    (LIST, Edit("put", ("c",), 1)),
    (LIST, Edit("drop", ("a", 3))),
    (LIST, Edit("add", ("a", 0), 1)),
    (LIST, Edit("put", (), 1)),
    (LIST, Edit("put", ("a",), float("nan"))),
    ('{"a": 1,', Edit("put", ("a",), 2)),
    ("a: 1\nb: 2\n", Edit("drop", ("a",))),
    ("a:\n  b: 1\nc: 2\n", Edit("add", ("a", "d"), 1)),
    ("a: [1]\n", Edit("add", ("a", 1), 2)),
    ("x: &x {a: 1}\ny: {<<: *x, b: 2}\n", Edit("put", ("y", "a"), 3)),
    ("# Title\n\n- item\n", Edit("put", ("a",), 3)),
]


@pytest.mark.parametrize(("text", "edit"), IMPOSSIBLE)
def test_what_cannot_be_changed_is_left_alone(text: str, edit: Edit) -> None:
    """A place that is not there, a document that is not sound, a form in which it is not done."""
    assert edit_document(read(text), edit) is None


@pytest.mark.slow
@given(JSON_OBJECTS, st.data(), INDENTS)
def test_a_change_is_what_python_would_do(document: Any, data: st.DataObject, indent: Any) -> None:
    """Law: the text after a change reads as the data after the same change, in as many lines."""
    text = json.dumps(document, indent=indent)
    places = [path for path, _ in walk(document) if path]
    if not places:
        return
    path = data.draw(st.sampled_from(places))
    edit = data.draw(st.sampled_from([Edit("put", path, {"new": [1]}), Edit("drop", path)]))
    holder = value_at(document, path[:-1])
    if edit.action == "put":
        holder[path[-1]] = edit.value
    else:
        del holder[path[-1]]
    changed = edit_document(read(text), edit)
    assert changed is not None
    assert (json.loads(changed), changed.count("\n")) == (document, text.count("\n"))
