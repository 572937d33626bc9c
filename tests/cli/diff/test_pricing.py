"""`planguard diff` with costs, tokens and latency: deltas and budgets."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

from pytest_planguard.runs.model.run import CaseRow, RunHeader
from pytest_planguard.runs.store.store import Store

from ...support.commands import run
from ...support.runs import attempt, case

TABLE = {
    "planguard": "prices",
    "format": 1,
    "providers": [{"provider": "us", "date": "2026-11-01", "source": "contract", "models": {"house": [10, 10]}}],
}


def row(key: str, model: str, tokens: int, **other: float) -> CaseRow:
    """A good case of one answer that took so many tokens on each side."""
    return case(key, replace(attempt("{}", tokens=tokens), model=model), model=model, **other)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own without kept runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "prices.json").write_text(json.dumps(TABLE))
    return tmp_path


def diff(base: list[CaseRow], candidate: list[CaseRow], *arguments: str) -> Result:
    """Compare two kept runs of these rows."""
    store = Store(Path())
    store.save("main", RunHeader("main"), base)
    store.save("new", RunHeader("new"), candidate)
    return run("diff", "main", "new", *arguments)


def figures(result: Result) -> dict[str, tuple[float, float]]:
    """Name to before and after."""
    return {each["name"]: (each["before"], each["after"]) for each in json.loads(result.stdout)["figures"]}


def test_costs_are_by_dated_list_prices_where_no_run_has_them() -> None:
    """Tokens times the price of the model that answered; the report says of which day the prices are."""
    base, now = [row("a", "gpt-4o", 1_000_000)], [row("a", "gpt-4o-mini", 1_000_000)]
    assert figures(diff(base, now, "--format", "json"))["cost"] == (12.5, 0.75)
    said = diff(base, now).stdout
    assert "openai of 2026-03-21" in said
    assert "-94.0 %" in said


def test_a_table_of_the_users_prices_both_runs() -> None:
    """Costs that one of the runs had recorded by other prices do not count then."""
    base, now = [row("a", "house", 1_000_000, cost=99.0)], [row("a", "house", 2_000_000)]
    assert figures(diff(base, now, "--format", "json", "--prices", "prices.json"))["cost"] == (20.0, 40.0)


@pytest.mark.parametrize(
    ("option", "grown", "reason"),
    [
        ("--max-cost-increase", {"tokens": 1200}, "cost: +20.0%, and at most +10.0% is allowed"),
        ("--max-tokens-increase", {"tokens": 1200}, "tokens: +20.0%, and at most +10.0% is allowed"),
        ("--max-latency-increase", {"latency_s": 3.0}, "latency: +50.0%, and at most +10.0% is allowed"),
    ],
)
def test_a_budget_fails_what_grew_and_passes_what_did_not(option: str, grown: dict[str, float], reason: str) -> None:
    """Exit code 1 with the growth and the limit; 0 for the same run, and for one that got cheaper."""
    same = {"tokens": 1000, "latency_s": 2.0}

    def one(**changed: float) -> list[CaseRow]:
        found = {**same, **changed}
        return [row("a", "gpt-4o", int(found["tokens"]), latency_s=found["latency_s"])]

    worse = diff(one(), one(**grown), option, "10%")
    assert (worse.exit_code, reason in worse.stdout) == (1, True), worse.output
    assert diff(one(), one(), option, "10%").exit_code == 0
    assert diff(one(**grown), one(), option, "10%").exit_code == 0


def test_a_budget_without_a_known_price_fails_and_names_the_model() -> None:
    """Unknown is not free: the gate cannot pass, and the way out is named."""
    base, now = [row("a", "house", 10)], [row("a", "house", 10)]
    result = diff(base, now, "--max-cost-increase", "10%")
    assert (result.exit_code, "cost: a budget was set, and no case has it in both runs" in result.stdout) == (1, True)
    assert "no price is known for house: their cases have no cost; add one with --prices FILE" in result.stdout
    assert diff(base, now, "--max-cost-increase", "10%", "--prices", "prices.json").exit_code == 0


def test_a_budget_that_could_not_look_at_every_case_says_so() -> None:
    """One of two cases has a price: the gate decides by it, and the report names the share."""
    rows = [row("a", "gpt-4o", 10), row("b", "house", 10)]
    result = diff(rows, rows, "--max-cost-increase", "10%")
    assert result.exit_code == 0
    assert "the budget for cost looked at 1 of 2 cases: the others lack it in a run" in result.stdout
    assert "the budget" not in diff(rows, rows, "--max-tokens-increase", "10%").stdout


def test_without_known_prices_nothing_is_said() -> None:
    """A comparison that nobody asked about costs is not littered with them."""
    result = diff([row("a", "house", 10)], [row("a", "house", 10)])
    assert "price" not in result.stdout
    assert "cost" not in result.stdout


def test_a_wrong_table_is_a_wrong_use() -> None:
    """Exit code 2 and the file's name."""
    Path("prices.json").write_text("{}")
    result = diff([row("a", "house", 10)], [row("a", "house", 10)], "--prices", "prices.json")
    assert (result.exit_code, "prices.json: it is not a table of prices" in result.stderr) == (2, True)
