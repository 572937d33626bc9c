"""What is tried to repair a finding, or to put another error in its place, and what two requests then tell."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

from pytest_planguard.contract.constraints.builders import (
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
from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.document.edit import Edit
from pytest_planguard.document.path import to_dotted
from pytest_planguard.retry.proving.edits import edits
from pytest_planguard.retry.proving.repair import Repaired, repair
from pytest_planguard.retry.proving.request_diff import compare, left_out
from pytest_planguard.retry.proving.schema_examples import nodes_at, resized, samples
from pytest_planguard.retry.proving.swap import swaps

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
PLACES: tuple[tuple[str | int, ...], ...] = (
    (),
    *((name,) for name in ROOT["properties"]),
    *(("deep", "word"), ("deep", *["next"] * 5, "word"), ("both", "a"), ("both", "b"), ("both", "c")),
    *(("half", "a"), ("half", "b")),
    *(("pair", 0), ("pair", 1), ("pair", 2), ("free", "x"), ("free", 0), ("word", "x")),
)
NODES: tuple[dict[str, Any], ...] = (
    *({"type": "string", "format": form} for form in ("date", "date-time", "time", "duration", "email", "other")),
    *({"type": "string", "format": form} for form in ("uri", "uuid", "ipv4", "ipv6")),
    *({"type": name} for name in ("string", "integer", "number", "boolean", "null", "array", "object", "tuple")),
    *({"type": ["null", "string"]}, {"type": ["string", "null", "integer"]}, {"type": 3}, {}),
    *({"const": 1, "default": 2, "enum": [3, 4], "examples": [5]}, {"default": None}, {"examples": list("abcdefg")}),
    *({"type": "string", "minLength": n} for n in (0, 5, 6, 7, 13, 14, 15, 1_000, 1_001, -1)),
    *({"type": "string", "maxLength": n} for n in (0, 1, 5, 6, 7)),
    *({"type": "integer", "minimum": n} for n in (0, 1, 2, 2.5)),
    *({"type": "integer", "maximum": n} for n in (-1, 0, 1)),
    *({"type": "number", "exclusiveMinimum": n} for n in (0, 0.5, 1, 2)),
    *({"type": "number", "exclusiveMaximum": n} for n in (0, 1, 2)),
    *({"type": "number", "multipleOf": n} for n in (0, 2, 5)),
    {"type": "number", "minimum": 7, "multipleOf": 5},
    {"type": "integer", "minimum": True, "maximum": "9"},
    *({"type": "array", "minItems": n, "items": {"type": "string"}} for n in (0, 1, 3)),
    {"type": "array", "minItems": 3, "items": {"enum": ["a", "b"]}},
    {"type": "array", "minItems": 2, "items": {"type": "integer"}},
    {"type": "array", "minItems": 2},
    {"type": "array", "minItems": 2, "prefixItems": [{"type": "boolean"}], "items": {"type": "null"}},
    {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["b", "a"]},
    {"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#/$defs/Word"}}},
    {"type": "object", "required": ["a"]},
)
SIZED: tuple[tuple[Any, dict[str, Any]], ...] = (
    *(("", {"maxLength": 3}), ([], {"maxItems": 2}), ("", {}), ([], {"items": {"type": "string"}})),
    *((text, {"minLength": 6}) for text in ("", "a", "word", "word ", "words!", " ")),
    *(("a long text", {"maxLength": n}) for n in (0, 1, 10, 11, 12)),
    *((number, {"minimum": 2, "maximum": 4}) for number in (1, 2, 4, 5, 1.5)),
    *((number, {"exclusiveMinimum": 2, "exclusiveMaximum": 5}) for number in (1, 2, 3, 4, 5, 6)),
    *((number, {"multipleOf": 4}) for number in (3, 4, 5)),
    *((items, {"minItems": 2, "maxItems": 3}) for items in ([], ["a"], ["a", "b"], list("abc"), list("abcd"))),
    *((items, {"minItems": 3, "maxItems": 1, "items": {"type": "string"}}) for items in ([1], [1, 2, 3, 4])),
    *((value, {"minLength": 3, "minimum": 3}) for value in (True, None, {"a": 1})),
)


def repairs() -> Iterator[str]:
    """Yield what schemas allow, how findings are repaired and swapped, and what differences of requests count as."""
    yield from _samples()
    for contract, data in ANSWERS:
        yield from _answer(contract, json.dumps(data))
    for contract, text in TEXTS:
        yield from _answer(contract, text)
    yield from _differences()
    yield from _planted()


def _samples() -> Iterator[str]:
    for place in PLACES:
        yield f"at {to_dotted(place)}: {json.dumps(nodes_at(ROOT, place))[:200]}"
    for node in NODES:
        yield f"{json.dumps(node)}: {_short(list(samples(node, ROOT)))}"
    for value, node in SIZED:
        yield f"{json.dumps(value)} in {json.dumps(node)}: {_short(list(resized(value, node, ROOT)))}"


def _answer(contract: Contract, text: str) -> Iterator[str]:
    verdict = contract.check(text)
    yield f"# {contract.name}: {json.dumps(text)}"
    for finding in verdict.errors:
        yield f"{to_dotted(finding.path)} [{finding.code}]"
        for donors in ((), DONORS) if finding.path else ():
            tried = [_edit(edit) for edit in edits(finding, verdict.data, contract, donors)]
            yield f"  tried: {'; '.join(tried)}"
        fixed = repair(finding, verdict, contract, DONORS)
        sound = fixed if isinstance(fixed, Repaired) else None
        if sound is None:
            yield f"  {fixed}"
        else:
            yield f"  {sound.words}, {'valid' if sound.valid else 'not valid'}, {sound.places}: {sound.text}"
        donor_texts = ('{"count": 4, "name": "Grace"}',)
        for other in swaps(finding, verdict, contract, repaired=sound, donors=donor_texts):
            where = ("elsewhere" if other.elsewhere else "there") + (", unlike" if other.unlike else ", alike")
            yield f"  {other.words}: {other.other.message}; {where}, {other.places}: {other.text}"


def _edit(edit: Edit) -> str:
    return f"{edit.action} {to_dotted(edit.path)} {_short(edit.value)}"


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) < 120 else f"{shown[:60]}… {len(shown)}"


BEFORE = {"ticket": {"title": "Printer", "tags": ["ink"]}, "id": 1, "paid": True}
AFTER = {"ticket": {"title": "Lamp", "tags": ["ink", "paper"]}, "id": 1, "paid": False}


def _odd(value: Any) -> str:
    """Return a document in a layout of its own, which is found by reading it alone."""
    return json.dumps(value, indent=3)


PAIRS: tuple[tuple[Any, Any], ...] = (
    *(("same", "same"), ("a word", "word"), ("word", "a word"), ("one b", "b one"), ("3 errors", "2 errors")),
    *(
        ("3 errors", "1 errors"),
        ("2 errors", "3 errors"),
        ("line 3", "line 2"),
        ("2 errors in line 4", "1 error in line 4"),
    ),
    *(("2 errors in line 4", "1 error in line 3"), ("10 problems are there", "9 problems are there"), ("a1", "a2")),
    *(
        ("Printer is wrong", "Lamp is wrong"),
        ("Printers", "Lamps"),
        ("true is wrong", "false is wrong"),
        ("True", "False"),
    ),
    *((repr(BEFORE), repr(AFTER)), (json.dumps(BEFORE), json.dumps(AFTER)), (BEFORE, AFTER), ([BEFORE], [AFTER])),
    *((json.dumps(BEFORE["ticket"], indent=n), json.dumps(AFTER["ticket"], indent=n)) for n in (1, 2, 3, 4)),
    (json.dumps(json.dumps(BEFORE)), json.dumps(json.dumps(AFTER))),
    (json.dumps(BEFORE["ticket"], separators=(",", ":")), json.dumps(AFTER["ticket"], separators=(",", ":"))),
    ("['ink'] is wrong", "['ink', 'paper'] is wrong"),
    ('{ oops [ "ink" ]', '{ oops [ "ink" , "paper" ]'),
    (json.dumps({"was": json.dumps(BEFORE["ticket"])}), json.dumps({"was": json.dumps(AFTER["ticket"])})),
    ('["ink"] [ "x" ] {', '["ink", "paper"] [ "x" ] {'),
    (f"{_odd(BEFORE)} or {_odd(BEFORE['ticket'])}", f"{_odd(AFTER)} or {_odd(AFTER['ticket'])}"),
    *(("{ " * n + _odd(BEFORE["ticket"]), "{ " * n + _odd(AFTER["ticket"])) for n in (1_999, 2_000)),
    ("input_value={'a': 1}, input_type=dict", "input_value={'a': 2}, input_type=dict"),
    ("input_value='a', input_type=str", "input_value='b', input_type=str"),
    ("先に優先度を", "先に度を"),
    ("優先", "先優"),
    ({"b": 1, "a": "x"}, {"a": "x", "b": 1}),
    ({"a": None}, {"a": 1}),
    ([1, "two"], [1, "two", "three"]),
    ("", ""),
)


def _differences() -> Iterator[str]:
    edit = Edit("put", ("ticket",), AFTER["ticket"])
    changed = {
        "whole": Repaired(json.dumps(AFTER), edit, BEFORE, AFTER, valid=True),
        "title": Repaired(json.dumps(AFTER), Edit("put", ("ticket", "title"), "Lamp"), BEFORE, AFTER, valid=True),
        "paid": Repaired(json.dumps(AFTER), Edit("put", ("paid",), value=False), BEFORE, AFTER, valid=True),
        "gone": Repaired(json.dumps(AFTER), Edit("drop", ("x", 0)), BEFORE, AFTER, valid=True),
        "tags": Repaired(
            json.dumps(AFTER), Edit("put", ("ticket", "tags"), ["ink", "paper"]), BEFORE, AFTER, valid=True
        ),
    }
    grown = Repaired('{"tags": ["a"]}', Edit("put", ("tags",), ["a"]), {"tags": []}, {"tags": ["a"]}, valid=True)
    for one, other in (("[] is wrong", "['a'] is wrong"), ("[]", "{}"), ('"[]" is wrong', '"[\\"a\\"]" is wrong')):
        ways = [how({"said": one}, {"said": other}, grown, "{}", str).value for how in (compare, left_out)]
        yield f"grown: {one} / {other}: {' '.join(ways)}"
    longer = Repaired('["low end"]', Edit("put", (0,), "low end"), ["low"], ["low end"], valid=True)
    for one, other in (("low is wrong", "low end is wrong"), ("lower", "low ender"), ("low", "low")):
        ways = [how({"said": one}, {"said": other}, longer, "{}", str).value for how in (compare, left_out)]
        yield f"longer: {one} / {other}: {' '.join(ways)}"
    yield from _spelled()
    for one, other in PAIRS:
        ways = []
        for name, change in changed.items():
            args = ({"said": one}, {"said": other}, change, json.dumps(BEFORE), lambda text: text.replace("\u200b", ""))
            ways.append(f"{name} {compare(*args).value} {left_out(*args).value}")
        yield f"{_short(one)} / {_short(other)}: {', '.join(ways)}"


GERMAN, OTHER_GERMAN = {"title": "Größe", "tags": ["Öl"]}, {"title": "Übung", "tags": ["Öl"]}
LAYOUTS: tuple[dict[str, Any], ...] = ({}, {"separators": (",", ":")}, *({"indent": n} for n in (1, 2, 3, 4)))


def _spelled() -> Iterator[str]:
    """Yield what a quotation counts as in each layout, with letters as they are or escaped, and in a JSON string."""
    changed = Repaired("{}", Edit("put", ("title",), "Übung"), GERMAN, OTHER_GERMAN, valid=True)
    for layout, ascii_only in product(LAYOUTS, (False, True)):
        plain = [json.dumps(data, ensure_ascii=ascii_only, **layout) for data in (GERMAN, OTHER_GERMAN)]
        escaped = [json.dumps(text)[1:-1] for text in plain]
        kept = [json.dumps(text, ensure_ascii=False)[1:-1] for text in plain]
        for one, other in (plain, escaped, kept):
            said = [{"said": f"wrong: {text}"} for text in (one, other)]
            ways = [how(*said, changed, "{}", str).value for how in (compare, left_out)]
            yield f"spelled {one}: {' '.join(ways)}".replace("\n", "|")
    for was, now in (('Größe "x"', 'Übung "x"'), ("low", "a low end"), ("a low end", "low"), (" low ", "high\n")):
        broken = Repaired(now, Edit("put", (), now), None, None, valid=True)
        for quote in (str, json.dumps, lambda text: json.dumps(text, ensure_ascii=False), lambda text: f"{text}er"):
            said = [{"said": f"wrong: {quote(text.strip())}"} for text in (was, now)]
            ways = [how(*said, broken, was, str).value for how in (compare, left_out)]
            yield f"broken {said[0]['said']}: {' '.join(ways)}"


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


def _planted() -> Iterator[str]:
    """Yield which errors are planted for a finding at a place, in their order, and on which documents."""
    for path, data in WRONG:
        finding = Finding("rule", path, "no", FailureKind.RULE)
        verdict = Verdict("Refusing", json.dumps(data), (finding,), None, {"a": {"b": []}, "d": ""})
        contract = Refusing(verdict)
        swaps(finding, verdict, contract, donors=[json.dumps(data)])
        yield f"planted at {to_dotted(path)} of {json.dumps(data)}: {len(contract.asked)} tries"
        yield f"  {'; '.join(contract.asked)}"
    finding = Finding("rule", ("n",), "no", FailureKind.RULE)
    verdict = Verdict("Refusing", "", (finding,))
    schemas: tuple[Any, ...] = (SAMPLED, None, "x", {"type": "object"})
    for schema, named in product(schemas, ({}, {"format": "json"}, {"format": "auto"}, {"format": "yaml"})):
        contract = Refusing(verdict, json_schema=schema, **named)
        swaps(finding, verdict, contract)
        yield f"made of {json.dumps(schema)[:40]} as {named}: {contract.asked}"
