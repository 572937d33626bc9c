"""Make labelled cases from recorded answers: the input of each task, and its accepted answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...runs.model.foreign_fields import parsed_json
from ..inputs.answer_stream import answer_field
from ..inputs.answers import answer_of
from ..inputs.sources import SourceKind, find_sources, has_lines, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ...contract import Contract
    from ..inputs.sources import Source

    Labelled = tuple[str, Any, Any]
    """Name, input, expected value."""

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
