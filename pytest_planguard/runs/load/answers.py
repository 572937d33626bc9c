"""Read cases from plain answers, one per file or line, and from cassettes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import NoFieldError, named_field
from ...errors import CassetteError, UsageError
from ...wire.untrusted_json import as_json
from ..model.raw_case import RawAnswer, RawCase, RawRun, ReadProblem, digest_of
from ..model.request_words import first_request, prompt_digest
from ..store.whole_files import is_cassette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .source import Source


ANSWER_FIELDS = ("output", "answer", "actual_output", "completion", "response", "content", "text")
"""Fields of a line that may hold the answer. The first one that exists is used."""
KEY_FIELDS = ("case", "case_id", "id", "key", "test", "task_id", "name", "task")
"""Fields of a line that may be the case key. The first one that exists is used."""
INPUT_FIELDS = ("inputs", "input", "prompt", "question", "messages", "vars")
"""Fields of a line that may be the input. The first one that exists is used."""
MODEL_FIELD = "model"


def read_answer_file(source: Source) -> RawRun:
    """Read the whole file as one answer."""
    try:
        text = source.content.decode("utf-8-sig", errors="surrogateescape")
    except OSError as error:
        return RawRun(problems=(ReadProblem(source.name, f"cannot be read: {error.strerror or error}"),))
    return RawRun((RawCase(source.key, source.name, RawAnswer(text)),))


def read_answer_lines(source: Source) -> RawRun:
    """Read each non-empty line as one case. A line without a key is known by its number.

    Raises:
        UsageError: no line has a field that the user named.
        RunError: the file cannot be read.
    """
    cases: list[RawCase] = []
    problems: list[ReadProblem] = []
    for number, line in source.lines():
        try:
            cases.append(_case(source, number, json.loads(line)))
        except (ValueError, RecursionError, NoFieldError) as error:
            why = str(error) if isinstance(error, NoFieldError) else "it is not JSON"
            problems.append(ReadProblem(f"{source.name}: line {number}", f"{why}; the line is left out"))
    if not cases and source.options.answer_field and problems:
        raise UsageError(f"--field {source.options.answer_field!r}: {problems[0].place}: {problems[0].reason}")
    return RawRun(tuple(cases), tuple(problems))


def case_key(line: object, number: int) -> str:
    """Return the key of the case on a line: the first of `KEY_FIELDS` that it has, or its number."""
    return as_json(_first(line, KEY_FIELDS, number))


def declared_input(fields: object) -> str | None:
    """Return the digest of the input that an object declares, or None."""
    value = _first(fields, INPUT_FIELDS, None)
    return None if value is None else digest_of(value)


def _case(source: Source, number: int, line: Any) -> RawCase:
    options = source.options
    answer = named_field(line, options.answer_field) if options.answer_field else _first(line, ANSWER_FIELDS, line)
    key = as_json(named_field(line, options.case_field)) if options.case_field else case_key(line, number)
    model = line.get(MODEL_FIELD) if isinstance(line, dict) else None
    return RawCase(
        f"{source.key}/{key}" if source.in_folder else key,
        f"{source.name}:{number}",
        RawAnswer(as_json(answer)),
        inputs=declared_input(line),
        model=model if isinstance(model, str) else None,
    )


def _first(line: object, names: Sequence[str], default: object) -> Any:
    """Return the first of the fields that the line has and that is not null."""
    if not isinstance(line, dict):
        return default
    return next((line[name] for name in names if line.get(name) is not None), default)


def is_cassette_file(source: Source) -> bool:
    """Return True if a file's content is a cassette."""
    return is_cassette(source.path)


def read_cassette_case(source: Source) -> RawRun:
    """Read a cassette as one case. An unreadable cassette becomes a problem of the run."""
    from ...replay.files.reader import read_cassette

    try:
        exchanges = read_cassette(source.path).exchanges
    except CassetteError as error:
        return RawRun(problems=(ReadProblem(source.name, str(error).removeprefix(f"{source.name}: ")),))
    models = {exchange.model for exchange in exchanges if exchange.model}
    return RawRun(
        (
            RawCase(
                source.key,
                source.name,
                exchanges=tuple(exchanges),
                model=", ".join(sorted(models)) or None,
                variant=source.variant,
                prompt=prompt_digest(exchanges),
                asked=first_request(exchanges),
            ),
        )
    )
