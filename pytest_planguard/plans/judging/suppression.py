"""Comments in a plan file that switch findings off, with a reason.

`# planguard-disable-line id-gap -- kept as it was` in YAML, `<!-- planguard-disable-next-line … -->` in Markdown.
`disable-file` applies to the whole file. A comment that is only shown, in code or in a string, has no effect.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...document.answer import Document
from ...document.formats.yaml_events import YamlFailure, yaml_events
from ...document.limits import possessive
from ...document.positions import Span
from ..reading.markdown_pieces import blank, without_code
from .judge_files import PlanReport, read_document

SUPPRESSION = "suppression"
"""The code of findings about comments that switch findings off."""
_WORD = "planguard-disable-"
# "id-unique, id-gap", up to the reason or the end of the comment.
_CODES = possessive(r"(?!-->)[\w,-]|[ \t]++(?!--)")
_REASON = possessive(r"(?!-->)[^\n]")
# Possessive, because three runs that may each take the same blanks would need cubic time: "file", 9,000 blanks, "!".
_COMMENT = re.compile(
    r"(?:<!--|(?<!\S)#)[ \t]*planguard-disable-(?P<where>next-line|line|file)[ \t]++"
    rf"(?P<codes>(?:(?!--){_CODES})?)(?:[ \t]*+--(?!>)(?P<reason>{_REASON}))?[ \t]*+(?:-->|$)",
    re.MULTILINE,
)
"""A comment that switches rules off: "<!-- planguard-disable-next-line id-unique, id-gap -- kept as they were -->"."""
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)
"""YAML at the head of a Markdown file, in which a comment begins with "#"."""


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
    if _WORD not in report.text:
        return report.findings
    codes = {*known, *(finding.code for finding in report.findings)}
    comments = [*_comments(read_document(report.text, report.path))]
    flaws = [_flaw(one, codes) for one in comments]
    lines = {(code, one.line) for one, flaw in zip(comments, flaws, strict=True) if flaw is None for code in one.codes}
    kept = [f for f in report.findings if not {(f.code, None), (f.code, f.span and f.span.line)} & lines]
    return (*kept, *filter(None, flaws))


def _comments(document: Document) -> Iterator[_Comment]:
    text, first = _commentable(document)
    line, seen = first, 0
    for found in _COMMENT.finditer(text):
        line += text.count("\n", seen, found.start())
        seen = found.start()
        column = seen - text.rfind("\n", 0, seen)
        about = {"file": None, "line": line, "next-line": line + 1}[found["where"]]
        codes = tuple(code for code in re.split(r"[,\s]+", found["codes"]) if code)
        yield _Comment(codes, about, Span(line, column), (found["reason"] or "").strip())


def _commentable(document: Document) -> tuple[str, int]:
    """Return a document's text with blanks for what only looks like a comment, and the number of its first line."""
    if document.format == "yaml":
        return _without_strings(document).replace("<!--", "    "), 1  # `# as in <!-- … -->` shows one
    if document.format == "markdown":
        text = without_code(document.body)
        front = _FRONT_MATTER.match(text)
        end = front.end() if front else 0
        # outside front matter, "# planguard-disable-file" is a heading
        return text[:end] + text[end:].replace("#", " "), document.text.count("\n", 0, document.offset) + 1
    return "", 1  # JSON has no comments


def _without_strings(document: Document) -> str:
    """Return the text of a YAML document with blanks in place of its strings, in which "#" begins no comment."""
    text, parts, end = document.text, [], 0
    with suppress(YamlFailure):  # after a fault, nothing is known to be a string
        for event in yaml_events(document.body):
            if getattr(event, "value", "") and event.end_mark.index + document.offset > end:
                start = event.start_mark.index + document.offset
                parts.append(text[end:start])
                end = event.end_mark.index + document.offset
                parts.append(blank(text[start:end]))
    return "".join(parts) + text[end:]


def _flaw(comment: _Comment, known: Collection[str]) -> Finding | None:
    expected = "the code of a rule"
    unknown = next((code for code in comment.codes if code not in known), None)
    if not comment.codes:
        message = "the comment names no rule"
    elif unknown is not None:
        message = f"the comment names the unknown rule {unknown!r}"
    elif not comment.reason:
        message, expected = "the comment gives no reason", "a reason after two dashes: -- numbered by another tool"
    else:
        return None
    place = ("comments", comment.span.line)
    return Finding(SUPPRESSION, place, message, FailureKind.RULE, Severity.RETRY, comment.span, expected)
