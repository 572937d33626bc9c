"""Shapes in which validators place an error: each gives its place and its rule."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.outcomes import DROPPED
from pytest_planguard.retry.reading.entry import parse_place, same_place
from pytest_planguard.retry.reading.error_category import (
    ErrorCategory,
    category_of_words,
    only_invalid,
)
from pytest_planguard.retry.reading.lines import line_entries
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.retry.reading.structures import values
from pytest_planguard.wire.exchange import Role

from ....support.cost import assert_growth, peak_memory
from ....support.one_item import in_one_item

CODES = {
    ErrorCategory.MISSING: "missing",
    ErrorCategory.EXTRA: "extra_forbidden",
    ErrorCategory.TOO_SHORT: "too_short",
    ErrorCategory.TOO_SMALL: "minimum",
    ErrorCategory.TOO_LARGE: "maximum",
    ErrorCategory.ENUM: "enum",
    ErrorCategory.FORMAT: "pattern",
    ErrorCategory.TYPE: "int_type",
}
"""Codes of findings that break a rule."""
TREE = '{ a }\n└─ ["lines"]\n   ├─ [1]\n   │  └─ ["price"]\n   │     └─ is missing\n   └─ [2]\n      └─ must be > 0'

JSON_SCHEMA = """'two' is not of type 'number'

Failed validating 'type' in schema['properties']['lines']['items']['properties']['price']:
    {'type': 'number'}

On instance['lines'][1]['price']:
    'two'"""
"""An error of jsonschema as a text."""


@in_one_item
@pytest.mark.parametrize(
    ("text", "path", "rule"),
    [
        ("data/lines/1 must have required property 'sku'", "lines.1.sku", ErrorCategory.MISSING),
        ("instance.lines[1].price is not of a type(s) number", "lines.1.price", ErrorCategory.TYPE),
        ("Wrong: data.due must be >= 1, data.lines[0].sku must match pattern x", "lines.0.sku", ErrorCategory.FORMAT),
        ("must be at most 5 [lines[0].price]", "lines.0.price", ErrorCategory.TOO_LARGE),
        ("[due] Not a valid number.", "due", ErrorCategory.TYPE),
        ("* must be equal to one of the allowed values (at /lines/1/unit)", "lines.1.unit", ErrorCategory.ENUM),
        (
            "value must be at least 3 for dictionary value @ data['lines'][0]['price']",
            "lines.0.price",
            ErrorCategory.TOO_SMALL,
        ),
        ("Expected `int` >= 1 - at `$.lines[0].price`", "lines.0.price", ErrorCategory.TOO_SMALL),
        ("Got 'two' of type str, expected int\nPath: .lines.[1].price", "lines.1.price", ErrorCategory.TYPE),
        (
            "Key 'customer' error:\nKey 'address' error:\nMissing key: 'zip'",
            "customer.address.zip",
            ErrorCategory.MISSING,
        ),
        (TREE, "lines.1.price", ErrorCategory.MISSING),
        (repr("1 error:\n- lines.1.price: must be > 0"), "lines.1.price", ErrorCategory.TOO_SMALL),
        (JSON_SCHEMA, "lines.1.price", ErrorCategory.TYPE),
        (
            "/lines/0: must NOT have additional properties (additional property 'note')",
            "lines.0.note",
            ErrorCategory.EXTRA,
        ),
        ("lines.0: Unrecognized key(s) in object: 'note'", "lines.0.note", ErrorCategory.EXTRA),
        (
            "/lines/0: Additional properties are not allowed ('note' was unexpected)",
            "lines.0.note",
            ErrorCategory.EXTRA,
        ),
        ("Missing required field: lines.0.sku.", "lines.0.sku", ErrorCategory.MISSING),
        ("missing required field `sku` - at `$.lines[0]`", "lines.0.sku", ErrorCategory.MISSING),
        ("'sku' is a required property of lines[0]", "lines.0.sku", ErrorCategory.MISSING),
        ("Field 'lines.0.sku' is invalid: Required", "lines.0.sku", ErrorCategory.MISSING),
        (
            "{'lines': {0: {'sku': [ErrorDetail(string='This field is required.', code='required')]}}}",
            "lines.0.sku",
            None,
        ),
        ('{"lines": {"non_field_errors": ["Must have at least 1 items."]}}', "lines", ErrorCategory.TOO_SHORT),
    ],
)
def test_place_and_rule_are_judged(text: str, path: str, rule: ErrorCategory | None) -> None:
    """Wherever the place stands, the finding there that breaks the rule is fed back, of another item not as firmly."""
    wanted = tuple(int(s) if s.isdecimal() else s for s in path.split("."))
    code = CODES[rule or ErrorCategory.MISSING]
    finding = Finding(code, wanted, "wrong", FailureKind.CONTENT, validator_code=code)
    assert judged(finding, text) in ("verbatim", "located", "weak")
    if any(isinstance(step, int) for step in wanted):
        other = tuple(step + 1 if isinstance(step, int) else step for step in wanted)
        assert judged(replace(finding, path=other), text) in (*DROPPED, "weak")


def judged(finding: Finding, text: str) -> str:
    """Return what becomes of one finding of an order whose next request adds the text."""
    line = {key: 1 for key in ("sku", "price", "unit", "note") if key != finding.path[-1] or finding.code != "missing"}
    order = {"due": 1, "lines": [line, line, line, line], "customer": {"address": {"street": 1}}}
    reading = read([Delta(2, (Piece(text, 3, Role.USER),))])
    return fed_back([finding], reading, attempt=1, data=order)[0].label


def test_a_member_is_named_at_the_object_around_it_in_any_language() -> None:
    """An error at an object is about the member that its message names, and about no other one."""
    missing = Finding("missing", ("lines", 0, "sku"), "wrong", FailureKind.MISSING)
    for text in ("lines.0: requiert la propriété sku", "muss das erforderliche Attribut sku enthalten [lines[0]]"):
        assert judged(missing, text) == "weak"
        assert judged(replace(missing, path=("lines", 0, "unit")), text) in DROPPED
        assert judged(replace(missing, path=("lines", 1, "sku")), text) in DROPPED


def test_a_name_for_the_whole_answer_is_a_field_where_the_answer_has_it() -> None:
    """`data.id` is the field `data` of an answer that has one, and else the field `id`."""
    assert same_place(parse_place("data.id"), ("id",), {"id": 1})
    assert not same_place(parse_place("data.id"), ("id",), {"data": {"id": 2}, "id": 1})


@pytest.mark.parametrize("text", ["must be at most 5 [too_long]", "Please fix (see above)", "Look at line 3"])
def test_words_in_brackets_are_not_always_a_place(text: str) -> None:
    """A code behind a message, a remark and a line number place nothing."""
    assert not list(line_entries(text))


def test_a_place_in_front_of_its_message_is_not_that_of_the_message_before() -> None:
    """Blocks of `path:` and `message:` are read in the order in which they begin."""
    wanted = [(("title",), "Field required"), (("owner",), "odd")]
    for text in (
        "path: title\nmessage: Field required\npath: owner\nmessage: odd",
        "Errors:\nfield: title\nerror: Field required\nfield: owner\nerror: odd",
        "Please repair this:\n\nWhere: title\nField required\n\nWhere: owner\nodd",
        "Error: Field required\nPath: title\nError: odd\nPath: owner",
        "Field required\n  -> at title\nodd\n  -> at owner",
    ):
        assert [(e.path, e.message) for e in line_entries(text) if e.path in (("title",), ("owner",))] == wanted, text


def test_an_envelope_says_what_its_text_says() -> None:
    """A text inside a JSON object is read with its escaped line breaks and quotes."""
    missing = Finding("missing", ("lines", 1, "sku"), "wrong", FailureKind.MISSING, validator_code="missing")
    for text in ('"lines[1].sku" is required', "2 errors:\n- lines[1].sku: Field required\n- due: no date"):
        assert judged(missing, json.dumps({"status": "error", "details": text})) == "located"
        assert judged(missing, json.dumps({"error": {"code": 422, "message": text}})) == "located"
        assert judged(missing, json.dumps(text)) == "located"
        assert judged(replace(missing, path=("lines", 2, "sku")), json.dumps({"details": text})) == "wrong"


@in_one_item
@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("must be shorter than or equal to 60 characters", ErrorCategory.TOO_LONG),
        ("Must be greater than or equal to 1 and less than or equal to 12.", ErrorCategory.RANGE),
        ("Date has wrong format. Use one of these formats instead: YYYY-MM-DD.", ErrorCategory.FORMAT),
        ("Invalid key: Expected never but received 'note'", ErrorCategory.EXTRA),
        ('Invalid key: Expected "sku" but received undefined', ErrorCategory.MISSING),
        ("must be removed", ErrorCategory.EXTRA),
        ("value can't be converted to int", ErrorCategory.TYPE),
        ("Expected a positive number, actual 0", ErrorCategory.TOO_SMALL),
        ("must be an ISO 8601 date", ErrorCategory.FORMAT),
        ("'next week' is not a 'date'", ErrorCategory.FORMAT),
        ("Expected string to match 'date' format", ErrorCategory.FORMAT),
        ("Expected array length to be greater or equal to 1", ErrorCategory.TOO_SHORT),
        ("a length between `1` and `Infinity` but received one with a length of `0`", ErrorCategory.RANGE),
        ("Expected a string, but received: undefined", ErrorCategory.MISSING),
        ("expected 'bike' but found 'limousine'", ErrorCategory.ENUM),
    ],
)
def test_words_name_their_rule(words: str, rule: ErrorCategory) -> None:
    """What validators say of a fault names its rule."""
    assert category_of_words(words) is rule


@pytest.mark.parametrize("words", ["must be before the end date", "must be a future date", "not the delivery time"])
def test_a_rule_about_a_date_is_not_its_format(words: str) -> None:
    """Which date it must be is another problem than how a date is written."""
    assert category_of_words(words) is None


def test_a_code_with_its_limit_and_a_bare_invalid() -> None:
    """`min 1` is a code with a limit; "Invalid" says nothing of the rule, "Invalid date" does."""
    assert category_of_words("min 1") is ErrorCategory.TOO_SMALL
    assert category_of_words("maxlength: 60") is ErrorCategory.TOO_LONG
    assert category_of_words("kind=string_too_short") is ErrorCategory.TOO_SHORT
    assert category_of_words("the goal is") is None
    assert category_of_words("Max Planck") is None
    assert only_invalid("Invalid")
    assert not only_invalid("Invalid date")
    assert not only_invalid("InvalidTypeError")


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["[a", "a.b ", "└─ [1]\n", "Key 'a' error:\n", "(at ", '{"a": "', "data.a must ", "x @ $.a ("]
)
def test_hostile_text_costs_linear_time(part: str) -> None:
    """Eight times the text costs far less than 64 times as much."""

    def read(count: int) -> None:
        recognise(part * count)

    assert_growth(read, 500, 4_000, below=32)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["- a\n", "# a\n", "```\n{}\n```\n"])
def test_the_lines_of_a_text_are_not_kept(part: str) -> None:
    """Each line had an object of its own, all at a time: 42 bytes for a character."""
    text = part * (6_000 // len(part))
    recognise(part)  # what is loaded or compiled once
    assert peak_memory(lambda: recognise(text)) < 30 * len(text)


@pytest.mark.slow
def test_errors_that_nobody_counts_are_not_kept() -> None:
    """Each line of `k: v` may be an error; the first 2,000 of a wording are kept."""
    text = "k: v\n" * 4_000
    recognise("k: v\n")
    assert peak_memory(lambda: recognise(text)) < 45 * len(text)
    assert len(recognise(text)) == 2_000


def test_values_behind_a_long_text_cost_no_more() -> None:
    """Each fails as JSON first, which must not cost the text in front of it; places and values stay right."""

    def read(lines_in_front: int) -> None:
        text = "\n" * lines_in_front + "['a'] " * 500
        found = list(values(text))
        assert [value for value, _, _ in found] == [["a"]] * 500
        assert all(text[start:end] == "['a']" for _, start, end in found)

    assert_growth(read, 3_000, 300_000, below=20)  # reading the text in front again for each value gives about 100
