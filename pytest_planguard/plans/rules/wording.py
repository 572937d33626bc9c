"""Rules about words that should not be left in a finished plan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...contract.kinds import FailureKind
from ...contract.severity import Severity
from ...contract.wording import as_json
from ..place import Place
from .rule import Hit, Rule

if TYPE_CHECKING:
    from ..index import PlanIndex
    from ..model import Plan, Ref

_QUOTED = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|'[^'\n]*'(?!\w)")
_CLARIFY = re.compile(r"\[NEEDS CLARIFICATION:?[^\]\n]*\]")
_RESIDUE = re.compile(
    r"\[(?:FEATURE NAME|FEATURE|DATE|###-feature-name|Brief Title|Title|[A-Z]+ NAME)\]|\bTXXX\b|\bTKTK\b"
)
_OPEN = re.compile(r"(?:^|[\s(:>|*-])(TBD|TODO|FIXME)(?=[\s:.,;)|*]|$)(?!\s+(?:comment|marker|item|list|app|s\b))")
_SIGNS = ("TBD", "TODO", "FIXME", "[", "TXXX", "TKTK")


def no_placeholders(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """No template text and no open questions are left, outside code and quotes."""
    for prose in plan.prose:
        if any(sign in prose.name for sign in _SIGNS):
            yield from _in(prose)


def _in(prose: Ref) -> Iterator[Hit]:
    text = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), prose.name)
    for pattern, severity, message in (
        (_CLARIFY, Severity.RETRY, "an open question is left"),
        (_RESIDUE, Severity.RETRY, "text of the template is left"),
        (_OPEN, Severity.WARN, "a placeholder is left"),
    ):
        for found in pattern.finditer(text):
            word = found[1] if pattern is _OPEN else found[0]
            start = found.start(1) if pattern is _OPEN else found.start()
            yield Hit(_place(prose, start), f"{message}: {word[:60]}", None, as_json(word), severity=severity)


def _place(prose: Ref, start: int) -> Place:
    """The place of an offset in a text, where the text's own place is known and stands at its first character."""
    span = prose.place.span
    if span is None:
        return prose.place
    from ...document.span import Span

    lines = prose.name[:start].split("\n")
    column = span.column + start if len(lines) == 1 else len(lines[-1]) + 1
    return Place(prose.place.path, Span(span.line + len(lines) - 1, column))


RULES = (
    Rule(
        "no-placeholders",
        no_placeholders,
        Severity.RETRY,
        "No template text and no `[NEEDS CLARIFICATION: …]` is left (retry), and no TBD, TODO or FIXME (warn), outside "
        "code and quotes. TODO as a topic (“TODO comments”) is not meant.",
        "`- [ ] T003 [NEEDS CLARIFICATION: which database?]`",
        "Answer the question or write the text.",
        kind=FailureKind.CONTENT,
    ),
)
