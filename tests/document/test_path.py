"""Paths: their spellings, and the patterns that select with them."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.path import WHOLE_ANSWER, leading, to_dotted, to_pointer, value_at, wildcard
from pytest_planguard.document.path_pattern import parse_path, walk
from pytest_planguard.document.positions import LineIndex, Span
from pytest_planguard.errors import UsageError

from ..support.document_paths import PATHS, WILDCARD_PATHS
from ..support.json_values import JSON_VALUES
from ..support.one_item import in_one_item

DOC = {
    "levers": [{"options": ["a", "b"]}, {"name": "x"}, {"options": []}],
    "map": {"k1": {"v": 1}, "k2": {"v": 2}},
    "b c": [[1, 2], [3]],
    "0": "zero",
}


@pytest.mark.parametrize(
    ("path", "pointer", "dotted"),
    [
        ((), "", WHOLE_ANSWER),
        (("tasks", 0, "id"), "/tasks/0/id", "tasks[0].id"),
        (("a", "b c"), "/a/b c", 'a["b c"]'),
        ((0, "x"), "/0/x", "[0].x"),
        (("0", "a/b", "c~d"), "/0/a~1b/c~0d", '["0"]["a/b"]["c~d"]'),
        (("größe", "due-date", ""), "/größe/due-date/", 'größe.due-date[""]'),
        (('say "hi"\n',), '/say "hi"\n', '["say \\"hi\\"\\n"]'),
    ],
)
def test_spellings(path, pointer, dotted):
    """A path has one spelling as a pointer and one for people."""
    assert (to_pointer(path), to_dotted(path)) == (pointer, dotted)


@in_one_item
@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("levers[*].options", [("levers", 0, "options"), ("levers", 2, "options")]),
        ("$.levers[0].options[1]", [("levers", 0, "options", 1)]),
        ("map.*.v", [("map", "k1", "v"), ("map", "k2", "v")]),
        ('["b c"][*][*]', [("b c", 0, 0), ("b c", 0, 1), ("b c", 1, 0)]),
        ("['b c'][1]", [("b c", 1)]),
        ("$['b c'][1]", [("b c", 1)]),
        ("/levers/0/options/1", [("levers", 0, "options", 1)]),
        ("/0", [("0",)]),
        ("/b c/1/0", [("b c", 1, 0)]),
        ("levers.*", []),
        ("map[*]", []),
        ("levers[9]", []),
        ("levers.name", []),
        ("map[0]", []),
        ("0", [("0",)]),
        ("$", [()]),
        ("", [()]),
        (WHOLE_ANSWER, [()]),
        ("*", [("levers",), ("map",), ("b c",), ("0",)]),
    ],
)
def test_patterns_select(text, paths):
    """A pattern selects the concrete paths it fits, in document order, and nothing where it fits nothing."""
    pattern = parse_path(text)
    assert [path for path, _ in pattern.select(DOC)] == paths
    assert all(value_at(DOC, path) == value for path, value in pattern.select(DOC))
    assert str(pattern) == text


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("levers[*].options", [("levers", 1, "options")]),
        ("map.*.v", []),
        ("map.*.w", [("map", "k1", "w"), ("map", "k2", "w")]),
        ("goal", [("goal",)]),
        ("levers[*]", []),
        ("$", []),
        ("b c", None),
        ("levers.options", []),
    ],
)
def test_patterns_name_what_is_missing(text, paths):
    """A pattern that ends in a key names each place where its parent stands and the key does not."""
    if paths is None:
        with pytest.raises(UsageError):
            parse_path(text)
    else:
        assert list(parse_path(text).missing(DOC)) == paths


@pytest.mark.parametrize(
    ("text", "expected", "position", "seen"),
    [
        ("a..b", "a key", 3, '"."'),
        ("a[", "an index from 0, * or a quoted key", 3, "the end"),
        ("a[-1]", "an index from 0, * or a quoted key", 3, '"-"'),
        ("a[01]", "an index from 0, * or a quoted key", 3, '"0"'),
        ("a b", '"." or "["', 2, '" "'),
        ("a['x", "a quoted key with its closing quote", 3, '"\'"'),
        ('a["x', "a quoted key with its closing quote", 3, '"\\""'),
        ('a["x"', '"]"', 6, "the end"),
        ("a.", "a key", 3, "the end"),
        ("[*]x", '"." or "["', 4, '"x"'),
    ],
)
def test_bad_syntax_names_the_position(text, expected, position, seen):
    """A text that is no path is refused with what was expected, where, and what stands there instead."""
    with pytest.raises(UsageError) as caught:
        parse_path(text)
    assert f"is not a path: expected {expected} at position {position}, got {seen}; paths look like" in str(
        caught.value
    )


def test_value_at_refuses_what_leads_nowhere():
    """Only an index fits a list and only a key fits an object."""
    for path in [("levers", "0"), ("map", 0), ("nope",), ("levers", 7)]:
        with pytest.raises(LookupError):
            value_at(DOC, path)


@given(JSON_VALUES)
def test_every_spelling_reads_back(value):
    """Law: the dotted spelling and the pointer of any path of any document select that path."""
    for path, found in walk(value):
        for spelling in (to_dotted(path), to_pointer(path)):
            assert list(parse_path(spelling).select(value)) == [(path, found)]


@given(JSON_VALUES)
def test_a_wildcard_is_the_pattern_of_items_of_lists_alone(value):
    """Law: its spelling selects the paths that differ in their indices only; a key is never replaced."""
    paths = [path for path, _ in walk(value)]
    for path in paths:
        same = [p for p in paths if len(p) == len(path) and all(map(_same_step, p, path))]
        assert [found for found, _ in parse_path(to_dotted(wildcard(path))).select(value)] == same


def _same_step(one, other):
    return one == other or (type(one) is type(other) is int)


@given(PATHS | WILDCARD_PATHS, PATHS | WILDCARD_PATHS)
def test_different_paths_have_different_spellings(one, other):
    """Law: whatever sorts or shows paths by their spelling for people keeps them apart: "0" and 0, "*" and any item."""
    assert (to_dotted(one) == to_dotted(other)) is (one == other)


@given(st.text())
def test_parsing_a_path_gives_a_pattern_or_a_usage_error(text):
    """No text makes the path parser fail in another way than by UsageError."""
    with suppress(UsageError):
        list(parse_path(text).select(DOC))


# Lines and columns of offsets.


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("", 0, (1, 1)),
        ("ab", 2, (1, 3)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\r\rb", 3, (3, 1)),
        ("a\n\rb", 3, (3, 1)),
        ("\N{GRINNING FACE}\tx", 2, (1, 3)),
        ("a\u2028b\x0cc\x85d\x0be", 8, (1, 9)),
    ],
)
def test_places(text, offset, place):
    """Lines end at LF, CRLF and a lone CR only; a column is one character, whatever its width."""
    assert LineIndex(text).position(offset) == place


def test_spans():
    """A span has its start, and its end where one is given."""
    index = LineIndex("ab\ncd")
    assert index.span(1) == Span(1, 2)
    assert index.span(1, 4) == Span(1, 2, 2, 2)
    assert str(index.span(4)) == "2:2"


@given(st.text("ab\r\n\u2028", max_size=30))
def test_places_count_lines(text):
    """Law: the line of an offset is one more than the line ends before it, and columns restart after each."""
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        ends = [m.end() for m in re.finditer("\r\n|\r|\n", text) if m.end() <= offset]
        assert index.position(offset) == (len(ends) + 1, offset - max(ends, default=0) + 1)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), ()),
        (("levers", 0, "options", 1), ("levers", 0, "options", 1)),
        (("levers", 3), ("levers",)),
        (("levers", 0, "options", 1, "x"), ("levers", 0, "options", 1)),
        (("levers", "0"), ("levers",)),
        ((0,), ()),
    ],
)
def test_the_part_of_a_path_that_leads_somewhere(path, found):
    """The index 0 and the key "0" are two steps."""
    assert leading(DOC, path) == found
