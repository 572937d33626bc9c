"""What becomes of findings in lists, of broken documents, and of what many apps let pass, below words of many kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard import Contract, JudgeOptions, judge

from ...support.decisions import Block, Decided, Messages, quoted
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
WORDS = (
    *("nights: 40 is more than 28", "nit: nights goes past 28", "field: Party.nights, 28 at most", "nights is fine"),
    *("All but nights",),
    *("nights", "nights!", "night: too large", "The number of nights", "40 is too many", "40 nights", "28"),
    *("shorter than 29",),
    *("not nights but guests", "except nights everything is fine", "Do not change nights"),
    *("nights looks good, room does not",),
    *("room: single or double", "Kind of room: not in the list", "the kind of room is unknown"),
    *("suite is no kind of room", "'suite'"),
    *("room must be one of single, double, triple", "room must be one of a, b", "choose a room"),
    *("allowed: single, double", "rooms"),
    *("due_date is no date", "due date: use YYYY-MM-DD", "dueDate invalid", "DUE DATE", "the date"),
    *("soon is no date", "date too late"),
    *("notes[1] is too long", "note 2 is too long", "the second note", "notes: at most 2 items", "notes has 3 items"),
    *("too many notes",),
    *("one note is too long", "notes are too long", "notes.1", "a note that is too long"),
    *("Shorten 'a note that is too long'",),
    *("guests[0].surname is too short", "guests.1.age: required", "guests[2].age: not a number", "age", "ages"),
    *("surname and age",),
    *("please add age", "please add age and surname", "age is missing for Meyer", "Meyer has no age", "Lindt: age"),
    *("X is too young",),
    *("guests[1] requires age", "guests[1]: required property age", "requiert la propriété age", "guests/1/age"),
    *("guests[5].age",),
    *("the first guest: surname too short", "第二个guests: age 必填", "el segundo guest: falta age"),
    *("le deuxième guest : age requis",),
    *("der zweite Gast: age fehlt", "2nd guest: age missing", "guest two has no age"),
    *("last guest: age must be a number", "every guest"),
    *("old is not a valid integer", "guests: 3 problems", "3 problems", "something is wrong", "Invalid input"),
    *("invalid", "No.", ""),
    *("2 <= length <= 9", "at least 2 characters", "minimum 18", "value 7 is less than 18", "must be >= 18"),
    *("expected integer", "integer"),
    *("owner: unknown", "The field owner", "nothing is missing", "Everything is fine", "Thank you", "Try again"),
    *("Fix all errors",),
    *("- nights\n- room\n- due_date", "nights, room and due_date are wrong", "nights\n\nroom\n\ndue_date"),
    *("Wrong: nights; room",),
    *("nights: invalid\nguests:\n  - 0: surname\n  - 1: age\n  - 2: age",),
    *('{"nights": ["too many"], "room": "unknown"}',),
    *('{"guests": [{}, {"age": ["required"]}, {}]}', '{"guests": {"2": {"age": "no number"}}}'),
    *("| nights | too many |", "# room\nno"),
)
BROKEN = (
    '{"nights": 3, "guests": [',
    '{"nights": 3,, "room": 1}',
    "{nights: 3}",
    '{"nights": 3} and more',
    "I cannot answer that in JSON.",
    "",
    '{"nights": 3, "nights": 4}',
    '{"nights": NaN}',
    "```json\n{}\n```\n```json\n[]\n```",
)
PARSERS = (
    *("Expecting value: line 1 column 26 (char 25)", "Expecting ',' delimiter: line 1 column 5 (char 4)"),
    *("Extra data: line 1 column 15",),
    *("Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",),
    *("Unterminated string starting at: line 1",),
    *("Unexpected token , in JSON at position 13", "Unexpected end of JSON input"),
    *("EOF while parsing a list at line 1 column 25",),
    *("invalid JSON", "no JSON", "not valid JSON at line 1", "line 1 column 14", "line 9 column 3", "char 13"),
    *("position 999", "column 2"),
    *("the answer was cut off", "token limit", "the text ends inside the list", "a bracket is open", "two documents"),
    *("one document",),
    *("duplicate key nights", "NaN is no number", "do not write prose", "remove the fence", "answer in JSON only"),
    *("it is empty", "empty"),
    *("nights is missing", "must be a list", "Please try again", "Return an object", "yaml: line 1"),
    *("while parsing a flow mapping",),
)
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
