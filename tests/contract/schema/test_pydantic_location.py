"""Locations of pydantic errors as paths of the document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError
from typing_extensions import TypedDict

from pytest_planguard.contract.schema.pydantic_location import Locator

from ...support.one_item import in_one_item
from .pets import Cat, Dog

Item = TypeVar("Item")


class Box(BaseModel, Generic[Item]):
    content: Item


class Node(BaseModel):
    value: int
    children: list[Node] = []


class Point(TypedDict):
    x: int


@dataclass
class Size:
    width: int


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("must be odd")
    return value


Odd = Annotated[int, AfterValidator(_odd)]
Short = Annotated[str, StringConstraints(max_length=2)]


class Pets(BaseModel):
    tagged: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    untagged: Cat | Dog | None = None
    many: list[Annotated[Cat | Dog, Field(discriminator="kind")]] = []
    called: (
        Annotated[
            Annotated[Cat, Tag("a cat")] | Annotated[Dog, Tag("a dog")],
            Discriminator(lambda v: "a " + str(v.get("kind", "cat")) if isinstance(v, dict) else "a cat"),
        ]
        | None
    ) = None
    loose: int | list[str] | dict[str, int] | None = None
    odd: Odd | Short | None = None
    plain_odd: Odd | None = None
    by_name: dict[str, int] = {}
    by_number: dict[Annotated[int, Field(gt=5)], int] = {}
    box: Box[int] | Box[Cat] | None = None
    pair: tuple[int, str] | None = None
    rest: tuple[int, ...] = ()
    point: Point | None = None
    size: Size | None = None
    tree: Node | None = None
    aliased: int = Field(0, alias="also known as")
    either: int = Field(0, validation_alias=AliasChoices("one", "other"))
    deep: int = Field(0, validation_alias=AliasPath("outer", "inner"))
    nested: list[dict[str, Cat | list[Dog]]] = []


CASES: list[tuple[dict[str, Any], set[tuple[Any, ...]]]] = [
    ({"tagged": {"kind": "cat"}}, {("tagged", "lives")}),
    ({"tagged": {"kind": "cat", "lives": "cat"}}, {("tagged", "lives")}),
    ({"untagged": {"kind": "cat"}}, {("untagged", "lives"), ("untagged", "kind"), ("untagged", "tricks")}),
    ({"many": [{"kind": "cat", "lives": 1}, {"kind": "dog"}]}, {("many", 1, "tricks")}),
    ({"called": {"kind": "dog", "tricks": [1]}}, {("called", "tricks", 0)}),
    ({"loose": {"int": "x", "dict[str,int]": "y"}}, {("loose",), ("loose", "int"), ("loose", "dict[str,int]")}),
    ({"loose": [1]}, {("loose",), ("loose", 0)}),
    ({"odd": 2}, {("odd",)}),
    ({"odd": "long"}, {("odd",)}),
    ({"plain_odd": 2}, {("plain_odd",)}),
    ({"by_name": {"int": "x", "[key]": "y"}}, {("by_name", "int"), ("by_name", "[key]")}),
    ({"by_number": {"3": 1, "x": 2}}, {("by_number", "3"), ("by_number", "x")}),
    ({"box": {"content": {"kind": "cat"}}}, {("box", "content"), ("box", "content", "lives")}),
    ({"pair": [1, 2]}, {("pair", 1)}),
    ({"rest": [1, "x"]}, {("rest", 1)}),
    ({"point": {}}, {("point", "x")}),
    ({"size": {"width": "x"}}, {("size", "width")}),
    ({"tree": {"value": 1, "children": [{"value": "x"}]}}, {("tree", "children", 0, "value")}),
    ({"also known as": "x"}, {("also known as",)}),
    ({"other": "x"}, {("other",)}),
    ({"outer": {"inner": "x"}}, {("outer", "inner")}),
    ({"nested": [{"Cat": {"kind": "cat"}}]}, {("nested", 0, "Cat"), ("nested", 0, "Cat", "lives")}),
    ({"nested": [{"x": [{"kind": "dog"}]}]}, {("nested", 0, "x"), ("nested", 0, "x", 0, "tricks")}),
]


def _paths(schema: Any, data: Any) -> set[tuple[Any, ...]]:
    adapter = TypeAdapter(schema)
    with pytest.raises(ValidationError) as caught:
        adapter.validate_json(json.dumps(data))
    locator = Locator(adapter.core_schema)
    return {locator.place(error["loc"], data, error["input"]).path for error in caught.value.errors()}


@in_one_item
@pytest.mark.parametrize(("data", "paths"), CASES, ids=[next(iter(data)) + str(n) for n, (data, _) in enumerate(CASES)])
def test_only_segments_of_the_document_stay(data: dict[str, Any], paths: set[tuple[Any, ...]]) -> None:
    """Union members, tags and "[key]" never leak into a path, even where a real key has the same name."""
    assert _paths(Pets, data) == paths


def test_root_models_and_plain_types() -> None:
    """A root model and a bare type add no segment of their own."""
    assert _paths(RootModel[list[Cat]], [{"kind": "cat"}]) == {(0, "lives")}
    assert _paths(list[int | str], [[]]) == {(0,)}
    assert _paths(int | list[int], {"int": 1}) == {()}
    assert _paths(Odd, 2) == {()}


LONG = Annotated[str, Field(min_length=9)]


@pytest.mark.parametrize(
    ("model", "data", "paths"),
    [
        (dict[str, dict[str, int]], {"ab": {"[key]": "x"}}, {("ab", "[key]")}),
        (dict[str, dict[LONG, int]], {"ab": {"[key]": 1}}, {("ab", "[key]")}),
        (dict[LONG, dict[str, int]], {"ab": {"[key]": 1}}, {("ab",)}),
        (dict[LONG, dict[str, int]], {"ab": {"[key]": "x"}}, {("ab",), ("ab", "[key]")}),
        (dict[int, dict[int, str]], {"ab": {"cd": 1}}, {("ab",), ("ab", "cd")}),
    ],
)
def test_a_key_that_is_called_as_pydantic_calls_keys(model: Any, data: Any, paths: set[tuple[Any, ...]]) -> None:
    """The value of the error tells whether it is about a key, or about what stands at the key "[key]"."""
    assert _paths(RootModel[model], data) == paths


class Left(BaseModel):
    side: Literal["left"]
    size: int
    left_only: int = 0


class Right(BaseModel):
    side: Literal["right"]
    size: int


@pytest.mark.parametrize("type_", [Left | Right, Right | Left], ids=["left first", "right first"])
@pytest.mark.parametrize("owner", [Left, Right])
def test_the_tag_says_whose_field_it_is(type_: Any, owner: type[BaseModel]) -> None:
    """Another member of the union may have a field of the same name."""
    adapter = TypeAdapter(Annotated[type_, Field(discriminator="side")])
    place = Locator(adapter.core_schema).place((owner.__name__.lower(), "size"), {"size": "x"}, "x")
    assert (place.path, place.owner, place.siblings) == (("size",), owner.__name__, (*owner.model_fields,))


class Located(BaseModel):
    tasks: list[dict[str, int]]

    @model_validator(mode="after")
    def point_at_a_task(self) -> Located:
        """Raise an error with a place of its own."""
        details = InitErrorDetails(
            type=PydanticCustomError("dangling", "no such task"), loc=("tasks", 0, "id"), input=1
        )
        raise ValidationError.from_exception_data("plan", [details])

    @field_validator("tasks")
    @classmethod
    def nothing(cls, value: Any) -> Any:
        """Wrap the field in a function schema."""
        return value


def test_places_that_a_validator_made_up_are_found_in_the_document() -> None:
    """A validator may raise errors with locations of its own; they survive where the document has them."""
    assert _paths(Located, {"tasks": [{"id": 1}]}) == {("tasks", 0, "id")}


def test_owner_and_known_keys() -> None:
    """A place knows the model that holds its last key, and that model's other keys."""
    adapter = TypeAdapter(Pets)
    place = Locator(adapter.core_schema).place(("tree", "children", 0, "value"), {}, None)
    assert (place.owner, place.siblings) == ("Node", ("value", "children"))


def test_a_schema_that_explains_nothing_is_survived() -> None:
    """An unknown kind of schema leaves the document as the guide."""
    place = Locator({"type": "from the future"}).place(("a", "function-after[f(), int]", 0), {"a": [1]}, 1)
    assert place.path == ("a", 0)


@pytest.mark.parametrize(
    ("loc", "document", "path"),
    [
        (("x", "a", 5), {"x": {"b": 1}}, ("x",)),
        (("x", 5), {"x": [5]}, ("x",)),
        (("x", 1), {"x": [5]}, ("x",)),
        (("x", 0), {"x": [5]}, ("x", 0)),
        (("x", -1), {"x": [5]}, ("x",)),
        (("x", "b"), {"x": "abc"}, ("x",)),
        (("x", 0), {"x": "abc"}, ("x",)),
        (("x", "a"), {"x": ["a"]}, ("x",)),
        (("x",), 5, ()),
    ],
)
def test_a_place_that_nothing_explains_ends_where_the_document_does(
    loc: tuple[Any, ...], document: Any, path: tuple[Any, ...]
) -> None:
    """A key that an object has, an index that a list has, and nothing else."""
    assert Locator({"type": "from the future"}).place(loc, document, None).path == path


class Aliased(BaseModel):
    one: int = Field(validation_alias=AliasPath("a"))
    two: int = Field(validation_alias=AliasChoices("b"))
    three: int = Field(validation_alias=AliasPath("c", 0))
    four: int = Field(validation_alias=AliasChoices("d", AliasPath("e", 1)))
    five: int = Field(validation_alias="f")


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        ({}, {("a",), ("b",), ("c", 0), ("d",), ("f",)}),
        ({"a": "x", "b": "x", "c": ["x"], "d": "x", "f": "x"}, {("a",), ("b",), ("c", 0), ("d",), ("f",)}),
        ({"a": 1, "b": 1, "c": [1], "e": [0, "x"], "f": 1}, {("e", 1)}),
    ],
)
def test_every_kind_of_alias(data: dict[str, Any], paths: set[tuple[Any, ...]]) -> None:
    """A key, a path of one key or of several steps, one choice or several."""
    assert _paths(Aliased, data) == paths


class Row(BaseModel):
    cells: list[int] = []
    next: Row | None = None


FIELDS = {"type": "model-fields", "model_name": "M", "fields": {"a": {"schema": {"type": "any"}}}}


REFERRED = {"type": "definition-ref", "schema_ref": "d"}
REFERENCE = {"type": "around", "schema": REFERRED, "more": [{**FIELDS, "ref": "d"}]}


@in_one_item
@pytest.mark.parametrize(
    ("schema", "owner"),
    [
        *(({"type": "around", key: FIELDS}, "M") for key in ("schema", "json_schema", "lax_schema")),
        *(({"type": "around", key: FIELDS}, None) for key in ("python_schema", "strict_schema")),
        ({"type": "chain", "steps": [{"type": "str"}, FIELDS]}, "M"),
        ({**REFERENCE, "type": "definitions"}, "M"),
        (REFERENCE, "M"),
        ({**REFERENCE, "more": [{**FIELDS, "ref": "other"}]}, None),
        ({**FIELDS, "type": "dataclass-args", "model_name": None, "dataclass_name": "D"}, "D"),
        ({**FIELDS, "type": "typed-dict", "model_name": None, "cls": Point}, "Point"),
        ({**FIELDS, "type": "typed-dict", "model_name": None}, None),
    ],
)
def test_what_is_around_a_model_adds_nothing_to_a_location(schema: Any, owner: str | None) -> None:
    """Schemas with another one in them, those that refer to another one, and names by what the schema is of."""
    place = Locator(schema).place(("a",), {"a": 1}, 1)
    assert (place.path, place.owner) == (("a",), owner)
    assert place.siblings == (("a",) if owner or schema.get("fields") else ())


@pytest.mark.parametrize(
    ("loc", "document", "path"),
    [
        (("a", "b", 0, "z"), {"a": {"b": [5]}}, ("a", "b", 0)),
        (("a", "b"), {"b": [5]}, ("a",)),
        (("a", "z", "b"), {"a": {"b": 1}}, ("a", "b")),
        (("z", "a"), {"a": {"b": 1}}, ("z",)),
    ],
)
def test_the_document_leads_on_where_the_schema_ends(loc: Any, document: Any, path: Any) -> None:
    """From the place that the schema explains; what the document does not have is left out."""
    assert Locator({"type": "around", "schema": FIELDS}).place(loc, document, None).path == path


TUPLE = {"type": "tuple", "items_schema": [FIELDS, FIELDS]}


@pytest.mark.parametrize(
    ("schema", "index", "owner"),
    [
        (TUPLE, 0, "M"),
        (TUPLE, 1, "M"),
        (TUPLE, 2, None),
        ({**TUPLE, "variadic_item_index": 1}, 7, "M"),
        ({**TUPLE, "variadic_item_index": 0, "items_schema": [FIELDS]}, 3, "M"),
        ({"type": "list", "items_schema": FIELDS}, 3, "M"),
        ({"type": "list"}, 3, None),
        ({"type": "dict", "values_schema": FIELDS}, "k", "M"),
        ({"type": "dict"}, "k", None),
    ],
)
def test_items_and_values_by_their_schema(schema: Any, index: Any, owner: str | None) -> None:
    """An item beyond those of a tuple has none."""
    place = Locator(schema).place((index, "a"), [], None)
    assert (place.owner, place.path[0]) == (owner, index)
