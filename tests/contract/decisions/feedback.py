"""What goes into feedback: which findings are named, how much of a long one, and where in a request it goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from pytest_planguard import (
    Contract,
    FailureKind,
    Finding,
    custom,
    next_messages,
)
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.contract.feedback.prompt_template import fill_content, lint_prompt
from pytest_planguard.document.positions import Span

from ...support.decisions import Block, Decided, Messages, inputs, shortened, sorted_out
from .bounds import COUNTS, LENGTHS, long_findings, many_findings, missing_findings
from .schemas import Inner
from .show import refused

STYLES = (
    *("default", "compact", "command", "revise", "amendment", "tool_result", "json", "autospec", "seed"),
    *("format_errors", "blind"),
)
"""The built-in styles of feedback."""


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


def bounds(page: Messages) -> Iterator[Block]:
    """How much of many, long and odd findings each style says: runs of "x" that are kept, and findings left out."""
    for style in STYLES:
        given = {f"{length} characters": long_findings(length) for length in LENGTHS}
        made = [Decided(f"{style}, {name}", _said(style, found), name) for name, found in given.items()]
        some = {f"{count} findings": missing_findings(count) for count in COUNTS}
        some |= {f"30 of {length}": many_findings(length) for length in range(40, 130, 5)}
        named = (f"{name} {_named(style, found)}" for name, found in some.items())
        counted = tuple(f"{style}, {name}" for name in some)
        made.append(Decided(counted, ", ".join(named), "named and left out"))
        for attempt in (None, 1, 2):
            text = build_feedback(missing_findings(2), attempt=attempt, style=style).text
            name = f"lines of attempt {attempt}"
            counted = " ".join(re.findall(r"\d+", text.partition("\n")[0]))
            said = f"{len(text.splitlines())}, its first line counts {counted or 'nothing'}"
            made.append(Decided(f"{style}, attempt {attempt}", said, name))
        yield Block(style, made)
    yield Block("checks of the user's own: how much is kept of what they say", [*_own()])


def _named(style: str, findings: list[Finding]) -> str:
    made = build_feedback(findings, attempt=1, max_attempts=3, style=style)
    return f"{len(made.findings)}+{made.omitted}"


def _said(style: str, findings: list[Finding]) -> str:
    made = build_feedback(findings, attempt=1, max_attempts=3, style=style)
    runs = [str(len(run)) for run in re.findall("x{20,}", made.text)]
    kept = " ".join(f"{runs.count(run)}*{run}" if runs.count(run) > 1 else run for run in dict.fromkeys(runs))
    return f"{len(made.findings)} named, {made.omitted} left out{f', x {kept}' if kept else ''}"


def _own() -> Iterator[Decided]:
    given: dict[str, Any] = {
        **{f"a message of {length}": "m" * length for length in (299, 300, 301)},
        **{f"{count} messages": [f"no {n}" for n in range(count)] for count in (0, 19, 20, 21)},
        **{f"an answer of {type(answer).__name__} {answer}": answer for answer in (None, True, False, "", 3, [])},
        "an answer of an iterator": iter(["no"]),
    }
    for name, messages in given.items():
        found = Contract(None, constraints=[custom("a", lambda _, said=messages: said)]).check({"a": 1}).findings
        yield (name, f"{len(found)} {', '.join(f'{one.code} of {len(one.message)}' for one in found[:2])}")


def styles(page: Messages) -> Iterator[Block]:
    """Each style for one, two and many findings, with and without a count of tries."""
    for style in STYLES:
        made = []
        sizes = ((1, 5), (2, 5), (13, 5), (21, 5), (22, 5), (40, 5), (14, 250), (15, 400))
        for (count, width), (attempt, most) in product(sizes, ((None, None), (1, None), (2, 3))):
            said = build_feedback(_findings(count, width), attempt=attempt, max_attempts=most, style=style)
            for line in said.text.splitlines():
                page.add(f"feedback, {style}", re.sub("[wk]{5,}", '"w"', line))
            name = f"{count}x{width} {attempt} of {most}"
            lines = said.text.splitlines()
            made.append(Decided(f"{style} {name}", f"{said.omitted} left out, {len(lines)} lines", name))
        yield Block(style, made)


def templates(page: Messages) -> Iterator[Block]:
    """An own frame, with every field; and one that cannot be filled."""
    every = "{count}|{attempt}|{max_attempts}|{retry}|{max_retries}|{{x}}\n{errors}\n--\n{feedback}"
    made = []
    for (attempt, most), count in product(((None, None), (1, None), (2, 3), (1, 1)), (1, 2)):
        said = build_feedback(_findings(count, 5), attempt=attempt, max_attempts=most, template=every)
        page.add("feedback, of a template", said.text)
        lines = said.text.splitlines()
        numbers = " ".join(re.findall(r"(?m)^(\d+)\.", said.text))
        made.append((f"{attempt} of {most}, {count}", f"{lines[0]} in {len(lines)} lines, numbered {numbers}"))
    long = build_feedback(_findings(30, 250), template="a {errors} b")
    made += [
        ("long", f"{long.omitted} left out, {len(long.text.splitlines())} lines"),
        ("words alone", build_feedback(_findings(2, 5), template="words alone").text),
    ]
    own = build_feedback(_findings(2, 5), template=lambda correction: f"own {len(correction.problems)}").text
    made.append(("a function", own))
    for bad in ("{odd}", "{error}", "{", "{0}"):
        made.append(Decided(bad, refused(page, partial(build_feedback, _findings(1, 5), template=bad))))
    yield Block("templates", made)
    made = []
    for style, placement in (("command", "command"), ("autospec", "inject"), ("seed", "inject")):
        block = _prompt("", style, placement)
        prompts = (block, f"{block}\n\nThe prompt.", f"/plan {block}\n\nThe prompt.", "RETRY 1/3", f"/plan {block}")
        for number, prompt in enumerate(prompts, 1):
            said = f"{_prompt(prompt, style, placement).count(chr(10)) + 1} lines"
            made.append((f"{style} {number}", said))
    yield Block(
        "a prompt that holds feedback already: bare, in front, behind a command, cut, behind a command alone", made
    )


def _prompt(prompt: str, style: str, placement: Any) -> str:
    """Return a prompt with feedback in a style."""
    verdict = Contract(Inner).check("{}")
    turns = [{"role": "user", "content": prompt}]
    made = next_messages(turns, "bad", verdict, placement=placement, attempt=1, max_attempts=3, style=style)
    return str(made[-1]["content"])


_ANSWERS = inputs("contract", "model_turns")
_MESSAGES = inputs("contract", "prompts_of_requests")


def requests(page: Messages) -> Iterator[Block]:
    """The next request: each form of answer in a dialogue; each form of prompt with each placement, twice."""
    verdict = Contract(Inner).check("{}")
    for answer in _ANSWERS:
        made = []
        for messages in ([], *_MESSAGES[4:8]):
            work = partial(next_messages, messages, answer, verdict, placement="dialogue", attempt=1, max_attempts=3)
            made.append(Decided(f"{answer} after {messages}", _request(page, work), f"after {_shape(messages)}"))
        yield Block(f"a dialogue after the answer {answer}", made)
    decided = []
    for messages in _MESSAGES:
        ways = []
        for placement, style in product(("inject", "command", "blind", "dialogue"), (None, "seed", "default")):
            work = partial(_twice, messages, verdict, placement, style)
            ways.append((_request(page, work), f"{placement} {style}"))
        decided.append(Decided(str(messages), sorted_out(ways), shortened(_shape(messages))))
    yield Block("a prompt, with each placement and style", decided)
    wrong = [("injct", None), ("inject", "sed")]
    made = [(f"{how}", _request(page, partial(_twice, _MESSAGES[1], verdict, *how))) for how in wrong]
    yield Block("no placement and no style", made)


def _twice(messages: Any, verdict: Any, placement: Any, style: str | None) -> list[Any]:
    once = next_messages(messages, "bad", verdict, placement=placement, attempt=1, max_attempts=3, style=style)
    return next_messages(once, "bad", verdict, placement=placement, attempt=2, max_attempts=3, style=style)


def _request(page: Messages, work: Any) -> str:
    return refused(page, lambda: _shape(work()))


def _shape(value: Any) -> str:
    """Return a request in short: roles, members of parts, and how long the texts are."""
    if isinstance(value, str):
        return f"{value.count(chr(10)) + 1} lines" if len(value) > 16 else repr(value)
    if isinstance(value, dict):
        role = value.get("role")
        rest = ", ".join(f"{key} {_shape(item)}" for key, item in value.items() if key != "role")
        return f"{role}({rest})" if role else f"({rest})"
    return f"[{'; '.join(map(_shape, value))}]" if isinstance(value, list) else str(value)


_TEMPLATES = inputs("contract", "prompts")


def prompts(page: Messages) -> Iterator[Block]:
    """Prompt templates: what is wrong with their section on retries, and how they are filled."""
    made = []
    for template in _TEMPLATES:
        faults = lint_prompt(template)
        for fault in faults:
            page.add("fault of a prompt", str(getattr(fault, "message", fault)))
        filled = [refused(page, partial(_filled, template, said)) for said in ("FEEDBACK", "")]
        made.append(Decided(template, f"{len(faults)} faults; {' / '.join(filled)}"))
    yield Block("templates of prompts", made)


def _filled(template: str, feedback: str) -> str:
    return repr(fill_content(template, feedback))
