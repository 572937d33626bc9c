"""The source of a run, and the cases in a file of answers or a cassette."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import NoFieldError, named_field
from ...errors import CassetteError, RunError, UsageError
from ...wire.untrusted_json import as_json
from ..judge_cases import Judges, RawCase, RawRun, ReadProblem, digest_of
from ..model.codec import parsed_json
from ..model.judged_answers import AttemptRow, first_request, prompt_digest
from ..model.run import CaseRow
from ..store.project_files import LINE_SUFFIXES, is_cassette

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


ONLY = "answer"
"""Case key of a run's only file. If each side has one file, both are the same case, even with different names."""
MAX_FILE = 200 * 1024 * 1024
"""Maximum number of bytes of a file to read."""
MAX_FIRST_LINE = 4 * 1024 * 1024
"""Maximum number of bytes of the first line to read in order to recognise a format."""
MAX_HEAD = 4096
"""Maximum number of bytes at the start of a file to read in order to recognise a format."""


class Shape(Enum):
    """The kind of a source in the file system."""

    FOLDER = "folder"
    FILE = "file"
    NAME = "name"
    """The name of a kept run or of a variant, which is not a path."""


@dataclass(frozen=True, slots=True)
class LoadOptions(Judges):
    """How to read files that are not run records, and how to judge their answers."""

    answer_field: str | None = None
    """Dotted name of a line's field with the answer. If None, planguard finds the field."""
    case_field: str | None = None
    """Dotted name of a line's field with the case key. If None, planguard finds the field."""
    root: Path = Path()
    """The folder with the kept runs and cassettes."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Maps each line of a record to its parsed row, so that a line that two runs share is parsed once."""


@dataclass(frozen=True)
class Source:
    """A folder, a file, or a name. The content of a file is read on first use and kept."""

    name: str
    """The path, or the name of a kept run or variant."""
    options: LoadOptions = field(default_factory=LoadOptions)
    key: str = ONLY
    """The case key of a file with one case, or the prefix of the keys in a file of several."""
    variant: str | None = None
    in_folder: bool = False
    """True if the file was found in a folder; False if the user named it."""

    @cached_property
    def path(self) -> Path:
        """The name as a path."""
        return Path(self.name)

    @cached_property
    def shape(self) -> Shape:
        """The kind of the source: folder, file or name."""
        return Shape.FOLDER if self.path.is_dir() else Shape.FILE if self.path.is_file() else Shape.NAME

    @property
    def has_lines(self) -> bool:
        """True if the file's suffix means one JSON value per line."""
        return self.path.suffix.lower() in LINE_SUFFIXES

    @cached_property
    def first_line(self) -> bytes:
        """The first line, up to `MAX_FIRST_LINE` bytes. Raises RunError."""
        try:
            with self.path.open("rb") as file:
                return file.readline(MAX_FIRST_LINE)
        except OSError as error:
            raise unreadable(self.path, error) from error

    @cached_property
    def head(self) -> bytes:
        """The first `MAX_HEAD` bytes; b"" if the file cannot be read."""
        try:
            with self.path.open("rb") as file:
                return file.read(MAX_HEAD)
        except OSError:
            return b""

    @cached_property
    def content(self) -> bytes:
        """All bytes. Raises RunError for a file larger than `MAX_FILE`, and OSError."""
        if self.path.stat().st_size > MAX_FILE:
            raise RunError(f"{self.path}: larger than {MAX_FILE // 2**20} MB; split it.")
        return self.path.read_bytes()

    @cached_property
    def document(self) -> Any:
        """The file as one JSON value; None if it is not JSON or cannot be read."""
        try:
            return parsed_json(self.content)
        except OSError:  # the reader of plain answers reports it
            return None

    @cached_property
    def values(self) -> list[tuple[int, Any]]:
        """Each non-empty line: its 1-based number, and its JSON value or None."""
        return [(number, parsed_json(line)) for number, line in self.lines()]

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each non-empty line with its 1-based number. Raises RunError."""
        try:
            lines = self.content.split(b"\n")
        except OSError as error:
            raise unreadable(self.path, error) from error
        return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def unreadable(path: Path, error: OSError) -> RunError:
    """Return the error for a file that the system can't read."""
    return RunError(f"{path}: the run cannot be read: {error.strerror or error}. Check the path.")


ANSWER_FIELDS = ("output", "answer", "actual_output", "completion", "response", "content", "text")
"""Fields of a line that may hold the answer. The first one that exists is used."""
KEY_FIELDS = ("case", "case_id", "id", "key", "test", "task_id", "name", "task")
"""Fields of a line that may be the case key. The first one that exists is used."""
INPUT_FIELDS = ("inputs", "input", "prompt", "question", "messages", "vars")
"""Fields of a line that may be the input. The first one that exists is used."""
MODEL_FIELD = "model"
CHAT_FIELD = "messages.-1.content"
"""The answer of a chat on one line, as files for fine-tuning have it."""


def is_chat(line: object) -> bool:
    """Return True for a chat that ends with an answer: {"messages": […, {"role": "assistant", "content": "…"}]}."""
    listed = line.get("messages") if isinstance(line, dict) else None
    last = listed[-1] if isinstance(listed, list) and listed else None
    return isinstance(last, dict) and last.get("role") == "assistant" and isinstance(last.get("content"), str)


def read_answer_file(source: Source) -> RawRun:
    """Read the whole file as one answer."""
    try:
        text = source.content.decode("utf-8-sig", errors="surrogateescape")
    except OSError as error:
        return RawRun(problems=(ReadProblem(source.name, f"cannot be read: {error.strerror or error}"),))
    return RawRun((RawCase(CaseRow(source.key, source.name), AttemptRow(text, ok=True)),))


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


def declared_input(fields: Any) -> str | None:
    """Return the digest of the input that an object declares, or None."""
    value = _first(fields, INPUT_FIELDS, None)
    if is_chat(fields) and value is fields["messages"]:
        value = value[:-1]  # the last message is the answer, which may differ for the same input
    return None if value is None else digest_of(value)


def _case(source: Source, number: int, line: Any) -> RawCase:
    options = source.options
    if options.answer_field:
        answer = named_field(line, options.answer_field)
    else:
        answer = _first(line, ANSWER_FIELDS, named_field(line, CHAT_FIELD) if is_chat(line) else line)
    key = as_json(named_field(line, options.case_field)) if options.case_field else case_key(line, number)
    model = line.get(MODEL_FIELD) if isinstance(line, dict) else None
    row = CaseRow(
        f"{source.key}/{key}" if source.in_folder else key,
        f"{source.name}:{number}",
        inputs=declared_input(line),
        model=model if isinstance(model, str) else None,
    )
    return RawCase(row, AttemptRow(as_json(answer), ok=True))


def _first(line: object, names: Sequence[str], default: object) -> Any:
    """Return the first of the fields that the line has and that is not null."""
    if not isinstance(line, dict):
        return default
    # {"output": null, "text": "…"}: a failed provider leaves its field empty, and another one holds the answer.
    return next((line[name] for name in names if line.get(name) is not None), default)


def is_cassette_file(source: Source) -> bool:
    """Return True if a file's content is a cassette."""
    return is_cassette(source.path)


def read_cassette_case(source: Source) -> RawRun:
    """Read a cassette as one case. An unreadable cassette becomes a problem of the run."""
    from ...replay.files.reader import read_cassette

    try:
        cassette = read_cassette(source.path)
        exchanges = cassette.exchanges
    except CassetteError as error:
        return RawRun(problems=(ReadProblem(source.name, str(error).removeprefix(f"{source.name}: ")),))
    models = {exchange.model for exchange in exchanges if exchange.model}
    row = CaseRow(
        source.key,
        source.name,
        model=", ".join(sorted(models)) or None,
        variant=source.variant,
        for_model=cassette.for_model,
        prompt=prompt_digest(exchanges),
        asked=first_request(exchanges),
    )
    return RawRun((RawCase(row, exchanges=tuple(exchanges)),))
