"""Fields that a user names, and what is said where there are none."""

from typing import Any

import pytest

from pytest_planguard.document.path_pattern import NoFieldError, named_field


def test_a_dotted_name_leads_inside() -> None:
    """Null is a value, too."""
    assert named_field({"a": {"b": [1]}}, "a.b") == [1]
    assert named_field({"a": None}, "a") is None
    assert named_field({"a": [{"b": 1}, {"0": 2}]}, "a.1.0") == 2  # a number is a key of an object, too
    assert named_field({"a": [1, 2]}, "a.-1") == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"response": {}}, "no field 'text'; it has: nothing"),
        ({"response": {"b": 1, "c": 2}}, "no field 'text'; it has: b, c"),
        ({"response": [1]}, "no field 'text': its parent is not an object, but a list"),
        ({}, "no field 'response'; it has: nothing"),
    ],
)
def test_what_is_there_instead_is_said(value: Any, said: str) -> None:
    """The step that fails is named, with the fields beside it."""
    with pytest.raises(NoFieldError) as raised:
        named_field(value, "response.text")
    assert str(raised.value) == said
