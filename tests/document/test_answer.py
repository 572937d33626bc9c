"""Reading an answer: what is taken off, what is found, and every named way in which it can be bad."""

import json
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.failure_kinds import FailureKind, Phase
from pytest_planguard.document.answer import Document, read
from pytest_planguard.document.limits import MAX_PROBLEMS, MAX_SIZE
from pytest_planguard.document.path_pattern import walk

from ..support.json_values import ANY_TEXT, INDENTS, JSON_OBJECTS, JSON_VALUES
from ..support.nightly import drawn
from ..support.one_item import in_one_item

FORMATS = st.sampled_from(["auto", "json", "yaml", "markdown"])
EXTRACTS = st.sampled_from(["embedded", "whole"])


def problems(document: Document) -> list[tuple[str, str, str]]:
    """Code, place and message of each problem."""
    return [(p.code, str(p.span), p.message) for p in document.problems]


JSON_PROBLEMS = [
    # no document
    ("", "empty", "None", "the answer is empty"),
    (" \n\t", "empty", "None", "the answer is empty"),
    ("<think>hm</think>\n", "empty", "None", "the answer is only thinking"),
    ("<think>hm", "truncated", "1:10", "the answer ends inside a thinking block"),
    ("Here you are.", "prose", "1:1", "the answer is prose; there is no JSON document in it"),
    ("See [1], {} and [2, 3].", "prose", "1:1", "the answer is prose; there is no JSON document in it"),
    ('Use `{name: 1}` as in `["a"]`.', "prose", "1:1", "the answer is prose; there is no JSON document in it"),
    (
        "I'm sorry, but I can't help with that.",
        "refusal",
        "1:1",
        "the answer declines; there is no JSON document in it",
    ),
    ("Which region do you mean?", "ask_back", "1:1", "the answer asks a question; there is no JSON document in it"),
    # cut
    ('{"a": 1', "truncated", "1:8", "the text ends inside the document; 1 bracket is still open"),
    ('{"a": [1, {"b', "truncated", "1:14", "the text ends inside a string; 3 brackets are still open"),
    ('{"a": tr', "truncated", "1:9", "the text ends inside a word; 1 bracket is still open"),
    ('{"a": -1.5e', "truncated", "1:12", "the text ends inside a number; 1 bracket is still open"),
    ('{"a": "\\u00', "truncated", "1:12", "the text ends inside a string; 1 bracket is still open"),
    ('Sure:\n```json\n{"a":\n', "truncated", "4:1", "the text ends inside the document; 1 bracket is still open"),
    # not JSON
    ('{"a": 1,}', "invalid_json", "1:8", "trailing comma"),
    ("[1, 2,\n]", "invalid_json", "1:6", "trailing comma"),
    ("{'a': 1}", "invalid_json", "1:2", "strings need straight double quotes; got '"),
    ('{"a": “b”}', "invalid_json", "1:7", "strings need straight double quotes; got “"),
    ("{a: 1}", "invalid_json", "1:2", 'key without quotes: write "a"'),
    ('{1: "a"}', "invalid_json", "1:2", "a key must be a string in double quotes"),
    ('{{"a": 1}}', "invalid_json", "1:2", "a key must be a string in double quotes"),
    ('{"a": // why\n1}', "invalid_json", "1:7", "JSON has no comments"),
    ('{"a": 1 /* why */}', "invalid_json", "1:9", "JSON has no comments"),
    ('{"a": True}', "invalid_json", "1:7", "True is not JSON: write true"),
    ("[None]", "invalid_json", "1:2", "None is not JSON: write null"),
    ('{"a": yes}', "invalid_json", "1:7", "text without quotes: yes"),
    ('{"a": 01}', "invalid_json", "1:7", "not a JSON number: 01"),
    ('{"a": +1}', "invalid_json", "1:7", "not a JSON number: +1"),
    ('{"a": }', "invalid_json", "1:7", "missing value"),
    ('{"a" 1}', "invalid_json", "1:6", 'missing ":" after a key'),
    ('{"a": 1\n "b": 2}', "invalid_json", "2:2", 'missing ","'),
    ('["a": 1]', "invalid_json", "1:5", '":" inside a list: only objects have keys'),
    ('{"a": 1; "b": 2}', "invalid_json", "1:8", "unexpected text after a value: ;"),
    ('{"a": "x\ny"}', "invalid_json", "1:9", "line break inside a string: close the string, or write \\n"),
    ('{"a": "\x01"}', "invalid_json", "1:8", "control character U+0001 inside a string"),
    ('{"a": "\\d"}', "invalid_json", "1:8", 'invalid escape \\d in a string: a backslash itself is written "\\\\"'),
    ('{"a": [1, 2}', "invalid_json", "1:12", 'wrong closing bracket "}": the "[" is still open'),
    (
        '```json\n{"a": 1\n```',
        "invalid_json",
        "2:1",
        "the document is never closed, though the answer goes on after it",
    ),
    (
        '{"a": {"b": 1}}, "c": 2}',
        "invalid_json",
        "1:16",
        'the document ends, but "," follows: a bracket is closed too early or too often',
    ),
    (
        '{"a": 1}}',
        "invalid_json",
        "1:9",
        'the document ends, but "}" follows: a bracket is closed too early or too often',
    ),
    (
        '"tasks": {"a": 1}',
        "invalid_json",
        "1:7",
        "there is a key before the document: its object was never opened",
    ),
    ("[" + "9" * 5000 + "]", "invalid_json", "1:2", "an integer of 5,000 digits cannot be read"),
    ('{"a": 1}\n{"a": 2,}', "invalid_json", "2:8", "trailing comma"),
    # JSON to lax parsers only
    ('{"a": 1,\n "a": 2}', "duplicate_key", "2:2", 'key "a" appears more than once in the same object'),
    ('{"a": 1, "\\u0061": 2}', "duplicate_key", "1:10", 'key "\\u0061" appears more than once in the same object'),
    ('{"a": NaN}', "non_finite", "1:7", "NaN is not a JSON number"),
    ("[-Infinity]", "non_finite", "1:2", "-Infinity is not a JSON number"),
    ("[1e999]", "non_finite", "1:2", "1e999 is too large for a number: it would be read as Infinity"),
    # several
    (
        '{"a": 1}\n{"a": 2}',
        "multiple",
        "2:1",
        "the answer holds 2 JSON documents; return only one",
    ),
    (
        'First:\n```json\n{"a": 1}\n```\nor\n```json\n{"a": 2}\n```',
        "multiple",
        "7:1",
        "the answer holds 2 JSON documents; return only one",
    ),
    # beyond bounds
    ("[" * 1_000_000, "too_deep", "1:201", "nested deeper than 200 levels"),
    ('{"a":' * 10_000 + "1" + "}" * 10_000, "too_deep", "1:1001", "nested deeper than 200 levels"),
    ("[" * 201 + "]" * 201, "too_deep", "1:201", "nested deeper than 200 levels"),
    (
        "word " * 200,
        "loop",
        "1:1",
        'the answer repeats the same text until it ends: "word"; there is no JSON document in it',
    ),
]


@in_one_item
@pytest.mark.parametrize(("text", "code", "place", "message"), JSON_PROBLEMS)
def test_json_problems_are_named(text, code, place, message):
    """Each way of being no sound JSON document has one code, one place and one sentence, and none has data as JSON."""
    document = read(text, format="json")
    assert problems(document) == [(code, place, message)]
    assert not document.ok
    assert FailureKind(code).phase is Phase.PARSE


def test_a_cut_loop_is_both():
    """An answer that repeats itself until it is cut is a loop, which ends asking again, and truncated."""
    document = read('{"summary": "' + "very " * 300, format="json")
    assert [p.code for p in document.problems] == ["loop", "truncated"]


def test_a_cut_answer_that_ends_in_blanks_is_a_loop():
    """Some models write line breaks until the limit."""
    document = read('{"a": 1,' + "\n" * 900, format="json")
    assert document.problems[0].message == "the answer ends in repeated blanks"


def test_problems_say_what_was_expected_and_seen():
    """A problem carries what should stand there, what does, the related place and the standard parser's own words."""
    problem = read('{"a": [1,\n 2}', format="json").problems[0]
    assert (problem.expected, problem.actual) == ('"]"', "}")
    assert [(word, str(span)) for word, span in problem.related] == [('the open "["', "1:7")]
    assert problem.parser_message == "Expecting ',' delimiter: line 2 column 3 (char 12)"


def test_every_equal_key_is_reported_with_its_path_and_the_first_place():
    """All duplicate keys are named, at any depth, and the value of a lax parser can still be read."""
    document = read('{"a": [{"x": 1, "x": 2, "x": 3}], "a": 0}', format="json")
    found = [(p.path, str(p.span), str(p.related[0][1])) for p in document.problems]
    assert found == [
        (("a", 0, "x"), "1:17", "1:9"),
        (("a", 0, "x"), "1:25", "1:9"),
        (("a",), "1:35", "1:2"),
    ]
    assert document.data == {"a": 0}


def test_problems_of_one_kind_are_bounded():
    """A hostile answer cannot make a million problems."""
    text = "{" + ",".join('"a":1' for _ in range(5_000)) + "}"
    assert len(read(text).problems) == MAX_PROBLEMS


WRAPPED = [
    ('{"a": 1}', []),
    (' \r\n{"a": 1}\n', []),
    ('```json\n{"a": 1}\n```', [("fence", "1:1")]),
    ('~~~\n{"a": 1}\n~~~', [("fence", "1:1")]),
    ('```json {"a": 1} ```', [("fence", "1:1")]),
    ('```JSON title="x"\n{"a": 1}```', [("fence", "1:1")]),
    ('```json\n{"a": 1}', [("fence", "1:1")]),
    ('    ```json\n    {"a": 1}\n    ```', [("fence", "1:5")]),
    ('Sure!\n{"a": 1}\nDone.', [("prose", "1:1"), ("prose", "3:1")]),
    ('It is {"a": 1}, as in [1] and {}.', [("prose", "1:1"), ("prose", "1:15")]),
    ('<think>try {"b": 2}</think>{"a": 1}', [("thinking", "1:1")]),
    ('<THINKING mode="x">a</thinking>\n<reasoning>b</reasoning>\n{"a": 1}', [("thinking", "1:1"), ("thinking", "2:1")]),
    ('First {"b": 2}\n</think>\n{"a": 1}', [("thinking", "1:1")]),
    (
        '<think>t</think>\nHere:\n```json\n// note\n{"a": 1}\n```\nBye',
        [("thinking", "1:1"), ("prose", "2:1"), ("fence", "3:1"), ("prose", "4:1"), ("prose", "7:1")],
    ),
    ('```python\nx = {y: 1}\n```\n{"a": 1}', [("prose", "1:1")]),
]


@in_one_item
@pytest.mark.parametrize(("text", "notes"), WRAPPED)
def test_embedded_documents_are_taken_out_and_noted(text, notes):
    """`extract="embedded"`: thinking, fence and prose are taken off, each is noted with its place."""
    document = read(text, format="json")
    assert (document.data, problems(document)) == ({"a": 1}, [])
    assert [(n.code, str(n.span)) for n in document.notes] == notes
    assert document.text[document.offset : document.offset + len(document.body)] == document.body == '{"a": 1}'


@in_one_item
@pytest.mark.parametrize(("text", "notes"), WRAPPED)
def test_whole_answers_must_be_bare(text, notes):
    """`extract="whole"`: what would be noted is a problem, though the data may be inspected."""
    document = read(text, format="json", extract="whole")
    assert [(p.code, str(p.span)) for p in document.problems] == notes
    assert document.data == {"a": 1}
    assert document.notes == ()


def test_marks_in_double_brackets_are_no_lists():
    """Some frameworks put answers between marks; a list of lists stays one."""
    marked = read('[[ ## ticket ## ]]\n{"a": 1}\n\n[[ ## completed ## ]]\n')
    assert (marked.data, [n.code for n in marked.notes], marked.problems) == ({"a": 1}, ["prose", "prose"], ())
    assert read("[[1], [2]]").data == [[1], [2]]
    assert read('[ [ {"a": 1} ] ]').data == [[{"a": 1}]]


@pytest.mark.parametrize("odd", ["\ufeff", "\xa0", "\u3000", "\u2028", "\x0c"])
@pytest.mark.parametrize("place", ['{}{{"a": 1}}', '{{"a": 1}}{}', ' {{"a": 1}}\n{} '])
def test_whole_answers_have_only_the_blanks_of_json(odd: str, place: str) -> None:
    """`json.loads` and pydantic reject the others, and a byte order mark."""
    text = place.format(odd)
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)
    (problem,) = read(text, extract="whole").problems
    assert (problem.code, problem.expected) == ("prose", "the bare document")
    assert read(text, format="json").data == {"a": 1}


def test_whole_says_what_to_do():
    """The wrapper's message says that nothing may stand around the document."""
    document = read('```json\n{"a": 1}\n```', extract="whole")
    message = "there is a code fence around the document; the whole answer must be the document"
    assert problems(document) == [("fence", "1:1", message)]


@pytest.mark.parametrize("scalar", ["42", '"text"', "true", "null", "-1.5"])
@pytest.mark.parametrize("format_name", ["auto", "json"])
def test_scalars_are_documents_where_they_stand_alone(scalar, format_name):
    """A whole answer that is a JSON scalar is a document, fenced or not."""
    for text in (scalar, f"```json\n{scalar}\n```"):
        document = read(text, format=format_name)
        assert (document.data, document.problems) == (json.loads(scalar), ())


def test_a_fenced_scalar_can_be_unsound():
    """A fenced NaN is named as what it is."""
    assert [p.code for p in read("```json\nNaN\n```").problems] == ["non_finite"]


@pytest.mark.parametrize("text", ["```json\nnope\n```", "```json\n1\n```\n```json\n2\n```"])
def test_a_fence_without_a_document_is_prose(text):
    """A fence that holds no JSON, and two scalars in fences, are no document."""
    assert read(text, format="json").problems[0].code == "prose"


BYTES = [
    (b"\xef\xbb\xbf" + b'{"a": 1}', None),
    (b'{"a": "\xff"}', ("encoding", "1:8", "the answer is not UTF-8: byte 0xFF at offset 7")),
    (
        '{"a": 1}'.encode("utf-16"),
        ("encoding", "1:1", "the answer is not UTF-8: byte 0xFF at offset 0 (it starts like UTF-16)"),
    ),
    (
        '"é\n\N{GRINNING FACE}x'.encode() + b"\xe9",
        ("encoding", "2:3", "the answer is not UTF-8: byte 0xE9 at offset 9"),
    ),
]


@pytest.mark.parametrize(("raw", "problem"), BYTES)
def test_bytes_must_be_utf_8(raw, problem):
    """Bytes are UTF-8, a byte order mark allowed; else the first bad byte is named, by offset and by place."""
    assert problems(read(raw)) == ([problem] if problem else [])


def test_a_byte_order_mark_has_no_width():
    """The mark is not part of the text, as bytes or as a character, so columns are those of an editor."""
    for mark in ("\ufeff{", b"\xef\xbb\xbf{"):
        assert str(read(mark).problems[0].span) == "1:2"


@pytest.mark.parametrize("raw", [b"x" * (4 * MAX_SIZE + 1), "é" * (MAX_SIZE + 1), ("é" * (MAX_SIZE + 1)).encode()])
def test_too_large_answers_are_not_read(raw):
    """An answer beyond the bound is one problem that names its size."""
    document = read(raw)
    assert [p.code for p in document.problems] == ["too_large"]
    assert re.search(r" has \d+(,\d+)+ \w+; at most \d+(,\d+)+ are read$", document.problems[0].message)


def test_the_longest_answer_is_read():
    """The bound itself is not beyond the bound."""
    text = f'"{"x" * (MAX_SIZE - 2)}"'
    assert (len(text), read(text, format="json").problems) == (MAX_SIZE, ())


@pytest.mark.parametrize("text", ['{"a": 1}, []', '[]{"a": 1}', '{"a": 1}\n{}', '[1] [2]\n{"a": 1}', '{} {"a": 1} {}'])
def test_empty_documents_beside_another_are_documents(text):
    """What would be chance in a sentence is a second document where nothing else stands between the two."""
    assert [p.code for p in read(text, format="json").problems] == ["multiple"]


def test_fences_inside_a_fence_are_searched():
    """A document is found although its fence stands in another that says nothing."""
    text = 'Outer\n```\nInner\n```json\n{"a": [1]}\n```\nend\n```\n'
    assert read(text, format="json").data == {"a": [1]}


@given(ANY_TEXT | st.binary(), FORMATS, EXTRACTS)
def test_reading_never_raises(text, format_name, extract):
    """Law: whatever the input, reading gives a document, and every problem has a known kind and a message."""
    document = read(text, format=format_name, extract=extract)
    assert document.text[document.offset : document.offset + len(document.body)] == document.body
    assert all(FailureKind(p.code).phase is Phase.PARSE and p.message for p in document.problems)
    document.locate(())
    document.locate(("a", 0))


def slice_of(text: str, span) -> str:
    """The text that a span names, by an independent way: real lines, then columns."""
    lines = text.replace("\r\n", "\n\N{NULL}").replace("\r", "\n").replace("\n\N{NULL}", "\r\n").split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    start = starts[span.line - 1] + span.column - 1
    return text[start : starts[span.end_line - 1] + span.end_column - 1]


@pytest.mark.slow
@given(JSON_VALUES, INDENTS, st.booleans())
def test_every_place_holds_its_value(value, indent, ascii_only):
    """Law: JSON reads back as itself, and the text at each path's place parses to the value at that path."""
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    document = read(text)
    assert document.ok
    assert document.data == value
    paths = dict(walk(value))
    found = document.locate_many(paths)
    assert set(found) == set(paths)
    for path, span in found.items():
        assert json.loads(slice_of(text, span)) == paths[path]
        assert document.locate(path) == span


WRAPPERS = st.sampled_from(
    [
        ("", "", []),
        ("```json\n", "\n```", ["fence"]),
        ("Here it is:\r\n\r\n```\r\n", "\r\n```\r\nBye.", ["prose", "fence", "prose"]),
        ('<think>\nI could say {"x": 1}.\n</think>\n', "", ["thinking"]),
        ("Sure \N{GRINNING FACE}\u2028ok:\n", "\nDone.", ["prose", "prose"]),
        ("<thinking>x</thinking>\rText.\r~~~json\r", "\r~~~\r", ["thinking", "prose", "fence"]),
    ]
)


@pytest.mark.slow
@given(JSON_OBJECTS, INDENTS, WRAPPERS)
def test_wrappers_shift_places_and_keep_the_data(value, indent, wrapper):
    """Law: whatever stands around it, the document is found, and its places are those in the whole answer."""
    before, after, notes = wrapper
    body = json.dumps(value, indent=indent)
    document = read(before + body + after)
    assert (document.data, document.body, document.offset) == (value, body, len(before))
    assert [n.code for n in document.notes] == notes
    for path, expected in walk(value):
        assert json.loads(slice_of(document.text, document.locate(path))) == expected


@pytest.mark.slow
@given(JSON_OBJECTS, INDENTS, st.data())
def test_a_cut_object_is_truncated_and_nothing_else(value, indent, data):
    """Law: an object that is cut anywhere is truncated, in any wrapper that was cut with it, and is never repaired."""
    whole = json.dumps(value, indent=indent)
    cut = whole[: data.draw(st.integers(1, len(whole) - 1))]
    before = data.draw(st.sampled_from(["", "```json\n", "Here:\n", "<think>x</think>"]))
    for format_name in ("auto", "json"):
        document = read(before + cut, format=format_name)
        assert [p.code for p in document.problems][-1:] == ["truncated"]
        assert document.data is None


@pytest.mark.slow
@given(JSON_OBJECTS, JSON_OBJECTS, st.sampled_from(["\n", " ", "", "\n\nor\n\n", ", "]))
def test_two_documents_are_never_guessed(one, two, between):
    """Law: two complete documents are two, however they stand beside each other."""
    document = read(json.dumps(one) + between + json.dumps(two))
    assert [p.code for p in document.problems] == ["multiple"]
    assert document.data is None


@given(st.one_of(ANY_TEXT, JSON_VALUES.map(json.dumps)), st.sampled_from(["", ",", "}", " x", "\n", "1", '"']))
def test_sound_json_is_what_the_standard_parser_reads(text, more):
    """Law: the bare answer is a sound document only where the standard parser reads it, and then to the same data."""
    text = (text + more).removeprefix("\ufeff")
    document = read(text, format="json", extract="whole")
    try:
        expected = json.loads(text.strip())
    except (ValueError, RecursionError):
        assert not document.ok
    else:
        lax = {"duplicate_key", "non_finite", "too_deep"}
        assert document.ok or {p.code for p in document.problems} <= lax
        assert not document.ok or document.data == expected


PIECES = [
    "{",
    '{"a": [',
    "[] ",
    "{x} ",
    '"',
    '{"',
    "```\n",
    "<think>",
    "</think> ",
    "</think>\n",
    "[1, ",
    "{'a': ",
    "- ",
    "a: ",
    "{a: ",
    "# h\n",
    " ",
    "\n",
    "\r\n",
    "\\",
    '{"a": "\\',
    "I can't ",
    "?",
    "x\n\n",
    "```json {",
    "~~~",
    "&a [*a, ",
    "| ",
    "{} {",
    "a: b\n",
    "could you ",
    "|---",
    "9",
    "-",
    '"": ',
    "<think ",
    "`",
    "{a",
    "1. x\n",
    "'",
]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize(("piece", "format_name"), drawn([*product(PIECES, ["auto", "json", "yaml", "markdown"])], 5))
def test_hostile_repetition_ends(piece, format_name):
    """No repetition makes any reader quadratic, recursive or silent: it ends with data or a problem."""
    for text in ((piece * 100_000)[:100_000], '{"a": ' + (piece * 100_000)[:100_000]):
        document = read(text, format=format_name)
        assert document.problems or document.data is not None


@pytest.mark.parametrize("text", ["[" * 1_000_000, '{"a":' * 200_000, "[" * 1_000_000 + "]" * 1_000_000])
@pytest.mark.parametrize("format_name", ["auto", "json", "yaml"])
def test_megabytes_of_brackets_are_one_problem(text, format_name):
    """A megabyte of brackets is one problem, in every parser."""
    assert [p.code for p in read(text, format=format_name).problems] == ["too_deep"]


def test_only_what_stands_in_backticks_as_a_whole_is_code() -> None:
    """A code span that holds more than a document quotes no document: what is in it is one."""
    assert read('Sure: `{"a": 1}`').data is None
    assert read('Sure: `{"a": 1}; that is all`').data == {"a": 1}
