"""What a contract's digest tells apart, its names, and arguments that are no lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import max_length, min_length
from pytest_planguard.errors import UsageError


class Ticket(BaseModel):
    """A model with one field."""

    title: str


class Other(BaseModel):
    """Another one with the same field."""

    title: int


def _rule(_: Any) -> None:
    """Find nothing."""


DIFFERENT: list[dict[str, Any]] = [
    {"schema": None},
    {"schema": Ticket},
    {"schema": Other},
    {"schema": {"type": "object"}},
    {"schema": {"type": "array"}},
    {"schema": {}},
    {"schema": Ticket, "strict": True},
    {"schema": Ticket, "describe": True},
    {"schema": Ticket, "format": "yaml"},
    {"schema": Ticket, "extract": "whole"},
    {"schema": Ticket, "rules": [_rule]},
    {"schema": Ticket, "constraints": [min_length("title", 3)]},
    {"schema": Ticket, "constraints": [min_length("title", 4)]},
    {"schema": Ticket, "constraints": [max_length("title", 3)]},
    {"schema": Ticket, "constraints": [min_length("title", 3, severity="warn")]},
]


def test_a_digest_differs_with_everything_that_is_demanded() -> None:
    """Twelve hexadecimal digits; the name is no demand."""
    digests = [Contract(**options).digest for options in DIFFERENT]
    assert len(set(digests)) == len(digests)
    assert all(len(digest) == 12 and int(digest, 16) >= 0 for digest in digests)
    assert [Contract(**options, name="other").digest for options in DIFFERENT] == digests


@dataclass
class Note:
    text: str


@pytest.mark.parametrize("value", [Ticket.model_construct(), Note("x")])
def test_an_instance_is_no_schema(value: object) -> None:
    """The mistake shows where the contract is written, and not in the first answer."""
    with pytest.raises(UsageError, match=f"got a {type(value).__name__}; give one of these"):
        Contract(value)


@pytest.mark.parametrize("what", ["constraints", "rules"])
@pytest.mark.parametrize("given", [5, "abc", b"abc", None, _rule])
def test_what_must_be_a_list(what: str, given: Any) -> None:
    """A text can be iterated and is none all the same."""
    with pytest.raises(UsageError) as error:
        Contract(None, **{what: given})
    assert str(error.value) == f"a contract's {what} must be a list: got {given!r}; write {what}=[…]"


@pytest.mark.parametrize(
    ("given", "shown", "option"),
    [
        ([min_length("title", 3)], "[ContentConstraint(", "constraints"),
        ([_rule], "[<function _rule", "rules"),
        (_rule, "<function _rule", "rules"),
        ([], "[]", "constraints"),
        ("yaml", "'yaml'", "constraints"),
    ],
)
def test_an_option_without_a_name(given: Any, shown: str, option: str) -> None:
    """The message shows the second argument, and the call to write."""
    with pytest.raises(UsageError) as error:
        Contract(Ticket, given)  # type: ignore[call-overload]
    message = str(error.value)
    assert message.startswith(f"Contract() takes only the schema without a name: also got {shown}")
    assert message.endswith(f". Write Contract(Ticket, {option}=[…])")


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        (Ticket, "Ticket"),
        (list[int], "list"),
        (Optional[int], "int | None"),  # noqa: UP045 - as users write it
        (Union[int, str], "int | str"),  # noqa: UP007
        (int | str, "int | str"),
        (Ticket | list[int], "Ticket | list[int]"),
    ],
)
def test_the_name_of_a_type(schema: Any, name: str) -> None:
    """That of the class, or how the type is written."""
    assert Contract(schema).name == name


def test_a_type_that_pydantic_refuses_is_said_in_one_line() -> None:
    """The first of pydantic's own lines."""

    class Odd:
        pass

    with pytest.raises(UsageError) as error:
        Contract(list[Odd])
    said = str(error.value)
    assert said.startswith(
        f"pydantic cannot use {list[Odd]!r} as a schema: Unable to generate pydantic-core schema for "
    )
    assert "\n" not in said


def test_the_order_of_keys_is_no_part_of_a_digest() -> None:
    """Neither in a schema nor in the parameters of a rule."""
    one = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"minLength": 1, "maxLength": 2}}}
    other = {"properties": {"b": {"maxLength": 2, "minLength": 1}, "a": {"type": "string"}}, "type": "object"}
    assert Contract(one).digest == Contract(other).digest
    assert Contract(one).digest != Contract({**one, "required": ["a"]}).digest


STEPS = {"type": "object", "properties": {"steps": {"type": "array", "items": {"type": "string"}}}}
DIGESTS: list[tuple[dict[str, Any], str]] = [
    ({}, "eaf599c16b55"),
    ({"describe": True}, "f6387fa013a3"),
    ({"wrap_list": True}, "7f3df8c792e9"),
    ({"calls": "check"}, "0628b6948fc3"),
    ({"strict": True}, "779d7cdc1c79"),
    ({"judged": "Ticket", "argument": "doc"}, "8cc1508d9f10"),
    ({"constraints": [min_length("steps[*]", 3)]}, "0130510fa799"),
    ({"format": "yaml", "extract": "whole"}, "5ef687be3d41"),
]


@pytest.mark.parametrize(("options", "digest"), DIGESTS)
def test_a_digest_is_the_same_in_every_release(options: dict[str, Any], digest: str) -> None:
    """Baselines and rows keep it: what demands the same must not look like another contract."""
    assert Contract(STEPS, **options).digest == digest


@pytest.mark.parametrize("schema", [str, str | None, {"type": "string"}, {}])
def test_rules_about_markdown_fit_a_schema_whose_answer_may_be_a_text(schema: Any) -> None:
    """The text is the document, and only such a schema needs no field that holds it."""

    def headings(_data: object, _document: object) -> tuple[()]:
        return ()

    headings.reads = "markdown"  # type: ignore[attr-defined]
    assert Contract(schema, rules=[headings]).format == "markdown"
    with pytest.raises(UsageError, match=r"^headings judges Markdown: got int, whose answers are JSON"):
        Contract(int, rules=[headings])
