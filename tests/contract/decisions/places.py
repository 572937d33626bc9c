"""Types of every kind, each with data that they refuse."""

from __future__ import annotations

import collections
import dataclasses
import enum
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Json,
    PlainValidator,
    RootModel,
    Strict,
    Tag,
    WrapValidator,
    create_model,
)
from typing_extensions import TypedDict


def _odd(value: Any) -> Any:
    if value == 2:
        raise ValueError("even")
    return value


class Key(enum.Enum):
    A = "a"
    B = "b"


class First(BaseModel):
    key: Literal[Key.A]
    x: int


class Second(BaseModel):
    key: Literal[Key.B]
    y: int


class Leaf(BaseModel):
    n: int


class Node(BaseModel):
    leaf: Leaf | None = None
    nodes: list[Node] = []


@dataclasses.dataclass
class Data:
    n: int
    m: int = Field(0, alias="em")  # type: ignore[assignment]


class Typed(TypedDict, total=False):
    n: int


class Named(NamedTuple):
    a: int
    b: str = ""


class More(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Leaf]
    n: int = 0


class Both(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    n: int = Field(alias="en")


class Aliases(BaseModel):
    a: int = Field(validation_alias=AliasPath("p", 0))
    b: int = Field(validation_alias=AliasChoices("c", AliasPath("q", "r")))
    c: int = 0


class Below(BaseModel):
    """Models below aliases of each kind."""

    a: Leaf = Field(alias="alias")
    b: Leaf = Field(validation_alias=AliasPath("path"))
    c: Leaf = Field(validation_alias=AliasPath("way", 1))
    d: Leaf = Field(validation_alias=AliasChoices("one", "other"))
    e: Leaf = Field(validation_alias=AliasChoices("only"))
    f: Leaf


_Tagged = Annotated[First | Second, Field(discriminator="key")]
_Called = Annotated[
    Annotated[Leaf, Tag("leaf")] | Annotated[int, Tag("number")],
    Discriminator(lambda value: "leaf" if isinstance(value, dict) else "number"),
]

SHAPES: dict[str, tuple[Any, Any]] = {
    "a model": (Leaf, {"n": "x"}),
    "a dataclass": (Data, {"n": "x", "em": "y"}),
    "a typed dict": (Typed, {"n": "x"}),
    "a named tuple": (Named, ["x", 1]),
    "a named tuple by name": (Named, {"a": "x"}),
    "a check before": (list[Annotated[int, BeforeValidator(_odd)]], [2, "x"]),
    "a check after": (list[Annotated[int, AfterValidator(_odd)]], [2, "x"]),
    "a check around": (list[Annotated[int, WrapValidator(lambda value, inner: inner(_odd(value)))]], [2, "x"]),
    "a check alone": (list[Annotated[int, PlainValidator(_odd)]], [2]),
    "a model or null": (list[Leaf | None], [{"n": "x"}, 5]),
    "a default": (create_model("Default", leaf=(Leaf, Leaf(n=1))), {"leaf": {"n": "x"}}),
    "a root model": (RootModel[list[Leaf]], [{"n": "x"}]),
    "a set": (set[int], ["x"]),
    "a frozen set": (frozenset[int], ["x"]),
    "a sequence": (list[Sequence[Leaf]], [[{"n": "x"}]]),
    "a tuple": (tuple[int, str], ["x", 1]),
    "a tuple that is too long": (tuple[int, str], [1, "x", 3]),
    "a tuple of any length": (tuple[Leaf, ...], [{"n": 1}, {"n": "x"}, {"n": "y"}]),
    "a dict": (dict[str, Leaf], {"k": {"n": "x"}}),
    "a key of a dict": (dict[int, Leaf], {"k": {"n": "x"}}),
    "a key of that name": (dict[str, Leaf], {"[key]": {"n": "x"}}),
    "a mapping": (Mapping[str, Leaf], {"k": {"n": "x"}}),
    "an ordered dict": (collections.OrderedDict[str, Leaf], {"k": {"n": "x"}}),
    "a dict with a default": (collections.defaultdict[str, int], {"k": "x"}),
    "JSON in a text": (list[Json[Leaf]], ['{"n": "x"}', "{"]),
    "a tagged union": (list[_Tagged], [{"key": "b", "y": "x"}, {"key": "c"}, {}]),
    "a union of called tags": (list[_Called], [{"n": "x"}, "y"]),
    "a union": (list[Leaf | int], [{"n": "x"}, "y"]),
    "a union within a union": (list[list[Leaf | int] | str], [[{"n": "x"}], 5]),
    "a union of models": (Leaf | First | Data, {"n": "x", "key": "a"}),
    "further fields": (More, {"n": "x", "z": {"n": "y"}}),
    "a model within itself": (Node, {"nodes": [{"leaf": {"n": "x"}, "nodes": [5]}]}),
    "a field by its name": (Both, {"n": "x"}),
    "a field by its alias": (Both, {"en": "x"}),
    "several aliases": (Aliases, {"p": ["x"], "q": {"r": "y"}, "c": "z"}),
    "none of the aliases": (Aliases, {}),
    "models below aliases": (Below, {name: {"n": "x"} for name in ("alias", "path", "one", "only", "f")}),
    "models below other aliases": (Below, {"way": [0, {"n": "x"}], "other": {"n": "x"}}),
    "a strict list": (list[Annotated[list[int], Strict()]], [["x"]]),
}
"""Types, each with data that they refuse."""
