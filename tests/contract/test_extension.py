"""What extensions add to contracts, and what is left of the json style in a spoilt text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pytest_planguard import ContentConstraint, Contract
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES, ConstraintType
from pytest_planguard.contract.constraints.scene import Violation, each_text, wrong
from pytest_planguard.contract.feedback.feedback import parse_problems
from pytest_planguard.errors import UsageError


def _quiet(text: str, _params: Mapping[str, Any]) -> Iterator[Violation]:
    if text.isupper():
        yield wrong("words that do not shout", text)


def test_a_type_of_constraint_is_added_once() -> None:
    """A registered type is used as any other; registering the same again changes nothing, another one is refused."""
    kind = ConstraintType("quiet", each_text(_quiet))
    CONSTRAINT_TYPES.register("quiet", kind)
    CONSTRAINT_TYPES.register("quiet", kind)
    try:
        contract = Contract(None, constraints=[ContentConstraint("title", "quiet")])
        assert contract.check('{"title": "Help"}').ok
        assert [finding.code for finding in contract.check('{"title": "HELP"}').errors] == ["quiet"]
        with pytest.raises(UsageError, match=r"^a constraint type 'quiet' exists already; choose another name$"):
            CONSTRAINT_TYPES.register("quiet", ConstraintType("quiet", each_text(_quiet)))
    finally:
        CONSTRAINT_TYPES.unregister("quiet")


def test_a_spoilt_problem_spoils_no_other() -> None:
    """A line of the json style that is cut or lacks its message is passed over; those around it are read."""
    lines = ('{"path": "/a", "code": "x", "message": "m"},', '{"path": "/b", "co', '{"path": "/c", "message": 3},')
    text = "\n".join(["{", '  "problems": [', *(f"    {line}" for line in lines), '    {"path": "/d", "message": "n"}'])
    found = list(parse_problems(text))
    assert [(path, code, message) for path, code, message, _, _ in found] == [(("a",), "x", "m"), (("d",), None, "n")]
    assert [text[start:end] for *_, start, end in found] == [lines[0][:-1], '{"path": "/d", "message": "n"}']
