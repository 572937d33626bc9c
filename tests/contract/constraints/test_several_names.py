"""Constraints on fields that an answer may spell in several ways: by alias, by name, by alternative aliases."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    computed_field,
    field_serializer,
)
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic_core import core_schema
from typing_extensions import TypedDict

from pytest_planguard import Contract, UsageError, custom, distinct, in_range, max_length, non_empty, regex


class Line(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    unit_price: float


class Invoice(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    line_skus: list[str]
    vendor_name: str = Field("", validation_alias=AliasChoices("vendorName", "supplier"))
    order_lines: list[Line] = []


@pydantic_dataclass(config=ConfigDict(populate_by_name=True))
class Order:
    order_id: Annotated[str, Field(alias="orderId")]


@pytest.mark.parametrize("field", ["line_skus", "lineSkus"])
@pytest.mark.parametrize("written", ["line_skus", "lineSkus"])
def test_each_name_of_a_field_is_judged(field: str, written: str) -> None:
    """The finding has the name that the answer has."""
    contract = Contract(Invoice, constraints=[distinct(field)])
    (found,) = contract.check({written: ["A", "A"]}).errors
    assert (found.code, found.path[0]) == ("distinct", written)
    assert contract.check({written: ["A", "B"]}).ok


@pytest.mark.parametrize("name", ["vendor_name", "vendorName", "supplier"])
def test_alternative_aliases(name: str) -> None:
    """Every alias of a field is known to its constraints."""
    contract = Contract(Invoice, constraints=[max_length(name, 3), custom(name, lambda v: f"not {v}")])
    for written in ("vendorName", "supplier"):
        found = contract.check({"lineSkus": [], written: "Acme"}).errors
        assert {(one.code, one.path) for one in found} >= {("max_length", (written,))}
        assert len(found) == 2


def test_names_below_a_list_and_in_a_dataclass() -> None:
    """Names are known at every depth."""
    nested = Contract(Invoice, constraints=[custom("order_lines[*].unit_price", lambda v: "low" if v < 1 else None)])
    assert not nested.check({"lineSkus": [], "orderLines": [{"unit_price": 0}]}).ok
    assert not Contract(Order, constraints=[max_length("order_id", 1)]).check({"orderId": "ab"}).ok


def test_a_missing_field_has_the_first_alias() -> None:
    """That is the name that the model sees in the schema."""
    (found,) = Contract(Invoice, constraints=[non_empty("vendor_name")]).check({"lineSkus": []}).errors
    assert (found.code, found.path) == ("missing", ("vendorName",))


def test_a_misspelt_name_is_refused() -> None:
    """It was accepted before, and never judged."""
    with pytest.raises(UsageError, match=r"^Invoice has no field 'lineSkuss'.*Did you mean 'lineSkus'"):
        Contract(Invoice, constraints=[distinct("lineSkuss")])


def test_an_alias_that_is_a_path_ends_the_check_of_names() -> None:
    """Such a field is in another part of the answer, which the JSON Schema does not describe."""

    class Nested(BaseModel):
        price: float = Field(validation_alias=AliasPath("amounts", 0))

    assert not Contract(Nested, constraints=[in_range("amounts[0]", 2, 3)]).check({"amounts": [1]}).ok


# A user's check gets what the answer says, and not what the app would write.


class Hidden(BaseModel):
    thought: str = Field(exclude=True)
    password: SecretStr
    net: float

    @field_serializer("net")
    def shown(self, net: float) -> str:
        """Return the form in which the app writes the field."""
        return f"{net:.2f} EUR"


@dataclass(frozen=True, slots=True)
class Slotted:
    size: int


def test_a_check_gets_excluded_fields_secrets_and_numbers() -> None:
    """Excluded fields were never judged, secrets were asterisks, and numbers what a serializer made of them."""
    seen: list[object] = []
    fields = ("thought", "password", "net")
    contract = Contract(Hidden, constraints=[custom(field, lambda value: seen.append(value)) for field in fields])
    assert contract.check({"thought": "t", "password": "abc", "net": 3}).ok
    assert seen == ["t", "abc", 3.0]


def test_a_check_gets_the_fields_of_a_dataclass_with_slots() -> None:
    """It has no `__dict__`."""
    contract = Contract(
        list[Slotted], constraints=[custom("[*].size", lambda size: f"{size} is odd" if size % 2 else None)]
    )
    (found,) = contract.check('[{"size": 2}, {"size": 3}]').errors
    assert (found.path, found.message) == ((1, "size"), "3 is odd")


def test_a_name_of_two_fields_is_judged_as_it_is_written() -> None:
    """`id` is another name of one model's `identifier`, and a field of its own in the other model."""

    class One(BaseModel):
        model_config = ConfigDict(populate_by_name=True)

        id: str = Field("T0", alias="identifier")

    class Two(BaseModel):
        id: str
        identifier: str = "T0"

    class Both(BaseModel):
        one: One = One()
        two: Two

    contract = Contract(Both, constraints=[regex("two.id", "^T")])
    assert not contract.check({"two": {"id": "bad", "identifier": "T1"}}).ok
    assert contract.check({"two": {"id": "T1", "identifier": "bad"}}).ok


class Typed(TypedDict):
    x: Annotated[int, Field(alias="X")]


@dataclass
class Plain:
    x: Annotated[int, Field(alias="X")]
    K: ClassVar[int] = 5


@pytest.mark.parametrize("schema", [Typed, Plain])
def test_a_check_gets_the_aliases_of_dicts_and_dataclasses(schema: Any) -> None:
    """Their values know only the names in Python."""
    seen: list[object] = []
    assert Contract(schema, constraints=[custom("", lambda value: seen.append(value))]).check({"X": 1}).ok
    assert seen == [{"X": 1}]


def test_a_check_gets_computed_fields_and_values_that_have_no_json() -> None:
    """A value of an unknown type is its text; the others are converted as before."""

    class Odd:
        def __str__(self) -> str:
            return "odd"

        @classmethod
        def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> Any:
            return core_schema.no_info_plain_validator_function(lambda _: cls())

    class Total(BaseModel):
        net: float
        odd: Odd
        tax: int = 7

        @computed_field  # type: ignore[prop-decorator]
        @property
        def total(self) -> float:
            return self.net + self.tax

        @computed_field  # type: ignore[prop-decorator]
        @property
        def broken(self) -> float:
            raise KeyError("x")

    seen: list[object] = []
    assert Contract(Total, constraints=[custom("", lambda value: seen.append(value))]).check({"net": "2", "odd": 1}).ok
    assert seen == [{"net": 2.0, "odd": "odd", "tax": 7, "total": 9.0}]


def test_a_model_in_a_typed_dict_keeps_its_excluded_fields() -> None:
    """The aliases of the model say nothing about the names of the dict."""

    class Inner(BaseModel):
        shown: int = Field(alias="Shown")
        thought: str = Field(exclude=True)

    class Around(TypedDict):
        inner: Inner

    seen: list[object] = []
    contract = Contract(Around, constraints=[custom("inner.thought", lambda value: seen.append(value))])
    assert contract.check({"inner": {"Shown": 1, "thought": "t"}}).ok
    assert seen == ["t"]
