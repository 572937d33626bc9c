"""A measurement as text, Markdown, JSON and a page: the same tables, and nothing hostile alive in any."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard import Contract, distinct
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.measure import Strength, measure
from pytest_planguard.report.forms import FORMS, draw
from pytest_planguard.report.pages.strength import strength_data, strength_page

HOSTILE = "<script>alert(1)</script>\x1b[31m::error::`x`|y"


def result(*constraints: Any, text: str = "Cut the power") -> Strength:
    """A small measurement."""
    answers = [GoodAnswer("line 1", {"steps": [text, "Call for help"]})]
    schema = {"type": "object", "properties": {"steps": {"type": "array"}}, "required": ["steps"]}
    contract = Contract(schema, constraints=constraints, name="ticket")
    return measure(contract, answers, operators=["drop", "duplicate"])


def test_the_text_of_a_weak_contract() -> None:
    """Headline, operators, survivors, Python."""
    assert draw(strength_page(result()), "text") == (
        "ticket: kills 1 of 2 mutants of 1 good answer (50%)\n\nMutants by operator\n"
        f"operator   what it does{86 * ' '}  killed  made\n"
        f"drop       Remove a key from its object{77 * ' '}1     1\n"
        "duplicate  Replace the last item of a list by a copy of the first, so that the number of items stays the same"
        "       0     1\n"
        "\n"
        "Survivors\n"
        "operator   place  mutants  example                             what kills it\n"
        'duplicate  steps        1  ["Cut the power", "Cut the power"]  distinct("steps")\n\n'
        "Add to the contract:\n\n"
        "from pytest_planguard import distinct\n\nCONSTRAINTS = [\n"
        '    # no item repeats in 1 list\n    distinct("steps"),\n]'
    )


def test_a_strong_contract_has_no_survivors_in_any_form() -> None:
    """And nothing is suggested."""
    strong = result(distinct("steps"))
    for form in FORMS:
        text = draw(strength_page(strong), form)
        assert "Survivors" not in text
        assert "no mutant survives" in text
    assert strength_data(strong)["share"] == 1.0


@pytest.mark.parametrize("form", FORMS)
def test_what_a_model_wrote_stays_inert(form: str) -> None:
    """No tag, no control character, no workflow command."""
    text = draw(strength_page(result(text=HOSTILE)), form)
    assert "\x1b" not in text
    assert not any(line.startswith("::") for line in text.splitlines())
    if form == "html":
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
