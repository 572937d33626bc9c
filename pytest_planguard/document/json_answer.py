"""Read the JSON document of an answer, bare or embedded, and name everything that is wrong with it."""

from __future__ import annotations

import re

from .json_find import JSON_INFOS, Candidate, find_json
from .json_load import load_lax
from .json_problems import broken_problems, parse
from .limits import clip
from .problem import Problem
from .reading import Answer, Reading, trim, without_document, wrapper_notes

_KEY_BEFORE = re.compile(r'"\s*:\s*\Z')
_GOES_ON = re.compile(r"""\s*+(?:[\]}]|,\s*+(?:["'}\]]|-?[0-9]))""")


def read_json(answer: Answer) -> Reading:
    """The one JSON document of the answer with its problems; more than one, or none, is a problem itself."""
    candidates = find_json(answer.text, answer.thinking.end, answer.fences)
    complete = [c for c in candidates if c.complete]
    if len(complete) > 1:
        return _multiple(answer, complete)
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


def _chosen(candidates: list[Candidate]) -> Candidate | None:
    """The complete one in a fence; else the first that is broken, for nobody knows what it was to be; else any."""
    fenced = [c for c in candidates if c.complete and c.fence is not None]
    broken = [c for c in candidates if not c.complete and (not fenced or c.fence is not None)]
    return next(iter(broken or fenced or candidates), None)


def _multiple(answer: Answer, complete: list[Candidate]) -> Reading:
    spans = [answer.places.span(c.start, c.end) for c in complete]
    problem = Problem(
        "multiple",
        f"the answer holds {len(complete)} JSON documents: which one counts is not guessed",
        spans[1],
        "one JSON document",
        related=(("the first document", spans[0]),),
    )
    start, end = complete[0].start, complete[-1].end
    return Reading("json", start, end, None, (problem,), wrapper_notes(answer, start, end, None))


def _lone_scalar(answer: Answer) -> Reading | None:
    """A number, string or word that is the whole answer, or stands alone in its only JSON fence."""
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


def _debris(answer: Answer, chosen: Candidate) -> Problem | None:
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
