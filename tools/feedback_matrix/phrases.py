"""Trials of everyday phrases: each template about two fields by their name and two by their path, and its opposites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.retry.reading.wordings.documents import overlap

from .documents import Fault, Step, documents, faults, limit_of, same_item_rule, schema_at
from .drawn.catalogues import fill
from .recordings import ENVELOPES
from .redraw import SEED, SEEN_RULES, redrawn
from .trial import Trial, Unsaid

FOLDER = Path(__file__).parent
EACH = 2
"""Fields for each template and form."""
EXAMPLES = {
    "reference": "BK-1234",
    "source": "https://example.org",
    "tracking": "AB123456",
    "postal_code": "12345",
}
Place = tuple[str, Fault]
"""Name of the document, and the fault in it."""


@cache
def phrases(folder: Path = FOLDER) -> dict[str, list[str]]:
    """Return the templates of a folder by rule."""
    read: dict[str, list[str]] = yaml.safe_load((folder / "phrases.yaml").read_text(encoding="utf-8"))
    return read


def trials(folder: Path = FOLDER) -> Iterator[Trial]:
    """Yield all trials of all phrases of a folder, always the same ones.

    The first ones about limits that are held out were seen (see `redraw`), so they are left out.
    """
    number = 0
    seen = SEEN_RULES if folder == FOLDER else ()
    for rule, templates in phrases(folder).items():
        places = _places(rule)
        by_form = {"by name": _outside_lists(places), "by path": [p for p in places if p not in _outside_lists(places)]}
        for template in templates:
            for form, chosen in by_form.items():
                for document, fault in _some(chosen or places, number):
                    number += 1
                    made = _of_phrase(template, form, document, fault, number)
                    yield from (one for one in made if not (one.held_out and rule in seen))


def redrawn_trials() -> Iterator[Trial]:
    """Yield the trials of the phrases about limits that were drawn later, in five languages."""
    for number, (source, language, rule, message) in enumerate(redrawn()):
        places = _places(rule)
        by_path = [place for place in places if place not in _outside_lists(places)] or places
        for form, chosen in (("by name", _outside_lists(places)), ("by path", by_path)):
            for document, fault in _some(chosen, number)[:1]:
                template = message if "{field}" in message else "{field}: " + message
                text = template.replace("{field}", "{f}").replace("{limit}", "{l}")
                for one in _of_phrase(text, form, document, fault, number):
                    unit = f"{SEED} {source} {language} {rule}"
                    yield replace(one, group="phrases drawn later", unit=unit, language=language, row=form)


def _some(places: Sequence[Place], number: int) -> list[Place]:
    """Return two places, other ones for other phrases: 5 places and phrase 3 give the fourth and the fifth."""
    start = number % max(1, len(places))
    return [*places[start:], *places[:start]][:EACH]


def phrase_rule(document: str, fault: Fault) -> str:
    """Return the rule as phrases name it: types apart, and a limit that is excluded itself ("above 0") apart."""
    schema = schema_at(document, fault["path"])
    if fault["rule"] == "type":
        return "integer" if schema["type"] == "number" else str(schema["type"])
    return "above" if fault["rule"] == "minimum" and "exclusiveMinimum" in schema else str(fault["rule"])


def _places(rule: str) -> list[Place]:
    return [(d, f) for d in documents() for f in faults(d).values() if phrase_rule(d, f) == rule]


def _outside_lists(places: Sequence[Place]) -> list[Place]:
    """Keep fields whose name alone says which one is meant: those that stand in no list."""
    return [(d, f) for d, f in places if not any(isinstance(step, int) for step in f["path"])]


def _of_phrase(template: str, form: str, document: str, fault: Fault, number: int) -> Iterator[Trial]:
    text = words(template, form, document, fault)
    envelope = list(ENVELOPES)[number % len(ENVELOPES)]

    def trial(answer: Sequence[str], said: Sequence[str], kind: Unsaid | None = None) -> Trial:
        return Trial(
            group="everyday phrases",
            unit=f"phrase {template}",
            language="en",
            envelope=envelope,
            document=document,
            answer=tuple(answer),
            text=text,
            said=tuple(said),
            kind=kind,
            row=form,
        )

    name = fault["name"]
    yield trial([name], [name])
    for other, kind in near_faults(document, fault):
        yield trial([other["name"]], [], kind)
    partner = next(f for f in faults(document).values() if not overlap(f["path"], fault["path"]))
    yield trial([name, partner["name"]], [name], Unsaid.PARTIAL)


def near_faults(document: str, fault: Fault) -> Iterator[tuple[Fault, Unsaid]]:
    """Yield faults that a text about this one does not say: one for each way of coming near it."""
    others = [f for f in faults(document).values() if f["name"] != fault["name"]]
    rule = phrase_rule(document, fault)
    apart = [f for f in others if not overlap(f["path"], fault["path"])]
    near = {
        Unsaid.OTHER_ITEM: [f for f in apart if same_item_rule(f, fault)],
        Unsaid.OTHER_PLACE: [f for f in apart if not same_item_rule(f, fault) and phrase_rule(document, f) == rule],
        Unsaid.OTHER_RULE: [f for f in others if f["path"] == fault["path"] and not implied(fault, f)],
    }
    for kind, candidates in near.items():
        if candidates:
            yield candidates[0], kind


def implied(fault: Fault, other: Fault) -> bool:
    """Whether a text that says one rule of a field may be read as the other, so that no truth is known.

    A whole text that is no date, no choice or of the wrong form is also "of the wrong type" for some; a missing field
    may be called "not a number".
    """
    near = ({"type", "missing"}, {"pattern", "type"}, {"date", "type"}, {"enum", "type"})
    return {fault["rule"], other["rule"]} in near


def words(template: str, form: str, document: str, fault: Fault) -> str:
    """Return the phrase about the fault, by the field's name or by its path."""
    path: list[Step] = fault["path"]
    field = str(path[-1]).replace("_", " ") if form == "by name" else f"`{bracketed(path)}`"
    schema = schema_at(document, path)
    values: dict[str, Any] = {
        "f": field,
        "l": limit_of(document, fault),
        "v": fault.get("value"),
        "length": len(str(fault.get("value"))),
        "values": _choices(schema.get("enum", [])),
        "example": EXAMPLES.get(str(path[-1])),
    }
    return fill(template, values)


def _choices(values: Sequence[str]) -> str:
    """Return "a, b or c"."""
    return f"{', '.join(values[:-1])} or {values[-1]}" if values else ""


def bracketed(path: Sequence[Step]) -> str:
    """Return the path as most languages spell it: guests[1].age."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
