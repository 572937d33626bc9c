"""Wordings that put the place below the message, into a key, into a column, or into a tree of errors."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.entry import same_place
from pytest_planguard.retry.reading.lines import line_entries
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.retry.reading.structures import structure_entries


@pytest.mark.parametrize(
    ("text", "path", "message"),
    [
        ("✖ Too small\n  → at lines[1].quantity", ("lines", "1", "quantity"), "Too small"),
        ("Expected int\n at `$.id`", ("id",), "Expected int"),
        (
            "Key: 'Order.Lines[1].No' Error:Field validation for 'No' failed on the 'min' tag",
            ("Order", "Lines", "1", "No"),
            "Field validation for 'No' failed on the 'min' tag",
        ),
        ("Error on field 'lines[1].no': too small", ("lines", "1", "no"), "too small"),
        ("no：必须是整数", ("no",), "必须是整数"),
    ],
)
def test_the_place_is_found_wherever_it_stands(text: str, path: tuple[str, ...], message: str) -> None:
    """Each wording gives the entry of its place and its message."""
    assert (path, message) in [(entry.path, entry.message) for entry in recognise(text)]


def test_a_tree_of_errors_is_no_schema() -> None:
    """`properties` and `items` beside `errors` are no part of a place, and items are counted."""
    text = '{"errors": [], "properties": {"a": {"errors": [], "items": [null, {"errors": ["too small"]}]}}}'
    assert [(entry.path, entry.message) for entry in structure_entries(text)] == [(("a", "1"), "too small")]


def test_a_list_below_a_field_counts_its_items() -> None:
    """The second object of a list is about the second item; a single one may also wrap the errors of all."""
    two = [entry.path for entry in structure_entries('{"a": [{}, {"b": ["too small"]}]}')]
    one = [entry.path for entry in structure_entries('{"a": [{"1": [{"b": ["too small"]}]}]}')]
    assert two == [("a", "1", "b")]
    assert ("a", "1", "b") in one


def test_a_comma_parts_errors_only_behind_an_error() -> None:
    """Two errors on one line are two entries; a comma in a message or in front of a label is none."""
    assert [entry.message for entry in line_entries("a: too small, b.c: too long")] == ["too small", "too long"]
    assert [entry.message for entry in line_entries("a: one of x, y")] == ["one of x, y"]


def test_a_line_of_a_group_is_about_the_group_where_it_names_no_place() -> None:
    """With a place of its own it is read there, and below the group: the heading may be a word of the app's."""
    own = [entry.path for entry in line_entries("Failures:\n- goal: too short")]
    assert own == [("goal",), ("Failures", "goal")]
    assert [entry.path for entry in line_entries("goal:\n- too short")] == [("goal",)]


@pytest.mark.parametrize("written", ["invoiceNo", "InvoiceNo", "Invoice.InvoiceNo", "invoice-no"])
def test_names_agree_in_other_languages_spelling(written: str) -> None:
    """A field is known in camel case or behind its type's name, but not where the answer has that very name."""
    place = written.split(".")
    assert same_place(place, ("invoice_no",), {"invoice_no": 1})
    assert not same_place(["invoiceNo"], ("invoice_no",), {"invoice_no": 1, "invoiceNo": 2})


def test_a_word_in_front_of_a_whole_object_is_no_union_tag() -> None:
    """`shipping.currency` is not `currency`; the name of a union's member is dropped as before."""
    assert not same_place(["shipping", "currency"], ("currency",), {"currency": "euro"})
    assert same_place(["pet", "cat", "name"], ("pet", "name"), {"pet": {"name": 1}})
