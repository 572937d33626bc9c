"""Every word that the package can give is explained, and nothing else is: the sets come from the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from pydantic_core import core_schema

import pytest_planguard
from pytest_planguard.contract.constraints.constraint_types import CONSTRAINT_TYPES
from pytest_planguard.contract.failure_kinds import PASSING_STATUSES, FailureKind
from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.rules.judge_plan import RULES
from pytest_planguard.report.comparison_words import title
from pytest_planguard.report.explain import Explanation, catalogue, meanings
from pytest_planguard.retry.judging.outcome import CHECKS
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade, Outcome
from pytest_planguard.retry.proof import ProofResult
from pytest_planguard.runs.compare.run_diff import Bucket
from pytest_planguard.runs.gate.gate import Conclusion
from pytest_planguard.runs.gate.weakening import Weight
from pytest_planguard.runs.model.run import UNANSWERED

from ..support.one_item import in_one_item

PACKAGE = Path(pytest_planguard.__file__).parent
CARRIERS = {"Finding", "Fault", "Breach"}
"""Classes whose first field is the code of a finding, wherever they are used."""
HOMES = {"Problem": "document", "Note": "document", "Defect": "plans", "_report": "contract"}
"""Further ones and a method, each with the layer that gives a code by it: other layers use the same names."""


def names(*sorts: str) -> set[str]:
    """What is explained of some sorts."""
    return {entry.name for entry in catalogue() if entry.sort in sorts}


def codes_in(path: Path) -> Iterator[str]:
    """The codes that a module gives as a text or as a constant of its own or of an import."""
    relative = path.relative_to(PACKAGE)
    module = "pytest_planguard." + ".".join(relative.with_suffix("").parts)
    text = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in text for name in (*CARRIERS, *HOMES)):  # most modules, and parsing takes all the time
        return
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        if name in CARRIERS or HOMES.get(name) == relative.parts[0]:
            given = [*(keyword.value for keyword in node.keywords if keyword.arg == "code"), *node.args[:1]][:1]
        else:
            continue
        for value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
            elif isinstance(value, ast.Name) and value.id.isupper():
                yield getattr(import_module(module), value.id)


@cache
def given_codes() -> frozenset[str]:
    """The codes that the package gives."""
    return frozenset(code for path in PACKAGE.rglob("*.py") for code in codes_in(path))


@pytest.mark.slow
def test_the_scan_sees_codes_of_every_layer() -> None:
    """It would be worthless if it saw none: a literal, a constant, a plan rule, and a code of the stream."""
    assert {"missing", "rule_crashed", "header-format", "wrong_container", "duplicate-artifact"} <= given_codes()


def test_every_code_that_is_given_is_explained() -> None:
    """Each is a kind, a rule, a code of pydantic or one of our own; and no code is explained that is never given."""
    known = names("failure kind", "finding code", "constraint", "plan rule")
    assert given_codes() - known - {*core_schema.ErrorType.__args__} == set()  # type: ignore[attr-defined]
    assert names("finding code") - given_codes() == set()


@pytest.mark.parametrize(
    ("sort", "given"),
    [
        ("failure kind", {kind.value for kind in FailureKind}),
        ("constraint", {kind.name for kind in CONSTRAINT_TYPES.built_in}),
        ("check", {check.__name__ for check in CHECKS}),
        ("outcome", {outcome.value for outcome in Outcome} | set(UNANSWERED)),
        ("grade", {*Grade, *Firmness, *ProofResult}),
        ("comparison", {title(bucket, 1) for bucket in Bucket} - {"stale"}),  # that is an outcome
        ("gate", {Conclusion.UNPROVEN, *Weight}),
        ("check status", {status.value for status in CheckStatus}),
        ("severity", {severity.value for severity in Severity}),
        ("plan rule", {rule.code for rule in RULES.built_in}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # the order of a set differs between workers
)
def test_every_word_of_a_sort_is_explained_and_no_other(sort: str, given: set[str]) -> None:
    """The sets are the enums and tables that give the words."""
    assert names(sort) == given


@in_one_item
@pytest.mark.parametrize("entry", list(catalogue()), ids=lambda entry: f"{entry.sort}-{entry.name}")
def test_every_explanation_says_all_four_things(entry: Explanation) -> None:
    """What, why, example, what to do: each on one line, and what, why and what to do are sentences."""
    for text in (entry.what, entry.why, entry.do):
        assert text[-1] in ".`", text
        assert (
            text[0].isupper()
            or text[0] in "`["
            or not text[0].isalpha()
            or text.split()[0] in ("amelia", "planguard", "pydantic")
        )
    assert entry.example.strip()
    assert all("\n" not in text for text in (entry.what, entry.why, entry.example, entry.do))
    assert "An extension" not in entry.why


@in_one_item
@pytest.mark.parametrize("code", core_schema.ErrorType.__args__)  # type: ignore[attr-defined]  # a Literal
def test_every_code_of_pydantic_has_a_family(code: str) -> None:
    """The installed pydantic's own list. A name that is also one of ours has our meaning."""
    assert meanings(code)


def test_every_keyword_of_json_schema_has_a_family() -> None:
    """What the validator says that it can fail by; it spells a kind `MaxItems` and the keyword `maxItems`."""
    rs = pytest.importorskip("jsonschema_rs")
    special = {"Constant": "const", "OneOfMultipleValid": "oneOf", "OneOfNotValid": "oneOf", "Referencing": "$ref"}
    kinds = [name for name in dir(rs.ValidationErrorKind) if name[0].isupper()]
    lacking = [name for name in kinds if not meanings(special.get(name, name[0].lower() + name[1:]))]
    assert len(kinds) > 20
    assert lacking == []


def test_a_family_names_the_kind_that_a_code_becomes() -> None:
    """The example of a family belongs to it: each code in it is looked up again."""
    for entry in catalogue():
        if entry.sort == "validator codes":
            for code in entry.example.replace("`", "").split(", "):
                assert entry in meanings(code) or meanings(code)[0].sort != "validator codes", (entry.name, code)


def test_the_statuses_that_may_be_sent_again_are_those_of_the_code() -> None:
    """The page names each."""
    (transport,) = meanings("transport")
    assert f": {', '.join(map(str, sorted(PASSING_STATUSES)))}, 5xx," in transport.what
