"""Make mechanical fixes in a plan file: stated totals, misspelt words of a list, a missing `_meta`.

Ids, titles and other names that something may refer to are left alone. A fixed text is judged again, and a change that
would add a finding is dropped. A total in a Markdown plan is corrected only if a second, simpler count agrees and every
task has the expected form. Otherwise the correction is only proposed.
"""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...contract.finding import Finding
from ...contract.phrasing import as_json
from ...document.limits import possessive
from ...document.positions import Span
from .artifact_schema import schema_kind
from .judge_files import PlanReport


@dataclass(frozen=True, slots=True)
class Fix:
    """A fixed artifact."""

    before: str
    after: str
    changes: tuple[str, ...] = ()
    """One line per change."""
    proposed: tuple[str, ...] = ()
    """One line per change that was not made, since a person should decide."""

    def diff(self, name: str = "artifact.yaml") -> str:
        """Return the changes as a unified diff; "" if there are none."""
        before, after = [re.findall(r"[^\n]*\n|[^\n]+", text) for text in (self.before, self.after)]  # LF ends a line
        lines = difflib.unified_diff(before, after, name, f"{name} (fixed)")
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def with_words(text: str, edits: Iterable[tuple[Span, str]]) -> tuple[str, list[str]]:
    """Return the text with some words replaced, and a line for each change: "line 3: Done -> done".

    Every span must be within one line. The last span is replaced first, so the other columns stay valid.
    """
    lines, changes = text.split("\n"), []
    for span, word in sorted(edits, key=lambda edit: edit[0], reverse=True):  # "10" for the 1 of "1 of 9" moves the 9
        line = lines[span.line - 1]
        start, end = span.column - 1, (span.end_column or 0) - 1
        changes.append(f"line {span.line}: {line[start:end]} -> {word}")
        lines[span.line - 1] = f"{line[:start]}{word}{line[end:]}"
    return "\n".join(lines), changes[::-1]


def letters(word: str) -> str:
    """Return only the letters and digits, in lower case, so that "In Progress" equals "in-progress"."""
    return "".join(character for character in word.casefold() if character.isalnum())


ROUNDS = 5
"""Maximum number of rounds. A fix may reveal another problem, which the next round fixes."""
_UNSURE = frozenset({"unread-tasks", "box-mark", "task-form", "id-missing", "id-unique", "id-format", "has-tasks"})
"""Findings after which the reader's count of tasks is unreliable."""
_BOX = re.compile(r"^[-*+][ \t]+\[[ xX~-]\][ \t]+\S", re.MULTILINE)  # a checkbox at the start of a line: "- [x] T001"
_FLOW = re.compile(possessive(r"\s|#[^\n]*\n|---") + r"\{")
"""An artifact in JSON, or YAML in braces. Lines that add "_meta" would break it, and then nothing would be fixed."""
_META = re.compile(r"^[\"']?_meta[\"']?[ \t]*:", re.MULTILINE)  # "_meta:", at the top of an artifact
_SIMILAR = 0.8
"""Minimum similarity of a misspelt word and the listed one: "in-progres" has 0.95, "pending-review" 0.7."""
_PLAIN_WORD = re.compile(r"[A-Za-z][\w-]*")  # "in-progress": needs no quotes in YAML


def fix_plan(report: PlanReport, judge: Callable[[str], PlanReport], *, schema: bool = False) -> Fix:
    """Return the text of a judged plan with mechanical fixes, or the same text if there is nothing to fix.

    The result has no new findings, and fixing it again changes nothing. `judge` judges another text with the same
    settings. `schema` also fixes findings of the format's schema, if any: words, a missing `_meta`.
    """
    changes: list[str] = []
    text, current = report.text, report
    totals = [f for f in report.findings if f.code == "count-matches" and not _proven(report, f.expected)]
    proposed = tuple(f"line {f.span.line}: {f.actual} -> {f.expected}" for f in totals if f.span is not None)
    for _ in range(ROUNDS):
        step = _step(current, schema)
        if step.after == current.text:
            return Fix(text, current.text, tuple(changes), proposed)
        fixed = judge(step.after)
        before, after = [Counter((one.code, one.path) for one in each.findings) for each in (current, fixed)]
        if fixed.plan is None or after - before:  # a new finding, on whatever line
            break
        changes += step.changes
        current = fixed
    return Fix(text, text, proposed=proposed)


def _proven(report: PlanReport, total: str | None) -> bool:
    """Return True if a second reading gives the same total, and nothing in the plan is in doubt."""
    if report.plan is None or report.plan.find is not None:  # in JSON and YAML, total and list have separate paths
        return True
    unsure = any(finding.code in _UNSURE for finding in report.findings)
    return not unsure and str(len(_BOX.findall(report.text))) == total


def _step(report: PlanReport, schema: bool) -> Fix:
    plan = report.plan
    if plan is None or "\r" in report.text.replace("\r\n", ""):  # do not change lines that end in CR alone
        return Fix(report.text, report.text)
    lines = report.text.split("\n")
    statuses = plan.traits.statuses
    doubted = {f.span for f in report.findings if f.code == "count-matches" and not _proven(report, f.expected)}
    words = ((f, f.span, _at(lines, f.span)) for f in report.findings if f.span and f.span not in doubted)
    asked = [one for one in words if schema or one[0].code != "enum"]
    edits = {span: word for f, span, seen in asked if (word := _word(f, seen, statuses))}
    after, changes = with_words(report.text, edits.items())
    kind = schema_kind(plan.format) if schema else None
    if kind is not None and not _META.search(after) and not _FLOW.match(after):
        line_end = "\r\n" if "\r\n" in after else "\n"
        after = line_end.join((after.rstrip(), "_meta:", '  version: "1.0.0"', f'  artifact_type: "{kind}"', ""))
        changes.append("add _meta")
    return Fix(report.text, after, tuple(changes))


def _word(finding: Finding, seen: str, statuses: tuple[str, ...]) -> str | None:
    """Return the replacement for the text of a finding; None if a person must decide."""
    if finding.code == "count-matches" and seen == finding.actual:
        return finding.expected
    if finding.code not in ("enum", "status-enum") or not letters(seen):
        return None
    listed = finding.allowed or statuses
    known = [word for word in listed if letters(word) == letters(seen)] or _meant(letters(seen), listed, finding.hint)
    quote = seen[0] if seen[0] in "'\"" and seen[-1] == seen[0] and len(seen) > 1 else '"' if finding.allowed else ""
    if len(known) != 1 or (not quote and not _PLAIN_WORD.fullmatch(seen.replace(" ", "-"))):
        return None
    return f"{quote}{known[0]}{quote}"


def _meant(seen: str, listed: Sequence[str], hint: str | None) -> list[str]:
    """Return the only listed word that a misspelt one can mean, if the finding's hint offers it too; else []."""
    words = {letters(word): word for word in listed if letters(word)[:1] == seen[:1]}
    close = difflib.get_close_matches(seen, words, 2, _SIMILAR) if seen.isalpha() else []
    return [words[one] for one in close if len(close) == 1 and as_json(words[one]) in (hint or "")]


def _at(lines: list[str], span: Span) -> str:
    """Return the text of a span within one line; "" for any other span."""
    if span.end_line != span.line or span.end_column is None:
        return ""
    return lines[span.line - 1][span.column - 1 : span.end_column - 1]
