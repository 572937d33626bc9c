"""Read the JSON document of an answer, bare or embedded, and name everything that is wrong with it, in its place."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, MAX_PROBLEMS, clip
from ..possessive import CLOSED_STRING
from ..prose import loop_message, repeated_end
from .find_json import JSON_INFOS, JsonCandidate, find_json
from .json_load import load, load_lax, string_end
from .reading import Answer, Problem, Reading, trim, without_document, wrapper_notes
from .syntax_errors import Fault, first_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..path import Path
    from .find_json import JsonCandidate
    from .reading import Answer


# `"steps": ` in front of a list: the object around it was never opened.
_KEY_BEFORE = re.compile(r'"\s*:\s*\Z')
# `]`, `, "b"` or `, 3` behind a document: it was closed too early.
_GOES_ON = re.compile(r"""\s*+(?:[\]}]|,\s*+(?:["'}\]]|-?[0-9]))""")


def read_json(answer: Answer) -> Reading:
    """Return the one JSON document of the answer with its problems; more than one, or none, is a problem itself."""
    candidates = _kept(find_json(answer.text, answer.thinking.end, answer.fences))
    if candidates.count > 1:
        return _multiple(answer, candidates)
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
    """What counts of any number of candidates: a hostile answer has one in three characters, "{}" on each line."""

    count: int = 0
    """How many are complete."""
    complete: list[JsonCandidate] = field(default_factory=list)
    """The first two that are complete, and the last."""
    broken: list[JsonCandidate] = field(default_factory=list)
    """The first that is broken, and the first that is broken in a fence."""


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
    """The complete one in a fence; else the first that is broken, since what it was to be is unknown; else any."""
    fenced = [c for c in candidates.complete if c.fence is not None]
    broken = [c for c in candidates.broken if not fenced or c.fence is not None]
    return next(iter(broken or fenced or candidates.complete), None)


def _multiple(answer: Answer, candidates: _Candidates) -> Reading:
    complete = candidates.complete
    first, second = (answer.places.span(c.start, c.end) for c in complete[:2])
    problem = Problem(
        "multiple",
        f"the answer holds {candidates.count} JSON documents: which one counts is not guessed",
        second,
        "one JSON document",
        related=(("the first document", first),),
    )
    start, end = complete[0].start, complete[-1].end
    return Reading("json", start, end, None, (problem,), wrapper_notes(answer, start, end, None))


def _lone_scalar(answer: Answer) -> Reading | None:
    """Return a number, string or word that is the whole answer, or stands alone in its only JSON fence."""
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
    """A sign that the complete document is only a piece of what was meant: it must not be taken for the whole."""
    start = answer.thinking.end if chosen.fence is None else chosen.fence.body_start
    limit = len(answer.text) if chosen.fence is None else chosen.fence.body_end
    key = _KEY_BEFORE.search(answer.text, max(start, chosen.start - 200), chosen.start)
    if key:
        span = answer.places.span(key.start(), key.end())
        return Problem("invalid_json", "a key stands before the document: its object was never opened", span, '"{"')
    more = _GOES_ON.match(answer.text, chosen.end, limit)
    if more is None:
        return None
    at, _ = trim(answer.text, chosen.end, limit)
    span = answer.places.span(at, at + 1)
    seen = clip(answer.text[at : at + 40])
    message = f'the document ends, but "{answer.text[at]}" follows: a bracket is closed too early or too often'
    return Problem("invalid_json", message, span, "the end of the answer", seen)


# Turn what is wrong with a piece of JSON into problems with places in the whole answer.

_EXPECTED = {"duplicate_key": "each key once", "non_finite": "a finite number", "invalid_json": "a shorter number"}


def parse(answer: Answer, start: int, end: int) -> tuple[Any, tuple[Problem, ...]]:
    """Return the data of a text that the standard parser accepts, and what is unsound about it all the same."""
    body = answer.text[start:end]
    try:
        return load(body), ()
    except ValueError:
        return load_lax(body), _defects(answer, start, body)


def broken_problems(answer: Answer, broken: JsonCandidate) -> tuple[Problem, ...]:
    """Return why the standard parser does not read the candidate."""
    if broken.depth_exceeded_at is not None:
        return (too_deep(answer, broken.depth_exceeded_at),)
    limit = len(answer.text) if broken.fence is None else broken.fence.body_end
    body = answer.text[broken.start : limit]
    fault = first_fault(body)
    if fault is None:
        return _defects(answer, broken.start, answer.text[broken.start : broken.end])
    if fault.code == "truncated" and not broken.at_end:
        fault = _never_closed(fault)
    problem = _fault(answer, broken.start, fault, _parser_message(body))
    repeated = repeated_end(answer.text) if fault.code == "truncated" else None
    if repeated is None:
        return (problem,)
    return (Problem("loop", loop_message(repeated), problem.span, actual=clip(repeated)), problem)


def too_deep(answer: Answer, offset: int) -> Problem:
    """Return the problem of a bracket at `offset` that is nested too deep."""
    span = answer.places.span(offset, offset + 1)
    return Problem("too_deep", f"nested deeper than {MAX_DEPTH} levels", span, f"at most {MAX_DEPTH} levels")


def _never_closed(fault: Fault) -> Fault:
    """Return the model went on after the place where the document should have been closed: nothing was cut off."""
    opener = fault.related[0][1] if fault.related else fault.start
    message = "the document is never closed, though the answer goes on after it"
    return replace(fault, code="invalid_json", message=message, start=opener, end=opener + 1, related=())


def _fault(answer: Answer, offset: int, fault: Fault, parser_message: str | None) -> Problem:
    span = answer.places.span(offset + fault.start, offset + fault.end)
    related = tuple((word, answer.places.span(offset + at, offset + at + 1)) for word, at in fault.related)
    return Problem(fault.code, fault.message, span, fault.expected, fault.actual, parser_message, related=related)


def _parser_message(body: str) -> str | None:
    try:
        load_lax(body)
    except json.JSONDecodeError as error:
        return str(error)
    except (ValueError, RecursionError):
        return None
    return None


def _defects(answer: Answer, offset: int, body: str) -> tuple[Problem, ...]:
    return tuple(_defect(answer, offset, defect) for defect in islice(defects(body), MAX_PROBLEMS))


def _defect(answer: Answer, offset: int, defect: Defect) -> Problem:
    span = answer.places.span(offset + defect.start, offset + defect.end)
    related: tuple[tuple[str, Any], ...] = ()
    if defect.first is not None:
        related = (("the first of the equal keys", answer.places.span(offset + defect.first)),)
    expected = _EXPECTED[defect.code]
    return Problem(defect.code, defect.message, span, expected, defect.actual, path=defect.path, related=related)


# What Python's JSON parser lets through: equal keys, numbers that are not finite, integers too long to read.

# A string, a bracket, colon or comma, or a run of anything else: "NaN", "-1e999", "true".
_TOKEN = re.compile(CLOSED_STRING + r'|[\[\]{}:,]|[^\s"\[\]{}:,]++', re.DOTALL)
_NOT_FINITE = ("NaN", "Infinity", "-Infinity")


@dataclass(frozen=True, slots=True)
class Defect:
    """One place that a lax parser accepts and a contract must not. Offsets are 0-based characters."""

    code: str
    message: str
    path: Path
    start: int
    end: int
    actual: str
    first: int | None = None
    """Offset of the first of two equal keys."""


@dataclass(slots=True)
class _Frame:
    """An object or list that is open, and the step to its current child."""

    is_object: bool
    step: str | int = 0
    at_key: bool = True
    keys: dict[str, int] = field(default_factory=dict)


def defects(text: str) -> Iterator[Defect]:
    """Yield every defect of a text that Python's parser accepts as JSON, in order. Linear, any depth."""
    frames: list[_Frame] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            frames.append(_Frame(word == "{"))
        elif word in "}]":
            frames.pop()
        elif word == ",":
            frame = frames[-1]
            frame.at_key = True
            frame.step = frame.step + 1 if isinstance(frame.step, int) else frame.step
        elif word == ":":
            frames[-1].at_key = False
        elif word[0] != '"':
            yield from _number(word, token.start(), tuple(frame.step for frame in frames))
        elif frames and frames[-1].is_object and frames[-1].at_key:
            yield from _key(text, token.start(), token.end(), frames)


def _key(text: str, start: int, end: int, frames: list[_Frame]) -> Iterator[Defect]:
    frame = frames[-1]
    key = string_end(text, start + 1)[0]
    frame.step = key
    first = frame.keys.setdefault(key, start)
    if first != start:
        message = f"key {clip(text[start:end])} stands more than once in the same object"
        path = tuple(frame.step for frame in frames)
        yield Defect("duplicate_key", message, path, start, end, clip(text[start:end]), first)


def _number(word: str, start: int, path: Path) -> Iterator[Defect]:
    end = start + len(word)
    if word in _NOT_FINITE:
        yield Defect("non_finite", f"{word} is no JSON number", path, start, end, word)
    elif word[-1].isdigit() and not isfinite(float(word)) and not word.lstrip("-").isdigit():
        message = f"{clip(word)} is too large for a number: it would be read as Infinity"
        yield Defect("non_finite", message, path, start, end, clip(word))
    elif word.lstrip("-").isdigit() and not _readable(word):
        message = f"an integer of {len(word.lstrip('-')):,} digits cannot be read"
        yield Defect("invalid_json", message, path, start, end, clip(word))


def _readable(digits: str) -> bool:
    """Return whether Python reads the integer: it refuses thousands of digits, because that takes quadratic time."""
    try:
        int(digits)
    except ValueError:
        return False
    return True
