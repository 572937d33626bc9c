"""The json style: what is read of its problems."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.feedback import build_feedback, parse_problems
from pytest_planguard.contract.finding import Finding

from ...support.one_item import in_one_item


def _line(**values: Any) -> str:
    return f"    {json.dumps(values)}"


READ: dict[str, list[tuple[Any, ...]]] = {
    _line(path="/a/0", code="type", message="no"): [(("a", 0), "type", "no")],
    _line(path="", code="type", message="no"): [((), "type", "no")],
    _line(path="/a", code="type", line=3, message="no"): [(("a",), "type", "no")],
    _line(path="/a", message="no"): [(("a",), None, "no")],
    _line(path="/a", code=5, message="no"): [(("a",), None, "no")],
    _line(path="/a", code="type", message=5): [],
    _line(path="/a", code="type"): [],
    _line(path=5, code="type", message="no"): [],
    _line(code="type", path="/a", message="no"): [],
    _line(path="/a", code="type", message="no")[:-3]: [],
    _line(path="/a", code="type", message="no")[1:]: [],
    f" {_line(path='/a', code='type', message='no')}": [],
    _line(path="/a", message="x" * 1_970): [(("a",), None, "x" * 1_970)],
    _line(path="/a", message="x" * 1_974): [],
}


@in_one_item
@pytest.mark.parametrize("line", READ, ids=lambda line: line[:60])
def test_what_is_read_of_a_problem(line: str) -> None:
    """On its line, with its place there; a broken one hides none of the others."""
    other = _line(path="/z", code="last", message="more")
    for text in (line, f'{{\n  "problems": [\n{line},\n{other}\n  ],\n}}'):
        found = list(parse_problems(text))
        assert [one[:3] for one in found if one[1] != "last"] == READ[line]
        assert [json.loads(text[start:end])["path"] for *_, start, end in found] == (
            ["/" + "/".join(map(str, path)) if path else "" for path, *_ in READ[line]] + ["/z"] * (text is not line)
        )


def test_equal_problems_have_one_digest() -> None:
    """By code and path, in any order; neither the words nor the style count."""
    one = Finding("a", ("x", 0), "no", FailureKind.TYPE)
    other = Finding("b", (), "no", FailureKind.TYPE)
    first, again = build_feedback([one, other]), build_feedback([other, one], style="json")
    assert first.digest == again.digest == "789848b28429"
    assert build_feedback([one]).digest != first.digest
    assert build_feedback([Finding("a", ("x", "0"), "no", FailureKind.TYPE)]).digest != build_feedback([one]).digest
    assert build_feedback([Finding("a", ("\ud800",), "no", FailureKind.TYPE)]).digest
