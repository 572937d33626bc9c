"""Recorded answers as plain data, with texts they may have been copied from, for `strength` and `init --from`."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...contract.strength.evidence import Demand, GoodAnswer
from ...document.answer import format_of
from ...errors import UsageError
from .answer_stream import answer_field
from .answers import NoAnswerError, answer_of
from .sources import SourceKind, find_sources, has_lines, kind_of

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract import Contract
    from ...wire.exchange import Exchange
    from .sources import Source


def recorded_answers(paths: Iterable[Path], contract: Contract, field: str | None = None) -> list[GoodAnswer]:
    """Return every answer in files and folders: lines, whole documents, and attempts in cassettes.

    An answer that is not a document is returned as its text, which no contract for data accepts.

    Raises:
        UsageError: a line has no such field, or there is no answer.
        OSError: a file cannot be read.
        CassetteError: a cassette cannot be read.
    """
    answers = [answer for source in find_sources(paths) for answer in _answers(source, contract, field)]
    if not answers:
        raise UsageError(f"no answers: got {', '.join(map(str, paths))}; name files of answers, or cassettes")
    return answers


def example_answers(paths: Iterable[Path], field: str | None = None) -> list[GoodAnswer]:
    """Return every answer that is data, for a contract that is still to be written.

    In a cassette, this is the output tool's arguments, else the text. Raises as `recorded_answers`.
    """
    from ...contract import Contract

    anything = Contract(None, name="anything")
    answers: list[GoodAnswer] = []
    for source in find_sources(paths):
        is_cassette = not has_lines(source) and _kind(source) is SourceKind.CASSETTE
        answers += _exchanged(source.path, anything) if is_cassette else _answers(source, anything, field)
    data = [answer for answer in answers if isinstance(answer.data, (dict, list))]
    if not data:
        raise UsageError(
            f"no answers that are data: got {', '.join(map(str, paths))}; name files of JSON or YAML answers"
        )
    return data


def _kind(source: Source) -> SourceKind:
    return kind_of(source, source.content(), with_contract=True)


def _exchanged(path: Path, anything: Contract) -> Iterator[GoodAnswer]:
    """Yield the data of each answer in a cassette: arguments of a call, else the document in the text."""
    from ...replay.files.reader import read_cassette
    from ...retry.judging.contracts.routing import context_of
    from ...wire.exchange import ItemKind

    for exchange in read_cassette(path).exchanges:
        context = context_of(exchange, exchange, ())
        calls = [(item.name, item.arguments) for item in exchange.answer if item.kind is ItemKind.CALL]
        text = "".join(item.text for item in exchange.answer if item.kind is ItemKind.TEXT)
        for tool, data in calls or [(None, anything.check(text).data)]:
            yield GoodAnswer(f"{path.name} answer {exchange.number}", data, context, _demand(exchange, tool))


def _demand(exchange: Exchange, tool: str | None) -> Demand | None:
    """Return the schema of a called tool, or of the text without a tool."""
    from ...retry.judging.contracts.request_contracts import demanded
    from ...retry.linking.sameness import canonical

    schema = exchange.output_schema if tool is None else exchange.tools.get(tool)
    if not schema:
        return None
    outputs = {name for name, _ in demanded(exchange)}
    digest = hashlib.sha256(canonical(schema).encode()).hexdigest()
    return Demand(tool or str(schema.get("title") or "answer"), digest, tool in outputs)


def of_one_schema(answers: Sequence[GoodAnswer]) -> tuple[list[GoodAnswer], list[GoodAnswer]]:
    """Return the answers to the schema that most requests force, else to the most frequent one, and all others."""
    counts = Counter(answer.schema for answer in answers)
    known = [schema for schema in counts if schema is not None]
    chosen = max(known, key=lambda schema: (schema.is_output, counts[schema]), default=None)
    of_it = [answer for answer in answers if answer.schema == chosen]
    return of_it, [answer for answer in answers if answer.schema != chosen]


def _answers(source: Source, contract: Contract, field: str | None) -> Iterator[GoodAnswer]:
    if has_lines(source):
        yield from _lines(source, contract, field)
        return
    content = source.content()
    kind = kind_of(source, content, with_contract=True)
    if kind is SourceKind.CASSETTE:
        yield from _recorded(source.path, contract)
    elif kind is SourceKind.DOCUMENT:
        verdict = contract.check(content, format=format_of(source.path))
        yield GoodAnswer(source.path.name, verdict.text if verdict.data is None else verdict.data)


def _lines(source: Source, contract: Contract, field: str | None) -> Iterator[GoodAnswer]:
    for number, line in enumerate(source.content().split(b"\n"), 1):
        if line.strip():
            try:
                answer = answer_of(line, field or answer_field(line, contract))
            except NoAnswerError as error:
                raise UsageError(f"{source.path}:{number}: {error}") from error
            yield GoodAnswer(f"{source.path.name} line {number}", _data(contract, answer))


def _data(contract: Contract, answer: object) -> object:
    data = contract.check(answer).data if isinstance(answer, (str, bytes)) else answer
    return answer if data is None else data


def _recorded(path: Path, contract: Contract) -> Iterator[GoodAnswer]:
    """Yield the last answer of each conversation that the contract judges, as the model gave it."""
    from ...replay.files.reader import read_cassette
    from ...retry.judging.contracts.routing import context_of
    from ...retry.judging.judge import judge

    exchanges = read_cassette(path).exchanges
    for at, conversation in enumerate(judge(exchanges, (contract,)).conversations, 1):
        if conversation.attempts:
            last = conversation.attempts[-1]
            context = context_of(last.exchange, last.exchange, ())
            data = last.verdict.text if last.verdict.data is None else last.verdict.data
            yield GoodAnswer(f"{path.name} conversation {at}", data, context)
