"""Answers outside a cassette: a whole file, or one per line, judged while reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from ...contract.finding import Severity
from ...runs.model.codec import parsed_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...contract import Contract
    from ...contract.failure_kinds import FailureKind
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer and its verdict."""

    verdict: Verdict
    line: int | None = None
    """Number of the line, from 1; None if the whole file is the answer."""
    key: str = ""
    """Key of the case on a line, as in `planguard diff`; "" if the whole file is the answer."""


class NoAnswerError(ValueError):
    """A line without the requested answer. The message says why, and what to do."""


def answer_of(line: bytes, field: str | None) -> Any:
    """Return the answer on one line.

    Without a field, the line is the answer's text. A JSON string is decoded, because only then does an answer with line
    breaks fit on a line. With a field, the line is an object, and a field that is not a string is judged as its value.

    Raises:
        NoAnswerError: the line lacks the field, or the field has no value.
    """
    if field is None:
        spelled = parsed_json(line) if line.lstrip()[:1] == b'"' else None
        return spelled if isinstance(spelled, str) else line
    value = _parsed(line)
    if value is None:
        raise NoAnswerError(f"no JSON object, so there is no field {field!r}. Name the answer's field with --field.")
    plain = type(value) is dict and field in value  # also a name with dots: "answer.text"
    value = value[field] if plain else _within(value, field)
    if value is None:
        raise NoAnswerError(f"the field {field!r} is null: there is no answer to judge.")
    return value


def _within(value: object, field: str) -> Any:
    from ...document.path_pattern import NoFieldError, named_field

    try:
        return named_field(value, field)
    except NoFieldError as error:
        raise NoAnswerError(f"{error}. Name the field of the answer with --field.") from None


@cache
def _parser() -> Callable[[bytes], Any]:
    """Return pydantic's parser. It is cached, as importing it for every line would be slow."""
    from pydantic_core import from_json

    return from_json


def _parsed(line: bytes) -> Any:
    """Return the JSON value of a line, or None. Pydantic's parser takes a third of the time."""
    try:
        return _parser()(line)
    except ValueError:  # a lone surrogate, which Python's own parser accepts
        return parsed_json(line)


def warnings_fail(verdict: Verdict) -> Verdict:
    """Return the verdict with its warnings as findings that make the answer bad."""
    return replace(verdict, findings=raised(verdict.findings))


def raised(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the findings with each warning as one that makes the answer bad."""
    return tuple(replace(f, severity=Severity.RETRY) if f.severity is Severity.WARN else f for f in findings)


MAX_LINE = 64 * 1024 * 1024
"""Maximum number of bytes of a line. A longer one is no answer."""
MAX_PROBLEMS = 100
"""Maximum number of lines without an answer to name. The rest are counted."""


class Listing(NamedTuple):
    """The choice of answers to list. The others are counted."""

    good: bool = False
    """True to list good answers too."""
    most: int = 100
    """Maximum number of answers of one file to list."""
    warned: bool = False
    """True if a warning makes an answer bad."""


BAD_ONLY = Listing()
NOTHING = Listing(most=0)
EVERYTHING = Listing(good=True, most=1_000)
"""For programs, and for people who want to see everything: more answers, including good ones."""
HELD = Listing(good=True, most=10_000)
"""For a baseline, which knows individual answers. A bad answer beyond the limit is never excused."""


@dataclass(slots=True)
class JudgedLines:
    """The results of the lines in one file."""

    listed: list[CheckedAnswer] = field(default_factory=list)
    answers: int = 0
    good: int = 0
    kinds: Counter[FailureKind] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    """The named lines without an answer."""
    problem_count: int = 0
    """Number of all lines without an answer."""
    answer_field: str | None = None
    """The field that was read; None if the line is the answer."""

    @property
    def bad(self) -> int:
        """Number of answers that break the contract."""
        return self.answers - self.good

    @property
    def unlisted(self) -> int:
        """Number of bad answers that are not listed."""
        return self.bad - sum(not answer.verdict.ok for answer in self.listed)


def judge_lines(lines: Iterable[bytes], contract: Contract, named: str | None, listing: Listing) -> JudgedLines:
    """Judge each line that is not blank.

    `named` is the user's field. Without one, the first line with a JSON object decides: a field of it holds the answer,
    or the line is the answer. A line whose field is null, such as one of a failed request, leaves it to the next.
    """
    judged = JudgedLines(answer_field=named)
    undecided = named is None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if undecided and line.lstrip()[:1] == b"{":
            judged.answer_field = answer_field(line, contract, null=True)
            undecided = _is_null(line, judged.answer_field)
        try:
            answer = answer_of(_checked_size(line), judged.answer_field)
        except NoAnswerError as error:
            judged.problem_count += 1
            if len(judged.problems) < MAX_PROBLEMS:
                judged.problems.append(f"line {number}: {error}")
            continue
        _judge_line(judged, number, line, answer, contract, listing)
    if not judged.answers and not judged.problem_count:
        judged.problems.append("no answers: every line is blank. Write one answer a line.")
        judged.problem_count = 1
    return judged


def answer_field(line: bytes, contract: Contract, *, null: bool = False) -> str | None:
    """Return the field of a JSON line that holds the answer, as in `planguard diff`; None for the line itself.

    A line that satisfies the contract is the answer. A field of the contract's own documents never holds it, nor does
    one that is null. If `null`, the first such field is returned if no other one has an answer.
    """
    value = parsed_json(line)
    if not isinstance(value, dict) or contract.check(line).ok:
        return None
    from ...runs.load.source import ANSWER_FIELDS, CHAT_FIELD, is_chat

    own = _own_fields(contract)
    fields = [name for name in ANSWER_FIELDS if name not in own and name in value]
    found = next((name for name in fields if value[name] is not None), None)
    if found is None and is_chat(value) and "messages" not in own:
        return CHAT_FIELD
    return fields[0] if found is None and null and fields else found


def _is_null(line: bytes, field: str | None) -> bool:
    value = parsed_json(line)
    return field is not None and isinstance(value, dict) and field in value and value[field] is None


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file. A line longer than `MAX_LINE` is cut just above that length."""
    while line := file.readline(MAX_LINE + 1):
        yield line
        if len(line) <= MAX_LINE:
            continue
        end = line
        while len(end) > MAX_LINE and not end.endswith(b"\n"):  # the rest of the same line
            end = file.readline(MAX_LINE + 1)


def _judge_line(
    judged: JudgedLines, number: int, line: bytes, answer: object, contract: Contract, listing: Listing
) -> None:
    """Judge one answer: by its findings if it may be listed, else by its failure kind only, which is faster."""
    judged.answers += 1
    full = len(judged.listed) >= listing.most
    if full and not listing.warned:
        _count(judged, contract.failure_kind(answer))
        return
    verdict = contract.check(answer, located=not full)
    if listing.warned and verdict.findings:
        verdict = warnings_fail(verdict)
    _count(judged, verdict.kind)
    if not full and (listing.good or not verdict.ok):
        from ...runs.load.source import case_key

        judged.listed.append(CheckedAnswer(verdict, number, case_key(parsed_json(line), number)))


def _count(judged: JudgedLines, kind: FailureKind | None) -> None:
    if kind is None:
        judged.good += 1
    else:
        judged.kinds[kind] += 1


def _checked_size(line: bytes) -> bytes:
    """Return the line without its end. Raises NoAnswerError if it is too long."""
    if len(line) > MAX_LINE:
        raise NoAnswerError(f"longer than {MAX_LINE // 2**20} MB; split it.")
    return line[:-1] if line.endswith(b"\n") else line


def _own_fields(contract: Contract) -> set[str]:
    """Return the fields of the contract's own documents that the root of its schema names."""
    schema = contract.json_schema or {}
    reference = str(schema.get("$ref", "")).removeprefix("#/$defs/")
    return set(schema.get("$defs", {}).get(reference, schema).get("properties", ()))
