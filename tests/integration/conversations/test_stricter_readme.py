"""The app of the README, recorded over a fenced first answer and other answers that it is stricter about."""

from __future__ import annotations

from typing import Any

import pytest

from ...docs.pages import blocks
from ...support.lookalike import Lookalike
from ...support.paths import ROOT
from ...support.warm import WarmExample
from ..projects import rows_by_test

GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
WRAPPED = {
    "fence": "```json\n{}\n```",
    "words": "Here is the ticket:\n{}",
    "thoughts": "<think>two steps will do</think>\n{}",
}
BAD = {"length": {**GOOD, "title": "The printer on the third floor is on fire"}, "extra": {**GOOD, "owner": "Ada"}}
WAYS = (*WRAPPED, *BAD)
RULES = {"length": ("Field(min_length=3)", "Field(min_length=3, max_length=20)"), "extra": ("(BaseModel)", "(Strict)")}
"""What the app has more than its contract: a limit, and members that it forbids."""
TEST = """
import importlib

import app
import pytest
from pytest_planguard import Contract


def cases():
    for way in ("fence", "words", "thoughts"):
        for how in ("buggy", "fixed"):
            for contract in (Contract(app.Ticket), Contract(app.Ticket, extract="whole")):
                yield way, how, "app" if how == "fixed" else "buggy", contract
    for way in ("length", "extra"):
        for how in ("buggy", "fixed"):
            module = importlib.import_module(f"{way}_{how}")
            for contract in (Contract(app.Ticket), Contract(module.Ticket, name="Ticket")):
                yield way, how, module.__name__, contract


def params():
    for number, (way, how, module, contract) in enumerate(cases()):
        named = f"{way}-{how}-{('lax', 'strict')[number % 2]}"
        yield pytest.param(way, module, marks=pytest.mark.planguard(contract), id=named)


@pytest.mark.parametrize(("way", "module"), params())
def test_app(way, module):
    importlib.import_module(module).create_ticket(f"the printer on floor 3 is on fire ({way})")
"""


def files() -> dict[str, str]:
    """The README's app before its repair and after it, each also with a rule that its contract lacks."""
    buggy, repair = (b for b in blocks(ROOT / "README.md") if b.value("file") == "app.py")
    line = '            messages.append({"role": "user", "content": "That was not valid, try again."})\n'
    assert line in buggy.text
    apps = {"buggy": buggy.text, "app": buggy.text.replace(line, repair.text)}
    for way, (old, new) in RULES.items():
        strict = 'class Strict(BaseModel, extra="forbid"):\n    pass\n\n\nclass Ticket'
        for how, name in (("buggy", "buggy"), ("fixed", "app")):
            apps[f"{way}_{how}"] = apps[name].replace(old, new).replace("class Ticket", strict, 1)
    return {f"{name}.py": text for name, text in apps.items()} | {"test_app.py": TEST}


@pytest.fixture(scope="module")
def replayed() -> dict[str, dict[str, Any]]:
    """The rows of a replay without a server, by case; the recorded model fixes what it is told."""
    live = Lookalike()
    live.script(GOOD, GOOD, when="try again")  # right by luck
    live.script(GOOD, GOOD, when="Invalid JSON")
    for way, wrap in WRAPPED.items():
        live.script(GOOD, GOOD, when=f"({way})", wrap=wrap)
    for way, bad in BAD.items():
        live.script(GOOD, bad, when=f"({way})")
    env = {"OPENAI_BASE_URL": live.base_url, "OPENAI_API_KEY": "test"}
    recorded = WarmExample(files()).run_pytest("-q", "--planguard-record=all", env=env)
    live.stop()
    again = recorded.example.run_pytest("-q", env=env)
    assert again.outcomes == recorded.outcomes, again.output
    return {name.partition("[")[2].rstrip("]"): row for name, row in rows_by_test(again.example).items()}


def checks(row: dict[str, Any]) -> dict[str, str]:
    """The failed checks of a case's one conversation, with what they say."""
    (conversation,) = row["judged"]
    return {check["name"]: check["message"] for check in conversation["checks"] if check["status"] == "fail"}


@pytest.mark.parametrize("way", WAYS)
def test_by_the_contract_of_the_app_its_bug_shows(replayed: dict[str, dict[str, Any]], way: str) -> None:
    """The blind app loses what was wrong; the fixed one is green, in two attempts."""
    never_mended = {"valid"} if way in BAD else set()  # a wrapper may be left out by luck
    assert set(checks(replayed[f"{way}-buggy-strict"])) == {"feedback"} | never_mended
    fixed = replayed[f"{way}-fixed-strict"]
    assert (fixed["result"], len(fixed["judged"][0]["attempts"])) == ("passed", 2)


@pytest.mark.parametrize("how", ["buggy", "fixed"])
@pytest.mark.parametrize("way", WAYS)
def test_by_a_laxer_contract_the_true_reason_is_named(replayed: dict[str, dict[str, Any]], way: str, how: str) -> None:
    """App and contract disagree, and the message says how to make them agree."""
    assert checks(replayed[f"{way}-{how}-lax"]) == {
        "agreed": (
            'the app rejects an answer that the contract accepts: set extract="whole", '
            "or add the app's rule to the contract"
        )
    }
