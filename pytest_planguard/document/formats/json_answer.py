"""Read the JSON document of an answer, bare or embedded, and report all its faults with their places."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, clip
from ..prose import loop_message, repeated_end
from .find_json import JSON_INFOS, JsonCandidate, find_json
from .json_load import load, load_lax
from .reading import Answer, Fault, Problem, Reading, problem_of, several, trim, without_document, wrapper_notes
from .syntax_errors import defects, first_fault

if TYPE_CHECKING:
    from collections.abc import Iterable


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
