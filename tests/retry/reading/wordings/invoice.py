"""An invoice, three bad answers to it, and feedback on them as applications word it: fixtures/feedback/."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge

from ....support.conversations import dialogue
from ....support.paths import ROOT

FOLDER = ROOT / "fixtures" / "feedback"


class Customer(BaseModel):
    name: str
    email: str


class Line(BaseModel):
    sku: str
    quantity: int = Field(ge=1)
    unit_price: float = Field(gt=0)


class Invoice(BaseModel):
    model_config = ConfigDict(extra="forbid")
    invoice_no: str = Field(pattern=r"^INV-\d{4}$")
    currency: Literal["EUR", "USD"]
    customer: Customer
    lines: list[Line]
    due: date


INVOICE = Contract(Invoice)
GOOD: dict[str, Any] = {
    "invoice_no": "INV-0017",
    "currency": "EUR",
    "customer": {"name": "Ada", "email": "ada@example.org"},
    "lines": [{"sku": "A-1", "quantity": 2, "unit_price": 9.5}, {"sku": "B-7", "quantity": 1, "unit_price": 3.0}],
    "due": "2026-12-01",
}


def _bad(answer: str) -> dict[str, Any]:
    """`a`: a pattern, a choice, a limit; `b`: a missing field, a word for a number, an extra one; `c`: two limits."""
    bad = deepcopy(GOOD)
    if answer == "a":
        bad |= {"invoice_no": "2024-17", "currency": "euro"}
        bad["lines"][1]["quantity"] = 0
    elif answer == "b":
        bad |= {"customer": {"name": "Ada"}, "lines": bad["lines"][:1], "note": "thanks"}
        bad["lines"][0]["quantity"] = "two"
    else:
        bad["lines"][0]["quantity"] = 0
        bad["lines"][1]["unit_price"] = -3.0
    return bad


@dataclass(frozen=True, slots=True)
class Feedback:
    """One text, the answer it is about (a, b or c), and the findings that a careful reader would not learn from it."""

    name: str
    answer: str
    says: str
    missing: frozenset[str] = frozenset()

    def grades(self) -> dict[str, str]:
        """Return the grade of each finding by its path when this text asks again; fails where no retry is seen."""
        bad = json.dumps(_bad(self.answer))
        talk = dialogue(self.says, bad=bad, good=json.dumps(GOOD), task="Write the invoice for Ada")
        (conversation,) = judge(talk, [INVOICE]).conversations
        gradings = conversation.attempts[0].fed_back
        return {".".join(map(str, f.finding.path)): f.label for f in gradings}


def feedback(name: str) -> Iterator[Feedback]:
    """The cases of `passing_on` or `dropping`."""
    for case in yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")):
        yield Feedback(**case | {"missing": frozenset(case.get("missing", ()))})
