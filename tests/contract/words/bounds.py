"""What findings become in each style right below, at and above each bound of lengths and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints import builders as b
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.contract.feedback.styles import STYLES
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.span import Span

COUNTS = (1, 2, 10, 11, 12, 20, 21, 22, 40)
LENGTHS = (1, 58, 59, 60, 61, 119, 120, 121, 159, 160, 161, 240, 241, 600)
PLACE = Span(3, 4, 5)


def bounds() -> Iterator[str]:
    """Yield how much of many, long and odd findings each style says."""
    for style in STYLES:
        for count in COUNTS:
            yield from _said(f"{style.name}, {count} findings", style.name, _findings(count))
        for length in LENGTHS:
            yield from _said(f"{style.name}, {length} characters", style.name, _long(length))
        for length in range(40, 130, 5):
            yield from _sized(style.name, length)
        yield from _uncounted(style.name)
    yield from _custom()


def _sized(style: str, length: int) -> Iterator[str]:
    """Yield how many findings of one length fit into the text."""
    findings = [Finding("rule", ("a", n), "x" * length, FailureKind.RULE, span=PLACE) for n in range(30)]
    made = build_feedback(findings, attempt=1, max_attempts=3, style=style)
    yield f"# {style}, 30 of {length}: {len(made.text)} characters, {len(made.findings)} named, {made.omitted} left out"


def _uncounted(style: str) -> Iterator[str]:
    """Yield what is said where the caller does not count, or counts the attempts alone."""
    for attempt in (None, 1, 2):
        made = build_feedback(_findings(2), attempt=attempt, style=style)
        yield f"# {style}, attempt {attempt}: {made.text.splitlines()[:1]}"


def _findings(count: int) -> list[Finding]:
    return [Finding("missing", ("steps", n), "required, missing", FailureKind.MISSING) for n in range(count)]


def _long(length: int) -> list[Finding]:
    text = "x" * length
    kinds = FailureKind
    return [
        Finding("rule", ("a",), text, kinds.RULE, span=PLACE),
        Finding("rule", (text,), "no", kinds.RULE),
        Finding("enum", ("b",), f"expected {text}", kinds.ENUM, allowed=(text, "low"), actual=f'"{text}"'),
        Finding("type", ("c",), "expected another", kinds.TYPE, expected=text, actual=f'"{text}"'),
        Finding(text, ("d",), "a long code", kinds.RULE),
        Finding("rule", ("e",), "a hint", kinds.RULE, hint=text),
        Finding("missing", ("f",), "required, missing", kinds.MISSING, owner=text),
    ]


def _said(title: str, style: str, findings: list[Finding]) -> Iterator[str]:
    made = build_feedback(findings, attempt=1, max_attempts=3, style=style)
    yield f"# {title}: {len(made.text)} characters, {len(made.findings)} named, {made.omitted} left out"
    yield from (_squeezed(line) for line in made.text.split("\n"))


def _squeezed(line: str) -> str:
    """Return a line with each long run of "x" as its length."""
    return re.sub("x{20,}", lambda run: f"<{len(run[0])} x>", line)


def _custom() -> Iterator[str]:
    """Yield what is kept of what the user's own checks say."""

    def said(messages: Any) -> Iterator[str]:
        contract = Contract(None, constraints=[b.custom("a", lambda _: messages)])
        for finding in contract.check({"a": 1}).findings:
            yield f"  {finding.code} {len(finding.message)} {finding.message[:20]} {finding.hint and len(finding.hint)}"

    for length in (299, 300, 301):
        yield f"# a message of {length}"
        yield from said("m" * length)
    for count in (0, 19, 20, 21):
        yield f"# {count} messages"
        yield f"  {sum(1 for _ in said([f'no {n}' for n in range(count)]))}"
    for answer in (None, True, False, "", 3, [], iter(["no"])):
        yield f"# an answer of {type(answer).__name__} {answer if not hasattr(answer, '__next__') else ''}"
        yield from said(answer)
