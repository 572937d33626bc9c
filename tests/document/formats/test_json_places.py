"""Finding the places of JSON values."""

import json

from pytest_planguard.document.formats.json_places import locate_many

TEXT = """{
  "a b" : [ 1 , {"c\\"d": "x"} , [ ] , { } ],
  "e": {"f": {"g": [true, null, -1.5e3]}}
}"""


def places(paths, text=TEXT, **options):
    """The text at each path."""
    return {path: text[start:end] for path, (start, end) in locate_many(text, paths, **options).items()}


def test_places_of_nested_and_escaped_keys():
    """Values are found below lists, objects and keys with escapes, whatever the spacing."""
    assert places([("a b", 1, 'c"d'), ("e", "f", "g", 2), ("a b", 2), ("a b", 3)]) == {
        ("a b", 1, 'c"d'): '"x"',
        ("e", "f", "g", 2): "-1.5e3",
        ("a b", 2): "[ ]",
        ("a b", 3): "{ }",
    }


def test_a_value_and_its_child_may_both_be_asked_for():
    """A parent's end is found although something below it is asked for, too."""
    assert places([("e", "f"), ("e", "f", "g", 0), ()]) == {
        ("e", "f"): '{"g": [true, null, -1.5e3]}',
        ("e", "f", "g", 0): "true",
        (): TEXT,
    }


def test_what_leads_nowhere_is_left_out():
    """Paths through scalars, missing keys, indices beyond the end and wrong kinds of step are left out."""
    nowhere = [("x",), ("a b", 4), ("a b", 0, 0), ("e", 0), (0,), ("a b", "1"), ("a b", 2, 0), ("a b", 3, "k"), (-1,)]
    assert places([*nowhere, ("a b", 0)]) == {("a b", 0): "1"}
    assert places([]) == {}


def test_of_equal_keys_the_last_counts_where_there_may_be_some():
    """The place is that of the value that the parser keeps."""
    text = '{"a": 1, "a": 2}'
    assert places([("a",)], text, unique_keys=False) == {("a",): "2"}
    assert json.loads(text) == {"a": 2}
