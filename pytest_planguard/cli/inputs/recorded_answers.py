"""Recorded answers as plain data for `strength` and `init --from`, and as labelled cases."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...contract.strength.evidence import Demand, GoodAnswer, data_of
from ...document.answer import format_of
from ...errors import UsageError
from ...runs.load.source import ANSWER_FIELDS
from ...runs.logs.records import is_log
from ...runs.model.codec import parsed_json
from ...wire.logs.readers import looks_logged
from .answers import NoAnswerError, answer_field, answer_of
from .sources import SourceKind, find_sources, has_lines, kind_of

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract import Contract
    from ...wire.exchange import Exchange
    from .sources import Source

    Labelled = tuple[str, Any, Any]
    """Name, input, expected value."""


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
        found = None if field else _field_beside_input(source, anything)
        if found is not None:
            answers += _lines(source, anything, found, required=False)
        else:
            answers += _exchanged(source.path, anything) if is_cassette else _answers(source, anything, field)
    data = [answer for answer in answers if isinstance(answer.data, (dict, list))]
    if not data:
        raise UsageError(
            f"no answers that are data: got {', '.join(map(str, paths))}; name files of JSON or YAML answers"
        )
    return data


def _field_beside_input(source: Source, anything: Contract) -> str | None:
    """Return the field of the first answer if it is data beside an input: {"prompt": "…", "output": {…}}.

    Texts alone are no sign, because a question and its answer may be fields of one document. A line without an answer,
    such as one of a failed request, leaves it to the next.
    """
    for line in source.content().split(b"\n") if has_lines(source) else ():
        record = parsed_json(line)
        if not isinstance(record, dict):
            continue
        if record.keys().isdisjoint(INPUTS) or looks_logged(record):
            return None
        data = {name: data_of(anything, record[name]) for name in ANSWER_FIELDS if record.get(name) is not None}
        if data:
            return next((name for name, value in data.items() if isinstance(value, (dict, list))), None)
    return None


def _kind(source: Source) -> SourceKind:
    return kind_of(source, source.content(), with_contract=True)


def _exchanged(path: Path, anything: Contract) -> Iterator[GoodAnswer]:
    """Yield the data of each answer in a cassette: arguments of a call, else the document in the text."""
    from ...replay.files.reader import read_cassette
    from ...retry.judging.routing import context_of
    from ...wire.exchange import ItemKind

    for exchange in read_cassette(path).exchanges:
        context = context_of(exchange, exchange, ())
        calls = [(item.name, item.arguments) for item in exchange.answer if item.kind is ItemKind.CALL]
        text = "".join(item.text for item in exchange.answer if item.kind is ItemKind.TEXT)
        for tool, data in calls or [(None, anything.check(text).data)]:
            yield GoodAnswer(f"{path.name} answer {exchange.number}", data, context, _demand(exchange, tool))


def _demand(exchange: Exchange, tool: str | None) -> Demand | None:
    """Return the schema of a called tool, or of the text without a tool."""
    from ...retry.judging.request_contracts import demanded
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
    if field is None and is_log(source.path, refused=False):
        raise UsageError(
            f"{source.path}: it is a log of calls, not of answers: name the field of the answer with --field"
        )
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


def _lines(source: Source, contract: Contract, field: str | None, *, required: bool = True) -> Iterator[GoodAnswer]:
    for number, line in enumerate(source.content().split(b"\n"), 1):
        if line.strip():
            try:
                answer = answer_of(line, field or answer_field(line, contract))
            except NoAnswerError as error:
                if not required:  # the user named no field: a failed request has no answer
                    continue
                raise UsageError(f"{source.path}:{number}: {error}") from error
            yield GoodAnswer(f"{source.path.name} line {number}", data_of(contract, answer))


def _recorded(path: Path, contract: Contract) -> Iterator[GoodAnswer]:
    """Yield the last answer of each conversation that the contract judges, as the model gave it."""
    from ...replay.files.reader import read_cassette
    from ...retry.judging.judge import judge
    from ...retry.judging.routing import context_of

    exchanges = read_cassette(path).exchanges
    for at, conversation in enumerate(judge(exchanges, (contract,)).conversations, 1):
        if conversation.attempts:
            first, last = conversation.attempts[0], conversation.attempts[-1]
            context = context_of(last.exchange, first.exchange, ())
            data = last.verdict.text if last.verdict.data is None else last.verdict.data
            yield GoodAnswer(f"{path.name} conversation {at}", data, context)


INPUTS = ("input", "prompt", "question")
"""Members of a line that may hold the answer's input. The first one that exists is used."""


def labelled_cases(paths: Iterable[Path], contract: Contract, field: str | None) -> str:
    """Return the cases of all accepted answers with a known input, one per line, or "".

    In cassettes, these are the last answers of conversations, with the task's last user message as the input. In files
    of answers, these are the lines that have an input.

    Raises:
        OSError, CassetteError: a file cannot be read.
    """
    used: set[str] = set()
    lines: list[str] = []
    for source in find_sources(paths):
        of_cassette = not has_lines(source) and kind_of(source, source.content(), with_contract=True)
        found = _of_lines(source, contract, field) if has_lines(source) else ()
        found = _of_cassette(source.path, contract) if of_cassette is SourceKind.CASSETTE else found
        for name, asked, expected in found:
            unique = _unique(name, used)
            lines.append(json.dumps({"name": unique, "input": asked, "expected": expected}, ensure_ascii=False) + "\n")
    return "".join(lines)


def _of_cassette(path: Path, contract: Contract) -> Iterator[Labelled]:
    from ...replay.files.reader import read_cassette
    from ...retry.judging.judge import judge
    from ...retry.linking.sameness import last_user

    accepted: dict[str, object] = {}  # without feedback, a task has several conversations: the last counts
    for conversation in judge(read_cassette(path).exchanges, (contract,)).conversations:
        first, last = conversation.attempts[0], conversation.attempts[-1]
        task = last_user(first.steps[0] if first.steps else first.exchange)
        if task is not None and last.verdict.ok:
            accepted[task.text] = last.verdict.data
    yield from ((path.stem, asked, expected) for asked, expected in accepted.items())


def _of_lines(source: Source, contract: Contract, field: str | None) -> Iterator[Labelled]:
    for number, line in enumerate(source.content().split(b"\n"), 1):
        record = parsed_json(line) if line.strip() else None
        named = field or (answer_field(line, contract) if isinstance(record, dict) else None)
        asked = next((name for name in INPUTS if isinstance(record, dict) and record.get(name) is not None), None)
        if named is None or asked is None or not isinstance(record, dict):
            continue
        verdict = contract.check(answer_of(line, named))
        if verdict.ok:
            own = record.get("name", record.get("id"))
            yield str(own) if isinstance(own, str | int) else f"line {number}", record[asked], verdict.data


def _unique(name: str, used: set[str]) -> str:
    """Return an unused name for a case: ticket, ticket.2, ticket.3."""
    found, number = name, 2
    while found in used:
        found, number = f"{name}.{number}", number + 1
    used.add(found)
    return found
