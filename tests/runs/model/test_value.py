"""The value of an answer, which no row keeps twice."""

import pytest

from pytest_planguard.runs.model.judged_answers import value_of


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ('Here:\n```json\n{"a": 1}\n```', {"a": 1}),
        ("a: 1\nb: x\n", {"a": 1, "b": "x"}),
        ("no document", "no document"),
    ],
)
def test_the_value_is_the_parsed_answer(answer: str, value: object) -> None:
    """Its text if it holds no document."""
    assert value_of(answer) == value
