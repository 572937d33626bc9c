"""What is said of each keyword of JSON Schema that an answer breaks."""

from __future__ import annotations

import json

import pytest

from pytest_planguard import Contract

from ...support.one_item import in_one_item
from .test_json_schema_errors import BROKEN

SAID = {
    "AdditionalItems": "expected no more items; got [1, 2]",
    "AdditionalProperties": "not allowed here",
    "AnyOf": "expected a string or null; got 1",
    "Constant": "expected 1; got 2",
    "Contains": 'expected another number of items that fit the schema under "contains"; got [1]',
    "ContentEncoding": 'contentEncoding does not hold; got "!"',
    "ContentMediaType": 'contentMediaType does not hold; got "{"',
    "Enum": "expected one of 1, 2; got 3",
    "ExclusiveMaximum": "expected less than 1; got 1",
    "ExclusiveMinimum": "expected greater than 1; got 1",
    "FalseSchema": "expected nothing here; got 1",
    "Format": 'expected text in the format date; got "soon"',
    "MaxItems": "expected at most 0 items; got [1]",
    "MaxLength": 'expected at most 0 characters; got "a"',
    "MaxProperties": 'expected at most 0 properties; got {"a": 1}',
    "Maximum": "expected at most 1; got 2",
    "MinItems": "expected at least 1 item; got []",
    "MinLength": 'expected at least 1 character; got ""',
    "MinProperties": "expected at least 1 property; got {}",
    "Minimum": "expected at least 1; got 0",
    "MultipleOf": "expected a multiple of 2; got 3",
    "Not": 'expected a value that does not fit the schema under "not"; got 1',
    "OneOfMultipleValid": "expected exactly one matching alternative, not 2; got 1",
    "OneOfNotValid": 'expected an integer or a number; got "a"',
    "Pattern": 'expected text matching ^a; got "b"',
    "PropertyNames": 'expected at most 1 character; got "ab"',
    "Required": "required, missing",
    "Type": "expected a string; got 1",
    "UnevaluatedItems": "expected no more items; got [1]",
    "UnevaluatedProperties": "not allowed here",
    "UniqueItems": "expected different items; got [1, 1]",
}


@in_one_item
@pytest.mark.parametrize("keyword", SAID)
def test_the_words_about_a_broken_keyword(keyword: str) -> None:
    """What the schema wants there, and what the answer has; a rule that was expected is the words behind "expected"."""
    schema, data = BROKEN[keyword]
    (found,) = Contract(schema).check(json.dumps(data)).errors
    assert found.message == SAID[keyword]
    if found.expected is not None:
        assert found.message.startswith(f"expected {found.expected}; got ")


@pytest.mark.parametrize(
    ("schema", "data", "hint"),
    [
        ({"enum": ["low", "high"]}, "hgih", 'did you mean "high"?'),
        ({"enum": ["low", "high"]}, "zzz", None),
        ({"const": "high"}, "hgih", 'did you mean "high"?'),
        ({"properties": {"name": {}}, "additionalProperties": False}, {"nmae": 1}, 'did you mean "name"?'),
        ({"properties": {"name": {}}, "additionalProperties": False}, {"name": 1, "nmae": 1}, None),
        ({"properties": {"name": {}}, "additionalProperties": False}, {"zzz": 1}, None),
    ],
)
def test_a_slip_is_named(schema: dict[str, object], data: object, hint: str | None) -> None:
    """The nearest value that is allowed, or the nearest key that is free."""
    (found,) = Contract(schema).check(json.dumps(data)).errors
    assert found.hint == hint
