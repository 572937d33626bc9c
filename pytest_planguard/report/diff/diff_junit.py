"""Cases as JUnit XML, which every CI shows: a comparison as a suite, with a reason in every failure and properties."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ...printable import one_line, visible
from ...runs.compare.run_diff import Bucket
from ..words.baseline_text import entry_line
from ..words.comparison_words import case_title, title
from ..words.phrases import case_reason, change_line, command_of, finding_lines, models_of, rules_of, verdict_line

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.run import CaseRow
    from ..words.comparison_words import DiffReport

CHANGES = 20
_ALONE = (Bucket.NEW_FAILURE, Bucket.UNCHANGED)
"""Buckets of cases that are judged without a base: there they say no more than the result."""
_SKIPPED = (Bucket.STALE, Bucket.UNSTABLE, Bucket.REMOVED, Bucket.NOT_COMPARABLE)
"""Buckets about which nothing is known: skipped with the reason, neither passed nor failed."""


def render_junit(report: DiffReport) -> str:
    """Return the comparison as JUnit XML.

    Failing cases fail, but for known ones; new failures differ from old ones by type.
    """
    suite = ET.Element("testsuite", name=command_of(report))
    failed = skipped = 0
    for case in report.diff.cases:
        child = _case(report, suite, case)
        failed += child.find("failure") is not None
        skipped += child.find("skipped") is not None
    listed = _listed(report, suite)
    failed += listed
    numbers = {"tests": len(report.diff.cases) + listed, "failures": failed, "errors": 0, "skipped": skipped}
    for name, number in numbers.items():
        suite.set(name, str(number))
    ET.SubElement(suite, "system-out").text = verdict_line(report)
    root = ET.Element("testsuites")
    root.append(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode")


def _listed(report: DiffReport, suite: ET.Element) -> int:
    """Add a failing test case for each entry of the baseline that needs an edit; return how many."""
    held = report.gate.baseline if report.gate is not None and report.fails else None
    kinds = (("expired", held.expired), ("gone", held.fixed)) if held is not None else ()
    for kind, entries in kinds:
        for entry in entries:
            child = ET.SubElement(
                suite, "testcase", classname="planguard.baseline", name=one_line(str(entry), 400), time="0"
            )
            ET.SubElement(child, "failure", message=f"listed, and {kind}: {entry_line(entry)}", type=kind)
    return sum(len(entries) for _, entries in kinds)


def junit_properties(row: CaseRow) -> tuple[tuple[str, str], ...]:
    """Return what a report of one case shows beside its result: outcome, attempts, model, variant, unclear findings.

    Nothing a model wrote.
    """
    attempts = sum(len(judged.attempts) for judged in row.judged)
    known = (("outcome", row.outcome), ("attempts", str(attempts)), ("model", row.model), ("variant", row.variant))
    unclear = sum(len(attempt.unclear) for judged in row.judged for attempt in judged.attempts)
    rerecord = (("rerecord", str(row.rerecord)),) if row.rerecord is not None else ()
    named = (*known, *rerecord, ("unclear", str(unclear) if unclear else ""))
    return tuple((f"planguard_{name}", one_line(value, 300)) for name, value in named if value)


def junit_reason(case: CaseDiff) -> str:
    """Return why a case fails, on one line."""
    return one_line(f"{case_title(case)}: {case_reason(case) or 'the case is not good'}", 400)


def _case(report: DiffReport, suite: ET.Element, case: CaseDiff) -> ET.Element:
    child = ET.SubElement(suite, "testcase", classname=_class(case), name=one_line(case.key, 400), time="0")
    properties = ET.SubElement(child, "properties")
    for name, value in _properties(case):
        ET.SubElement(properties, "property", name=name, value=value)
    if case.bucket in _SKIPPED or report.is_known(case):
        reason = "known failure" if report.is_known(case) else title(case.bucket, 1)
        ET.SubElement(child, "skipped", message=one_line(f"{reason}: {case_reason(case)}", 400))
    elif case.fails:
        kind = case.bucket.value if case.base or case.bucket not in _ALONE else "failure"
        failure = ET.SubElement(child, "failure", message=junit_reason(case), type=kind)
        failure.text = "\n".join([case_reason(case), *finding_lines(case), *map(change_line, case.changes[:CHANGES])])
    return child


def _properties(case: CaseDiff) -> list[tuple[str, str]]:
    row = next(iter(case.candidate or case.base), None)
    bucket = [("planguard_bucket", case.bucket.value)] if case.base or case.bucket not in _ALONE else []
    found = [*bucket, *(junit_properties(row) if row is not None else ())]
    rules = ", ".join(rules_of(case))
    models = ", ".join(models_of(case))
    found = [(name, models if name == "planguard_model" else value) for name, value in found]
    return [*found, *([("planguard_rules", one_line(rules, 400))] if rules else [])]


def _class(case: CaseDiff) -> str:
    row = next(iter(case.candidate or case.base), None)
    test = row.test if row is not None else ""
    file = test.partition("::")[0] if "::" in test else "planguard"
    return visible(one_line(file, 200).removesuffix(".py").replace("/", "."), keep="")
