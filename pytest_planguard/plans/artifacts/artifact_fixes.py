"""Fix what can be fixed without thinking: spelling of listed words, stated totals, a missing `_meta`."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import value_at
from .schemas import schema_of
from .validate import ArtifactReport, validate_artifact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...contract.finding import Finding
    from ...document.path import Path, Span
    from .field_checks import Field


@dataclass(frozen=True, slots=True)
class Fix:
    """A fixed artifact."""

    before: str
    after: str
    changes: tuple[str, ...] = ()
    """One line for each change."""
    proposed: tuple[str, ...] = ()
    """One line for each change that a person should look at; it is not made."""

    def diff(self, name: str = "artifact.yaml") -> str:
        """Return the change as a unified diff; "" where nothing changes."""
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), name, f"{name} (fixed)")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def fix_artifact(text: str, kind: str | None = None) -> Fix:
    """Fix what is mechanical; everything else stays as it is. Comments and layout are kept."""
    report = validate_artifact(text, kind, strict=True)
    one_kind_of_line_end = "\r" not in report.text.replace("\r\n", "\n")  # lines are split at LF below
    if report.document is None or not isinstance(report.document.data, dict) or not one_kind_of_line_end:
        return Fix(text, text)
    edits = [edit for finding in report.findings if (edit := _edit(finding, report)) is not None]
    after, changes = with_words(report.text, edits)
    if "_meta" not in report.document.data:
        line_end = "\r\n" if "\r\n" in after else "\n"
        meta = ("_meta:", '  version: "1.0.0"', f'  artifact_type: "{report.kind}"')
        after = line_end.join((after.rstrip(), *meta, ""))
        changes.append("add _meta")
    return Fix(text, after, tuple(changes))


def with_words(text: str, edits: Iterable[tuple[Span, str]]) -> tuple[str, list[str]]:
    """Return the text with words put in the places of others, and a line for each change: "line 3: Done -> done".

    Every place is within one line. The last is changed first, so that the columns of the others still hold.
    """
    lines, changes = text.split("\n"), []
    for span, word in sorted(edits, key=lambda edit: edit[0], reverse=True):
        line = lines[span.line - 1]
        start, end = span.column - 1, (span.end_column or 0) - 1
        changes.append(f"line {span.line}: {line[start:end]} -> {word}")
        lines[span.line - 1] = f"{line[:start]}{word}{line[end:]}"
    return "\n".join(lines), changes[::-1]


def letters(word: str) -> str:
    """Return letters and digits alone, in lower case: what makes "In Progress" and "in-progress" one word."""
    return "".join(character for character in word.casefold() if character.isalnum())


def _lines(text: str) -> list[str]:
    """Return lines with their ends, as editors count them: other separators than LF stand inside a line."""
    return [f"{line}\n" for line in text.split("\n")[:-1]] + ([last] if (last := text.rpartition("\n")[2]) else [])


def _edit(finding: Finding, report: ArtifactReport) -> tuple[Span, str] | None:
    """Return a place within one line with the text that it should hold; None where a person must decide."""
    span = finding.span
    if span is None or span.end_line != span.line:
        return None
    if finding.code == "count-matches" and finding.expected:
        return span, finding.expected
    data = report.document.data if report.document else None
    if finding.code == "enum" and isinstance(value := value_at(data, finding.path), str):
        wanted = letters(value)
        words = [word for word in _words(schema_of(report.kind), finding.path) if letters(word) == wanted]
        return (span, f'"{words[0]}"') if len(words) == 1 else None
    return None


def _words(fields: tuple[Field, ...], path: Path) -> tuple[str, ...]:
    words: tuple[str, ...] = ()
    for part in path:
        found = next((field for field in fields if field.name == part), None)
        if found is not None:
            fields, words = found.fields, found.enum
    return words
