"""An answer is right if the expected value states it as the model wrote it, as validated, or as dumped."""

import json
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_serializer

from pytest_planguard import Contract, near, same_items
from pytest_planguard.contract.comparison.answer_forms import SetItems, plain
from pytest_planguard.contract.comparison.comparison import Comparison
from pytest_planguard.contract.comparison.score import Score


class Colour(Enum):
    """A word that becomes an enum."""

    RED = "red"


class Line(BaseModel):
    """An item of a list, with a default."""

    sku: str
    price: Decimal
    unit: str = "piece"


class Bill(BaseModel):
    """Every kind of field whose value differs from what the model wrote."""

    model_config = ConfigDict(str_strip_whitespace=True)
    total: Decimal = Decimal(0)
    day: date | None = None
    at: datetime | None = None
    took: timedelta | None = None
    colour: Colour | None = None
    tags: set[str] = set()
    key: SecretStr | None = None
    internal: str = Field("", exclude=True)
    shown: str = Field("", alias="shownAs")
    lines: list[Line] = []
    meta: dict[str, int] = {}
    code: str = ""
    owner: Line | None = None

    @field_serializer("code")
    def written_out(self, code: str) -> str:
        """Serialise the code in another notation."""
        return f"code {code}"


BILL = Contract(Bill, compare={"lines": same_items(key="sku")})


def scored(answer: object, expected: object, contract: Contract = BILL) -> Score:
    """The score of an answer that meets the contract."""
    verdict = contract.check(json.dumps(answer))
    assert verdict.ok, verdict.findings
    return contract.comparison.score(expected, contract.answer_forms(verdict))


TEXT = st.text(max_size=4)
PRICE = st.one_of(st.integers(0, 999), st.sampled_from([1.5, "1.50", "2", 12.25]))
LINE = st.fixed_dictionaries({"sku": st.sampled_from("abc"), "price": PRICE}, optional={"unit": TEXT})
ANSWER = st.fixed_dictionaries(
    {},
    optional={
        "total": PRICE,
        "day": st.sampled_from(["2026-03-01", "2026-03-01T00:00:00", None]),
        "at": st.sampled_from(["2026-03-01 10:00", "2026-03-01T10:00:00Z", 1_700_000_000]),
        "took": st.sampled_from(["PT90S", 90, "1 day, 0:00:00"]),
        "colour": st.sampled_from(["red", None]),
        "tags": st.lists(TEXT, max_size=4),
        "key": TEXT,
        "internal": TEXT,
        "shownAs": TEXT,
        "lines": st.lists(LINE, max_size=4),
        "meta": st.dictionaries(TEXT, st.integers(0, 9), max_size=2),
        "code": TEXT,
        "owner": LINE,
    },
)


@given(ANSWER)
def test_an_answer_that_was_written_as_expected_is_right(answer: dict[str, object]) -> None:
    """Whatever the types of the model make of it."""
    assert scored(answer, answer).total == 1.0


@given(ANSWER)
def test_a_dumped_answer_is_right(answer: dict[str, object]) -> None:
    """The expected values may come from the app, which wrote its own models."""
    bill = Bill.model_validate(answer)
    assert scored(answer, bill).total == 1.0
    expected = bill.model_dump(mode="json", by_alias=True)
    assert scored(answer, {**expected, "tags": answer.get("tags", []), "code": bill.code}).total == 1.0


def test_a_validated_value_is_right() -> None:
    """A number for text, a default, and the value behind a serializer or a secret."""
    answer = {"total": "1.50", "lines": [{"sku": "a", "price": "2.0"}], "key": "k", "code": " x "}
    for expected in (
        {"total": 1.5},
        {"total": "1.50"},
        {"lines": [{"sku": "a", "price": 2, "unit": "piece"}]},
        {"lines": [{"sku": "a", "price": "2.0"}]},
        {"key": "k"},
        {"code": "x"},
        {"code": "code x"},
        {"meta": {}, "tags": []},
    ):
        assert scored(answer, expected).total == 1.0, expected


def test_a_model_stands_for_its_dump_with_aliases() -> None:
    """As an expected value in any comparison, and within a list."""
    made = Bill(shownAs="x", total=Decimal(2))
    dumped = made.model_dump(mode="json", by_alias=True)
    assert dumped["shownAs"] == "x"
    assert Comparison({}).score({"bills": [made]}, {"bills": [dumped]}).total == 1.0


def test_a_wrong_value_is_shown_as_the_model_wrote_it() -> None:
    """12.5 is a number, even if the model of the app dumps a text."""
    wrong = scored({"total": 12.5, "lines": [{"sku": "b", "price": 1}]}, {"total": 12, "lines": []}).findings
    assert [finding.actual for finding in wrong] == ["12.5", '{"sku": "b", "price": 1, "unit": "piece"}']


def test_the_forms_of_two_items_are_not_mixed() -> None:
    """A set has no order: each of its orders is right as a whole only."""
    assert scored({"tags": ["a", "b"]}, {"tags": ["b", "b"]}).total < 1
    assert scored({"tags": ["a", "b", "c", "d"]}, {"tags": ["a", "b", "c", "d"]}).total == 1


def test_the_items_of_a_set_have_no_order() -> None:
    """Python gives them another one in each process."""
    written = [f"{number}" for number in range(9, 0, -1)]
    for answer in (written, [*written, "9"]):
        for expected in (sorted(written), set(written), Bill(tags=set(written)).tags, Bill(tags=set(written))):
            assert scored({"tags": answer}, expected if isinstance(expected, Bill) else {"tags": expected}).total == 1
    (wrong,) = scored({"tags": written}, {"tags": sorted(written)[:8]}).findings
    assert (wrong.path, wrong.actual) == (("tags", 0), '"9"')


def test_a_set_of_a_dataclass_is_compared() -> None:
    """Also with a plain list."""

    @dataclass
    class Tagged:
        tags: set[str]

    contract = Contract(None)
    verdict = contract.check('{"tags": ["b", "a"]}')
    assert contract.comparison.score(Tagged({"a", "b"}), contract.answer_forms(verdict)).total == 1
    assert contract.comparison.score(Tagged({"a", "c"}), contract.answer_forms(verdict)).total == 0.5


class Holds:
    """A matcher that looks at a member of an object."""

    def __init__(self, key: str, value: object) -> None:
        self.key, self.value = key, value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and other[self.key] == self.value

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.parametrize("price", ["2.0", 2])
def test_a_matcher_sees_each_form_of_a_member(price: object) -> None:
    """As the model wrote it, and as it was validated."""
    answer = {"lines": [{"sku": "a", "price": "2.0"}], "owner": {"sku": "a", "price": "2.0"}}
    for expected in ({"lines": [Holds("price", price)]}, {"owner": Holds("price", price)}):
        assert scored(answer, expected, Contract(Bill)).total == 1
    assert scored(answer, {"owner": Holds("price", 3)}).total == 0


def test_a_tolerance_of_a_whole_list_compares_each_form() -> None:
    """A value that is no number must be equal."""
    contract = Contract(list[Decimal], compare={"": near(1)})
    for expected in (["1.50"], [1.5]):
        assert scored(["1.50"], expected, contract).total == 1


class Row(BaseModel):
    """A row of a table."""

    number: int
    unit: str = "piece"


class Table(BaseModel):
    """An object whose list models write without it."""

    rows: list[Row]


@pytest.mark.parametrize("expected", [{"rows": [{"number": "2", "unit": "piece"}]}, [{"number": "2"}]])
def test_a_bare_list_has_the_forms_of_its_object(expected: object) -> None:
    """A field may be expected as written, beside one with a default."""
    assert scored([{"number": "2"}], expected, Contract(Table, wrap_list=True)).total == 1


@pytest.mark.parametrize("expected", [{"rows": [{"number": 3}]}, [{"number": 3}]])
def test_a_correction_of_a_bare_list_keeps_the_form_of_the_expected_value(expected: object) -> None:
    """The file of cases holds objects or lists, and goes on to do so."""
    contract = Contract(Table, wrap_list=True)
    forms = contract.answer_forms(contract.check('[{"number": 2}]'))
    rows = [{"number": 2, "unit": "piece"}]
    accepted = contract.comparison.accepted(expected, forms)
    assert accepted == ({"rows": rows} if isinstance(expected, dict) else rows)
    assert contract.comparison.score(accepted, forms).total == 1


def test_a_comparator_sees_each_form() -> None:
    """A tolerance counts for the number behind a text."""
    contract = Contract(Bill, compare={"total": near(0.1)})
    assert scored({"total": "1.50"}, {"total": 1.45}, contract).total == 1
    assert scored({"total": "1.50"}, {"total": 1.3}, contract).total == 0


def test_an_accepted_value_is_what_the_model_wrote() -> None:
    """What a review writes into the file of cases is plain data, and right from then on."""
    verdict = BILL.check('{"total": "1.50", "lines": [{"sku": "a", "price": "2.0"}]}')
    forms = BILL.answer_forms(verdict)
    accepted = BILL.comparison.accepted({"total": 2, "lines": [], "code": ""}, forms)
    assert accepted == {"total": "1.50", "lines": [{"sku": "a", "price": "2.0", "unit": "piece"}], "code": ""}
    assert BILL.comparison.score(accepted, forms).total == 1


@dataclass
class Point:
    """Holds values that JSON spells in another way."""

    at: date
    seen: tuple[Colour, ...]


class Own:
    """A type of which nothing is known."""


OWN = Own()


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Line(sku="a", price=Decimal("1.50")), {"sku": "a", "price": "1.50", "unit": "piece"}),
        (Point(date(2026, 3, 1), (Colour.RED,)), {"at": "2026-03-01", "seen": ["red"]}),
        ({1: Decimal("1.50"), "b": None}, {"1": 1.5, "b": None}),
        ((1, [Colour.RED]), [1, ["red"]]),
        (datetime(2026, 3, 1, 10), "2026-03-01T10:00:00"),
        (True, True),
        (OWN, OWN),
        (Point, Point),
    ],
)
def test_any_value_as_plain_data(value: object, data: object) -> None:
    """Models, dataclasses, dates, enums and decimals in their JSON form; other objects as they are."""
    assert plain(value) == data


def test_a_model_as_plain_data_has_the_names_of_its_json() -> None:
    """So that a model and what a model wrote are equal."""
    assert plain(Bill(shownAs="x"))["shownAs"] == "x"  # type: ignore[call-arg, unused-ignore]
    assert "shown" not in plain([Bill()])[0]


@pytest.mark.parametrize("items", [{"b", "a"}, frozenset({"b", "a"}), SetItems(["b", "a"])])
def test_a_set_as_plain_data_is_known_as_one(items: object) -> None:
    """Its order says nothing; a list is none."""
    made = plain(items)
    assert isinstance(made, SetItems)
    assert sorted(made) == ["a", "b"]
    assert not isinstance(plain(["b", "a"]), SetItems)
