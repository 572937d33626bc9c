"""What answers an app is given in the place of broken ones: repaired, or with another error planted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from pytest_planguard import (
    Contract,
    FailureKind,
    Finding,
    UsageError,
    Verdict,
    contains,
    count,
    distinct,
    excludes,
    in_range,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
)

from ...support.decisions import Block, Decided, Messages, inputs
from ...support.places import dotted
from .hearing import said_to
from .requests import differences
from .trials import changed_answers

ITEM = {"type": "object", "properties": {"id": {"type": "integer"}, "note": {"minLength": 2}}, "required": ["id"]}
ORDER: dict[str, Any] = {
    "title": "Order",
    "type": "object",
    "properties": {
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "price": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 100},
        "paid": {"type": "boolean"},
        "name": {"type": "string", "minLength": 3, "maxLength": 8},
        "status": {"enum": ["open", "closed"]},
        "day": {"type": "string", "format": "date"},
        "tags": {"type": "array", "minItems": 2, "maxItems": 3, "items": {"type": "string"}},
        "lines": {"type": "array", "items": ITEM},
    },
    "required": ["count", "name"],
    "additionalProperties": False,
}
RULES = (
    min_length("name", 4),
    max_length("note", 6),
    count("tags", 1, 2),
    in_range("hours", 2, 8),
    one_of("level", "low", "high"),
    non_empty("steps"),
    contains("text", "paper", "ink", language="en"),
    excludes("text", "damn", language="en"),
    distinct("tags"),
    not_copied("copy", texts=["these words are taken from a text"]),
)
SCHEMA, RULED = Contract(ORDER), Contract(dict[str, Any], constraints=RULES)
ANSWERS: tuple[tuple[Contract, Any], ...] = (
    (SCHEMA, {"count": "2", "name": "Ada"}),
    (SCHEMA, {"count": 12, "name": "Ada Lovelace of London"}),
    (SCHEMA, {"count": 0, "name": "A", "price": 0, "paid": "TRUE", "status": "opne", "day": "soon"}),
    (SCHEMA, {"count": 1, "name": None, "price": 100, "paid": "maybe"}),
    (SCHEMA, {"count": [3], "name": 7, "price": "dear", "tags": "a, b"}),
    (SCHEMA, {"name": "Ada", "tags": ["a"], "colour": "red"}),
    (SCHEMA, {"count": 1, "name": "Ada", "tags": ["a", "b", "c", "d"], "lines": [{"id": 1}, {"note": "x"}, 3]}),
    (SCHEMA, {"count": 1, "name": "Ada", "tags": [], "lines": {}}),
    (SCHEMA, []),
    (RULED, {"name": "Ada", "note": "far too long", "tags": [], "hours": 1, "level": "mid", "steps": []}),
    (RULED, {"name": "Adaline", "tags": ["a", "b", "c"], "hours": 9, "text": "a Damn paper", "steps": ""}),
    (RULED, {"tags": ["a", "a"], "copy": "these words are taken from a text", "text": "ink and paper"}),
)


def headed(data: Any, document: Any) -> Iterator[Finding]:
    """A rule of the user's over Markdown."""
    yield Finding("heading", ("title",), "the title is too short", FailureKind.RULE)


COUNTED = {"title": "Counted", "properties": {"Count": {"type": "integer"}}}
TEXTS: tuple[tuple[Contract, str], ...] = (
    (Contract(ORDER, format="yaml"), "count: two\nname: Ada\n"),
    (Contract(COUNTED, format="yaml"), "Count: two\n"),
    (Contract(ORDER), 'So:\n```json\n{"count": "two", "name": "Ada"}\n```\nThat is all.'),
    (Contract(ORDER, extract="whole"), 'So: {"count": "two", "name": "Ada"}'),
    (Contract(ORDER), '{"count": 1, "name": "Ada"'),
    (Contract(ORDER, format="yaml"), "no: yes: no"),
    (Contract(None, constraints=[min_length("name", 4)]), "[1]"),
    (Contract(None, constraints=[min_length("name", 4)], format="markdown"), "# Title\n"),
    (Contract(None, rules=[headed], format="markdown"), "# Title\n"),
)
DONORS: tuple[Any, ...] = (
    {"count": 4, "name": "Grace", "tags": ["x", "y"], "status": "closed"},
    {"count": 5, "lines": [{"id": 1}, {"id": 2, "note": "yes"}]},
)
ROOT: dict[str, Any] = {
    "$defs": {
        "Word": {"type": "string", "minLength": 9},
        "Odd~/": {"type": "boolean"},
        **{f"R{n}": {"$ref": f"#/$defs/R{n + 1}"} for n in range(14)},
        "R14": {"type": "string"},
        "Deep": {"properties": {"next": {"$ref": "#/$defs/Deep"}, "word": {"$ref": "#/$defs/Word"}}},
    },
    "properties": {
        "word": {"$ref": "#/$defs/Word"},
        "odd": {"$ref": "#/$defs/Odd~0~1"},
        "deep": {"$ref": "#/$defs/Deep"},
        **{f"r{14 - n}": {"$ref": f"#/$defs/R{n}"} for n in (1, 2, 3, 4)},
        "gone": {"$ref": "#/$defs/Gone"},
        "plain": {"$ref": "$defs/Word"},
        "any": {"anyOf": [{"type": "integer"}, {"oneOf": [{"type": "null"}, {"enum": ["x"]}]}]},
        "both": {"type": "object", "allOf": [{"properties": {"a": {"const": 1}}}], "properties": {"b": {"const": 2}}},
        "half": {"allOf": [{"properties": {"a": {"const": 3}}}], "properties": {"b": {"const": 4}}},
        "typed": {"type": "object", "oneOf": [{"required": ["a"]}]},
        "pair": {"prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
        "free": {"additionalProperties": {"type": "number"}},
        "none": True,
    },
}
PLACES = inputs("retry", "places_of_a_schema")
NODES = inputs("retry", "schemas")
SIZED = inputs("retry", "sized_values")
_OTHER = {"other": "bad"}
_OTHERS = '"other": "bad"'
_WRONG: tuple[Any, ...] = (None, "x", 0.5, [], {}, True, -9, 99, "", "a text that is far too long for it")
"""What may break a schema; the first that does is repaired."""


def repairs(page: Messages) -> Iterator[Block]:
    """What is tried in the place of broken answers, which errors are planted, and what differs in the next requests."""
    decided = []
    for place in PLACES:
        schema = _with({name: ROOT["properties"][name] for name in place[:1]})
        decided.append((json.dumps(place), _first_broken(page, schema, place)))
    yield Block("a wrong value at a place of a schema", decided)
    nodes = [(node, _first_broken(page, _with({"x": node}), ("x",))) for node in NODES]
    yield Block("a wrong value for a schema", [(json.dumps(node), said) for node, said in nodes])
    sized = [
        (f"{json.dumps(value)} in {json.dumps(node)}", _with({"x": node}), {"x": value, **_OTHER})
        for value, node in SIZED
    ]
    yield Block(
        "sizes",
        [(name, _changed(page, Contract(schema), json.dumps(data))) for name, schema, data in sized],
    )
    for number, (contract, data) in enumerate((*((one, json.dumps(data)) for one, data in ANSWERS), *TEXTS)):
        good = json.dumps(DONORS[number % 2])
        whole = [Decided(f"{contract.name}: {data}", _changed(page, contract, data), "repaired")]
        lent = [Decided(f"{contract.name}: {data}", _changed(page, contract, data, good), "with a later answer")]
        yield Block(f"{contract.name} of {data!r}", [*whole, *lent])
    yield from _planted(page)
    yield from differences(page)


def _with(properties: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with these properties, and with another one that every answer breaks: then repairs are tried."""
    others = {"other": {"type": "integer"}, **properties}
    return {"title": "Root", "type": "object", "properties": others, "required": [*properties], "$defs": ROOT["$defs"]}


def _first_broken(page: Messages, schema: dict[str, Any], path: tuple[str | int, ...]) -> str:
    """Return what is tried for the first value at a place that the schema refuses."""
    try:
        contract = Contract(schema)
    except UsageError:
        return "no schema"
    for value in _WRONG:
        wrong = value
        for step in reversed(path):
            wrong = [wrong] * (step + 1) if isinstance(step, int) else {step: wrong}
        answer = json.dumps({**wrong, **_OTHER} if path else wrong)
        if any(one.path != ("other",) for one in contract.check(answer).errors):
            return f"{json.dumps(value)} {_changed(page, contract, answer)}"
    return "takes all"


def _changed(page: Messages, contract: Any, answer: str, later: str = "{}") -> str:
    exchanges = said_to("no", answer=answer, then=later)
    tried = " / ".join(one for one in changed_answers(page, exchanges, contract) if not one.startswith("other: "))
    tried = tried.replace(_OTHERS, "").replace(", }", "}")
    return tried if len(tried) < 600 else f"{tried[:300]}…{tried[-300:]}"


class Refusing:
    """A contract that finds the same in every answer, and keeps what it was asked about."""

    name = "Refusing"

    def __init__(self, verdict: Verdict, **known: Any) -> None:
        self._verdict, self.asked = verdict, list[str]()
        vars(self).update(known)

    def check(self, answer: Any, **_: Any) -> Verdict:
        """Return the verdict, whatever the answer is."""
        self.asked.append(answer)
        return self._verdict


NESTED = {"a": {"b": 1, "c": [1, 2]}, "d": "x", "e": []}
WRONG: tuple[tuple[tuple[str | int, ...], Any], ...] = (
    *((path, NESTED) for path in ((), ("a",), ("a", "b"), ("a", "c"), ("a", "c", 0), ("a", "c", 1), ("d",), ("e",))),
    *((path, NESTED) for path in (("z",), ("a", "z"), ("d", "z"), ("e", 0), ("z", "y"), (0,))),
    *((path, [{"n": 1, "m": ""}, {"n": None}]) for path in ((), (0,), (0, "n"), (1, "n"), (1, "m"), (2,))),
    *(((), data) for data in ({}, [], "x", 3)),
)
SAMPLED = {"title": "Sampled", "enum": [{"n": n} for n in range(9)]}


def _planted(page: Messages) -> Iterator[Block]:
    """Which errors are planted for a finding at a place, in their order, and on which documents."""
    decided = []
    for path, data in WRONG:
        finding = Finding("rule", path, "no", FailureKind.RULE)
        verdict = Verdict("Refusing", json.dumps(data), (finding,), None, {"a": {"b": []}, "d": ""})
        name = f"{dotted(path)} of {json.dumps(data)}"
        decided.append((name, _asked(page, Refusing(verdict), json.dumps(data))))
    yield Block("a finding at a place of a document", decided)
    verdict = Verdict("Refusing", "", (Finding("rule", ("n",), "no", FailureKind.RULE),))
    schemas: tuple[Any, ...] = (SAMPLED, None, "x", {"type": "object"})
    decided = []
    for schema, named in product(schemas, ({}, {"format": "json"}, {"format": "auto"}, {"format": "yaml"})):
        name = f"{json.dumps(schema)} as {named.get('format')}"
        decided.append((name, _asked(page, Refusing(verdict, json_schema=schema, **named), "{}")))
    yield Block("a schema, and a format", decided)


def _asked(page: Messages, contract: Refusing, answer: str) -> str:
    tried = [*changed_answers(page, said_to("no", answer=answer, then=answer), contract)]
    asked = list(dict.fromkeys(contract.asked))
    return f"{'; '.join(tried)}; {len(asked)} asked: {' '.join(asked)}"
