"""The final value of a row, which follows from its last answer."""

from dataclasses import replace

import pytest

from pytest_planguard.runs.model.judged_answers import Judged

from ...support.runs import attempt, bad, case, finding, good


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        ('Here:\n```json\n{"a": 1}\n```', {"a": 1}),
        ("a: 1\nb: x\n", {"a": 1, "b": "x"}),
        ("no document", "no document"),
    ],
)
def test_the_final_value_is_the_parsed_last_answer(answer: str, value: object) -> None:
    """Of the last attempt, whatever came before it."""
    row = case("k", attempt("{}", finding("missing", ("a",))), attempt(answer))
    assert row.final_values == (value,)


def test_without_a_valid_last_answer_there_is_none() -> None:
    """Neither a bad answer nor an earlier good one is the final value; each conversation has its own."""
    assert bad("k", '{"a": 1}').final_values == (None,)
    assert Judged((), "stopped", ok=False).final_value is None
    two = (*good("k", "[1]").judged, *bad("k").judged)
    assert replace(good("k"), judged=two).final_values == ([1], None)
