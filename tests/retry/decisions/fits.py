"""What becomes of findings in lists, of broken documents, and of what many apps let pass, below words of many kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard import Contract, JudgeOptions, judge

from ...support.decisions import Block, Decided, Messages, inputs, quoted
from ..matching.item_variants import variants
from .conversations import judged
from .hearing import Found, at_limits, heard
from .spoken import exchanges_of
from .turns import Shape, talk

GUEST = {
    "type": "object",
    "properties": {"surname": {"type": "string", "minLength": 2}, "age": {"type": "integer", "minimum": 18}},
    "required": ["surname", "age"],
}
PARTY: dict[str, Any] = {
    "title": "Party",
    "type": "object",
    "properties": {
        "guests": {"type": "array", "minItems": 2, "items": GUEST},
        "nights": {"type": "integer", "maximum": 28},
        "due_date": {"type": "string", "format": "date"},
        "room": {"enum": ["single", "double"], "title": "Kind of room"},
        "notes": {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 9}},
    },
    "required": ["guests", "nights"],
}
NAMES = ("Okafor", "Meyer", "Lindt")
YOUNG = {"guests": [{"surname": name, "age": 7 if n == 1 else 30} for n, name in enumerate(NAMES)], "nights": 3}
MANY = {
    "guests": [{"surname": "X", "age": 7}, {"surname": "Meyer"}, {"surname": "Lindt", "age": "old"}],
    "nights": 40,
    "due_date": "soon",
    "room": "suite",
    "notes": ["short", "a note that is too long", "c"],
}
MESSAGES = ("must be at least 18", "is wrong", "must be a whole number", "is required", "may not be 7")
WORDS = inputs("retry", "words_of_a_party")
BROKEN = inputs("retry", "broken_answers")
PARSERS = inputs("retry", "words_of_broken_answers")
CLOSED = Contract(
    {
        "title": "Closed",
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "day": {"type": "string", "format": "date"},
            "kind": {"enum": ["a", "b"]},
        },
        "required": ["n"],
        "additionalProperties": False,
    }
)
LOOSE = '{"n": "1", "day": "soon", "kind": "c", "x": 1}'
FIXED = '{"n": 1, "kind": "a"}'
APPS: dict[str, tuple[str, ...]] = {
    "all of it": (LOOSE, "n: no integer\nday: no date\nkind: a or b\nx: not allowed", FIXED),
    "the enum alone": (LOOSE, "kind: a or b", FIXED),
    "the enum alone, then a good one": (LOOSE, "kind: a or b", '{"n": "1", "kind": "a", "x": 1}', "kind: fine", FIXED),
    "the last one keeps what apps let pass": (LOOSE, "kind: a or b", '{"n": "1", "kind": "a", "x": 1}'),
    "only what apps let pass": ('{"n": "1", "x": 1}', "x: not allowed", '{"n": 1}'),
    "only a type": ('{"n": "1"}', "n: no integer", '{"n": 1}'),
    "only a format": ('{"n": 1, "day": "soon"}', "Again, please.", '{"n": 1}'),
    "a list in a text": ('{"n": {"m": 1}}', "m: too small", '{"n": 1}'),
    "nothing is named": (LOOSE, "no", FIXED),
    "nothing follows": (LOOSE,),
    "missing and extra": ('{"m": 1}', "n: Field required", FIXED),
    "missing and extra, the extra one named": ('{"m": 1}', "m: unexpected", FIXED),
    "a list": ("[]", "must be an object", FIXED),
}


def fits(page: Messages) -> Iterator[Block]:
    """What becomes of the findings of an answer below each text."""
    party = Contract(PARTY)
    young = Found(party.check(json.dumps(YOUNG)).errors, YOUNG, PARTY)
    for position in range(3):
        texts = [text for message in MESSAGES for text, _ in variants(position, message)]
        yield heard(page, f"the item {position} of a list is named", young, texts)
    yield heard(page, "words of every kind", Found(party.check(json.dumps(MANY)).errors, MANY, PARTY), WORDS)
    for answer in BROKEN:
        broken = Found(party.check(answer).errors, None, PARTY)
        block = at_limits(
            page, f"the answer {quoted(answer)}", broken, ((f"{answer}: {text}", text) for text in PARSERS)
        )
        named = [one._replace(name=quoted(text)) for one, text in zip(block.decided, PARSERS, strict=True)]
        yield Block(block.title, named)
    yield from _apps(page)


def _apps(page: Messages) -> Iterator[Block]:
    """What is held against apps that let values pass which the schema refuses."""
    decided = []
    for name, turns in APPS.items():
        for partial in (False, True):
            found = judge(exchanges_of(Shape(talk(*turns))), [CLOSED], options=JudgeOptions(partial=partial))
            by = "the request" if partial else "a contract"
            decided.append(Decided(f"{by}: {json.dumps(turns)}", judged(page, found), f"{name}, by {by}"))
    yield Block("apps", decided)
