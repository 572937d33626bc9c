"""For cassettes without a contract: which retries have findings all the same, by the schemas of their requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.retry.linking.link import Delta
from pytest_planguard.retry.matching.fed_back import FeedbackReading, fed_back, read
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.wire.exchange import Exchange


def split(path: Path, *, known_wordings: bool) -> Counter[tuple[str, str]]:
    """(what is known of the rejected answer, what became of that) for each retry of a cassette.

    The retries are those that are found with all wordings: the cassette's true ones. Known is "findings" where the
    request's own schema, or its list of tools, rejects the answer; else "errors" where the feedback itself names a
    place with a validator's code, and "words" where it is free text. The grade of findings is the worst of them,
    that of the others is whether the retry is told at all.
    """
    exchanges = read_cassette(path).exchanges
    judged = judge(exchanges, [])
    found = judge(exchanges, [], options=JudgeOptions(known_wordings=known_wordings))
    counts: Counter[tuple[str, str]] = Counter()
    for at, kind in enumerate(judged.kinds):
        link = judged.links[at]
        if kind is not StepKind.PROBABLE_RETRY or link is None:
            continue
        findings = list(known_findings(exchanges[link.parent - 1]))
        if findings:
            reading = read([link.delta], known_wordings=known_wordings)
            counts["findings", worst(findings, reading)] += 1
        else:
            told = found.kinds[at] is StepKind.PROBABLE_RETRY
            counts[_kind_of_words(link.delta), "told" if told else "not told"] += 1
    return counts


def _kind_of_words(delta: Delta) -> str:
    said = [entry for piece in delta.pieces for entry in recognise(piece.text, known_wordings=False)]
    return "errors" if any(entry.path is not None and entry.code for entry in said) else "words"


def known_findings(answer: Exchange) -> Iterator[Finding]:
    """What the request says against its answer: a tool that it does not offer, arguments or a text off its schema."""
    for call in answer.calls:
        schema = answer.tools.get(call.name or "")
        if schema is not None:
            yield from _checked(schema, call.text)
        elif answer.tools:
            yield Finding("unknown_tool", (), f"unknown tool {call.name}", FailureKind.NO_TOOL_CALL)
    if answer.output_schema and not answer.calls:
        yield from _checked(answer.output_schema, answer.answer_text)


def _checked(schema: Mapping[str, Any], text: str) -> Sequence[Finding]:
    return Contract(dict(schema), name="answer").check(text).errors


def worst(findings: Sequence[Finding], reading: FeedbackReading) -> str:
    """The worst grade of the findings."""
    order = ["verbatim", "located", "weak", "wrong", "missing"]
    return max((c.label for c in fed_back(findings, reading, attempt=1)), key=order.index)
