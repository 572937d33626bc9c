"""Phrases of a comparison for pages and tables, safe to print; each medium escapes them for itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...document.path import to_dotted, wildcard
from ...printable import one_line
from ...runs.compare.run_diff import Bucket
from ...runs.gate.gate import conclusion
from ...runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME, TEST
from ...runs.value_diff.change import ChangeKind
from ..answer.finding_text import count, place
from ..explain import meanings, render_explanations
from .change_text import rule_text, sides
from .comparison_words import age_days, headline, rerecord_text

if TYPE_CHECKING:
    from datetime import datetime

    from ...contract.finding import Finding
    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.broken_rules import Broken
    from ...runs.model.header import RunHeader
    from ...runs.model.judged_answers import FedBackRow
    from ...runs.model.run import CaseRow
    from ...runs.value_diff.change import FieldChange
    from .comparison_words import DiffReport


NAME_LIMIT = 120
"""Characters of a case key, a run's name or a place."""
WHY_LIMIT = 240
RULES_NAMED = 3
"""Broken rules that a line names; the rest is counted."""
OLD_DAYS = 14
"""A base older than this may no longer say what the main branch does: its age is a warning."""


def verdict_word(report: DiffReport) -> str:
    """Return 'FAIL', 'PASS', or 'UNPROVEN' where nothing or not all was compared.

    Without a gate 'SAME' or 'DIFFERENT'.
    """
    if report.gate is not None:
        return conclusion(report.diff, report.gate)[0].upper()
    return "SAME" if {case.bucket for case in report.diff.cases} <= {Bucket.UNCHANGED} else "DIFFERENT"


def reasons_of(report: DiffReport) -> tuple[str, ...]:
    """Return why the gate fails, or why its passing proves little; nothing where it passes, or where there is none."""
    return () if report.gate is None else conclusion(report.diff, report.gate)[1]


def verdict_line(report: DiffReport) -> str:
    """Return the comparison on one line: the gate's word, then the counts; known failures are counted separately."""
    known = len(report.gate.known) if report.gate is not None else 0
    listed = f" ({known:,} of the new failures {'is' if known == 1 else 'are'} known)" if known else ""
    return f"{verdict_word(report)}: {report.judged or headline(report.diff)}{listed}"


def command_of(report: DiffReport) -> str:
    """Return the command that makes such a report."""
    return "planguard check" if report.judged else "planguard diff"


def name_of(header: RunHeader) -> str:
    """Return the run's name on one line."""
    return one_line(header.name, NAME_LIMIT) or "(no name)"


def about_run(header: RunHeader, now: datetime | None = None) -> str:
    """Return 'commit 0123456789ab with uncommitted changes, 2026-11-20 10:00 (3 days old)'.

    "" where nothing is known.
    """
    parts = []
    if header.commit:
        dirty = " with uncommitted changes" if header.dirty else ""
        parts.append(f"commit {one_line(header.commit[:12], NAME_LIMIT)}{dirty}")
    if header.created:
        days = age_days(header.created, now)
        age = "" if days is None else f" ({count(days, 'day')} old)"
        parts.append(f"{one_line(header.created[:16].replace('T', ' '), 40)}{age}")
    return ", ".join(parts)


def age_lines(report: DiffReport) -> Iterator[str]:
    """Yield how old the base is, and the list of known failures with its oldest entry."""
    days = age_days(report.diff.base.created, report.now)
    if days is not None:
        warning = ": it may no longer say what the main branch does" if days > OLD_DAYS else ""
        yield f"The base is {count(days, 'day')} old{warning}."
    baseline = report.baseline
    if baseline is not None and baseline.entries:
        since = min((entry.first_seen for entry in baseline.entries if entry.first_seen), default=None)
        days = age_days(since, report.now)
        oldest = "" if days is None else f", the oldest listed {count(days, 'day')} ago"
        yield f"The baseline lists {count(len(baseline.entries), 'known failure')}{oldest}."


def place_of(change: FieldChange) -> str:
    """Return where a change is."""
    return one_line(change.where, NAME_LIMIT)


def change_line(change: FieldChange) -> str:
    """Return 'recommendation: Go → Proceed (breaks one_of)'."""
    rules = rule_text(change)
    what = "moved" if change.kind is ChangeKind.MOVED else " → ".join(sides(change))
    return f"{place_of(change)}: {what}{f' ({rules})' if rules else ''}"


def broken_text(broken: Broken) -> str:
    """Return 'one_of at recommendation'."""
    return one_line(str(broken), NAME_LIMIT)


def ruled(case: CaseDiff) -> tuple[tuple[str, tuple[Broken, ...]], ...]:
    """Return verb and rules: what the candidate breaks, fixes, still breaks, and what stays unknown."""
    known = ("breaks", case.broken), ("fixes", case.repaired), ("still breaks", case.still_broken)
    return (*known, ("leaves open", case.open))


def case_reason(case: CaseDiff) -> str:
    """Return why a case is where it is, on one line: what the bucket knows, and what became of the rules."""
    parts = [one_line(case.why, WHY_LIMIT)] if case.why else []
    for word, rules in ruled(case):
        if rules:
            more = f" and {len(rules) - RULES_NAMED} more" if len(rules) > RULES_NAMED else ""
            parts.append(f"{word} {', '.join(map(broken_text, rules[:RULES_NAMED]))}{more}")
    if case.bucket is Bucket.STALE and case.rerecord is not None:
        parts.append(rerecord_text(case.rerecord))
    return "; ".join(parts)


def missing_lines(case: CaseDiff) -> Iterator[str]:
    """Yield 'missing on the way to attempt 2: priority, steps', for each retry of the candidate that drops findings.

    Also 'wrong on the way to …', and 'unclear …' for those that it may feed back.
    """
    for row in case.candidate:
        for judged in row.judged:
            for number, attempt in enumerate(judged.attempts, 1):
                for grade in ("missing", "wrong", "unclear"):
                    named = [one_line(to_dotted(one.path), 60) for one in attempt.fed_back if one.grade == grade]
                    if named:
                        places = ", ".join(dict.fromkeys(named))
                        yield f"{grade} on the way to attempt {number + 1}: {one_line(places, WHY_LIMIT)}"


def fed_back_text(found: FedBackRow) -> tuple[str, str]:
    """Return grade or firmness, and 'priority [enum]: the words that feed it back, or why none do'."""
    why = found.evidence or found.reason
    reason = f": {one_line(why, WHY_LIMIT)}" if why else ""
    place, code = one_line(to_dotted(found.path), NAME_LIMIT), one_line(found.code, NAME_LIMIT)
    return one_line(found.how or found.grade, 40), f"{place} [{code}]{reason}"


def models_of(case: CaseDiff) -> tuple[str, ...]:
    """Return the models of a case in both runs, sorted."""
    return tuple(sorted({one_line(row.model, NAME_LIMIT) for row in (*case.base, *case.candidate) if row.model}))


def rules_of(case: CaseDiff) -> tuple[str, ...]:
    """Return the rules that a case breaks in either run, sorted."""
    return tuple(sorted({one_line(found.rule, NAME_LIMIT) for _, rules in ruled(case) for found in rules}))


SHOWN = 3
"""Findings of one case that are told; its conversation has them all."""
LIMIT = 240


def finding_lines(case: CaseDiff) -> Iterator[str]:
    """Yield 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0' for what is newly broken."""
    rules = (*case.broken, *case.still_broken) if case.bucket is Bucket.ADDED else case.broken
    yield from clipped_lines(line for broken in rules for line in lines_of(case, broken))


def case_findings(case: CaseDiff) -> Iterator[Finding]:
    """Yield everything that makes the candidate's last answers bad, whatever the base says; each once."""
    yield from dict.fromkeys(finding for row in case.candidate for finding in bad_findings(row))


def row_lines(row: CaseRow) -> Iterator[str]:
    """Yield the same for everything that one row breaks, whatever another run says of its case."""
    yield from clipped_lines(map(finding_line, bad_findings(row)))


def clipped_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first `SHOWN` different lines, then how many more there are."""
    different = list(dict.fromkeys(lines))
    yield from different[:SHOWN]
    if len(different) > SHOWN:
        yield f"and {len(different) - SHOWN:,} more findings"


def lines_of(case: CaseDiff, broken: Broken) -> Iterator[str]:
    """Yield the place and the words of each finding that breaks a rule in the candidate's last answers."""
    yield from map(finding_line, findings_of(case, broken))


def findings_of(case: CaseDiff, broken: Broken) -> Iterator[Finding]:
    """Yield each finding that breaks a rule in the candidate's last answers."""
    for row in case.candidate:
        yield from (finding for finding in bad_findings(row) if _breaks(finding, broken))


def bad_findings(row: CaseRow) -> Iterator[Finding]:
    """Yield what makes the last answers of a row bad: findings of the severities retry and fail."""
    for judged in row.judged:
        findings = judged.last.findings if judged.last is not None else ()
        yield from (finding for finding in findings if finding.severity.bad)


def finding_line(finding: Finding) -> str:
    """Return 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0'."""
    return f"{place(finding)}: {one_line(finding.message, LIMIT)}"


def _breaks(finding: Finding, broken: Broken) -> bool:
    return (finding.code, wildcard(finding.path)) == (broken.rule, broken.path)


HELP_LIMIT = 300
_TITLES = {
    CHECK: "The check {} of a conversation.",
    OUTCOME: "A conversation that ends as {}.",
    GAVE_UP: "The exception {} after a rejected answer.",
    TEST: "A test that is {}.",
}


def rule_title(rule: str) -> str:
    """Return what kind of thing a rule is, as a sentence: 'The check feedback of a conversation.' is one."""
    prefix, colon, name = rule.partition(":")
    return _TITLES[prefix].format(name) if colon and prefix in _TITLES else f"The rule {rule} of a contract."


def rule_help(rule: str, finding: Finding | None) -> str:
    """Return what a rule demands and what to do: from the catalogue of `planguard explain`, where it has the rule.

    `finding` is a breach of it, in whose words a rule of the user's own is told; None where there is none.
    """
    entries = meanings(rule)
    return render_explanations(entries) if entries else _of_contract(rule, finding)


def _of_contract(rule: str, finding: Finding | None) -> str:
    expected = finding.expected if finding is not None else None
    demand = f"The rule {one_line(rule, HELP_LIMIT)} of a contract"
    hint = f" {one_line(finding.hint, HELP_LIMIT)}" if finding is not None and finding.hint else ""
    return f"{demand} expects {one_line(expected, HELP_LIMIT)}.{hint}" if expected else f"{demand}.{hint}"
