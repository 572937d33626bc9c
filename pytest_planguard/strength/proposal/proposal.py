"""A contract module and a first test from example answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...contract.phrasing import plural
from ...errors import UsageError
from ..evidence import GoodAnswer, evidence_of
from ..python_text import constraint_lines
from ..references import id_places
from ..suggestion import Suggestion, suggestions
from .schema_text import SchemaText
from .shape import Choice, Items, Record, Scalar, Shape, shape_of

FEW = 3
"""Examples of a place below which no constraint is proposed for it: two answers say little about bounds."""
_LEFT_OUT = ("excludes", "one_of", "regex")
"""Builders that are not proposed: filler says nothing about examples, and `Literal` and `date` say the others."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed."""

    module: str
    """Source of the module with the schema and `CONTRACT`."""
    test: str
    """Source of a first test, which imports that module."""


def propose(answers: Sequence[GoodAnswer], module: str = "answer_contract") -> Proposal:
    """Return a contract that accepts every example, and a first test.

    Args:
        answers: the examples, at least one.
        module: name of the module that the test imports.

    Raises:
        UsageError: there is no example, or none of them is an object or a list.
    """
    evidence = evidence_of(answers)
    shape = shape_of([answer.data for answer in answers], ids=id_places(evidence))
    if not isinstance(shape, (Record, Items)):
        raise UsageError(f"no shape to propose: got {_seen(shape)}; give answers that are objects, or lists, all alike")
    text = SchemaText()
    root = text.annotation(shape, "Answer")
    constraints = proposed_constraints(answers)
    return Proposal(_module(text, root, constraints, len(answers)), _test(answers, module))


def _seen(shape: Shape) -> str:
    if isinstance(shape, Scalar):
        return shape.python
    return "texts" if isinstance(shape, Choice) else "answers of different shapes"


def proposed_constraints(answers: Sequence[GoodAnswer]) -> list[Suggestion]:
    """Return the constraints that every example keeps and that have slack, each kind once for a place."""
    evidence = evidence_of(answers)
    left_out = {*_LEFT_OUT, *(() if any(answer.context for answer in answers) else ("not_copied",))}
    kept: dict[tuple[str, str], Suggestion] = {}
    for one in suggestions(evidence, fewer_items=0.5):
        many = len(evidence[one.place].sites) >= FEW
        if many and one.builder not in left_out and (one.place, one.builder) not in kept and _is_kept(one, answers):
            kept[one.place, one.builder] = one
    return list(kept.values())


def _is_kept(suggestion: Suggestion, answers: Sequence[GoodAnswer]) -> bool:
    return not any(any(suggestion.constraint.findings(answer.data, answer.context)) for answer in answers)


def _module(text: SchemaText, root: str, constraints: Sequence[Suggestion], number: int) -> str:
    source = plural(number, "example")
    parts = [f'"""A contract proposed from {source}; each comment says what a line rests on. Edit it freely."""\n\n']
    parts += [*_imports(text, constraints), "\n\n"]
    parts += [f"{model}\n\n" for model in text.models]
    parts += [f"{helper}\n\n" for helper in dict.fromkeys(one.helper for one in constraints) if helper]
    if not constraints:
        return f'{"".join(parts)}CONTRACT = Contract({root}, name="answer")\n'
    listed = "".join("    " + line for one in constraints for line in constraint_lines(one).splitlines(keepends=True))
    return (
        f'{"".join(parts)}CONTRACT = Contract(\n    {root},\n    constraints=[\n{listed}    ],\n    name="answer",\n)\n'
    )


def _imports(text: SchemaText, constraints: Sequence[Suggestion]) -> Iterator[str]:
    if "date" in text.imports:
        yield "from datetime import date\n"
    typing = sorted({"Any", "Literal"} & text.imports | ({"Any"} if any(one.helper for one in constraints) else set()))
    if typing:
        yield f"from typing import {', '.join(typing)}\n"
    if typing or "date" in text.imports:
        yield "\n"
    pydantic = sorted({"BaseModel", "ConfigDict", "Field"} & text.imports)
    if pydantic:
        yield f"from pydantic import {', '.join(pydantic)}\n\n"
    names = sorted({"Contract", *(one.builder for one in constraints)})
    yield f"from pytest_planguard import {', '.join(names)}\n"


def _test(answers: Sequence[GoodAnswer], module: str) -> str:
    example = min((json.dumps(answer.data, ensure_ascii=True, indent=1) for answer in answers), key=len)
    return (
        '"""A first test: an example answer keeps the contract. Change it, and see the test turn red."""\n\n'
        "import json\n\nimport pytest\n"
        f"from {module} import CONTRACT\n\n"
        f"ANSWER = json.loads(\n    {_lines(example)}\n)\n\n\n"
        "@pytest.mark.planguard(CONTRACT)\n"
        "def test_an_example_keeps_the_contract(planguard):\n"
        "    planguard.check(ANSWER)\n"
    )


def _lines(text: str) -> str:
    """Return a text as adjacent Python literals, one a line."""
    return "\n    ".join(repr(line) for line in text.splitlines(keepends=True))


def contradictions(contract: Any, answers: Sequence[GoodAnswer]) -> list[str]:
    """Return what further examples contradict: one line for each rule and place, with the first example's message."""
    from ...contract.finding import Severity
    from ..evidence import place_name

    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for answer in answers:
        for finding in contract.check(answer.data, context=answer.context).findings:
            if finding.severity in (Severity.RETRY, Severity.FAIL):
                key = (finding.code, place_name(finding.path))
                groups.setdefault(key, []).append((answer.name, finding.message))
    return [
        f"{place or 'the answer'}: {code}: {said[0][1]} ({said[0][0]}; {_number_of_examples(said)})"
        for (code, place), said in groups.items()
    ]


def _number_of_examples(said: Sequence[tuple[str, str]]) -> str:
    return plural(len({name for name, _ in said}), "example")
