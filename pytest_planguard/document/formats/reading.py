"""The result of reading one format: the document's place, its data, and its problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH, MAX_EXPANSION, clip
from ..prose import classify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..path import Path
    from ..positions import LineIndex, Span
    from ..wrapper import Fence, Thinking


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an answer is not a sound document, or a note on text around the document that was removed."""

    code: str
    """A parse-phase failure kind: "empty", "truncated", "invalid_json", "invalid_yaml", "prose", "fence", "thinking",
    "multiple", "duplicate_key", "non_finite", "too_deep", "too_large", "ask_back", "refusal", "loop", "encoding"."""
    message: str
    """One line in words, without the place."""
    span: Span | None = None
    """Place in the whole text; None if the problem has none (an empty answer)."""
    expected: str | None = None
    """Describes what was expected: '"," or "]"'."""
    actual: str | None = None
    """The actual text, at most 60 characters."""
    parser_message: str | None = None
    """The standard parser's message, which helps to recognise an app's feedback about this problem."""
    path: Path = ()
    """Path in the document, for the codes duplicate_key and non_finite; otherwise the root."""
    related: tuple[tuple[str, Span], ...] = ()
    """Other places that belong to the problem, each with a short reason: the first of two equal keys."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the text of a document. Offsets are 0-based characters of that text."""

    code: str
    message: str
    start: int
    end: int
    expected: str | None = None
    actual: str | None = None
    path: Path = ()
    related: tuple[tuple[str, int], ...] = ()
    """Other places that belong to it: the bracket that is still open, the first of two equal keys."""
    parser_message: str | None = None


_EXPECTED = {
    "duplicate_key": "each key once",
    "non_finite": "a finite number",
    "too_deep": f"at most {MAX_DEPTH} levels",
    "too_large": f"at most {MAX_EXPANSION:,} values",
}
"""The expectation for faults without one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text of an answer, with facts that every reader needs."""

    text: str
    places: LineIndex
    thinking: Thinking
    fences: tuple[Fence, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One format's view of an answer. `start` and `end` are offsets of the document in the whole text."""

    format: str
    start: int
    end: int
    data: Any = None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


def problem_of(answer: Answer, offset: int, fault: Fault) -> Problem:
    """Return a fault of the text that starts at `offset` as a problem with its places in the whole answer."""
    span = answer.places.span(offset + fault.start, offset + fault.end)
    related = tuple((word, answer.places.span(offset + at)) for word, at in fault.related)
    expected = fault.expected or _EXPECTED.get(fault.code)
    said = (fault.code, fault.message, span, expected, fault.actual, fault.parser_message)
    return Problem(*said, fault.path, related)


def several(answer: Answer, name: str, count: int, places: Sequence[tuple[int, int]]) -> Reading:
    """Return the reading of an answer with more than one document; `places` has the first two and the last."""
    first, second = (answer.places.span(*place) for place in places[:2])
    message = f"the answer holds {count} {name} documents; return only one"
    problem = Problem("multiple", message, second, f"one {name} document", related=(("the first document", first),))
    start, end = places[0][0], places[-1][1]
    return Reading(name.lower(), start, end, None, (problem,), wrapper_notes(answer, start, end, None))


def unclosed(answer: Answer, fence: Fence | None, name: str) -> tuple[Problem, ...]:
    """Return the problem of a document in a fence that is never closed; () for any other."""
    if fence is None or fence.closed:
        return ()
    message = f"the code fence is never closed: nothing shows that the {name} in it is complete"
    return (Problem("truncated", message, answer.places.span(len(answer.text)), "the closing fence"),)


def without_document(answer: Answer, format_name: str, wanted: str) -> Reading:
    """Return the reading of an answer without a document in the wanted format."""
    start, end = trim(answer.text, answer.thinking.end, len(answer.text))
    return Reading(format_name, start, end, None, (_no_document(answer, start, end, wanted),), thinking_notes(answer))


def _no_document(answer: Answer, start: int, end: int, wanted: str) -> Problem:
    if not answer.thinking.closed:
        return Problem("truncated", "the answer ends inside a thinking block", answer.places.span(len(answer.text)))
    if start == end:
        what = "only thinking" if answer.thinking.blocks else "empty"
        return Problem("empty", f"the answer is {what}", None, wanted)
    code, message = classify(answer.text[answer.thinking.end :])
    seen = clip(answer.text[start:end])
    return Problem(code, f"{message}; there is no {wanted} in it", answer.places.span(start, end), wanted, seen)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of text[start:end] without surrounding white space; both are `end` if nothing is left."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, max(start + len(piece.rstrip()), start + left)


def trim_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of text[start:end] without leading blank lines; indentation and line ends are kept."""
    first, _ = trim(text, start, end)
    while first > start and text[first - 1] not in "\r\n":
        first -= 1
    return first, end


def thinking_notes(answer: Answer) -> tuple[Problem, ...]:
    """Return a note for each removed thinking block."""
    return tuple(
        Problem(
            "thinking", "there is a thinking block before the document", answer.places.span(*trim(answer.text, *block))
        )
        for block in answer.thinking.blocks
    )


def wrapper_notes(answer: Answer, start: int, end: int, fence: Fence | None) -> tuple[Problem, ...]:
    """Return the notes on the text around the document at text[start:end]: thinking, prose, code fence, in order."""
    outer = (start, end) if fence is None else (fence.start, fence.end)
    notes = list(thinking_notes(answer))
    notes += _prose(answer, answer.thinking.end, outer[0], "before")
    if fence is not None:
        never = "" if fence.closed else " and is never closed"
        notes.append(Problem("fence", f"there is a code fence around the document{never}", answer.places.span(*outer)))
        notes += _prose(answer, fence.body_start, start, "before")
        notes += _prose(answer, end, fence.body_end, "after")
    return (*notes, *_prose(answer, outer[1], len(answer.text), "after"))


def _prose(answer: Answer, start: int, end: int, where: str) -> list[Problem]:
    start, end = trim(answer.text, start, end)
    if start >= end:
        return []
    return [Problem("prose", f"there is text {where} the document", answer.places.span(start, end))]
