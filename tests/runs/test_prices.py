"""What answers cost."""

import json
import sys
from datetime import date

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.runs.model.judged_answers import AttemptRow
from pytest_planguard.runs.prices import Price, priced, read_prices, unpriced_models

from ..support.runs import case, run

OWN = {
    "planguard": "prices",
    "format": 1,
    "providers": [
        {"provider": "Us", "date": "2026-11-01", "source": "our contract", "models": {"house-1": [1, 2], "gpt-5": None}}
    ],
}


def answered(model: str | None, tokens_in: int | None = 1_000_000, tokens_out: int | None = 500_000) -> AttemptRow:
    """A good answer of that model."""
    return AttemptRow("{}", True, model=model, input_tokens=tokens_in, output_tokens=tokens_out)


@pytest.fixture
def own(tmp_path):
    """A table of the user's."""
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(OWN))
    return path


def test_the_own_table_is_dated_and_sourced():
    """Each part says whose prices, of which day, from where; no price is zero, output is never cheaper."""
    prices = read_prices()
    for source in prices.sources:
        assert date.fromisoformat(source.date) <= date(2026, 12, 31)
        assert "https://" in source.source
    assert {str(source).partition(" ")[0] for source in prices.sources} == {"openai", "anthropic", "google"}
    assert all(price is not None and 0 < price.input <= price.output for price in prices.models.values())


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4o", (2.5, 10)),
        ("gpt-4o-2024-08-06", (2.5, 10)),
        ("gpt-4o-2024-05-13", (5, 15)),
        ("openai/gpt-4o-mini", (0.15, 0.6)),
        ("claude-sonnet-4-5-20250929", (3, 15)),
        ("claude-3-5-haiku-latest", (0.8, 4)),
        ("models/gemini-2.5-flash", (0.3, 2.5)),
        ("openai:chat:gpt-4o-mini", (0.15, 0.6)),
        ("gemini-2.0-flash-001", (0.1, 0.4)),
    ],
)
def test_a_model_is_found_as_an_answer_names_it(model, price):
    """With a release's date, a provider before it; a release with a price of its own has that."""
    assert read_prices().of(model) == Price(*price)


@pytest.mark.parametrize(
    "model", [None, "", "gpt-4", "gpt-4o-audio-preview", "gpt-5-pro", "azure/gpt-4o", "azure:chat:gpt-4o", "house-1"]
)
def test_what_is_not_in_the_table_has_no_price(model):
    """A like name is another model, another host may have other prices."""
    assert read_prices().of(model) is None


def test_the_cost_of_a_case_is_that_of_all_its_attempts():
    """1 M tokens in and 0.5 M out, twice, at 2.50 and 10 dollars a million: 15 dollars."""
    row = case("a", answered("gpt-4o"), answered("gpt-4o"))
    assert read_prices().cost(row) == 15.0


@pytest.mark.parametrize(
    "second", [answered("nobody-knows"), answered("gpt-4o", None), answered("gpt-4o", 1, None), answered(None)]
)
def test_what_is_unknown_is_none_and_never_nothing(second):
    """One answer without a price or a count: the case has no cost, not a cost that is too low."""
    assert read_prices().cost(case("a", answered("gpt-4o"), second)) is None
    assert read_prices().cost(case("a")) is None


def test_an_answer_without_a_model_is_the_cases():
    """Where only the case says which model answered."""
    assert read_prices().cost(case("a", answered(None), model="gpt-4o")) == 7.5


def test_a_file_adds_and_takes_away(own):
    """Its models join planguard's own; null takes one out; its source is named beside the others."""
    prices = read_prices(own)
    assert prices.of("house-1") == Price(1, 2)
    assert prices.of("us/house-1") == Price(1, 2)
    assert prices.of("gpt-5") is None
    assert prices.of("gpt-4o") is not None
    assert str(prices.sources[-1]) == "Us of 2026-11-01"


def test_costs_of_a_run_are_kept_unless_asked_anew(own):
    """A case keeps the cost that its run knew; `again` prices all by one table, and what that does not know is None."""
    one = run("r", [case("a", answered("house-1"), cost=9.0), case("b", answered("house-1")), case("c", answered("x"))])
    prices = read_prices(own)
    assert [row.cost for row in priced(one, prices).rows] == [9.0, 2.0, None]
    assert [row.cost for row in priced(one, prices, again=True).rows] == [2.0, 2.0, None]
    assert unpriced_models([one]) == ("(model unknown)",)


HEAD = 'the fields "planguard" and "format"'
PRICE = "the price of 'm' must be [input, output] for 1,000,000 tokens"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, f'{HEAD} must be "prices" and 1, got dict of 3'),
        ({"planguard": "run"}, f'{HEAD} must be "prices" and 1, got dict of 3'),
        (
            {"providers": [{"provider": "u", "date": "lately", "source": "x"}]},
            "the date of prices must be a day like 2026-12-31, got 'lately'",
        ),
        ({"providers": [{"provider": "u", "date": "2026-01-01"}]}, "the field 'source' must be text, got nothing"),
        *(
            ({"providers": [{"provider": "u", "models": {"m": price}}]}, f"{PRICE}, got {seen}")
            for price, seen in (
                ([1], "[1]"),
                ([1, -2], "[1, -2]"),
                ([True, 2], "[True, 2]"),
                ("free", "'free'"),
                ([10**400, 1], f"[1{'0' * 58}"),
                ([1, float("inf")], "[1, inf]"),
            )
        ),
    ],
)
def test_a_table_that_is_none_is_refused(own, change, message):
    """The message names the file, what was expected and what is there; nothing is guessed."""
    own.write_text(json.dumps({**OWN, **change}))
    with pytest.raises(RunError) as error:
        read_prices(own)
    assert str(error.value).partition("prices.json: it is not a table of prices: ")[2] == f"{message}."


def test_a_price_may_be_as_large_as_a_number(own):
    """Zero and the largest number are prices."""
    models = {"m": [0, sys.float_info.max]}
    own.write_text(json.dumps({**OWN, "providers": [{**OWN["providers"][0], "models": models}]}))
    assert read_prices(own).of("m") == Price(0.0, sys.float_info.max)


def test_a_missing_file_is_named(tmp_path):
    """No table is no reason to take another one."""
    with pytest.raises(RunError, match=r"none\.json: the prices cannot be read: No such file"):
        read_prices(tmp_path / "none.json")
