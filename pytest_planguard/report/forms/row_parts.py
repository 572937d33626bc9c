"""The parts of a case's row on a page: its conversations, attempt by attempt. All text is safe to show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...printable import one_line
from ..answer.finding_text import place
from ..media.escaping import block
from ..words.case_words import fed_back_text, path_text
from ..words.comparison_words import rerecord_text
from .marked_text import MarkedPiece, answer_marks, evidence_marks, marked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from ...contract.finding import Finding
    from ...runs.model.judged_answers import AttemptRow, FedBackRow, Judged
    from ...runs.model.run import CaseRow

__all__ = ["ANSWER", "SAMPLES", "Shown", "about", "about_attempt", "block", "headline", "picture", "place", "shown"]

ANSWER = 20_000
"""Maximum number of characters of an answer in a tree of answers."""
FINDINGS = 50
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
    from ..graph.draw import draw_graph

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
        yield f"{sum(tokens):,} tokens"
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
        yield (known.pop(0) if known else None), graded
