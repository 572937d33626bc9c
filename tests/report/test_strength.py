"""A measurement as text, Markdown, JSON and a page: the same tables, and nothing hostile alive in any."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import Contract, distinct
from pytest_planguard.contract.strength.evidence import GoodAnswer
from pytest_planguard.contract.strength.measure import Equivalent, Strength, measure
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


NOTED = Strength("ticket", 7, ("a",), {"drop": 3, "copy": 0}, {"drop": 3}, (), 2, (Equivalent("drop", "steps", "x"),))


def test_the_notes_of_a_measurement() -> None:
    """What is listed as equivalent, what of the list is out of date, and which answers the contract rejects."""
    assert draw(strength_page(NOTED), "text").split("\n\n")[-1].split("\n") == [
        "note: listed as equivalent: 2 surviving mutants",
        "note: listed as equivalent, and nothing survives there: drop steps",
        "note: left out, for the contract rejects them: 1 answer: a",
        "note: no mutant survives",
    ]
    many = replace(NOTED, rejected=tuple("abcdef"), equivalent=1, unused=())
    assert strength_data(many)["notes"] == [
        "listed as equivalent: 1 surviving mutant",
        "left out, for the contract rejects them: 6 answers: a, b, c, d, e",
    ]
    assert strength_data(replace(NOTED, rejected=(), equivalent=0, unused=()))["notes"] == []


def test_the_share_of_a_measurement_is_rounded_down() -> None:
    """Only a contract that kills every mutant is perfect; an operator without a mutant is left out."""
    lead = strength_page(replace(NOTED, made={"drop": 1_000, "duplicate": 0}, killed={"drop": 999})).lead
    assert lead == "kills 999 of 1000 mutants of 7 good answers (99%)"
    assert strength_page(NOTED).lead == "kills 3 of 3 mutants of 7 good answers (100%)"
    assert draw(strength_page(replace(NOTED, killed={})), "text").split("\n")[4].split()[-2:] == ["0", "3"]
    assert "duplicate" not in draw(strength_page(replace(NOTED, made={"drop": 1, "duplicate": 0})), "text")


def test_a_measurement_as_data() -> None:
    """Its figures, what survives and what would kill it."""
    data = strength_data(result())
    assert {name: data[name] for name in ("version", "contract", "answers", "share")} == {
        "version": 1, "contract": "ticket", "answers": 1, "share": 0.5,
    }  # fmt: skip
    assert data["operators"] == {"drop": {"made": 1, "killed": 1}, "duplicate": {"made": 1, "killed": 0}}
    assert data["survivors"] == [
        {
            "operator": "duplicate",
            "place": "steps",
            "mutants": "1",
            "example": '["Cut the power", "Cut the power"]',
            "what kills it": 'distinct("steps")',
        }
    ]


def test_a_survivor_that_no_constraint_kills() -> None:
    """The reader is told what is left to do."""
    survivor = replace(result().survivors[0], suggestion=None)
    page = strength_page(replace(NOTED, survivors=(survivor,)))
    assert "  no constraint does: a check of your own, or an equivalent mutant\n" in draw(page, "text")
