"""What contracts decide about broken values, and about answers in every wrapping."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from pydantic import BaseModel, Field, create_model
from pydantic_core import PydanticCustomError, PydanticKnownError

from pytest_planguard import (
    CheckContext,
    ContentConstraint,
    Contract,
    FailureKind,
    SchemaValidationError,
    Severity,
    contains,
    count,
    custom,
    distinct,
    excludes,
    in_range,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
    regex,
    same_length,
)

from ...support.decisions import Block, Decided, Messages, inputs
from .codes import CODES, CONTEXT, LISTED
from .places import SHAPES
from .schemas import BROKEN, KEYWORD_CASES, KEYWORDS, UNBROKEN, Everything, Inner, Numbers
from .show import decided, refused


def json_schemas(page: Messages) -> Iterator[Block]:
    """Each keyword, broken."""
    for schema, values in KEYWORDS:
        contract, name = Contract(schema), json.dumps(schema)
        texts = [json.dumps(value) for value in values]
        yield Block(name, [Decided(f"{name} < {text}", decided(page, contract.check(text)), text) for text in texts])
    wrong = [{"type": "odd"}, {"$ref": "http://a/b"}, {"pattern": "("}]
    made = [(str(schema), refused(page, partial(Contract, schema))) for schema in wrong]
    yield Block("schemas that make no contract", made)


_TYPES: tuple[tuple[Any, str], ...] = (
    *((Numbers, '{"root": [1]}'), (Numbers, '[1, "a"]'), (list[int], '{"a": 1}'), (dict[str, int], "[1]")),
    *((int, '"a"'), (int | None, '"a"'), (tuple[int, ...], '["a"]'), (Any, "{")),
)


def models(page: Messages) -> Iterator[Block]:
    """Each type, broken; and what took its default."""
    for strict in (False, True):
        contract = Contract(Everything, strict=strict)
        made = [
            Decided(f"{data} strict={strict}", decided(page, contract.check(json.dumps(data))), str(data))
            for data in BROKEN
        ]
        parsed = decided(page, contract.check({"whole": "1", "items": (1,), "page": 5}))
        yield Block(f"a model, strict={strict}", [*made, Decided(f"parsed strict={strict}", parsed, "parsed")])
    many = json.dumps([{"name": "a"}] * 22)
    checks = {
        "nothing given": Contract(Inner).check('{"name": "a"}'),
        "nothing given within": Contract(list[Inner]).check('[{"name": "a"}, {"name": "b", "size": 2}]'),
        "many defaults": Contract(dict[str, list[Inner]]).check(f'{{"k": {many}}}'),
        "described": Contract(Inner, describe=True).check('{"name": "a", "size": 12}'),
    }
    yield Block("defaults", [(name, decided(page, verdict)) for name, verdict in checks.items()])
    contracts = [(Contract(schema), text) for schema, text in _TYPES]
    made = [(f"{contract.name} < {text}", decided(page, contract.check(text))) for contract, text in contracts]
    yield Block("types", [(name, said) for name, said in made])


def places(page: Messages) -> Iterator[Block]:
    """Where errors of each kind of type are, and which model owns them."""
    made = []
    for name, (schema, data) in SHAPES.items():
        found = decided(page, Contract(schema).check(json.dumps(data)))
        made.append(Decided(f"{name}: {json.dumps(data)}", found, name))
    yield Block("types, each with data that they refuse", made)


def codes(page: Messages) -> Iterator[Block]:
    """What each error of a validator is in our codes and words, and what each kind and severity means."""
    made = [(code, decided(page, _refusing(code).check('{"x": 1}'))) for code in CODES]
    yield Block("pydantic's types of errors", made)
    made = []
    for listed in LISTED:
        verdict = _refusing("literal_error", expected=listed).check('{"x": 1}')
        made.append((listed, f"{decided(page, verdict)}; {verdict.findings[0].allowed}"))
    yield Block("values that a literal lists", made)
    by_tags = decided(page, _refusing("union_tag_invalid", expected=None).check('{"x": 1}'))
    yield Block("a union by tags", [("by tags", by_tags)])
    made = []
    for keyword, (schema, value) in KEYWORD_CASES.items():
        found = Contract(schema).check(json.dumps(value)).findings
        made.append(
            Decided(
                f"keyword {keyword}", ", ".join(f"{one.kind.value} by {one.validator_code}" for one in found), keyword
            )
        )
    for keyword in UNBROKEN:
        made.append(Decided(f"keyword {keyword}", "no schema of ours breaks it", keyword))
    yield Block("keywords of JSON Schema", made)
    kinds = [Decided(kind.value, f"{kind.phase.value} {kind.phase.rank}, {kind.reask.value}") for kind in FailureKind]
    yield Block("kinds of failures", kinds)
    yield Block("severities", [Decided(one.value, f"{one.rank}, {'bad' if one.bad else 'fine'}") for one in Severity])


def _refusing(code: str, **context: Any) -> Contract[Any]:
    """Return a contract whose validator raises this error."""

    def refuse(_: Any) -> Any:
        try:
            raise PydanticKnownError(code, {**CONTEXT, **context})  # type: ignore[arg-type]
        except (KeyError, TypeError):
            raise PydanticCustomError(code, "words of its own", {**CONTEXT, **context}) from None

    return Contract(create_model("Refusing", x=(int, Field()), __validators__={"refuse": _field_validator(refuse)}))


def _field_validator(refuse: Any) -> Any:
    from pydantic import field_validator

    return field_validator("x", mode="before")(lambda value: refuse(value))


_DATA = {
    "title": " a ",
    "text": "Go. The budget holds.",
    "none": None,
    "zero": 0,
    "yes": True,
    "big": 12.5,
    "items": ["a", "B", "a "],
    "empty": [],
    "blank": "  ",
    "rows": [{"id": 1, "words": [1, 2]}, {"id": 1, "words": [1]}, {"id": 2}],
    "flat": {"a": [1], "b": [1, 2], "c": 5},
    "long": "word " * 30,
}


def _constraints() -> Iterator[ContentConstraint]:  # noqa: C901 - a table
    for field in ("title", "none", "zero", "items", "empty", "blank", "absent", "flat"):
        yield non_empty(field)
        yield min_length(field, 1)
        yield min_length(field, 2, severity="warn")
        yield max_length(field, 1)
        yield max_length(field, 2)
        yield count(field, 1)
        yield count(field, 1, 2)
        yield count(field, max=0)
        yield distinct(field)
        yield one_of(field, " a ", "b")
    for match in ("exact", "casefold", "prefix", "contains"):
        for value in ("go", "Go", "budget", "bud", "go. the budget holds.", 0, True):
            yield one_of("text", value, match=match)  # type: ignore[arg-type]
            yield one_of("zero", value, match=match)  # type: ignore[arg-type]
    for field in ("zero", "yes", "big", "title", "none", "absent"):
        yield in_range(field, 0, 12.5)
        yield in_range(field, 1)
        yield in_range(field, max=12)
    for ignore in (False, True):
        for words in (("go",), ("Go", "odd"), ("b",), ("B", "c")):
            for field in ("text", "items", "zero", "absent"):
                yield contains(field, *words, ignore_case=ignore)
                yield excludes(field, *words, ignore_case=ignore)
    for match in ("search", "fullmatch"):
        for pattern in ("Go", "[a-z]+", "^Go.*$"):
            yield regex("text", pattern, match=match)  # type: ignore[arg-type]
    yield regex("zero", "a")
    yield not_copied("absent")
    yield custom("absent", bool)
    for name, params in (
        ("one_of", {"values": ["go"]}),
        ("contains", {"values": ["go"]}),
        ("excludes", {"values": ["go"]}),
    ):
        yield ContentConstraint("text", name, params)
    yield ContentConstraint("text", "regex", {"pattern": "o"})
    yield ContentConstraint("zero", "range", {"max": 0})
    yield ContentConstraint("items", "count", {"min": 4})
    yield distinct("rows[*].id")
    yield distinct("rows")
    yield same_length("a", "b", within="flat")
    yield same_length("a", "c", "z", within="flat")
    yield same_length("a", "b", within="title")
    yield same_length("a", "b")
    yield custom("title", lambda value: None if value == "a" else f"is {value}")
    yield custom("title", lambda value: value == "a", name="own_name")
    yield custom("title", lambda _: ["one", "two", 3])
    yield custom("title", lambda _: True)
    yield custom("title", lambda _: 5)
    yield custom("title", lambda _: 1 / 0)
    yield custom("title", lambda _: "x" * 400)
    yield custom("title", lambda _: map(str, range(30)))


def constraints(page: Messages) -> Iterator[Block]:
    """Each constraint on values of each type."""
    text = json.dumps(_DATA)
    made = []
    for one in _constraints():
        shown = {name: value for name, value in one.params.items() if not callable(value)}
        name = f"{one.constraint_type} {one.field} {shown} {one.severity.value}".removesuffix(" retry")
        made.append((name, _without_value(decided(page, Contract(None, constraints=[one]).check(text)))))
    yield Block("constraints", made)
    context = CheckContext(prompt_texts=("Write it. The budget holds for every month.",), feedback_texts=("Say more.",))
    long = Contract(None, constraints=[not_copied("long")]).check(text, context=context)
    made = [Decided("copied", _without_value(decided(page, long)), "long words")]
    copied = json.dumps({"a": "The budget holds for every month.", "b": ["one two three four five six seven"]})
    for source in ("prompt", "feedback", "examples"):
        for words in (3, 6, 7):
            one = not_copied("*", min_words=words, sources=[source], texts=["one two three four five six seven"])  # type: ignore[list-item]
            checked = Contract(None, constraints=[one]).check(copied, context=context)
            name = f"copied from {source} of {words}"
            made.append((name, _without_value(decided(page, checked))))
    yield Block("copies", made)


def _without_value(said: str) -> str:
    return said.partition("; {")[0] if said.startswith("good") and "; {" in said else said


_FLAWED: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("odd", {}), ("count", {}), ("count", {"min": 3, "max": 2}), ("count", {"min": 2, "max": 2})),
    *(
        ("count", {"min": -1}),
        ("count", {"min": True}),
        ("count", {"min": 1.5}),
        ("range", {"min": "a"}),
        ("range", {}),
    ),
    *(("one_of", {"values": []}), ("one_of", {}), ("one_of", {"values": ["a"], "match": "odd"})),
    *(("contains", {"values": [1]}), ("contains", {"values": ["a"], "ignore_case": 1})),
    *(
        ("contains", {"values": ["a"], "language": 1}),
        ("same_length", {"fields": ["a"]}),
        ("same_length", {"fields": "ab"}),
    ),
    *(
        ("min_length", {}),
        ("min_length", {"chars": 0}),
        ("min_length", {"chars": 1, "char": 2}),
        ("regex", {"pattern": "("}),
    ),
    *(("regex", {"pattern": "(?=a)b"}), ("regex", {"pattern": r"(a)\1"}), ("regex", {"pattern": "a", "match": "odd"})),
    *(("not_copied", {"sources": ["odd"]}), ("not_copied", {"min_words": 0}), ("custom", {"check": 5})),
    *(("custom", {"check": str, "name": "no name"}), ("custom", {"check": str, "name": 5})),
)


def flawed_constraints(page: Messages) -> Iterator[Block]:
    """What is said to a person who writes a constraint that makes no rule."""
    made = []
    for name, params in _FLAWED:
        work = partial(_made, name, params)
        made.append((f"{name} {params}", refused(page, work)))
    others: dict[str, Any] = {
        "a path that does not end": lambda: ContentConstraint("a[", "non_empty", {}),
        "an odd severity": lambda: ContentConstraint("a", "non_empty", {}, "odd"),
        "fields that are not there": lambda: Contract(Inner, constraints=[non_empty("nam"), non_empty("inner.x")]),
        "a list for values": lambda: one_of("a", ["x", "y"]),
        "a tuple for words": lambda: contains("a", ("x",)),  # type: ignore[arg-type]
        "a set for words": lambda: excludes("a", {"x"}),  # type: ignore[arg-type]
        "a list for fields": lambda: same_length(["a", "b"]),  # type: ignore[arg-type]
        **{
            str(options): partial(Contract, None, **options)  # type: ignore[arg-type]
            for options in ({"format": "jsn"}, {"extract": "whol"}, {"rules": [5]}, {"constraints": [5]})
        },
    }
    made += [(name, refused(page, work)) for name, work in others.items()]
    yield Block("constraints that are none", made)


def _made(name: str, params: dict[str, Any]) -> object:
    return Contract(None, constraints=[ContentConstraint("a", name, params)])


_GOOD = '{"name": "a", "size": 2}'
ANSWERS = inputs("contract", "answers")


def answers(page: Messages) -> Iterator[Block]:
    """Answers in every wrapping, for each way to take a document out of them."""
    for text in ANSWERS:
        made = []
        for extract in ("embedded", "whole"):
            for format_name in ("auto", "json", "yaml"):
                contract = Contract(Inner, extract=extract, format=format_name)  # type: ignore[arg-type]
                name = f"{extract} {format_name}"
                made.append(Decided(f"{text!r} {name}", decided(page, contract.check(text)), name))
        yield Block(repr(text), made)
    contract = Contract(Inner)
    made = []
    for finish in ("stop", "length", "tool_calls", "content_filter", "refusal", "odd"):
        for text in (_GOOD, "", '{"name": "a', "Word " * 12):
            name = f"{text[:20]!r} ended {finish}"
            made.append((name, decided(page, contract.check(text, finish=finish))))
    checks = {
        "refused": contract.check("", refusal="I can't."),
        "refused with text": contract.check(_GOOD, refusal="I can't.", finish="stop"),
        "bytes": contract.check(b'{"name": "\xff"}'),
    }
    made += [(name, decided(page, verdict)) for name, verdict in checks.items()]
    yield Block("how an answer ended", made)


def names(page: Messages) -> Iterator[Block]:
    """Names and options of contracts, and what a failed parse says."""

    class Ticket(BaseModel):
        title: str

    made = []
    schemas: tuple[Any, ...] = (
        Ticket,
        int,
        list[Ticket],
        int | None,
        int | list[Any],
        None,
        {"title": "T"},
        {"type": "object"},
        {},
    )
    for number, schema in enumerate(schemas, 1):
        one = Contract(schema)
        said = f"{one} {one.name} {one.format} {one.extract} {one.judged} {one.tool}"
        made.append((f"schema {number}", said))
    yield Block("contracts", made)
    yield Block("parsed", [Decided(text, _parsed(page, text)) for text in ("{}", '{"title": 5, "size": 2}', "[1", "")])


def _parsed(page: Messages, text: str) -> str:
    try:
        return repr(Contract(Inner).parse(text, provider="p"))
    except SchemaValidationError as error:
        page.add("raised", str(error), "Inner")
        return "raised"
