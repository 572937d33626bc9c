"""What real validators said about known faults, in the envelopes that apps send it in: fixtures/feedback/."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import DROPPED

from ....support.conversations import SYSTEM, Spoken, Turn, conversation
from .documents import FOLDER, as_model, broken, documents

Place = tuple[str | int, ...]
FEEDBACK = ("verbatim", "located", "weak")
"""Grades of what was read."""
ENVELOPES: dict[str, str] = {
    "raw": "{text}",
    "prefix": "Fix these errors:\n\n{text}",
    "fence": "The JSON you returned is invalid.\n\n```\n{text}\n```\n\nReturn only the corrected JSON.",
    "quoted answer": "Your previous answer was:\n\n{bad}\n\nIt failed validation:\n\n{text}\n\nPlease try again.",
    "sentence": "Validation failed with the following error: {text}. Please correct it and answer again.",
    "json": '{{"status": "error", "details": {string}}}',
    "tags": "<validation_error>\n{text}\n</validation_error>",
}
"""How an app hands a validator's text on: `text` as it is, `string` as a JSON string, `bad` the answer before."""


@dataclass(frozen=True, slots=True)
class Case:
    """One text about some faults, sent after an answer with faults: told are those that the text reports."""

    validator: str
    rendering: str
    envelope: str
    document: str
    about: tuple[str, ...]
    """Faults of the document that the validator was given."""
    answer: tuple[str, ...]
    """Faults of the answer before the retry."""
    text: str
    told: tuple[str, ...]
    """Those of the answer's faults that the text tells."""

    @property
    def name(self) -> str:
        """Says all of it, for a message."""
        faults = f"{'+'.join(self.about)} for {'+'.join(self.answer)}"
        return f"{self.validator}, {self.rendering}, {self.envelope}, {self.document}: {faults}"

    def misjudged(self) -> tuple[set[str], set[str]]:
        """(false alarms, misses): faults told and called missing, and faults not told and called fed back.

        Placed and unclear say that nobody could read the words: neither an alarm nor a miss.
        """
        graded = self.grades()
        alarms = {fault for fault in self.told if graded[fault] in DROPPED}
        return alarms, {f for f, grade in graded.items() if f not in self.told and grade in FEEDBACK}

    def grades(self) -> dict[str, str]:
        """Return the grade of each of the answer's faults; fails where a finding is of no known fault."""
        document = documents()[self.document]
        faults = {tuple(way["path"]): way["name"] for way in document["breaks"] if way["name"] in self.answer}
        bad = json.dumps(broken(document, list(self.answer)))
        (told,) = judge(self._talk(bad, json.dumps(document["good"])), [contract(self.document)]).conversations
        gradings = told.attempts[0].fed_back
        assert {f.finding.path for f in gradings} == set(faults), (self.name, [f.finding.path for f in gradings])
        return {faults[f.finding.path]: f.label for f in gradings}

    def _talk(self, bad: str, good: str) -> Any:
        said = ENVELOPES[self.envelope].format(text=self.text, bad=bad, string=json.dumps(self.text))
        base: list[Turn] = [("system", SYSTEM), ("user", f"Write the {self.document} as JSON.")]
        retry = [*base, ("assistant", bad), ("user", said)]
        return conversation(Spoken(base, bad), Spoken(retry, good, seed=2))


@cache
def contract(name: str) -> Contract:
    """The contract of one document: a pydantic model or its JSON Schema."""
    document = documents()[name]
    return Contract(as_model(document["schema"]) if document["contract"] == "pydantic" else document["schema"])


def kept() -> list[Case]:
    """The cases of the kept file."""
    rows = json.loads((FOLDER / "validators.json").read_text(encoding="utf-8"))
    return [Case(*(tuple(cell) if isinstance(cell, list) else cell for cell in row)) for row in rows]
