"""Cases out of the validators' texts: each with the faults that its text tells, known because we put them there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from tests.retry.reading.wordings.documents import documents, overlap
from tests.retry.reading.wordings.validators import ENVELOPES, Case

APP_LINES = (
    "- {path}: {message}",
    "{n}. `{path}` - {message}",
    "* {message} (at {path})",
    "Field '{path}' is invalid: {message}",
    "[{path}] {message}",
    "{message} [{path}]",
    "{path} => {message}",
)
"""How apps word a validator's errors one by one; each validator gets two of them."""
STOPS_AT_FIRST = {
    "fastjsonschema",
    "msgspec",
    "typeguard",
    "dacite",
    "mashumaro",
    "dataclass-wizard",
    "typedload",
    "schema",
}
STOPS_AT_FIRST |= {"runtypes"}
EACH = 5
"""Faults of a document that are taken for one rendering, and texts of other faults."""


def halves(names: list[str]) -> tuple[list[str], list[str]]:
    """(mended with, held out): every second name of the alphabet. Chosen before any result was seen."""
    return sorted(names)[::2], sorted(names)[1::2]


def cases(texts: dict[str, Any], chosen: list[str]) -> Iterator[Case]:
    """All cases of the chosen validators, always the same ones."""
    for name in chosen:
        for document, said in texts[name].items():
            for rendering, by_fault in _renderings(name, said).items():
                yield from _cases(name, rendering, documents()[document], by_fault)


def _renderings(name: str, said: dict[str, Any]) -> dict[str, dict[str, str]]:
    """By rendering the text of each set of faults, the lines that apps make of single errors included."""
    found: dict[str, dict[str, str]] = {}
    start = sum(map(ord, name))
    for faults, one in said.items():
        for rendering, text in one["texts"].items():
            found.setdefault(rendering, {})[faults] = text
        for shift in (0, 3) if one["errors"] else ():
            line = APP_LINES[(start + shift) % len(APP_LINES)]
            lines = [line.format(n=n, path=p, message=m) for n, (p, m) in enumerate(one["errors"], 1)]
            found.setdefault(f"app: {line}", {})[faults] = "\n".join(lines)
    return found


def _cases(name: str, rendering: str, document: dict[str, Any], texts: dict[str, str]) -> Iterator[Case]:
    chance = random.Random(f"{name} {rendering} {document['name']}")
    faults = {way["name"]: way for way in document["breaks"]}
    telling = [f for f in faults if f in texts and not _vague(faults[f], texts)]
    envelopes = list(ENVELOPES)
    chance.shuffle(envelopes)

    def case(about: tuple[str, ...], answer: tuple[str, ...], told: tuple[str, ...]) -> Case:
        envelopes.append(envelopes.pop(0))
        return Case(name, rendering, envelopes[0], document["name"], about, answer, texts[" + ".join(about)], told)

    for fault in chance.sample(telling, min(EACH, len(telling))):
        yield case((fault,), (fault,), (fault,))
        others = [f for f in faults.values() if f["name"] != fault and _differ(faults[fault], f, texts)]
        near = [f["name"] for f in others if f["path"] == faults[fault]["path"] or f["rule"] == faults[fault]["rule"]]
        far = [f["name"] for f in others if f["name"] not in near]
        for other in [*chance.sample(near, min(2, len(near))), *chance.sample(far, 1)]:
            yield case((fault,), (other,), ())
    pairs = [tuple(p.split(" + ")) for p in texts if " + " in p]
    for one, two in [p for p in pairs if set(p) <= set(telling)][:3]:
        told = _told_of_two(name, one, two, texts)
        if told:
            yield case((one, two), (one, two), told)
        if _differ(faults[one], faults[two], texts):
            yield case((one,), (one, two), (one,))


def _told_of_two(name: str, one: str, two: str, texts: dict[str, str]) -> tuple[str, ...]:
    """What a text about two faults tells; nothing where it stops at the first and cannot be told which that is."""
    both = texts[f"{one} + {two}"]
    first = tuple(f for f in (one, two) if texts[f] == both)
    return first or (() if name in STOPS_AT_FIRST else (one, two))


def _vague(fault: dict[str, Any], texts: dict[str, str]) -> bool:
    """Whether the text does not tell the fault: it is the text of another, or does not name the field."""
    text = texts[fault["name"]]
    if any(text == other for name, other in texts.items() if name != fault["name"] and " + " not in name):
        return True
    named = next(step for step in reversed(fault["path"]) if isinstance(step, str))
    return not re.search(
        rf"(?<![A-Za-z]){re.escape(named)}(?![A-Za-z])", text.replace("_", "").replace(" ", "")
    ) and not (re.search(rf"(?<![A-Za-z_]){re.escape(named)}(?![A-Za-z_])", text))


def _differ(one: dict[str, Any], other: dict[str, Any], texts: dict[str, str]) -> bool:
    """Whether a text about one says nothing of the other: two ends of one range and two kinds of type are near."""
    if one["path"] != other["path"]:
        return not overlap(one["path"], other["path"]) and texts.get(other["name"]) != texts[one["name"]]
    if {one["rule"], other["rule"]} <= {"minimum", "maximum"}:
        return False
    return texts.get(other["name"]) != texts[one["name"]]
