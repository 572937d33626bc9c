"""What the contract says: of broken values, of answers in every wrapping, and to models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints import builders as b
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.context import CheckContext
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback import turns
from pytest_planguard.contract.feedback.autospec_style import AUTOSPEC, SEED
from pytest_planguard.contract.feedback.command_style import COMMAND
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.contract.feedback.next_request import next_messages
from pytest_planguard.contract.feedback.prompt_template import fill_content, fill_variables
from pytest_planguard.contract.feedback.retry_context import lint_retry_context
from pytest_planguard.contract.feedback.styles import STYLES
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.span import Span
from pytest_planguard.errors import UsageError

from .bounds import bounds
from .codes import codes
from .places import places
from .schemas import BROKEN, KEYWORDS, Everything, Inner, Numbers
from .show import verdict_text


def _or_error(work: Callable[[], object]) -> str:
    try:
        return str(work())
    except UsageError as error:
        return f"UsageError: {error}"


def json_schemas() -> Iterator[str]:
    """Each keyword, broken."""
    for schema, values in KEYWORDS:
        contract = Contract(schema)
        for value in values:
            yield verdict_text(f"{json.dumps(schema)} < {json.dumps(value)}", contract.check(json.dumps(value)))
    for schema in ({"type": "odd"}, {"$ref": "http://a/b"}, {"pattern": "("}):
        yield f"{schema}: {_or_error(lambda schema=schema: Contract(schema))}"  # type: ignore[misc]


def models() -> Iterator[str]:
    """Each type, broken; and what took its default."""
    for strict in (False, True):
        contract = Contract(Everything, strict=strict)
        for data in BROKEN:
            yield verdict_text(f"{data} strict={strict}", contract.check(json.dumps(data)))
        yield verdict_text(f"parsed strict={strict}", contract.check({"whole": "1", "items": (1,), "page": 5}))
    yield verdict_text("nothing given", Contract(Inner).check('{"name": "a"}'))
    yield verdict_text("nothing given within", Contract(list[Inner]).check('[{"name": "a"}, {"name": "b", "size": 2}]'))
    many = json.dumps([{"name": "a"}] * 22)
    yield verdict_text("many defaults", Contract(dict[str, list[Inner]]).check(f'{{"k": {many}}}'))
    for schema, text in (
        (Numbers, '{"root": [1]}'),
        (Numbers, '[1, "a"]'),
        (list[int], '{"a": 1}'),
        (dict[str, int], "[1]"),
        (int, '"a"'),
        (int | None, '"a"'),
        (tuple[int, ...], '["a"]'),
        (Any, "{"),
    ):
        contract = Contract(schema)
        yield verdict_text(f"{contract.name} < {text}", contract.check(text))
    yield verdict_text("described", Contract(Inner, describe=True).check('{"name": "a", "size": 12}'))


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
        yield b.non_empty(field)
        yield b.min_length(field, 1)
        yield b.min_length(field, 2, severity="warn")
        yield b.max_length(field, 1)
        yield b.max_length(field, 2)
        yield b.count(field, 1)
        yield b.count(field, 1, 2)
        yield b.count(field, max=0)
        yield b.distinct(field)
        yield b.one_of(field, " a ", "b")
    for match in ("exact", "casefold", "prefix", "contains"):
        for value in ("go", "Go", "budget", "bud", "go. the budget holds.", 0, True):
            yield b.one_of("text", value, match=match)  # type: ignore[arg-type]
            yield b.one_of("zero", value, match=match)  # type: ignore[arg-type]
    for field in ("zero", "yes", "big", "title", "none", "absent"):
        yield b.in_range(field, 0, 12.5)
        yield b.in_range(field, 1)
        yield b.in_range(field, max=12)
    for ignore in (False, True):
        for words in (("go",), ("Go", "odd"), ("b",), ("B", "c")):
            for field in ("text", "items", "zero", "absent"):
                yield b.contains(field, *words, ignore_case=ignore)
                yield b.excludes(field, *words, ignore_case=ignore)
    for match in ("search", "fullmatch"):
        for pattern in ("Go", "[a-z]+", "^Go.*$"):
            yield b.regex("text", pattern, match=match)  # type: ignore[arg-type]
    yield b.regex("zero", "a")
    yield b.not_copied("absent")
    yield b.custom("absent", bool)
    for name, params in (
        ("one_of", {"values": ["go"]}),
        ("contains", {"values": ["go"]}),
        ("excludes", {"values": ["go"]}),
    ):
        yield ContentConstraint("text", name, params)
    yield ContentConstraint("text", "regex", {"pattern": "o"})
    yield ContentConstraint("zero", "range", {"max": 0})
    yield ContentConstraint("items", "count", {"min": 4})
    yield b.distinct("rows[*].id")
    yield b.distinct("rows")
    yield b.same_length("a", "b", within="flat")
    yield b.same_length("a", "c", "z", within="flat")
    yield b.same_length("a", "b", within="title")
    yield b.same_length("a", "b")
    yield b.custom("title", lambda value: None if value == "a" else f"is {value}")
    yield b.custom("title", lambda value: value == "a", name="own_name")
    yield b.custom("title", lambda _: ["one", "two", 3])
    yield b.custom("title", lambda _: True)
    yield b.custom("title", lambda _: 5)
    yield b.custom("title", lambda _: 1 / 0)
    yield b.custom("title", lambda _: "x" * 400)
    yield b.custom("title", lambda _: map(str, range(30)))


def constraints() -> Iterator[str]:
    """Each constraint on values of each type; nothing is said of one that holds."""
    text = json.dumps(_DATA)
    for one in _constraints():
        shown = {name: value for name, value in one.params.items() if not callable(value)}
        verdict = Contract(None, constraints=[one]).check(text)
        title = f"{one.constraint_type} {one.field} {shown} {one.severity.value}"
        yield verdict_text(title, verdict) if verdict.findings else f"{title}: good"
    context = CheckContext(prompt_texts=("Write it. The budget holds for every month.",), feedback_texts=("Say more.",))
    yield verdict_text("copied", Contract(None, constraints=[b.not_copied("long")]).check(text, context=context))
    copied = json.dumps({"a": "The budget holds for every month.", "b": ["one two three four five six seven"]})
    for source in ("prompt", "feedback", "examples"):
        for words in (3, 6, 7):
            one = b.not_copied("*", min_words=words, sources=[source], texts=["one two three four five six seven"])  # type: ignore[list-item]
            checked = Contract(None, constraints=[one]).check(copied, context=context)
            yield verdict_text(f"copied from {source} of {words}", checked)


def _made(name: str, params: dict[str, Any]) -> object:
    return Contract(None, constraints=[ContentConstraint("a", name, params)])


def flawed_constraints() -> Iterator[str]:
    """What is said to a person who writes a constraint that makes no rule."""
    for name, params in (
        ("odd", {}),
        ("count", {}),
        ("count", {"min": 3, "max": 2}),
        ("count", {"min": 2, "max": 2}),
        ("count", {"min": -1}),
        ("count", {"min": True}),
        ("count", {"min": 1.5}),
        ("range", {"min": "a"}),
        ("range", {}),
        ("one_of", {"values": []}),
        ("one_of", {}),
        ("one_of", {"values": ["a"], "match": "odd"}),
        ("contains", {"values": [1]}),
        ("contains", {"values": ["a"], "ignore_case": 1}),
        ("contains", {"values": ["a"], "language": 1}),
        ("same_length", {"fields": ["a"]}),
        ("same_length", {"fields": "ab"}),
        ("min_length", {}),
        ("min_length", {"chars": 0}),
        ("min_length", {"chars": 1, "char": 2}),
        ("regex", {"pattern": "("}),
        ("regex", {"pattern": "(?=a)b"}),
        ("regex", {"pattern": r"(a)\1"}),
        ("regex", {"pattern": "a", "match": "odd"}),
        ("not_copied", {"sources": ["odd"]}),
        ("not_copied", {"min_words": 0}),
        ("custom", {"check": 5}),
        ("custom", {"check": str, "name": "no name"}),
        ("custom", {"check": str, "name": 5}),
    ):
        yield f"{name} {params}: {_or_error(partial(_made, name, params))}"
    yield _or_error(lambda: ContentConstraint("a[", "non_empty", {}))
    yield _or_error(lambda: ContentConstraint("a", "non_empty", {}, "odd"))
    yield _or_error(lambda: Contract(Inner, constraints=[b.non_empty("nam"), b.non_empty("inner.x")]))
    yield _or_error(lambda: b.one_of("a", ["x", "y"]))
    yield _or_error(lambda: b.contains("a", ("x",)))  # type: ignore[arg-type]
    yield _or_error(lambda: b.excludes("a", {"x"}))  # type: ignore[arg-type]
    yield _or_error(lambda: b.same_length(["a", "b"]))  # type: ignore[arg-type]
    for options in ({"format": "jsn"}, {"extract": "whol"}, {"rules": [5]}, {"constraints": [5]}):
        yield f"{options}: {_or_error(lambda o=options: Contract(None, **o))}"  # type: ignore[misc, arg-type]


_GOOD = '{"name": "a", "size": 2}'
ANSWERS = (
    *("", "  ", "<think>The user wants it.</think>", f"<think>x</think>{_GOOD}", "I'm sorry, I can't help with that."),
    *("Which size should it have?", "Here it is.", f"Here it is: {_GOOD}", f"```json\n{_GOOD}\n```"),
    *(f"```\n{_GOOD}\n```\n\n```\n{_GOOD}\n```", f"{_GOOD}\n{_GOOD}", '{"name": "a", "size": ', '{"name": "a",}'),
    *("{'name': 'a'}", '{"name": "a" "size": 2}', '{"name": "a", "name": "b"}', "name: a\nsize: 2\n", "name: [a\n"),
    *('"{\\"name\\": \\"a\\"}"', '"[1]"', '"[odd"', '{"data": {"name": "a"}}', '[{"name": "a"}]', "null", "5", "[]"),
    *('{"properties": {"name": "a"}}', '{"properties": {"name": {"type": "string"}}, "type": "object"}'),
    *('{"properties": {"name": {"type": "string"}}}', '{"properties": {"name": {"type": "string"}}, "odd": 1}'),
    *('{"$defs": {}}', '{"schema": {"properties": {"a": {"enum": [1]}}, "title": "x"}, "name": "n"}'),
    *('{"schema": {"properties": {"a": {"enum": [1]}}, "title": "x"}, "other": 1}', '{"x": {"name": 5}}'),
    *('{"function": {"parameters": {"properties": {"a": {"$ref": "#"}}, "required": []}}}', '{"name": "\ud800"}'),
    *('{"name": "a", "size": 2} trailing', '[{"name": "a"}, {"name": "b"}]', '{"size": 2, "nmae": "a"}'),
)


def answers() -> Iterator[str]:
    """Answers in every wrapping, for each way to take a document out of them."""
    for extract in ("embedded", "whole"):
        for format_name in ("auto", "json", "yaml"):
            contract = Contract(Inner, extract=extract, format=format_name)  # type: ignore[arg-type]
            for text in ANSWERS:
                yield verdict_text(f"{text!r} {extract} {format_name}", contract.check(text))
    contract = Contract(Inner)
    for finish in ("stop", "length", "tool_calls", "content_filter", "refusal", "odd"):
        for text in (_GOOD, "", '{"name": "a', "Word " * 12):
            yield verdict_text(f"{text[:20]!r} ended {finish}", contract.check(text, finish=finish))
    yield verdict_text("refused", contract.check("", refusal="I can't."))
    yield verdict_text("refused with text", contract.check(_GOOD, refusal="I can't.", finish="stop"))
    yield verdict_text("bytes", contract.check(b'{"name": "\xff"}'))


def _finding(code: str, message: str, kind: FailureKind, **more: Any) -> Finding:
    return Finding(code, ("steps", 0, "title"), message, kind, **more)


def _findings(count: int, width: int) -> tuple[Finding, ...]:
    span = Span(7, 1, 7, 2)
    known = (
        _finding("missing", "required, missing", FailureKind.MISSING, owner="Step"),
        _finding("enum", "expected one of", FailureKind.ENUM, actual='"x"', allowed=("a", "b"), expected='"a" or "b"'),
        _finding("enum", "expected null", FailureKind.ENUM, actual="null", allowed=(None,), span=span),
        _finding("type", "expected", FailureKind.TYPE, expected="an integer", actual='"two"', hint="a number?"),
        _finding("type", "expected", FailureKind.TYPE, expected="a list", actual="{}"),
        _finding("type", "expected", FailureKind.TYPE, expected="null", actual="true"),
        _finding("type", "expected", FailureKind.TYPE, expected="an object", actual="integer"),
        _finding("type", "expected", FailureKind.TYPE, expected="true or false", actual="5"),
        _finding("type", "expected", FailureKind.TYPE, expected="a string", actual="null"),
        _finding("type", "expected", FailureKind.TYPE, expected="a number", actual="[1]"),
        _finding("rule", "a rule ```x```", FailureKind.RULE, span=span, hint="do so"),
        Finding("length", (), "at least 2 items", FailureKind.LENGTH, owner="Plan"),
        Finding("extra", ("k" * 200,), "not allowed here", FailureKind.EXTRA),
    )
    long = tuple(_finding(f"own{n}", "w" * width, FailureKind.RULE) for n in range(max(0, count - len(known))))
    return (*known, *long)[:count]


def styles() -> Iterator[str]:
    """Each style for one, two and many findings, with and without a count of tries."""
    for style in STYLES.built_in:
        for count, width in ((1, 5), (2, 5), (13, 5), (21, 5), (22, 5), (40, 5), (14, 250), (15, 400)):
            for attempt, most in ((None, None), (1, None), (2, 3)):
                said = build_feedback(_findings(count, width), attempt=attempt, max_attempts=most, style=style.name)
                text = said.text if (attempt, count) in ((2, 13), (2, 15)) or count < 3 else _ends(said.text)
                yield f"{style.name} {count}x{width} {attempt} of {most}: {said.omitted} left out\n{text}"


def _ends(text: str) -> str:
    """Return the first and the last lines of a long text, and its length."""
    lines = text.splitlines()
    return "\n".join([*lines[:2], f"… {len(text)} characters, {len(lines)} lines", *lines[-3:]]) if lines else ""


def templates() -> Iterator[str]:
    """An own frame, with every field; and one that cannot be filled."""
    every = "{count}|{attempt}|{max_attempts}|{retry}|{max_retries}|{document}|{{x}}\n{errors}\n--\n{feedback}"
    for attempt, most in ((None, None), (1, None), (2, 3), (1, 1)):
        for count in (1, 2):
            said = build_feedback(_findings(count, 5), attempt=attempt, max_attempts=most, template=every)
            yield f"{attempt} of {most}, {said.omitted} left out\n{said.text}"
    long = build_feedback(_findings(30, 250), template="a {errors} b")
    yield f"{long.omitted} left out\n{_ends(long.text)}"
    yield build_feedback(_findings(2, 5), template="words alone").text
    yield build_feedback(_findings(2, 5), template=lambda correction: f"own {correction.problems}").text
    for bad in ("{odd}", "{error}", "{", "{0}"):
        yield f"{bad}: {_or_error(lambda bad=bad: build_feedback(_findings(1, 5), template=bad))}"  # type: ignore[misc]
    for form in (COMMAND, AUTOSPEC, SEED):
        block = form.text(["one", "two"], 1, 3).text
        for prompt in (
            block,
            f"{block}\n\nThe prompt.",
            f"/plan {block}\n\nThe prompt.",
            "RETRY 1/3",
            f"/plan {block}",
        ):
            yield f"{prompt!r}\n  without: {form.without(prompt)!r}"


_ANSWERS: tuple[Any, ...] = (
    *(None, "", "the answer", {"role": "assistant", "content": "words"}, {"role": "assistant", "content": ""}),
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "f"}}, {"function": {"name": "g"}}, {"function": "odd"}, 5],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "t"}, {"type": "tool_use", "id": "u1"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "t"}]},
    {"role": "assistant", "content": [{"text": "t"}, {"toolUse": {"toolUseId": "t1"}}, {"toolUse": 5}]},
    {"role": "model", "parts": [{"text": "t"}]},
    {
        "role": "model",
        "parts": [{"functionCall": {"name": "f", "id": "i", "args": {}}}, {"function_call": {"name": "g"}}],
    },
    {"role": "model", "parts": []},
    [{"type": "reasoning"}, {"type": "function_call", "call_id": "r1"}, {"type": "custom_tool_call", "call_id": "r2"}],
    [{"type": "message", "content": "m"}],
)
_MESSAGES: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"role": "system", "content": "s"}, {"role": "user", "content": "do it"}],
    [{"role": "user", "content": "/plan do it"}],
    [{"role": "user", "content": "/plan"}],
    [{"role": "user", "parts": [{"text": "do it"}]}],
    [{"role": "user", "content": [{"type": "input_text", "text": "do it"}, {"type": "input_image"}]}],
    [{"role": "user", "content": [{"text": "do it"}]}],
    [{"type": "message", "content": "m"}],
    [{"role": "user", "content": "do"}, {"role": "tool", "content": "x"}, {"role": "user", "content": None}],
    [{"role": "user", "content": "Info: $RETRY_INFO\nErrors: ${VALIDATION_ERRORS}"}],
    [
        {
            "role": "user",
            "content": [{"type": "text", "text": "$RETRY_INFO $VALIDATION_ERRORS"}, {"type": "text", "text": "b"}],
        }
    ],
)


def requests() -> Iterator[str]:
    """The next request: each form of answer in a dialogue; each form of prompt with each placement, twice."""
    for answer in _ANSWERS:
        for messages in ([], *_MESSAGES[4:8]):
            yield f"{answer} after {messages}\n  {turns.answered(messages, answer, 'FEEDBACK')}"
    verdict = Contract(Inner).check("{}")
    for messages in _MESSAGES:
        for placement in ("inject", "command", "blind", "dialogue"):
            for style in (None, "seed", "default"):
                said = _or_error(lambda m=messages, p=placement, s=style: _twice(m, verdict, p, s))  # type: ignore[misc]
                yield f"{messages} {placement} {style}\n  {said}"
    yield _or_error(lambda: _twice(_MESSAGES[1], verdict, "injct", None))
    yield _or_error(lambda: _twice(_MESSAGES[1], verdict, "inject", "sed"))


def _twice(messages: Any, verdict: Any, placement: Any, style: str | None) -> str:
    once = next_messages(messages, "bad", verdict, placement=placement, attempt=1, max_attempts=3, style=style)
    again = next_messages(once, "bad", verdict, placement=placement, attempt=2, max_attempts=3, style=style)
    return f"{once}\n  {again}"


_TEMPLATES = (
    "no section",
    "## Retry Context\n\n$RETRY_INFO\n$VALIDATION_ERRORS\n\nFix what is named.",
    "## Retry context (if present)\n\nFix $RETRY_INFO.\n\n## Rest\n\n$VALIDATION_ERRORS",
    "Words.\n\n# Retry Context\n$RETRY_INFO ${VALIDATION_ERRORS}\n## Next\nwords",
    "## Retry Context ##\n$RETRY_INFO\na\n",
    "###### Retry Context\nFix it.\n# Retry Context\n$RETRY_INFO",
)


def prompts() -> Iterator[str]:
    """Prompt templates: what is wrong with their section on retries, and how they are filled."""
    for template in _TEMPLATES:
        faults = [f"{fault.line}: {fault.message}" for fault in lint_retry_context(template)]
        yield f"{template!r}\n  {faults}"
        for feedback in ("FEEDBACK", ""):
            yield f"  {_or_error(partial(fill_variables, template, feedback))!r}"
        parts = [{"type": "text", "text": template}, {"type": "image"}]
        yield f"  {_or_error(lambda parts=parts: fill_content(parts, 'FEEDBACK'))}"  # type: ignore[misc]


def names() -> Iterator[str]:
    """Names, repr, options and digests' equality."""

    class Ticket(BaseModel):
        title: str

    for schema in (
        Ticket,
        int,
        list[Ticket],
        int | None,
        int | list[Any],
        None,
        {"title": "T"},
        {"type": "object"},
        {},
    ):
        contract = Contract(schema)
        yield f"{contract} {contract.name} {contract.format} {contract.extract} {contract.judged} {contract.tool}"
    for text in ("{}", '{"title": 5, "size": 2}', "[1", ""):
        yield _parsed(text)


def _parsed(text: str) -> str:
    from pytest_planguard.contract.verdict import SchemaValidationError

    try:
        return repr(Contract(Inner).parse(text, provider="p"))
    except SchemaValidationError as error:
        return f"{error}"


CASES = (
    json_schemas,
    models,
    constraints,
    flawed_constraints,
    answers,
    styles,
    templates,
    requests,
    prompts,
    names,
    bounds,
    codes,
    places,
)
