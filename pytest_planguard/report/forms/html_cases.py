"""The parts of a case for `templates/page.html`: conversations, attempt by attempt, with the place of each finding."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...document.positions import LineIndex
from ...printable import one_line, visible
from ..case_words import fed_back_text, path_text
from ..comparison_words import rerecord_text
from ..finding_text import place
from ..plain_text import block, count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markupsafe import Markup

    from ...contract.finding import Finding
    from ...document.positions import Span
    from ...runs.model.judged_answers import AttemptRow, FedBackRow, Judged
    from ...runs.model.run import CaseRow


LONGEST = 400
"""Maximum characters of one mark. A finding about a whole document would otherwise mark all of it."""
_WHERE = re.compile(r"request \d+, message \d+: ")
"""The prefix that says where the evidence was found: "request 2, message 4: "."""
_TOKEN = re.compile(r"""[^\s,\]}"]+|\S""")
"""The value at the place of a finding that has no value: `true` in "true, false". Brackets and quotes count alone."""


class Mark(NamedTuple):
    """A place in a text that belongs to a finding."""

    start: int
    end: int
    """Offset after its last character; equal to `start` if only a point is known."""
    number: int
    """Number of the finding in its answer, starting at 1."""


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """Consecutive characters that are safe to show."""

    text: str
    numbers: tuple[int, ...] = ()
    """The findings that it belongs to; () for unmarked text."""
    begins: tuple[int, ...] = ()
    """The findings whose mark begins here."""


def marked(text: str, marks: Iterable[Mark], limit: int) -> tuple[MarkedPiece, ...]:
    """Return the first `limit` characters in pieces. Marks may overlap. A note at the end says what was cut."""
    inside = sorted({mark for mark in marks if mark.start <= min(len(text), limit)})
    end = min(len(text), limit)
    bounds = sorted({0, end, *(min(at, end) for mark in inside for at in (mark.start, mark.end))})
    points = [mark for mark in inside if mark.start == mark.end]
    spans = [mark for mark in inside if mark.start < mark.end]
    pieces: list[MarkedPiece] = []
    for start, stop in pairwise(bounds):
        pieces += [_point(mark) for mark in points if mark.start == start]
        numbers = tuple(mark.number for mark in spans if mark.start <= start and stop <= mark.end)
        begins = tuple(mark.number for mark in spans if mark.start == start)
        pieces.append(MarkedPiece(visible(text[start:stop]), numbers, begins))
    pieces += [_point(mark) for mark in points if mark.start >= end]
    note = block(text, limit)[len(visible(text[:limit])) :] if len(text) > limit else ""
    return (*pieces, *([MarkedPiece(note)] if note else ()))


def _point(mark: Mark) -> MarkedPiece:
    return MarkedPiece("", (mark.number,), (mark.number,))


def answer_marks(text: str, findings: Sequence[Finding]) -> list[Mark]:
    """Return the places of the findings in the model's own text, numbered from 1.

    A finding without a place, or with a place in a field's text, has no mark.
    """
    own = [(number, found) for number, found in enumerate(findings, 1) if not found.inside]
    placed = [(number, found, found.span) for number, found in own if found.span is not None]
    if not placed:
        return []
    index = LineIndex(text)
    return [_answer_mark(text, index, finding, span, number) for number, finding, span in placed]


def _answer_mark(text: str, index: LineIndex, finding: Finding, span: Span, number: int) -> Mark:
    start = min(index.offset(span.line, span.column), len(text))
    return Mark(start, min(_end(text, start, finding), start + LONGEST), number)


def _end(text: str, start: int, finding: Finding) -> int:
    """Return the end of the offending value. A span may lack its end, and `actual` is clipped."""
    for spelled in _spellings(finding.actual):
        if text.startswith(spelled, start):
            return start + len(spelled)
    token = _TOKEN.match(text, start)
    return token.end() if token else start


def _spellings(actual: str | None) -> Iterator[str]:
    r"""Yield a value as JSON and as plain text: `"urgent"`, then `urgent` as YAML writes it."""
    if not actual:
        return
    yield actual
    try:
        plain = json.loads(actual)
    except ValueError:  # clipped
        return
    if isinstance(plain, str) and plain:
        yield plain


def evidence_marks(texts: Sequence[str], evidence: Iterable[tuple[int, str]]) -> list[list[Mark]]:
    """Return the marks of each message: the words that feed back a finding. `evidence` has pairs of a number and words.

    Evidence consists of the request's words on one line, so white space is not compared. Clipped evidence marks the
    kept words. Evidence that is not a quotation of a message marks nothing.
    """
    marks: list[list[Mark]] = [[] for _ in texts]
    for number, words in evidence:
        for at, text in enumerate(texts):
            hit = _found_words(text, words)
            if hit is not None:
                marks[at].append(Mark(hit.start(), hit.end(), number))
                break
    return marks


def _found_words(text: str, evidence: str) -> re.Match[str] | None:
    words = _WHERE.sub("", evidence, count=1).removesuffix("…").split()
    return re.search(r"\s+".join(map(re.escape, words)), text) if words else None


__all__ = ["ANSWER", "SAMPLES", "Shown", "about", "about_attempt", "block", "headline", "picture", "place", "shown"]

ANSWER = 20_000
"""Maximum number of characters of an answer in a tree of answers."""
FINDINGS = 50
"""Maximum number of findings of an attempt to show, and of their grades."""
MESSAGES = 10
"""Maximum number of new messages of the next request to show."""
SAMPLES = 10
"""Maximum number of rows of a side to show."""
PLAN = "plan"
"""The contract named in a plan file's row if its content determined the format."""
LINE = 400
"""Maximum length of a text on one line, in characters."""


class Shown(NamedTuple):
    """An attempt with marks. The same number marks a finding's place in the answer and in the next request."""

    findings: Sequence[Finding]
    """The numbers follow the order of the findings, from 1."""
    answer: tuple[MarkedPiece, ...]
    """The model's text with the place of each finding."""
    fed_back: list[tuple[int | None, str, str]]
    """Number of the finding (None if an older contract reported it), grade, words."""
    messages: list[tuple[str, tuple[MarkedPiece, ...]]]
    """Role and text of the messages that the next request adds; empty if the run does not keep them."""


def shown(attempt: AttemptRow, limit: int) -> Shown:
    """Return an attempt as a page shows it, each text clipped to `limit` characters."""
    findings = attempt.findings[:FINDINGS]
    gradings = list(_gradings(attempt, findings))
    said = attempt.next_request[:MESSAGES]
    quoted = [(number, graded.evidence) for number, graded in gradings if number is not None and graded.evidence]
    marks = evidence_marks([message.text for message in said], quoted)
    return Shown(
        findings,
        marked(attempt.answer, answer_marks(attempt.answer, findings), limit),
        [(number, *fed_back_text(graded)) for number, graded in gradings],
        [(one_line(m.role, 40), marked(m.text, at, limit)) for m, at in zip(said, marks, strict=True)],
    )


def picture(judged: Judged) -> Markup | None:
    """Return the graph of a plan file as SVG with escaped words; None for any other answer."""
    from markupsafe import Markup

    from ...errors import UsageError
    from ...plans.judging.judge_files import plan_graph
    from ...plans.profiles.formats import PROFILES
    from ..plan_picture import draw_graph

    if not judged.single or judged.contract not in (PLAN, *PROFILES.names):
        return None
    try:
        graph = plan_graph(judged.attempts[-1].answer, None if judged.contract == PLAN else judged.contract)
    except UsageError:  # not a plan, as its findings say
        return None
    return Markup(draw_graph(graph, "svg")) if graph.tasks else None


def about(row: CaseRow, number: int, total: int, models: Sequence[str]) -> list[str]:
    """Return the source of a row. The page's only model is in its head, and a variant often has the model's name."""
    known = {row.key, *(models if len(models) == 1 else ())}
    lines = [f"sample {number} of {total}"] if total > 1 else []
    own = dict.fromkeys(text for text in (row.test, row.model, row.variant) if text and text not in known)
    lines += [one_line(text, LINE) for text in own]
    lines += [f"cassette {one_line(row.cassette, LINE)}"] if row.cassette and row.cassette != row.test else []
    lines += [f"stale: {one_line(reason, LINE)}" for reason in row.stale]
    return [*lines, *([rerecord_text(row.rerecord)] if row.rerecord is not None else [])]


def headline(judged: Judged) -> str:
    """Return a headline such as 'conversation 1 by Ticket: exhausted'."""
    name = "answer" if judged.single else f"conversation {one_line(judged.name, 80)}"
    by = f" by {one_line(judged.contract, 80)}" if judged.contract else ""
    return f"{name}{by}: {one_line(judged.outcome, 80).replace('_', ' ') or 'not judged'}"


def about_attempt(attempt: AttemptRow, model: str | None) -> str:
    """Return the facts about an attempt, such as its tokens. Its model is included only if it is not the case's own."""
    return ", ".join(_about(attempt, model))


def _about(attempt: AttemptRow, model: str | None) -> Iterator[str]:
    if attempt.model and attempt.model != model:
        yield one_line(attempt.model, 80)
    if attempt.finish and attempt.finish != "stop":
        yield f"finish {one_line(attempt.finish, 40)}"
    tokens = [number for number in (attempt.input_tokens, attempt.output_tokens) if number is not None]
    if tokens:
        yield count(sum(tokens), "token")
    if attempt.latency_s is not None:
        yield f"{attempt.latency_s:,.1f} s"
    if attempt.kind:
        yield one_line(attempt.kind, 40).replace("_", " ")
    if attempt.calls:
        yield f"calls {one_line(path_text(attempt.calls), LINE)}"


def _gradings(attempt: AttemptRow, findings: Sequence[Finding]) -> Iterator[tuple[int | None, FedBackRow]]:
    """Yield each graded finding with its number. Findings with the same code and path are numbered in order."""
    numbers: dict[object, list[int]] = {}
    for number, finding in enumerate(findings, 1):
        numbers.setdefault(finding.identity, []).append(number)
    for graded in attempt.fed_back[:FINDINGS]:
        known = numbers.get((graded.code, graded.path))
        yield (known.pop(0) if known else None), graded  # two findings "type at steps" get the numbers 1 and 2
