"""The lines of a model that is written from examples: names, annotations, and what each rests on."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.strength.model_source import SchemaText, singular

from ...support.one_item import in_one_item


def lines(*examples: Any, ids: tuple[str, ...] = ()) -> list[str]:
    """The lines of the outermost model, without its head."""
    text = SchemaText(ids)
    text.annotation(examples, (), "Answer")
    return text.models[-1].partition('"""\n\n')[2].rstrip("\n").split("\n")


@in_one_item
@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([1], "    a: int  # 1 to 1, 1 number"),
        ([3, 1, 2.5], "    a: float  # 1 to 3, 3 numbers"),
        ([True], "    a: bool  # 1 value"),
        ([True, False], "    a: bool  # 2 values"),
        ([None], "    a: None  # 1 times null"),
        (["x", None, None], "    a: str | None  # 1 text of 1 character or 2 times null"),
        (["ab", "abcd"], "    a: str  # 2 texts of 2 to 4 characters"),
        (["low", "high"] * 3, '    a: Literal["high", "low"]  # 2 values in 6 texts'),
        (["low", "high"] * 2, "    a: str  # 4 texts of 3 to 4 characters"),
        (["2026-01-02", "2026-01-01", "2026-01-03"], "    a: date  # 2026-01-01 to 2026-01-03"),
        (["2026-01-02", "2026-01-01"], "    a: str  # 2 texts of 10 characters"),
        (["20260101", "20260102", "20260103"], "    a: str  # 3 texts of 8 characters"),
        (["2026-W01-1"] * 3, "    a: str  # 3 texts of 10 characters"),
        (["2026-02-30"] * 3, "    a: str  # 3 texts of 10 characters"),
        ([[]], "    a: list[Any]  # 1 list"),
        ([[1, "x"], [2]], "    a: list[str | int]  # 2 lists"),
        ([[None, True, 1, "x", [], {}]], "    a: list[dict[str, Any] | list[Any] | str | int | bool | None]  # 1 list"),
        ([{}], "    a: dict[str, Any]  # 1 object"),
        ([{"x": 1}], "    a: A  # 1 object"),
        ([{"x": 1}, "s", None], "    a: A | str | None  # 1 object or 1 text of 1 character or 1 times null"),
    ],
)
def test_the_annotation_of_a_field(values: list[Any], line: str) -> None:
    """Of each kind of value, and of several in one order."""
    assert lines(*({"a": value} for value in values)) == [line]


def test_ids_are_no_enumeration() -> None:
    """Wherever the caller says that a place has some."""
    examples = [{"a": "low"}, {"a": "high"}] * 3
    assert lines(*examples, ids=("a",)) == ["    a: str  # 6 texts of 3 to 4 characters"]
    assert lines(*examples, ids=("b",)) == ['    a: Literal["high", "low"]  # 2 values in 6 texts']


@in_one_item
@pytest.mark.parametrize(
    ("examples", "written"),
    [
        ([{"a": 1}, {}], ["    a: int | None = None  # 1 to 1, 1 number; not in every example"]),
        ([{"a": None}, {}], ["    a: None = None  # 1 times null; not in every example"]),
        ([{"a": None}, {"a": 1}, {}], [
            "    a: int | None = None  # 1 to 1, 1 number or 1 times null; not in every example"
        ]),
        ([{"a b": 1}, {}], [
            '    field_a_b: int | None = Field(default=None, alias="a b")  # 1 to 1, 1 number; not in every example'
        ]),
        ([{"class": 1}], ['    class_: int = Field(alias="class")  # 1 to 1, 1 number']),
        ([{"2 b": 1}], ['    field_2_b: int = Field(alias="2 b")  # 1 to 1, 1 number']),
        ([{"_a": 1}], ['    field_a: int = Field(alias="_a")  # 1 to 1, 1 number']),
        ([{"\u00e9": 1}], ['    field_: int = Field(alias="\u00e9")  # 1 to 1, 1 number']),
        ([{"": 1}], ['    field_: int = Field(alias="")  # 1 to 1, 1 number']),
        ([{"Field": 1}], ['    Field_: int = Field(alias="Field")  # 1 to 1, 1 number']),
        ([{'a"': 1}], ["    field_a: int = Field(alias='a\"')  # 1 to 1, 1 number"]),
        ([{"a-b": 1, "a b": 2}], [
            '    field_a_b: int = Field(alias="a-b")  # 1 to 1, 1 number',
            '    field_a_b_: int = Field(alias="a b")  # 2 to 2, 1 number',
        ]),
        ([{"class": 1, "class_": 2}], [
            '    class_: int = Field(alias="class")  # 1 to 1, 1 number',
            '    class__: int = Field(alias="class_")  # 2 to 2, 1 number',
        ]),
        ([{"model_x": 1}], [
            "    model_config = ConfigDict(protected_namespaces=())",
            "",
            '    model_x_: int = Field(alias="model_x")  # 1 to 1, 1 number',
        ]),
    ],
)  # fmt: skip
def test_the_name_of_a_field(examples: list[Any], written: list[str]) -> None:
    """A key that is no name for a field is its alias; a key that some examples lack has a default."""
    assert lines(*examples) == written


@in_one_item
@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("room_key", "RoomKey"),
        ("roomKey", "RoomKey"),
        ("3d", "Part3d"),
        ("none", "PartNone"),
        ("!", "Part"),
        ("Answer", "Answer2"),
        ("contract", "Contract2"),
        ("literal", "Literal2"),
        ("any", "Any2"),
        ("field", "Field2"),
        ("base model", "BaseModel2"),
        ("CONTRACT", "CONTRACT2"),
    ],
)
def test_the_name_of_a_model(key: str, title: str) -> None:
    """Made of the key of its object; never one that the module has already."""
    text = SchemaText()
    text.annotation([{key: {"x": 1}}], (), "Answer")
    assert [model.partition("(")[0] for model in text.models] == [f"class {title}", "class Answer"]


def test_equal_names_of_models_are_numbered() -> None:
    """From two on."""
    text = SchemaText()
    text.annotation([{"a": {"room": {"x": 1}}, "b": {"room": {"x": 1}}, "c": {"room": {"x": 1}}}], (), "Answer")
    titles = [model.partition("(")[0].removeprefix("class ") for model in text.models]
    assert titles == ["Room", "A", "Room2", "B", "Room3", "C", "Answer"]


def _numbered(letter: str, count: int, value: Any = 1) -> dict[str, Any]:
    return {f"{letter}{number}": value for number in range(count)}


@pytest.mark.parametrize(
    ("objects", "annotation"),
    [
        ([_numbered("k", 4), _numbered("j", 4)], "dict[str, int]"),
        ([_numbered("k", 4), _numbered("j", 3)], "M"),
        ([_numbered("k", 8)], "M"),
        ([{"x": 1, **_numbered("k", 4)}, {"x": 1, **_numbered("j", 4)}], "M"),
        ([_numbered("k", 4), _numbered("j", 4, "a")], "M"),
        ([_numbered("k", 4, {"y": 1}), _numbered("j", 4, {"y": 2})], "dict[str, Meter]"),
        ([_numbered("k", 8), {}], "dict[str, int]"),
    ],
)
def test_objects_whose_keys_are_data(objects: list[Any], annotation: str) -> None:
    """Eight different keys in several objects, none in all of them, with values of one kind."""
    (line,) = lines(*({"meters" if annotation.endswith("Meter]") else "m": value} for value in objects))
    assert line.partition(": ")[2].partition("  # ")[0] == annotation
    if annotation != "M":
        assert line.endswith("  # 8 different keys in 2 objects")


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("levers", "lever"),
        ("entries", "entry"),
        ("feedback_item_list", "feedback_item"),
        ("boss", "boss"),
        ("steps_list", "step"),
        ("data", "data"),
        ("s", ""),
    ],
)
def test_the_singular_of_a_name(name: str, one: str) -> None:
    """Of a list, for its items."""
    assert singular(name) == one


@pytest.mark.parametrize(
    ("value", "imports"),
    [
        (1, {"BaseModel"}),
        ([], {"BaseModel", "Any"}),
        ({}, {"BaseModel", "Any"}),
    ],
)
def test_what_a_model_imports(value: Any, imports: set[str]) -> None:
    """What its annotations name, and nothing else."""
    text = SchemaText()
    text.annotation([{"a": value}], (), "Answer")
    assert text.imports == imports
    text.annotation([{"b c": "low"}, {"b c": "high"}] * 3, (), "Other")
    assert text.imports == {*imports, "Literal", "Field"}
    text.annotation([{"model_d": "2026-01-01"}] * 3, (), "Third")
    assert text.imports == {*imports, "Literal", "Field", "date", "ConfigDict"}
    assert text.annotation([], (), "Fourth") == ("Any", "no example has one")
