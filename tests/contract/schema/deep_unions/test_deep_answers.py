"""Answers deep within nested and recursive unions, as `Contract.check` judges them."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel, TypeAdapter, field_validator

from pytest_planguard import Contract
from pytest_planguard.contract.verdict import Verdict

from ....support.nightly import drawn
from ....support.one_item import in_one_item
from .schemas import levels_without_recursion, mutual, nested, union


class Group(BaseModel):
    kind: Literal["group"]
    child: Node


class Optional(BaseModel):
    kind: Literal["optional"]
    child: Node


class Tagged(BaseModel):
    kind: Literal["tagged"]
    child: TaggedNode


class Other(BaseModel):
    kind: Literal["other"]
    child: TaggedNode


Node = Group | Optional | str
TaggedNode = Annotated[Tagged | Other, Field(discriminator="kind")] | str
for _model in (Group, Optional, Tagged, Other):
    _model.model_rebuild()

KINDS = {
    "json schema": (Contract(union("anyOf", 2)), "k1"),
    "pydantic": (Contract(Node), "optional"),
    "pydantic with a discriminator": (Contract(TaggedNode), "other"),
}


def answer(levels: int, leaf: Any, kind: str) -> str:
    """Return an answer as JSON text."""
    return json.dumps(nested(levels, leaf, kind=kind))


def bad(verdict: Verdict[Any]) -> list[tuple[str, int]]:
    """Return code and depth of what is wrong."""
    return [(found.code, len(found.path)) for found in verdict.errors]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("levels", drawn([2, 7, 8, 14, 40, 100, 199], 3))
@pytest.mark.parametrize("kind", KINDS)
def test_the_wrong_leaf_is_named_in_its_place(kind: str, levels: int) -> None:
    """However deep it is: one finding, with the column of the leaf in the text."""
    contract, name = KINDS[kind]
    text = answer(levels, 1, name)
    verdict = contract.check(text)
    assert bad(verdict) == [("type", levels)]
    (found,) = verdict.errors
    assert found.path == ("child",) * levels
    assert found.message == "expected an object or a string; got 1"
    assert found.span is not None
    assert found.span.column == text.rindex(" 1}") + 2


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is in other units elsewhere")
def test_the_memory_stays_small() -> None:
    """What took 860 MB for 14 levels stays within 40 for 100."""
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for contract, name in KINDS.values():
        contract.check(answer(100, 1, name))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000  # kB


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("leaf", ["x", 1.5])
@pytest.mark.parametrize(
    "schema",
    [levels_without_recursion(30), levels_without_recursion(190), mutual(20), union("oneOf", 4)],
    ids=["30 levels", "190 levels", "models that all hold each other", "one of four"],
)
def test_no_kind_of_nesting_hangs(schema: dict[str, Any], leaf: Any) -> None:
    """The leaf decides, and is named."""
    definitions = schema["$defs"]
    levels, takes_text = (len(definitions) - 1, False) if "l0" in definitions else (60, True)
    verdict = Contract(schema).check(json.dumps(nested(levels, leaf, kind="k1")))
    fits = takes_text and leaf == "x"
    assert verdict.ok == fits
    assert [len(found.path) for found in verdict.errors] == ([] if fits else [levels])


def test_a_schema_that_cannot_be_cut_is_judged_where_the_answer_is_flat() -> None:
    """Of a deep one it is only told that it does not hold."""
    schema = union("anyOf", 2)
    schema["$defs"]["n"]["unevaluatedProperties"] = False
    contract = Contract(schema)
    assert contract.check(answer(60, "x", "k1")).ok
    assert ("type", 3) in bad(contract.check(answer(3, 1, "k1")))
    assert bad(contract.check(answer(60, 1, "k1"))) == [("too_many_errors", 0)]


# Which alternative an answer was meant to be.


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"kind": "dog", "name": 1}, ("name",)),  # the constant tells the alternatives apart, whatever else is wrong
        ({"kind": "dog", "size": 1}, ("name",)),  # a missing key of the meant alternative
        ({"kind": {"of": 3}}, ("kind", "of")),  # as many findings: the deeper one goes on where the other stops
    ],
)
def test_the_alternative_that_fits_best(value: Any, path: tuple[str, ...]) -> None:
    """The same alone and within a deep union."""
    alternatives = [
        {"type": "object", "properties": {"kind": {"const": "cat"}, "name": {"type": "string"}}, "required": ["name"]},
        {"type": "object", "properties": {"kind": {"const": "dog"}, "name": {"type": "string"}}, "required": ["name"]},
        {"type": "object", "properties": {"kind": {"type": "integer"}}, "required": ["kind"]},
        {
            "type": "object",
            "properties": {"kind": {"type": "object", "properties": {"of": {"type": "string"}}}},
            "required": ["kind"],
        },
    ]
    chosen = alternatives[:2] if value["kind"] == "dog" else alternatives[2:]
    kind = {"const": "node"} if value["kind"] == "dog" else {"type": "string"}
    child = {"type": "object", "properties": {"kind": kind, "child": {"$ref": "#/$defs/n"}}, "required": ["kind"]}
    deep = {"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [child, {**child, "title": "x"}, *chosen]}}}
    assert [one.path for one in Contract({"anyOf": chosen}).check(json.dumps(value)).errors] == [path]
    text = json.dumps(nested(20, value, kind="node"))
    assert [one.path for one in Contract(deep).check(text).errors] == [("child",) * 20 + path]


# What pydantic is asked.


class Tree(RootModel[Node]):
    """A union with a name."""


def test_pydantic_is_not_asked_about_a_deep_wrong_answer() -> None:
    """The JSON Schema rejects it, and a note says so."""
    verdict = Contract(Tree).check(answer(40, 1, "optional"))
    notes = [(one.code, one.severity, one.message) for one in verdict.findings if not one.severity.bad]
    assert [(code, severity) for code, severity, _ in notes] == [("validators_not_asked", "info")]
    assert notes[0][2] == (
        "the validators of Tree were not asked: the alternatives of its unions take 1,000,000,000 steps or more"
    )


def test_pydantic_s_errors_are_not_read_where_they_are_too_many() -> None:
    """It was asked, so the verdict is its own."""
    verdict = Contract(Node).check(answer(8, 1, "optional"))
    assert [(one.code, one.message) for one in verdict.findings if not one.severity.bad] == [
        ("too_many_errors", "0 of pydantic's 1,278 errors were looked at; the findings are those of the JSON Schema")
    ]


def test_a_good_answer_that_pydantic_cannot_end_with_does_not_pass() -> None:
    """Pydantic would take 2^40 steps, and nobody else knows what its validators say."""
    assert Contract(Node).check(answer(14, "x", "optional")).ok
    assert bad(Contract(Node).check(answer(40, "x", "optional"))) == [("validators_not_asked", 0)]
    assert Contract(TaggedNode).check(answer(190, "x", "other")).ok


@pytest.mark.slow
def test_a_large_flat_answer_is_given_to_pydantic() -> None:
    """5,000 small trees take more steps in all, and few each."""
    contract = Contract(list[Node])
    trees = [nested(2, "x", kind="optional")] * 5_000
    assert contract.check(json.dumps(trees)).ok
    assert bad(contract.check(json.dumps([*trees, nested(2, 1, kind="optional")]))) == [("type", 3)]


class Left(BaseModel):
    """Takes a text only where it is a number, of which its JSON Schema says nothing."""

    side: Literal["left"]
    child: Side

    @field_validator("child", mode="before")
    @classmethod
    def not_seven(cls, value: Any) -> Any:
        """Reject the text "7"."""
        if value == "7":
            raise ValueError("seven")
        return value


class Right(BaseModel):
    side: Literal["right"]
    child: Side


Side = Left | Right | str
Left.model_rebuild()
Right.model_rebuild()


def test_validators_are_asked_about_what_the_schema_takes() -> None:
    """Their word counts; where it comes as too many errors, one finding says so."""
    contract = Contract(Side)
    assert contract.check(json.dumps(nested(12, "6", side="left"))).ok
    assert not contract.check(json.dumps(nested(2, "7", side="left"))).ok
    assert bad(contract.check(json.dumps(nested(12, "7", side="left")))) == [("too_many_errors", 0)]


def test_a_type_without_json_schema_is_not_asked_either() -> None:
    """Nor one whose fields have other names there: nothing else can judge the answer."""

    class Unknown:
        """Nothing that JSON Schema knows."""

    class One(BaseModel, arbitrary_types_allowed=True):
        child: One | Two | str
        never: Unknown | None = None

    class Two(BaseModel):
        child: One | Two | str

    class Named(BaseModel, populate_by_name=True):
        child: Named | Titled | str = Field(alias="kid")

    class Titled(BaseModel, populate_by_name=True):
        child: Named | Titled | str = Field(alias="kid")

    names = {"Unknown": Unknown, "One": One, "Two": Two, "Named": Named, "Titled": Titled}
    for type_, key in ((One | Two, "child"), (Named | Titled, "kid"), (Named | Titled, "child")):
        for model in (One, Two, Named, Titled):
            model.model_rebuild(_types_namespace=names)
        contract = Contract(type_)
        assert contract.check(json.dumps(nested(5, "x", key))).ok
        assert bad(contract.check(json.dumps(nested(40, "x", key)))) == [("validators_not_asked", 0)]
        assert bad(contract.check(json.dumps(nested(40, 1, key)))) == [("validators_not_asked", 0)]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("levels", drawn(range(1, 13), 4))
@pytest.mark.parametrize("leaf", ["x", 1, None, {"kind": "x"}, {"child": "x"}, {"kind": "group"}])
@pytest.mark.parametrize("type_", [Node, TaggedNode, Side])
def test_the_verdict_is_pydantic_s(type_: Any, leaf: Any, levels: int) -> None:
    """As far as it can be asked."""
    text = json.dumps(nested(levels, leaf, kind="optional" if type_ is Node else "other", side="right"))
    try:
        TypeAdapter(type_).validate_json(text)
        ok = True
    except ValueError:
        ok = False
    assert Contract(type_).check(text).ok == ok
