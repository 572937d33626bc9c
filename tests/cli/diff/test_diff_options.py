"""The options of `planguard diff` as values: shares, what fails, which options need two runs, and the sides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import UsageError
from pytest_planguard.cli.diff.diff_options import GateArguments
from pytest_planguard.cli.diff.sides import Side, sides_of
from pytest_planguard.runs.gate.gate import Budgets, FailOn


def given(fail: tuple[str, ...] = (), **more: Any) -> GateArguments:
    """Return the options of the gate, none of them given but these."""
    names = ("max_cost_increase", "max_tokens_increase", "max_latency_increase", "max_length_change", "prices")
    return GateArguments(
        baseline=None,
        baseline_update=False,
        baseline_prune=False,
        fail=fail,
        **{**dict.fromkeys(names), **more},
    )


@pytest.mark.parametrize(
    ("text", "share"),
    [("10%", 0.1), (" 10 % ", 0.1), ("0.1", 0.1), ("0", 0.0), ("0%", 0.0), ("250%", 2.5), ("3", 3.0), ("1e1%", 0.1)],
)
def test_a_share_is_a_number_or_a_percentage(text: str, share: float) -> None:
    """Zero allows no increase at all, and more than all is a share, too."""
    assert given(max_cost_increase=text).budgets().cost == pytest.approx(share)


def test_each_budget_has_its_own_option() -> None:
    """And none is set without it."""
    shares = {"max_cost_increase": "1%", "max_tokens_increase": "2%", "max_latency_increase": "3%"}
    assert given((), **shares, max_length_change="4%").budgets() == Budgets(0.01, 0.02, 0.03, 0.04)
    assert given().budgets() == Budgets(None, None, None, None)


@pytest.mark.parametrize("option", ["cost-increase", "tokens-increase", "latency-increase", "length-change"])
@pytest.mark.parametrize("text", ["", "%", "lots", "-1%", "-0.1", "nan", "inf", "1e999", "10%%"])
def test_what_is_no_share_is_refused(option: str, text: str) -> None:
    """With the option and what was typed."""
    with pytest.raises(UsageError) as caught:
        given((), **{f"max_{option.replace('-', '_')}": text}).budgets()
    assert str(caught.value) == f"--max-{option} {text!r}: expected a share like 10% or 0.1"


@pytest.mark.parametrize(
    ("fail", "found"),
    [
        ((), (FailOn.NEW,)),
        (("",), (FailOn.NEW,)),
        ((" , ",), (FailOn.NEW,)),
        (("new,stale", " worse "), (FailOn.NEW, FailOn.STALE, FailOn.WORSE)),
        (("none",), (FailOn.NONE,)),
        (("verdict",), (FailOn.VERDICT,)),
    ],
)
def test_words_of_what_fails(fail: tuple[str, ...], found: tuple[FailOn, ...]) -> None:
    """Several with a comma or one by one; new failures where none is named."""
    assert given(fail).fail_on(("total",)) == found


def test_an_unknown_word_of_what_fails() -> None:
    """The nearest one is offered, or all."""
    for word, offered in (("wors", "Did you mean 'worse'?"), ("zzz", "new, worse, changed, weakened, stale, verdict")):
        with pytest.raises(UsageError) as caught:
            given((f"new,{word}",)).fail_on(())
        assert str(caught.value).startswith(f"--fail-on {word!r} is unknown")
        assert offered in str(caught.value)


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ({}, ()),
        ({"fail": ("new",)}, ("--fail-on",)),
        ({"max_cost_increase": "1%"}, ("--max-…-increase",)),
        ({"max_tokens_increase": "1%"}, ("--max-…-increase",)),
        ({"max_latency_increase": "1%"}, ("--max-…-increase",)),
        ({"max_length_change": "1%"}, ("--max-length-change",)),
        ({"prices": Path("prices.json")}, ()),
        ({"fail": ("new",), "max_length_change": "0"}, ("--fail-on", "--max-length-change")),
    ],
)
def test_options_that_need_two_runs(more: dict[str, Any], names: tuple[str, ...]) -> None:
    """Those of the gate; a table of prices gates nothing by itself."""
    assert given(**more).given() == names


def test_a_list_of_known_failures_needs_two_runs() -> None:
    """It is a part of the gate."""
    arguments = GateArguments(Path("known.json"), False, False, (), None, None, None, None, None)
    assert arguments.given() == ("--baseline",)


@pytest.mark.parametrize(
    ("named", "a", "b", "sides"),
    [
        (("x", "y"), None, None, [("x", "x"), ("y", "y")]),
        (("x",), None, "y", [("y", "y"), ("x", "x")]),
        (("z",), "x", "y", [("x", "x"), ("y", "y"), ("z", "z")]),
        (("a=x", "b=y=z"), None, None, [("x", "a"), ("y=z", "b")]),
        (("=x", "b="), None, None, [("=x", "=x"), ("b=", "b=")]),
        (("there=x", "y"), None, None, [("there=x", "there=x"), ("y", "y")]),
        (("x", "x"), None, None, [("x", "x"), ("x", "x")]),
    ],
)
def test_sides_have_names(
    named: tuple[str, ...],
    a: str | None,
    b: str | None,
    sides: list[tuple[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their own or those that are typed; a file with "=" in its name is itself."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there=x").touch()
    assert sides_of(named, a, b) == tuple(Side(source, name) for source, name in sides)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ((), "a comparison needs two runs, got 0. Write: planguard diff BASE CANDIDATE, or --run-a BASE --run-b"),
        (("x",), "a comparison needs two runs, got 1. Write: planguard diff BASE CANDIDATE, or --run-a BASE --run-b"),
        (("a=x", "a=y"), "two sides are called 'a'; give each its own name: base=DIR candidate=DIR"),
        (("a", "a=y"), "two sides are called 'a'; give each its own name: base=DIR candidate=DIR"),
        (("x", "y", "x"), "two sides are called 'x'; give each its own name: base=DIR candidate=DIR"),
    ],
)
def test_sides_that_cannot_be_told_apart_are_refused(named: tuple[str, ...], said: str) -> None:
    """And fewer than two."""
    with pytest.raises(UsageError) as caught:
        sides_of(named, None, None)
    assert str(caught.value).startswith(said)
