"""Write cases as JUnit XML, which every CI can show. A comparison is a suite with properties and failure reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from ...printable import one_line, visible
from ...runs.compare.run_diff import Bucket
from ..words.case_words import models_of
from .annotations import all_annotations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...runs.compare.run_diff import CaseDiff
    from ...runs.model.run import CaseRow
    from ..words.comparison_words import DiffReport
    from .annotations import Annotation

_ALONE = (Bucket.NEW_FAILURE, Bucket.UNCHANGED)
"""Buckets of cases judged without a base. They say nothing more than the result, so they are left out."""


def render_junit(report: DiffReport) -> str:
    """Return the comparison as JUnit XML.

    Failing cases fail, unless they are known. The type separates new failures from old ones.
    """
    suite = ET.Element("testsuite", name=report.command)
    found = [each for each in all_annotations(report) if each.case is not None or each.status == "failed"]
    for annotation in found:
        _add(suite, annotation)
    counted = [each.status for each in found]
    numbers = {"tests": len(found), "failures": counted.count("failed"), "errors": 0}
    for name, number in {**numbers, "skipped": counted.count("skipped")}.items():
        suite.set(name, str(number))
    ET.SubElement(suite, "system-out").text = report.verdict_line
    root = ET.Element("testsuites")
    root.append(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode")


def junit_properties(row: CaseRow) -> tuple[tuple[str, str], ...]:
    """Return the facts in a report beside a case's result: outcome, attempts, model, variant, unclear findings.

    They contain nothing that a model wrote.
    """
    attempts = sum(len(judged.attempts) for judged in row.judged)
    known = (("outcome", row.outcome), ("attempts", str(attempts)), ("model", row.model), ("variant", row.variant))
    unclear = sum(len(attempt.unclear) for judged in row.judged for attempt in judged.attempts)
    rerecord = (("rerecord", str(row.rerecord)),) if row.rerecord is not None else ()
    named = (*known, *rerecord, ("unclear", str(unclear) if unclear else ""))
    return tuple((f"planguard_{name}", one_line(value, 300)) for name, value in named if value)


def _add(suite: ET.Element, annotation: Annotation) -> None:
    case = annotation.case
    name, place = one_line(annotation.subject, 400), "planguard.baseline" if case is None else _class(case)
    child = ET.SubElement(suite, "testcase", classname=place, name=name, time="0")
    kind = annotation.kind
    if case is not None:
        properties = ET.SubElement(child, "properties")
        for name, value in _properties(case):
            ET.SubElement(properties, "property", name=name, value=value)
        kind = kind if case.base or case.bucket not in _ALONE else "failure"
    message = one_line(f"{annotation.title}: {annotation.message or 'the case is not good'}", 400)
    if annotation.status == "skipped":
        ET.SubElement(child, "skipped", message=message)
    elif annotation.status == "failed":
        failure = ET.SubElement(child, "failure", message=message, type=kind)
        failure.text = "\n".join((annotation.message, *annotation.details))


def _properties(case: CaseDiff) -> Iterator[tuple[str, str]]:
    if case.base or case.bucket not in _ALONE:
        yield "planguard_bucket", case.bucket.value
    models = ", ".join(models_of((*case.base, *case.candidate)))
    for row in (*case.candidate, *case.base)[:1]:
        yield from ((name, models if name == "planguard_model" else value) for name, value in junit_properties(row))
    every = (*case.broken, *case.repaired, *case.still_broken, *case.open)
    rules = ", ".join(sorted({one_line(found.rule, 120) for found in every}))
    if rules:
        yield "planguard_rules", one_line(rules, 400)


def _class(case: CaseDiff) -> str:
    row = next(iter(case.candidate or case.base), None)
    test = row.test if row is not None else ""
    file = test.partition("::")[0] if "::" in test else "planguard"
    return visible(one_line(file, 200).removesuffix(".py").replace("/", "."), keep="")
