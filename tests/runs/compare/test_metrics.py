"""Metrics of answers and of lists whose items cannot be matched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.metrics import filled, is_blank, list_metrics, placeholders
from pytest_planguard.runs.compare.run_diff import Figure

from ...support.one_item import in_one_item
from ...support.runs import attempt, case, finding, good, run


@in_one_item
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("[Name of the project]", 1), ("{name}", 1), ("{{ name }}", 1), ("{{name}}", 1), ("{ name }", 0),
        ("<insert date>", 1), ("TODO", 1), ("a TBD, a TODO", 2), ("TODOS", 0), ("tbd", 0), ("[1]", 0), ("[a]", 0),
        ("[ab]", 1),
        ("<a>", 0), ("<ab>", 1), ("<b2 c-d>", 1), ("{a}", 1), ("{1}", 0), ("{a.b}", 1), ("{}", 0), ("[a\nb]", 0),
        (f"[{'x' * 61}]", 1), (f"[{'x' * 62}]", 0), (f"{{{'x' * 61}}}", 1), (f"{{{'x' * 62}}}", 0),
        (f"<{'x' * 61}>", 1), (f"<{'x' * 62}>", 0), ("a < b > c", 0), ("[a [bc] d]", 1),
    ],
)  # fmt: skip
def test_placeholders_that_nobody_filled(text: str, number: int) -> None:
    """Prose in brackets, numbers and other letters are none; those at any depth count."""
    assert placeholders({"a": [text, 1]}) == number


@in_one_item
@pytest.mark.parametrize(
    ("value", "blank"),
    [
        (None, True),
        ("", True),
        (" \n", True),
        ([], True),
        ({}, True),
        (0, False),
        (False, False),
        ("x", False),
        ([None], False),
        ({"a": None}, False),
    ],
)
def test_blank_values(value: Any, blank: bool) -> None:
    """A zero and a false say something."""
    assert is_blank(value) is blank


def test_filled_fields_are_counted_at_the_leaves() -> None:
    """An empty list or object is a leaf; the answer itself is no field."""
    assert filled({"a": 1, "b": {"c": "", "d": []}, "e": [None, "x"]}) == (2, 5)
    assert filled("x") == filled({}) == (0, 0)


def test_two_lists_are_compared_by_size_completeness_names_and_texts() -> None:
    """Names and titles without case and outer blanks; a complete item has each field that any item has."""
    before = [{"name": "Ann ", "title": "a", "n": 1}, {"name": "ann", "title": "b", "n": None}]
    after = [{"name": "ANN", "title": "[to do]", "n": 0}, {"name": "Bo", "title": 7, "n": 2}, {"name": "Cy"}]
    assert [*list_metrics("people", before, after)] == [
        Figure("items of people", 2, 3),
        Figure("complete items of people", 0.5, 2 / 3, "share"),
        Figure("unique name in people", 0.5, 1.0, "share"),
        Figure("name shared with the other run", 1.0, 1 / 3, "share"),
        Figure("unique title in people", 1.0, 1.0, "share"),
        Figure("title shared with the other run", 0.0, 0.0, "share"),
        Figure("characters of text per item of people", 4.5, 14 / 3),
        Figure("placeholders left in people", 0, 1),
    ]
    assert [(one.before, one.after) for one in list_metrics("x", [], [{"a": "b"}])] == [
        (0, 1),
        (None, 1.0),
        (None, 1.0),
        (0, 0),
    ]


def test_answers_of_two_runs_are_measured_together() -> None:
    """Judged ones by success and findings; all by fields, texts and placeholders."""
    old = [good("a", '{"t": "abcd", "n": null}'), case("b", attempt("{}", finding("x")), attempt('{"t": "ab"}'))]
    new = [good("a", '{"t": "[ab]", "n": 1}'), case("b", attempt('{"t": "ab"}', finding("x"), finding("y")))]
    assert compare(run("a", old), run("b", new), metrics=True).metrics == (
        Figure("good cases", 1.0, 0.5, "share"),
        Figure("findings per answer", 0.0, 1.0),
        Figure("attempts per case", 1.5, 1.0),
        Figure("filled fields", 2 / 3, 1.0, "share"),
        Figure("characters of text per answer", 3.0, 3.0),
        Figure("length compared with the base", 1.0, 1.0),
        Figure("placeholders left", 0, 1),
    )
    plain = [replace(row, judged=(replace(row.judged[0], outcome="", single=True),)) for row in (old[0], new[0])]
    found = compare(run("a", plain[:1]), run("b", plain[1:]), metrics=True).metrics
    assert [one.name for one in found] == [
        "filled fields",
        "characters of text per answer",
        "length compared with the base",
        "placeholders left",
    ]


def test_lists_at_the_root_or_one_level_below_are_measured() -> None:
    """Lists of objects alone; one that a run lacks is empty in it."""
    old = run("a", [good("a", '[{"x": 1}]'), good("b", '{"k": [{"x": 1}], "l": [1], "m": [], "n": [{}, 1]}')])
    new = run("b", [good("a", "[]"), good("b", '{"k": [{"x": 1}, {"x": null}], "d": {"e": [{"x": 1}]}}')])
    found = {one.name: (one.before, one.after) for one in compare(old, new, metrics=True).metrics}
    assert {name: sizes for name, sizes in found.items() if name.startswith("items of")} == {
        "items of the answer": (1, 0),
        "items of k": (1, 2),
    }
