"""The explaining JSON reader agrees with the standard parser on what is JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.formats.syntax_errors import first_fault

from ...support.json_values import JSON_VALUES
from ...support.one_item import in_one_item

PARTS = ["{", "}", "[", "]", ",", ":", '"a"', '"', "1", "-", "0", ".5", "e", "true", "nul", "null", " ", "\n", "\\"]
PARTS += ["\\u00", "NaN", "-Infinity", "'", "//", "x", "True", "\x00", "é", "“"]
NEAR_JSON = st.lists(st.sampled_from(PARTS), max_size=10).map("".join).map(str.lstrip)


def standard(text):
    """The value and its end, or None where the standard parser refuses."""
    try:
        return json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError:
        return None


@pytest.mark.slow
@given(NEAR_JSON | JSON_VALUES.map(json.dumps))
def test_a_fault_is_found_where_the_standard_parser_refuses(text):
    """Law: text is sound to both or to none; a number is read to its end, so `01` is one bad number, not two."""
    fault = first_fault(text)
    read = standard(text)
    if read is None:
        assert fault is not None
        assert 0 <= fault.start <= len(text)
    elif fault is not None:
        assert text[read[1] : read[1] + 1].isalnum() or text[read[1] : read[1] + 1] in ".+-_"


@in_one_item
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": nope', "text without quotes: nope"),
        ("[.5]", "not a JSON number: .5"),
        ("[1.]", "not a JSON number: 1."),
        ('{"a": undefined}', "undefined is not JSON: write null"),
        ("[,]", "missing value"),
        ("[1 # one\n]", "JSON has no comments"),
        ("[" + "x" * 200 + "]", "text without quotes: " + "x" * 59 + "…"),
        ("[1 two]", "unexpected text after a value: two"),
        ('["a" "b"]', 'missing ","'),
        ("{,}", "a key must be a string in double quotes"),
        ("", "the text ends inside the document"),
        ("tru", "the text ends inside a word"),
        ('"abc', "the text ends inside a string"),
    ],
)
def test_faults_in_words(text, message):
    """Common slips have a sentence of their own."""
    fault = first_fault(text)
    assert fault is not None
    assert fault.message == message
