"""What feedback comes to whose places are spelled in many ways, and whose errors stand in data within the text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_planguard import FailureKind, Finding

from ...support.decisions import Block, Decided, Messages, inputs, sorted_out
from .hearing import Found, all_grades, at_limits, grades, heard

PLAN: dict[str, Any] = {
    "goal": "Ship",
    "tasks": [{"id": 1, "status": "Draft", "due date": "soon"}, {"id": 2, "status": "Done", "labels": ["a", "b"]}],
    "owner": {"name": "Okafor", "address": {"city": "Lagos", "ZIP code": "1"}},
    "dueDate": None,
    "size_in_cm": 3,
    "grid": [[1, 2], [3]],
    "größe": 2,
    "guests": [{"age": 1}],
    "INV2": 1,
    "addresses": ["x"],
    "gas": [1],
    "goal_note": "x",
    "tags": ["x"],
    "glass": [1],
}
SCHEMA: dict[str, Any] = {
    "title": "Plan of work",
    "type": "object",
    "properties": {
        "goal": {"type": "string", "title": "Aim of it", "description": "What is to be reached in the end, in words"},
        "carrier": {"type": "string", "description": "Means of transport"},
        "steps": {"type": "array", "title": "The steps"},
        "rooms": {"items": {"type": "object", "properties": {"beds": {"type": "integer", "title": "Number of beds"}}}},
        "odd": True,
        "five": {"title": "one two three four five"},
        "six": {"title": "one two three four five six"},
        "textless": {"title": 5, "description": None},
        "type": {"enum": ["object"]},
    },
    "$defs": {"Stop": {"properties": {"platforms": {"type": "array"}}}},
}
ADDRESSED = inputs("retry", "texts_with_addresses")
SPELLED = inputs("retry", "spellings_of_places")
ROOT_NAMES = inputs("retry", "names_of_the_root")
OF_THE_WHOLE = inputs("retry", "names_of_the_whole")
PLACES: tuple[tuple[tuple[str, ...], tuple[str | int, ...]], ...] = (
    *((("goal",), ("goal",)), (("Goal",), ("goal",)), (("goals",), ("goal",)), ((), ()), (("goal",), ())),
    *(((), ("goal",)), (("goal",), ("tasks",)), (("tasks", "0"), ("tasks", 0)), (("tasks", "1"), ("tasks", 0))),
    *((("0",), (0,)), (("due-date",), ("due_date",)), (("dueDate",), ("due_date",)), (("DUEDATE",), ("due_date",))),
    *((("due_date",), ("dueDate",)), (("tasks", "0", "Id"), ("tasks", 0, "id"))),
    *((("tasks", "id"), ("tasks", 0, "id")), (("tasks", "0", "id", "id"), ("tasks", 0, "id"))),
    *((("tasks", "0", "tasks"), ("tasks", 0)), (("tasks", "7", "tasks"), ("tasks", 7)), (("0", "x"), (0,))),
    *((("0", "0"), (0,)), (("x", "0", "x"), ("x", 0)), (("owner", "person", "name"), ("owner", "name"))),
    *((("owner", "address", "name"), ("owner", "name")), (("owner", "0", "name"), ("owner", "name"))),
    *((("person", "owner", "name"), ("owner", "name")), (("owner", "name"), ("owner", "address", "name"))),
    *((("tasks", "0", "draft", "id"), ("tasks", 0, "id")), (("tasks", "1", "draft", "id"), ("tasks", 0, "id"))),
    *((("tasks", "0", "1", "id"), ("tasks", 0, "id")), (("goal", "Text", "goal"), ("goal",))),
    *((("Plan", "goal"), ("goal",)), (("data", "data"), ("data",)), (("data", "data", "goal"), ("data", "goal"))),
    *((("status", "_errors", "x"), ("status",)), (("tasks", "0", "ID_"), ("tasks", 0, "id"))),
    (("tasks", "0", "extra", "again"), ("tasks", 0, "extra")),
    *((("tasks", "0", "cat"), ("tasks", 0)), (("x", "tasks", "0", "x"), ("tasks", 0)), (("0", "tasks"), (0,))),
    *((("x", "tasks", "0", "tasks"), ("tasks", 0)), (("tasks", "1", "0", "tasks"), ("tasks", 1, 0))),
)
REACHED = (
    *((), ("goal",), ("goal", "x"), ("tasks",), ("tasks", "0"), ("tasks", "1", "id"), ("tasks", "2")),
    *(("tasks", "-1"), ("tasks", "٠"), ("tasks", "000000000"), ("tasks", "0000000000"), ("x", "goal")),
    *(("grid", "0", "1"), ("tasks", "id"), ("dueDate",), ("dueDate", "x"), ("owner", "address", "city"), ("0",)),
    ("tasks", "²"),
)
WITH_VALUES = inputs("retry", "texts_with_data")
WITH_SCHEMAS = inputs("retry", "texts_with_schemas")


def _gone(*paths: Sequence[str | int]) -> tuple[Finding, ...]:
    """Return a finding at each place: its message is that of many validators."""
    kind, words = FailureKind.MISSING, "Field required"
    return tuple(Finding("missing", tuple(path), "it is gone", kind, validator_message=words) for path in paths)


_OF_PLAN = (
    *(("goal",), ("tasks", 0), ("tasks", 0, "id"), ("tasks", 1), ("tasks", 1, "id"), ("tasks", 1, "labels", 0)),
    *(("tasks", 0, "due date"), ("owner", "name"), ("owner", "address", "city"), ("owner", "address", "ZIP code")),
    *(("dueDate",), ("size_in_cm",), ("grid", 0, 1), ("größe",), ("guests", 0, "age"), ("INV2",), ("addresses", 0)),
    *(("gas", 0), ("goal_note",), ("tags", 0), ("glass", 0), ("extra", "note")),
)
_OF_SCHEMA = (
    *(("goal",), ("carrier",), ("steps", 0), ("rooms", 0, "beds"), ("five",), ("six",), ("type",), ("platforms", 0)),
)


def places_in_texts(page: Messages) -> Iterator[Block]:
    """Which places texts name: of an answer with a schema, without one, and of a schema alone."""
    yield heard(page, "places of an answer", Found(_gone(*_OF_PLAN), PLAN, SCHEMA), ADDRESSED, "{} is odd")
    yield heard(page, "places of a schema", Found(_gone(*_OF_SCHEMA), None, SCHEMA), ADDRESSED, "{} is odd")


def same_places(page: Messages) -> Iterator[Block]:
    """Whether places in feedback are those of findings, with the answer and without."""
    spelled = _gone((), ("a",), ("b",), ("a", "b"), ("X1", "X2"), ("Xmas",), ("a", 0), ("a", "b c"), ("a", "b", "c"))
    yield heard(page, "spellings", Found(spelled), SPELLED, "{}: Field required")
    pairs = [
        *(pair for name in ROOT_NAMES for pair in (((name, "goal"), ("goal",)), ((name,), ()))),
        *((("owner", name, "name"), ("owner", "name")) for name in ROOT_NAMES),
        *(((("tasks", *names), ("tasks",))) for name in OF_THE_WHOLE for names in ((name,), (name, name))),
        *PLACES,
        *((written, _known(written)) for written in REACHED),
    ]
    answers = {"plan": PLAN, "nothing": None, "[plan]": [PLAN], "data": {"data": {"goal": 1}}, "list": ["a"]}
    by_path: dict[tuple[str | int, ...], list[tuple[str, str]]] = {}
    for written, path in dict.fromkeys(pairs):
        entry = json.dumps([{"path": written, "message": "Field required"}])
        by_path.setdefault(path, []).append((json.dumps(written), entry))
    decided = []
    for path, entries in by_path.items():
        found = [
            all_grades(page, Found(_gone(path), data), [(one,) for _, one in entries]) for data in answers.values()
        ]
        for (written, _), ways in zip(entries, zip(*found, strict=True), strict=True):
            graded = [(way.partition(" ")[0], answer) for way, answer in zip(ways, answers, strict=True)]
            pair = f"{written} for {json.dumps(path)}"
            decided.append((pair, sorted_out(graded)))
    yield Block("a place as feedback writes it, and that of the finding, by what the answer is", decided)


def _known(written: Sequence[str]) -> tuple[str | int, ...]:
    return tuple(int(step) if step.isdecimal() and step.isascii() else step for step in written)


def values_in_texts(page: Messages) -> Iterator[Block]:
    """What is read of data within texts, and not read of schemas."""
    found = Found(_gone((), ("goal",), ("owner",), ("a",), ("a", 0), ("a", "b"), ("b",), ("x",)), {"a": [1], "goal": 1})
    yield heard(page, "texts with data", found, WITH_VALUES)
    yield heard(page, "texts with schemas", found, WITH_SCHEMAS)


def lengths(page: Messages) -> Iterator[Block]:
    """What is read of texts that end just before a limit, at it and behind it."""
    size = Finding("minimum", ("size",), "too little", FailureKind.RANGE, expected="more than 5", actual="1")
    found = Found((*_gone(("goal",), ("b",)), size), {"goal": 1, "size": 1, "b": 1})
    yield at_limits(page, "how far is read", found, _long())
    ends = ((f"an error that ends at {size}", _padded("goal: Field required", size)) for size in (400_000, 400_001))
    yield at_limits(page, "how long a feedback is read", Found(_gone(("goal",)), {"goal": 1}), ends)
    many = ((f"{count} errors of one wording", "goal: n\n" * count) for count in (2_000, 2_001))
    yield at_limits(page, "how many errors are read", Found(_gone(("goal",)), {"goal": 1}), many)
    places = Found(_gone(*(("a" * size,) for size in (299, 300, 301))), {})
    named = ((f"a place of {size}", f"{'a' * size}: Field required") for size in (299, 300, 301))
    yield at_limits(page, "how long a place is", places, named)
    yield Block("names and lists", [*_nested(page)])


def _padded(text: str, size: int) -> str:
    """Return a text that ends at a size, behind lines of blanks."""
    blank = " " * 999 + "\n"
    return (blank * (size // len(blank) + 1))[-(size - len(text)) :] + text


def _long() -> Iterator[tuple[str, str]]:  # noqa: C901 - a table
    for size in (99_999, 100_000, 100_001):
        yield f"a name that ends at {size}", f"{'goal'.rjust(size)} is odd"
    for size in (1_999, 2_000, 2_001):
        yield f"a rule that ends at {size}", f"goal: {'missing'.rjust(size)}"
        yield f"nothing but invalid at {size}", f"goal: {' invalid'.rjust(size, 'w')}x"
    for reach in (39, 40, 41):
        yield f"a bound {reach} behind", f"size: must be more{' ' * reach}5"
    for size in (399, 400, 401):
        yield f"a sentence of {size}", f"size: {'must be more than 5'.ljust(size)}"
    for tries in (39, 40, 41):
        yield f"JSON behind {tries} failures", '{"a" ' * tries + '{"b": "Field required"}'
    printed = "} {'b': 'Field required'}"
    for tries in (7, 8, 9):
        yield f"Python behind {tries} failures", "{'a' " * tries + printed
        yield f"Python behind {tries - 1} and four of JSON", "{'a' " * (tries - 1) + '{"a" ' * 4 + printed
    for size in (49_999, 50_000, 50_001):
        yield f"Python of {size}", "{'b': 'Field required " + "x" * (size - 24) + "'}"
    for size in (400_000, 400_001):
        yield f"a wrapper of {size}", json.dumps({"error": "goal: Field required".ljust(size - 13)})
    for depth in (10, 11, 12, 13):
        value: Any = {"message": "Field required", "path": "goal"}
        for _ in range(depth):
            value = [value]
        yield f"an error below {depth} lists", json.dumps(value)
    for words in (2, 3, 4):
        yield f"{words} introductions", "Well done: " * words + "goal: no"


def _nested(page: Messages) -> Iterator[Decided]:
    """Yield what is decided of long names and deep lists; each is of an answer of its own."""
    for steps in (199, 200, 201):
        data: Any = 1
        for _ in range(steps - 1):
            data = [data]
        path = ("m", *[0] * (steps - 1))
        said = "m" + "[0]" * (steps - 1) + ": Field required"
        yield Decided(f"{steps} steps", grades(page, Found(_gone(path), {"m": data}), said).partition(" ")[0])
    for words in (39, 40, 41):
        name = " ".join(["w"] * words)
        found = Found(_gone((name,)), {name: 1})
        yield Decided(f"a name of {words} words", grades(page, found, f"{name} is odd").partition(" ")[0])
    for levels in (4_998, 4_999, 5_000):
        found = Found(_gone((0, "a")), [{"a": 1}, *[1] * (levels - 2)])
        yield Decided(f"{levels} values", grades(page, found, "a is odd"))
    for depth in (10, 11, 12, 13):
        path, value = tuple(f"a{level}" for level in range(depth)), "Field required"
        for step in reversed(path):
            value = {step: value}  # type: ignore[assignment]
        found = Found(_gone(path), value)
        yield Decided(f"below {depth} objects", grades(page, found, json.dumps(value)).partition(" ")[0])
    for depth in (11, 12, 13, 14):
        path = tuple(f"a{level}" for level in range(depth))
        outline = "".join(" " * level + f"- {step}:\n" for level, step in enumerate(path)) + " " * depth + "- goal: no"
        yield Decided(f"below {depth} lines", grades(page, Found(_gone((*path, "goal"))), outline).partition(" ")[0])
