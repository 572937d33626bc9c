"""Find the JSON documents in an answer, in fences and in prose, read one, and report all its faults with their places.

Each step takes linear time: nothing is read twice.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, clip
from ..prose import loop_message, repeated_end
from ..wrapper import line_start
from .json_load import load, load_lax, region_end, scan
from .reading import Answer, Fault, Problem, Reading, problem_of, several, trim, without_document, wrapper_notes
from .syntax_errors import defects, first_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..wrapper import Fence

JSON_INFOS = frozenset({"json", "jsonc", "json5", "jsonl", "ndjson", "application/json"})
_QUOTES = "\"'“”‘’"
OPENER = re.compile(
    rf"\{{(?=\s*+(?:\Z|[{_QUOTES}{{}}]|//|/\*|[\w$-]++\s*+(?::|\Z)))"
    rf"|\[(?=(?:\s*+\[){{0,8}}+\s*+(?:\Z|[{_QUOTES}\[\]{{\d-]|(?:true|false|null|True|False|None|NaN)\b"
    r"|//|/\*|[a-zA-Z]{1,8}\Z))"
)
"""A bracket that looks like the start of JSON, sound or not, but not "[1 of 2]", "[[ title ]]" or "{placeholder}"."""
# Only blanks up to the end of the line: "[1]" is alone, "[1] shows" is not.
_LINE_END = re.compile(r"[ \t]*+(?:[\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class JsonCandidate:
    """A place that is a JSON document or looks like an attempt at one.

    Offsets are 0-based characters in the whole text.
    """

    start: int
    end: int
    complete: bool
    """True if the standard parser reads it; otherwise it is broken."""
    fence: Fence | None
    depth_exceeded_at: int | None
    at_end: bool
    """True if only white space follows the searched part, up to the end of the answer."""


def find_json(text: str, start: int, fences: tuple[Fence, ...]) -> Iterator[JsonCandidate]:
    """Yield everything from `start` on that is a JSON document or an attempt at one, in order.

    This skips what prose contains by chance: code in backticks, "[1]" and "{}" in the middle of a line, and blocks
    fenced as another language that do not start like JSON.
    """
    last = len(text.rstrip())
    for piece_start, piece_end, fence in _pieces(text, start, fences):
        yield from _in_piece(text[piece_start:piece_end], piece_start, fence, piece_end >= last)


def _pieces(text: str, start: int, fences: tuple[Fence, ...]) -> Iterator[tuple[int, int, Fence | None]]:
    for fence in fences:
        yield start, fence.start, None
        if fence.info == "" or is_json_fence(text, fence):
            yield fence.body_start, fence.body_end, fence
        start = fence.end
    yield start, len(text), None


def is_json_fence(text: str, fence: Fence) -> bool:
    """Return True if a fence is marked as JSON, or its text starts like JSON."""
    return fence.info in JSON_INFOS or starts_like_json(text, fence.body_start)


def starts_like_json(text: str, start: int) -> bool:
    """Return True if the first text from `start` on looks like the start of a JSON object or list."""
    while start < len(text) and text[start].isspace():
        start += 1
    return OPENER.match(text, start) is not None


def _in_piece(piece: str, start: int, fence: Fence | None, at_end: bool) -> Iterator[JsonCandidate]:
    """Yield the candidates in a piece of the answer that starts at `start`."""
    careful = piece.count("[") + piece.count("{") > MAX_DEPTH
    stated = fence is not None and fence.info in JSON_INFOS
    doubtful: JsonCandidate | None = None
    last_end = -1
    position = 0
    while opener := OPENER.search(piece, position):
        at = opener.start()
        stop, deep, value = _measure(piece, at, careful)
        # The parser's error counts the lines before it: `{a: }` 40,000 times took six seconds, not 0.2.
        careful = careful or value is _NOTHING
        deep_at = None if deep is None else start + deep
        candidate = JsonCandidate(start + at, start + stop, value is not _NOTHING, fence, deep_at, at_end)
        # If only blanks and commas separate two candidates, neither is there by chance.
        touches = last_end == position and not piece[position:at].strip(" \t\r\n,")
        by_chance = not stated and _by_chance(piece, at, stop, value)
        position = stop
        if by_chance and not (touches and doubtful is None):
            doubtful, last_end = candidate, stop
            continue
        if touches and doubtful is not None:
            yield doubtful
        yield candidate
        doubtful, last_end = None, stop


_NOTHING = object()


def _measure(piece: str, start: int, careful: bool) -> tuple[int, int | None, object]:
    """Return the end of the candidate, the first bracket that is nested too deep, and its value or `_NOTHING`.

    If `careful`, the brackets are counted first, and the parser sees only the candidate.
    """
    if careful:
        end, deep = region_end(piece, start)
        if deep is not None or end is None:
            return len(piece), deep, _NOTHING
        try:
            return end, None, load_lax(piece[start:end])
        except (ValueError, RecursionError):
            return end, None, _NOTHING
    try:
        value, end = scan(piece, start)
    except (ValueError, StopIteration, RecursionError):
        return region_end(piece, start)[0] or len(piece), None, _NOTHING
    return end, None, value


def _by_chance(piece: str, start: int, end: int, value: Any) -> bool:
    """Return True if a candidate is only part of the prose. A fence marked as JSON rules this out."""
    if piece[start - 1 : start] == "`" and piece[end : end + 1] == "`":
        return True
    own_line = line_start(piece, 0, start) is not None
    if value is _NOTHING:
        return not own_line and piece[start] == "[" and not re.match(r"\[\s*+[\"\[{]", piece[start:end])
    telling = bool(value) if isinstance(value, dict) else any(isinstance(item, (str, dict, list)) for item in value)
    return not telling and not (own_line and _LINE_END.match(piece, end))


# `"steps": ` before a list: the object around it was never opened.
_KEY_BEFORE = re.compile(r'"\s*:\s*\Z')
# `]`, `, "b"` or `, 3` after a document: it was closed too early.
_GOES_ON = re.compile(r"""\s*+(?:[\]}]|,\s*+(?:["'}\]]|-?[0-9]))""")


def read_json(answer: Answer) -> Reading:
    """Return the one JSON document of the answer with its problems; several documents, or none, are a problem too."""
    candidates = _kept(find_json(answer.text, answer.thinking.end, answer.fences))
    if candidates.count > 1:
        return several(answer, "JSON", candidates.count, [(one.start, one.end) for one in candidates.complete])
    chosen = _chosen(candidates)
    if chosen is None:
        return _lone_scalar(answer) or without_document(answer, "json", "JSON document")
    notes = wrapper_notes(answer, chosen.start, chosen.end, chosen.fence)
    if not chosen.complete:
        return Reading("json", chosen.start, chosen.end, None, broken_problems(answer, chosen), notes)
    debris = _debris(answer, chosen)
    if debris is not None:
        return Reading("json", chosen.start, chosen.end, None, (debris,), notes)
    data, problems = parse(answer, chosen.start, chosen.end)
    return Reading("json", chosen.start, chosen.end, data, problems, notes)


@dataclass(slots=True)
class _Candidates:
    """The relevant candidates. A hostile answer may have one for every three characters: "{}" on each line."""

    count: int = 0
    """The number of complete candidates."""
    complete: list[JsonCandidate] = field(default_factory=list)
    """The first two complete candidates and the last one."""
    broken: list[JsonCandidate] = field(default_factory=list)
    """The first broken candidate, and the first broken one in a fence."""


def _kept(found: Iterable[JsonCandidate]) -> _Candidates:
    kept = _Candidates()
    for candidate in found:
        if candidate.complete:
            kept.count += 1
            kept.complete = [*kept.complete[:2], candidate]
        elif not kept.broken or (candidate.fence is not None and all(one.fence is None for one in kept.broken)):
            kept.broken.append(candidate)
    return kept


def _chosen(candidates: _Candidates) -> JsonCandidate | None:
    """Return the complete candidate in a fence; else the first broken one, since its content is unknown; else any."""
    fenced = [c for c in candidates.complete if c.fence is not None]
    broken = [c for c in candidates.broken if not fenced or c.fence is not None]
    return next(iter(broken or fenced or candidates.complete), None)


def _lone_scalar(answer: Answer) -> Reading | None:
    """Return the reading of a scalar that is the whole answer, or the only content of its only JSON fence."""
    fences = [f for f in answer.fences if f.info in JSON_INFOS]
    fence = fences[0] if len(fences) == 1 else None
    stretch = (fence.body_start, fence.body_end) if fence else (answer.thinking.end, len(answer.text))
    start, end = trim(answer.text, *stretch)
    try:
        load_lax(answer.text[start:end])
    except (ValueError, RecursionError):
        return None
    data, problems = parse(answer, start, end)
    return Reading("json", start, end, data, problems, wrapper_notes(answer, start, end, fence))


def _debris(answer: Answer, chosen: JsonCandidate) -> Problem | None:
    """Return the problem if the complete document is only part of a larger one, and must not pass for the whole."""
    start = answer.thinking.end if chosen.fence is None else chosen.fence.body_start
    limit = len(answer.text) if chosen.fence is None else chosen.fence.body_end
    # A key is close to its value; 200 characters are enough, and prose of any length costs no more.
    key = _KEY_BEFORE.search(answer.text, max(start, chosen.start - 200), chosen.start)
    if key:
        span = answer.places.span(key.start(), key.end())
        return Problem("invalid_json", "there is a key before the document: its object was never opened", span, '"{"')
    more = _GOES_ON.match(answer.text, chosen.end, limit)
    if more is None:
        return None
    at, _ = trim(answer.text, chosen.end, limit)
    span = answer.places.span(at, at + 1)
    seen = clip(answer.text[at : at + 40])
    message = f'the document ends, but "{answer.text[at]}" follows: a bracket is closed too early or too often'
    return Problem("invalid_json", message, span, "the end of the answer", seen)


# Faults of a piece of JSON become problems with places in the whole answer.


def parse(answer: Answer, start: int, end: int) -> tuple[Any, tuple[Problem, ...]]:
    """Return the data of a text that the standard parser accepts, and its remaining defects."""
    body = answer.text[start:end]
    try:
        return load(body), ()
    except ValueError:
        return load_lax(body), tuple(problem_of(answer, start, defect) for defect in defects(body))


def broken_problems(answer: Answer, broken: JsonCandidate) -> tuple[Problem, ...]:
    """Return the reasons why the standard parser does not read the candidate."""
    if broken.depth_exceeded_at is not None:
        at = broken.depth_exceeded_at
        return (problem_of(answer, 0, Fault("too_deep", f"nested deeper than {MAX_DEPTH} levels", at, at + 1)),)
    limit = len(answer.text) if broken.fence is None else broken.fence.body_end
    body = answer.text[broken.start : limit]
    fault = first_fault(body)
    if fault is None:
        found = defects(answer.text[broken.start : broken.end])
        return tuple(problem_of(answer, broken.start, defect) for defect in found)
    if fault.code == "truncated" and not broken.at_end:
        # The model went on after the place at which the document should have been closed: nothing was cut off.
        opener = fault.related[0][1] if fault.related else fault.start
        message = "the document is never closed, though the answer goes on after it"
        fault = replace(fault, code="invalid_json", message=message, start=opener, end=opener + 1, related=())
    problem = problem_of(answer, broken.start, replace(fault, parser_message=_parser_message(body)))
    repeated = repeated_end(answer.text) if fault.code == "truncated" else None
    if repeated is None:
        return (problem,)
    return (Problem("loop", loop_message(repeated), problem.span, actual=clip(repeated)), problem)


def _parser_message(body: str) -> str | None:
    try:
        load_lax(body)
    except json.JSONDecodeError as error:
        return str(error)
    except (ValueError, RecursionError):
        return None
    return None
