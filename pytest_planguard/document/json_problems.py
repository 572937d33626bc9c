"""Turn what is wrong with a piece of JSON into problems with places in the whole answer."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from .json_defects import Defect, defects
from .json_faults import Fault
from .json_load import load, load_lax
from .json_syntax import first_fault
from .limits import MAX_DEPTH, MAX_PROBLEMS, clip
from .problem import Problem
from .prose import loop_message, repeated_end

if TYPE_CHECKING:
    from .json_find import Candidate
    from .reading import Answer

_EXPECTED = {"duplicate_key": "each key once", "non_finite": "a finite number", "invalid_json": "a shorter number"}


def parse(answer: Answer, start: int, end: int) -> tuple[Any, tuple[Problem, ...]]:
    """The data of a text that the standard parser accepts, and what is unsound about it all the same."""
    body = answer.text[start:end]
    try:
        return load(body), ()
    except ValueError:
        return load_lax(body), _defects(answer, start, body)


def broken_problems(answer: Answer, broken: Candidate) -> tuple[Problem, ...]:
    """Why the standard parser does not read the candidate."""
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
    """The problem of a bracket at `offset` that is nested too deep."""
    span = answer.places.span(offset, offset + 1)
    return Problem("too_deep", f"nested deeper than {MAX_DEPTH} levels", span, f"at most {MAX_DEPTH} levels")


def _never_closed(fault: Fault) -> Fault:
    """The model went on after the place where the document should have been closed: nothing was cut off."""
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
