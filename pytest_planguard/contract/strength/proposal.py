"""Propose a contract module and a first test from example answers. `model_source` writes the models in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ..phrasing import plural
from .evidence import GoodAnswer, evidence_of, id_places, place_name
from .model_source import SchemaText, is_table, kind_of
from .suggestion import Suggestion, constraint_lines, suggestions

FEW = 3
"""Minimum number of examples of a place for a constraint. Two answers say little about bounds."""
FEWER_ITEMS = 0.5
"""Share of the shortest example list that an answer may have: the next answer is often shorter than the examples."""
_LEFT_OUT = ("excludes", "one_of", "regex")
"""Builders that are never proposed: examples say little about some, and `Literal` and `date` replace the others."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposed module and test."""

    module: str
    """Source of the module with the schema and `CONTRACT`."""
    test: str
    """Source of a first test that imports the module."""


def propose(answers: Sequence[GoodAnswer], module: str = "answer_contract") -> Proposal:
    """Return a contract that accepts every example, and a first test.

    Args:
        answers: the examples, at least one.
        module: name of the module that the test imports.

    Raises:
        UsageError: there is no example, or none of them is an object or a list.
    """
    values = [answer.data for answer in answers]
    text = SchemaText(id_places(evidence_of(answers)))
    root, _ = text.annotation(values, (), "Answer")
    kinds = set(map(kind_of, values))
    if kinds not in ({"object"}, {"list"}) or (kinds == {"object"} and is_table(values)):
        raise UsageError(
            f"no shape to propose: got {_seen(root, kinds)}; give answers that are objects, or lists, all alike"
        )
    constraints = proposed_constraints(answers)
    return Proposal(_module(text, root, constraints, len(answers)), _test(answers, module))


def _seen(root: str, kinds: set[str]) -> str:
    """Return what examples without a common shape are: "texts", "float", "answers of different shapes"."""
    if root.startswith("Literal["):
        return "texts"
    one_kind = len(kinds) < 2 and "object" not in kinds
    return root if one_kind else "answers of different shapes"


def proposed_constraints(answers: Sequence[GoodAnswer]) -> list[Suggestion]:
    """Return the constraints (with slack) that every example satisfies, one of each kind per place."""
    evidence = evidence_of(answers)
    left_out = {*_LEFT_OUT, *(() if any(answer.context for answer in answers) else ("not_copied",))}
    kept: dict[tuple[str, str], Suggestion] = {}
    for one in suggestions(evidence, fewer_items=FEWER_ITEMS):
        if one.builder in left_out or (one.place, one.builder) in kept or len(evidence[one.place].sites) < FEW:
            continue
        if not any(map(one.is_broken_by, answers)):
            kept[one.place, one.builder] = one
    return list(kept.values())


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
    literals = "\n    ".join(map(repr, example.splitlines(keepends=True)))
    return (
        '"""A first test: an example answer meets the contract. Break the answer to see the test fail."""\n\n'
        "import json\n\nimport pytest\n"
        f"from {module} import CONTRACT\n\n"
        f"ANSWER = json.loads(\n    {literals}\n)\n\n\n"
        "@pytest.mark.planguard(CONTRACT)\n"
        "def test_an_example_keeps_the_contract(planguard):\n"
        "    planguard.check(ANSWER)\n"
    )


def contradictions(contract: Any, answers: Sequence[GoodAnswer]) -> list[str]:
    """Return the contradictions of further examples: one line for each rule and place, with the first message."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for answer in answers:
        for finding in contract.check(answer.data, context=answer.context).errors:
            key = (finding.code, place_name(finding.path))
            groups.setdefault(key, []).append((answer.name, finding.message))
    return [
        f"{place or 'the answer'}: {code}: {said[0][1]} ({said[0][0]}; {plural(len(dict(said)), 'example')})"
        for (code, place), said in groups.items()
    ]
