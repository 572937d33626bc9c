"""Comments in a plan file that switch findings off, each with a reason.

`<!-- planguard-disable-next-line id-unique -- numbered by the old tool -->` in Markdown, `# planguard-disable-line …`
in YAML. `disable-file` applies to the whole file.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...document.path import Span
from .judge_files import PlanReport

SUPPRESSION = "suppression"
"""The code of findings about such a comment."""
_WORD = "planguard-disable-"
_COMMENT = re.compile(
    r"(?:<!--|#)[ \t]*planguard-disable-(?P<where>next-line|line|file)[ \t]+(?P<codes>[\w, \t-]*?)"
    r"(?:[ \t]+--(?!>)[ \t]*(?P<reason>[^\n]*?))?[ \t]*(?:-->|$)",
    re.MULTILINE,
)
"""A comment that switches rules off: "<!-- planguard-disable-next-line id-unique, id-gap -- kept as they were -->"."""


@dataclass(frozen=True, slots=True)
class _Comment:
    codes: tuple[str, ...]
    line: int | None
    """The line that the comment applies to; None for the whole file."""
    span: Span
    reason: str


def without_suppressed(report: PlanReport, known: Collection[str]) -> tuple[Finding, ...]:
    """Return the findings that no comment in the text switches off, and the findings about these comments.

    `known` has the codes of the existing rules.
    """
    if _WORD not in report.text or report.text.lstrip().startswith(("{", "[")):  # JSON has no comments
        return report.findings
    comments = [*_comments(report.text)]
    codes = {*known, *(finding.code for finding in report.findings)}
    sound = [one for one in comments if one.reason and codes.issuperset(one.codes)]
    lines = {(code, one.line) for one in sound for code in one.codes}
    kept = [f for f in report.findings if not {(f.code, None), (f.code, f.span and f.span.line)} & lines]
    return (*kept, *_wrong([one for one in comments if one not in sound], known))


def _comments(text: str) -> Iterator[_Comment]:
    for found in _COMMENT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        about = {"file": None, "line": line, "next-line": line + 1}[found["where"]]
        codes = tuple(code for code in re.split(r"[,\s]+", found["codes"]) if code)
        yield _Comment(codes, about, Span(line, column), (found["reason"] or "").strip())


def _wrong(comments: Iterable[_Comment], known: Collection[str]) -> Iterator[Finding]:
    for comment in comments:
        unknown = [code for code in comment.codes if code not in known]
        if not comment.codes:
            message, expected = "the comment names no rule", "the code of a rule"
        elif unknown:
            message, expected = f"the comment names the unknown rule {unknown[0]!r}", "the code of a rule"
        else:
            message, expected = "the comment gives no reason", "a reason after two dashes: -- numbered by another tool"
        place = ("comments", comment.span.line)
        yield Finding(SUPPRESSION, place, message, FailureKind.RULE, Severity.RETRY, comment.span, expected)
