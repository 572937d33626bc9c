"""Each key, mark and sentence by which feedback is known: in data, on lines and in the words of frameworks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.retry.reading.structures import (
    is_error_tree,
    is_schema,
    opened,
    values,
    without_code,
    without_schemas,
)

from ...support.one_item import in_one_item

PLACES = (
    *("loc", "path", "field", "location", "instancePath", "instance_path", "pointer", "json_path", "dataPath", "param"),
    *("at", "in", "property", "propertyPath", "attribute", "where"),
)
MESSAGES = ("msg", "message", "error", "detail", "reason", "description", "err")
CODES = ("type", "code", "rule", "keyword", "validator", "kind")
WRAPPERS = (
    *("error", "errors", "problem", "problems", "reason", "details", "message", "note", "issue", "validation", "path"),
    *("field", "at", "where", "detail", "field_errors", "fieldErrors", "fields", "feedback", "issues", "findings"),
    *("nested", "_errors", "non_field_errors", "_schema"),
)


def read(value: Any, **known: Any) -> list[tuple[tuple[str, ...] | None, str | None, str]]:
    """Return place, code and message of each error in a text, or in a value as JSON."""
    text = value if isinstance(value, str) else json.dumps(value)
    return [(entry.path, entry.code, entry.message) for entry in recognise(text, **known)]


@in_one_item
@pytest.mark.parametrize("key", PLACES)
def test_each_key_for_a_place(key: str) -> None:
    """As a text or as a list of steps; a place alone is no error."""
    for place in ("a.0", ["a", 0]):
        assert read([{key: place, "msg": "odd"}]) == [(("a", "0"), None, "odd")]
    assert read([{key: 5, "msg": "odd"}]) == read([{key: "a.0"}]) == read([{f"{key}x": "a.0", "msg": "odd"}]) == []


@in_one_item
@pytest.mark.parametrize("key", MESSAGES)
def test_each_key_for_a_message(key: str) -> None:
    """Beside a place or a code; the first one counts."""
    assert read([{"loc": "a", key: "odd"}]) == [(("a",), None, "odd")]
    assert read([{"code": "missing", key: "odd"}]) == [(None, "missing", "odd")]
    assert read([{"loc": "a", "comment": "dull", key: "odd"}]) == [(("a",), None, "odd")]
    assert read([{"loc": "a", f"x{key}": "odd"}]) == []


@in_one_item
@pytest.mark.parametrize("key", CODES)
def test_each_key_for_a_code(key: str) -> None:
    """It is a text."""
    assert read([{"loc": "a", "msg": "odd", key: "missing"}]) == [(("a",), "missing", "odd")]
    assert read([{"loc": "a", "msg": "odd", key: 3, f"{key}x": "missing"}]) == [(("a",), None, "odd")]


@in_one_item
@pytest.mark.parametrize("key", WRAPPERS)
def test_each_name_around_errors_is_no_step(key: str) -> None:
    """In any case; another name is one."""
    for name in (key, key.upper()):
        assert (("a",), None, "Field required") in read({name: {"a": ["Field required"]}, "n": 1})
    assert (("xy", "a"), None, "Field required") in read({"xy": {"a": ["Field required"]}})


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ({"goal": "Field required"}, [(("goal",), "Field required")]),
        ({"goal": "missing"}, [(("goal",), "missing")]),
        ({"goal": "is invalid"}, [(("goal",), "is invalid")]),
        ({"goal": "Ship it"}, []),
        ({"tasks": [{}, {"id": "Field required"}]}, [(("tasks", "1", "id"), "Field required")]),
        ({"tasks": [{"id": "Field required"}]},
         [(("tasks", "id"), "Field required"), (("tasks", "0", "id"), "Field required")]),
        ({"a": {"b.c": ["Field required"]}}, [(("a", "b", "c"), "Field required")]),
        ([{"property": "id", "path": ["tasks", 0], "msg": "odd"}], [(("tasks", "0", "id"), "odd")]),
        ([{"property": "id", "path": ["tasks", "id"], "msg": "odd"}], [(("tasks", "id"), "odd")]),
        ({"properties": {"a": {"errors": ["Field required"]}}, "errors": []}, [(("a",), "Field required")]),
        ({"properties": {"a": {"description": "required"}}}, []),
    ],
)  # fmt: skip
def test_objects_map_fields_to_messages(value: Any, errors: list[Any]) -> None:
    """At any depth, if the words are about a rule; schemas are left out, and trees of errors are not."""
    assert [(path, message) for path, _, message in read(value)] == errors


def test_errors_are_read_to_the_twelfth_level() -> None:
    """Deeper values are data."""
    for levels, found in ((12, 1), (13, 0)):
        value: Any = "Field required"
        for _ in range(levels):
            value = {"a": value}
        assert len(read(value)) == found


SENTENCES = {
    "no_tool_call": (
        *("Validation Error due to no tool invocation", "Please include your response in a tool call"),
        "Please call a tool",
    ),
    "unknown_tool": ("Unknown tool name: ",),
    "empty": ("You MUST populate ALL required fields", "Please return text"),
    "json_invalid": (
        *("could not be executed - arguments were malformed or truncated", "no valid JSON object was found"),
        "I was given the following response, which was not parseable as JSON",
    ),
    "value_error": (
        *(
            "Recall the function correctly, fix the errors",
            "Correct your JSON ONLY RESPONSE",
            "Please fix your mistakes.",
        ),
        *("<pyai:validation_errors>", "<pyai:retry_feedback>", "Fix the errors and try again."),
        *("Failed to parse structured output for tool", "Your response failed schema validation:"),
        *("JSON response, which had problems due to incorrect values", "Previous attempt failed validation: "),
        *("I did it wrong. Invalid Format: ", "I encountered an error while trying to use the tool"),
        *("The above JSON object is invalid for the following reason", "RETRY 2/3 Schema validation failed:"),
    ),
}


@in_one_item
@pytest.mark.parametrize("code", SENTENCES)
def test_each_sentence_of_a_framework_has_a_code(code: str) -> None:
    """It names no place, and is not read where frameworks' wordings are not to be used."""
    for sentence in SENTENCES[code]:
        assert (None, code, sentence) in read(f"Oh. {sentence}"), sentence
        assert (None, code, sentence) not in read(f"Oh. {sentence}", known_wordings=False), sentence


MARKS = (
    *("- ", "* ", "• ", "– ", "— ", "+ ", "1. ", "2) ", "(3) ", "### ", "// ", "> ", "> > ", "│ ", "└─ ", "├─ ", "\t"),
    *(
        "✖ ",
        "❌ ",
        "✗ ",
        "✘ ",
        "× ",
        "⚠ ",
        "⚠\ufe0f ",
        "line 4: ",
        "at line 4, col 2: ",
        "Line 4 ",
        "- ❌ line 4, column 2: ",
    ),
)
SEPARATORS = (": ", "：", " — ", " – ", " - ", " => ", ":\n")


@in_one_item
@pytest.mark.parametrize("mark", MARKS)
def test_each_mark_in_front_of_a_line_is_no_word(mark: str) -> None:
    """Bullets, numbers, headings, quotations, branches, signs and positions."""
    assert (("a", "b"), None, "must be set") in read(f"{mark}a.b: must be set")


@in_one_item
@pytest.mark.parametrize("separator", SEPARATORS)
def test_each_separator_of_a_place_and_its_message(separator: str) -> None:
    """A colon within a word is none."""
    assert (("a", "b"), None, "must be set") in read(f"a.b{separator}must be set")
    assert read("10:30 must be set") == []


@in_one_item
@pytest.mark.parametrize("marker", ["at", "in", "for", "on", "field", "path", "key", "property", "parameter", "where"])
def test_each_word_that_leads_to_a_place(marker: str) -> None:
    """In front of a separator, and in brackets behind the message."""
    assert (("goal",), None, "must be set") in read(f"Error {marker} goal: must be set")
    assert (("goal",), None, "must be set") in read(f"must be set ({marker} goal)")
    assert (("goal",), None, "must be set") not in read("Error of goal: must be set")


@pytest.mark.parametrize(
    "language", ["python", "py", "pydantic", "ts", "tsx", "js", "Java", "sql", "graphql", "csharp"]
)
def test_code_names_no_errors(language: str) -> None:
    """In a block of its language; a block of data or without a language may have the errors."""
    block = f"See\n```{language}\nnights: missing\n```\nend"
    assert without_code(block) == f"See\n{' ' * (3 + len(language))}\n{' ' * 15}\n   \nend"
    for other in ("json", "", "text", "console"):
        assert without_code(block.replace(language, other)) == block.replace(language, other)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"status": "error", "details": "goal: required"}', "goal: required"),
        ('{"error": "goal: required", "code": 3}', "goal: required"),
        ('["goal: required", "size: too long"]', "goal: required\nsize: too long"),
        ('"goal:\\n required"', "goal:\n required"),
        ('{"errors": [{"message": "goal: required"}]}', "goal: required"),
        ('{"errors": [{"message": "goal: required", "path": "goal"}]}', None),
        ('{"goal": "is required"}', None),
        ('{"status": "ok"}', None),
        ("goal: required", None),
        ('{"error": ', None),
    ],
)
def test_feedback_in_a_wrapper_is_opened(text: str, words: str | None) -> None:
    """An object or a list of nothing but texts, without a place; anything else stays as it is."""
    assert opened(text) == (text if words is None else words)


def test_schemas_are_taken_out_of_data() -> None:
    """One within another value leaves an empty object; a tree of errors is no schema."""
    schema, tree = {"properties": {"a": {}}}, {"properties": {"a": {"errors": []}}, "errors": []}
    assert [is_schema(one) for one in (schema, {"$defs": {}}, tree, {"properties": []}, [schema])] == [
        True,
        True,
        *[False] * 3,
    ]
    assert (is_error_tree(tree), is_error_tree(schema), is_error_tree({"errors": "x"})) == (True, False, False)
    assert without_schemas(f"Use {json.dumps(schema)} here") == "Use  here"
    assert without_schemas(f"Use {json.dumps({'größe': schema, 'n': [1]})}") == 'Use {"größe": {}, "n": [1]}'
    assert without_schemas(f"Use {json.dumps(tree)}") == f"Use {json.dumps(tree)}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a [{"x": 1}] b', [([{"x": 1}], 2, 12)]),
        ("a {'x': (1, 'y')} b", [({"x": (1, "y")}, 2, 17)]),
        ("{'x': ErrorDetail(string='no', code='bad')}", [({"x": "no"}, 0, 43)]),
        ("{'x': deque(['a', 0])}", [({"x": ["a", 0]}, 0, 22)]),
        ("{'x': ValueError('no')}", [({"x": "no"}, 0, 23)]),
        ("[1, 2]", []),
        ("{'x': undefined}", []),
        ('["a"] and {"b": 2}', [(["a"], 0, 5), ({"b": 2}, 10, 18)]),
    ],
)
def test_values_within_a_text(text: str, found: list[Any]) -> None:
    """JSON and Python, if they begin with a text; what Python prints of an object is its value."""
    assert list(values(text)) == found
