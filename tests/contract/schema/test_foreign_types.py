"""msgspec Structs and attrs classes as schemas: the same verdicts as a pydantic model with the same fields."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Annotated, Any, List, Literal  # noqa: UP035 - one without a parameter
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from pytest_planguard import Contract, UsageError

attrs = pytest.importorskip("attrs")
msgspec = pytest.importorskip("msgspec")


class Step(BaseModel):
    name: str


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"]
    steps: list[Step] = Field(min_length=1)
    owner: str | None = None


class StructStep(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    name: str


class StructTicket(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    title: str
    priority: Literal["low", "high"]
    steps: Annotated[list[StructStep], msgspec.Meta(min_length=1)]
    owner: str | None = None

    def __post_init__(self) -> None:
        """Titles are not shouted."""
        if self.title.isupper():
            raise ValueError("do not shout")


def _not_loud(_self: object, _field: object, title: str) -> None:
    if title.isupper():
        raise ValueError("do not shout")


@attrs.define
class AttrsStep:
    name: str


@attrs.define
class AttrsTicket:
    title: str = attrs.field(validator=_not_loud)
    priority: Literal["low", "high"]
    steps: list[AttrsStep] = attrs.field(validator=attrs.validators.min_len(1))
    owner: str | None = None


FOREIGN = pytest.mark.parametrize("schema", [StructTicket, AttrsTicket])
GOOD: dict[str, Any] = {"title": "Printer", "priority": "high", "steps": [{"name": "look"}]}


@FOREIGN
def test_good_answer_becomes_an_instance(schema: type[Any]) -> None:
    """The value is of the class, down to the nested ones, and has its defaults."""
    value: Any = Contract(schema).check(GOOD).value
    assert isinstance(value, schema)
    assert (value.steps[0].name, value.owner) == ("look", None)


@FOREIGN
@pytest.mark.parametrize(
    "change",
    [{"priority": "urgent"}, {"title": 3}, {"steps": [{}]}, {"steps": "look"}, {"owner": 1}],
    ids=["enum", "type", "missing", "list", "union"],
)
def test_same_findings_as_pydantic(schema: type[Any], change: dict[str, Any]) -> None:
    """Code and path of each finding are those of a pydantic model."""
    wanted = {f.identity for f in Contract(Ticket).check({**GOOD, **change}).errors}
    assert {f.identity for f in Contract(schema).check({**GOOD, **change}).errors} == wanted


@FOREIGN
def test_rules_of_the_class_count(schema: type[Any]) -> None:
    """A validator of the class is a finding with its message."""
    (found,) = Contract(schema).check({**GOOD, "title": "PRINTER"}).errors
    assert "do not shout" in found.message


@FOREIGN
def test_feedback_is_found(schema: type[Any]) -> None:
    """The schema has names and fields for reports."""
    contract = Contract(schema)
    assert contract.name == schema.__name__
    assert "title" in str(contract.json_schema)


class Ranks(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    """What msgspec reads from JSON and its JSON Schema rejects."""

    years: dict[int, str] = msgspec.field(default_factory=dict)
    net: Decimal = Decimal(0)
    tags: set[str] = msgspec.field(default_factory=set)
    ids: UUID | None = None


@pytest.mark.parametrize(
    "text",
    ['{"years": {"2026": "a"}}', '{"net": 1.20}', '{"tags": ["a", "a"]}', f'{{"ids": "{"0" * 31}5"}}'],
)
def test_msgspec_decides(text: str) -> None:
    """The value is what the app gets; an error elsewhere is still found."""
    verdict = Contract(Ranks).check(text)
    assert (verdict.ok, verdict.value) == (True, msgspec.json.decode(text, type=Ranks))
    assert Contract(Ranks).check(json.loads(text)).ok
    assert not Contract(Ranks).check('{"tags": [1]}').ok


class _Unreadable(Exception):
    """An exception whose text raises."""

    def __str__(self) -> str:
        raise RuntimeError


class Strict(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    """A Struct whose own code raises what msgspec does not convert."""

    name: str

    def __post_init__(self) -> None:
        """Look the name up."""
        if self.name == "c":
            raise _Unreadable
        {"a": 1}[self.name]


@pytest.mark.parametrize("name", ["b", "c", "\ud800"])
def test_nothing_that_msgspec_raises_ends_a_check(name: str) -> None:
    """Neither a user's `__post_init__` nor a lone surrogate."""
    assert Contract(Strict).check(f'{{"name": "{name}"}}').errors
    assert Contract(Strict).check('{"name": "a"}').ok


class Owner(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    """A Struct below a key that msgspec doesn't name."""

    age: int

    def __post_init__(self) -> None:
        """Refuse an age of 0."""
        if not self.age:
            raise ValueError("too young")


class Owners(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    """Owners by name."""

    by_name: dict[str, Owner]


def test_a_key_that_msgspec_leaves_out_ends_the_path() -> None:
    """Its path is "$.by_name[...]"."""
    (found,) = Contract(Owners).check('{"by_name": {"Ada": {"age": 0}}}').errors
    assert (found.path, found.message) == (("by_name",), "too young")


@attrs.define
class Size:
    cm: int = attrs.field(validator=attrs.validators.ge(0))


class Cat(msgspec.Struct, tag="cat"):  # type: ignore[name-defined, misc, call-arg, unused-ignore]
    """One of two tagged Structs."""

    lives: int


class Dog(msgspec.Struct, tag="dog"):  # type: ignore[name-defined, misc, call-arg, unused-ignore]
    """The other one."""

    name: str


@pytest.mark.parametrize(
    ("schema", "answer", "value", "wrong", "path"),
    [
        (list[Owner], [{"age": 1}], [Owner(1)], [{"age": "x"}], (0, "age")),
        (Cat | Dog, {"type": "dog", "name": "Rex"}, Dog("Rex"), {"type": "cat", "lives": "x"}, ("lives",)),
        (Owner | None, None, None, {"age": "x"}, ("age",)),
        (dict[str, Size], {"a": {"cm": 1}}, {"a": Size(1)}, {"a": {"cm": "x"}}, ("a", "cm")),
        (Size | None, {"cm": 2}, Size(2), {"cm": "x"}, ("cm",)),
        (tuple[Size, ...], [{"cm": 2}], (Size(2),), [{"cm": "x"}], (0, "cm")),
        (dict[str, list[Size | None]], {"a": [None]}, {"a": [None]}, {"a": [{"cm": "x"}]}, ("a", 0, "cm")),
        (Annotated[list[Size], Field(max_length=1)], [{"cm": 2}], [Size(2)], [{"cm": 2}] * 2, ()),
        (tuple[Size, list[int]], [{"cm": 2}, [1]], (Size(2), [1]), [{"cm": 2}, ["x"]], (1, 0)),
        (tuple[Size, Literal["a", "b"]], [{"cm": 2}, "a"], (Size(2), "a"), [{"cm": 2}, "c"], (1,)),
        (tuple[Size, List], [{"cm": 2}, [1]], (Size(2), [1]), [{"cm": 2}, 1], (1,)),  # noqa: UP006 - a bare alias
    ],
)
def test_a_type_may_hold_such_a_class(schema: Any, answer: Any, value: Any, wrong: Any, path: Any) -> None:
    """A list, a dict, a union and an optional value."""
    contract = Contract(schema)
    assert contract.check(json.dumps(answer)).value == value
    assert [found.path for found in contract.check(json.dumps(wrong)).errors] == [path]
    assert Contract(list[Size]).name == "list"


def test_a_type_that_msgspec_does_not_know_is_refused() -> None:
    """Beside a Struct, when the contract is defined."""

    class Untyped(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
        owner: Missing  # type: ignore[name-defined] # noqa: F821 - the name that is missing

    for schema in (dict[str, Owner | complex], Untyped):
        with pytest.raises(UsageError, match=r"^msgspec cannot use"):
            Contract(schema)


@attrs.define
class Folder:
    name: str
    size: int = attrs.field(default=0, validator=attrs.validators.ge(0))
    folders: list[Folder] = attrs.field(factory=list)
    link: Link | None = None


@attrs.define
class Link:
    to: Folder | None = None


def test_an_attrs_class_may_contain_itself() -> None:
    """Directly, in a list, and through another class; the validators run at every depth."""
    inner = {"name": "c", "size": 3}
    value: Any = Contract(Folder).check({"name": "a", "folders": [{"name": "b", "link": {"to": inner}}]}).value
    assert value == Folder("a", folders=[Folder("b", link=Link(Folder("c", 3)))])


@pytest.mark.parametrize(
    ("size", "path"), [("big", ("folders", 0, "link", "to", "size")), (-1, ("folders", 0, "link", "to"))]
)
def test_a_mistake_deep_in_an_attrs_class_has_its_place(size: object, path: tuple[str | int, ...]) -> None:
    """A wrong type has the place of the field, and a validator that of its object."""
    answer = {"name": "a", "folders": [{"name": "b", "link": {"to": {"name": "c", "size": size}}}]}
    assert [f.path for f in Contract(Folder).check(answer).errors] == [path]


def test_an_attrs_class_in_a_function_that_names_itself_says_what_to_do() -> None:
    """Nothing outside the function can resolve the name."""

    @attrs.define
    class Inner:
        parts: list[Inner] = attrs.field(factory=list)

    with pytest.raises(UsageError, match=r"types of Inner: .*'Inner'.*Define the class .* at the top of a module"):
        Contract(Inner).check('{"parts": []}')
