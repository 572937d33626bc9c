"""A comparison as JUnit XML, which every CI can show, and as SARIF 2.1.0, for code scanning.

Source: OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from ..contract.finding import Severity
from ..printable import one_line, visible
from ..runs.compare.run_diff import Bucket
from .annotations import all_annotations
from .case_words import models_of, rule_help, rule_title
from .explain import meanings
from .plain_text import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..runs.compare.run_diff import CaseDiff
    from ..runs.model.run import CaseRow
    from .annotations import Annotation, Breach, Location
    from .comparison_words import DiffReport


_ALONE = (Bucket.NEW_FAILURE, Bucket.UNCHANGED)
"""Buckets of cases judged without a base. They say nothing more than the result, so they are left out."""


def render_junit(report: DiffReport) -> str:
    """Return the comparison as JUnit XML.

    Failing cases fail, unless they are known. The type separates new failures from old ones.
    """
    suite = ET.Element("testsuite", name=report.command)
    found = [each for each in all_annotations(report) if each.case is not None or each.status in ("failed", "error")]
    for annotation in found:
        _add(suite, annotation)
    counted = [each.status for each in found]
    numbers = {"tests": len(found), "failures": counted.count("failed"), "errors": counted.count("error")}
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
    alone = "planguard.unjudged" if annotation.status == "error" else "planguard.baseline"
    name, place = one_line(annotation.subject, 400), alone if case is None else _class(case)
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
    elif annotation.status in ("failed", "error"):
        tag = "failure" if annotation.status == "failed" else "error"
        failure = ET.SubElement(child, tag, message=message, type=kind)
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


VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "planguard/v1"
"""Name of the fingerprint, which is a hash of case, rule and place, so that a result is the same in every run."""
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""The bracket that begins a link in a SARIF message: "[text](target)". It is escaped, as a model may have written it.
"""
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
"""An argument of a SARIF message: "{0}". A model may have written it, so it is escaped too."""


def render_sarif(report: DiffReport, version: str) -> str:
    """Return the document.

    New failures are errors. Failures that the base also has are notes with the state "unchanged", and those in the list
    of known failures are suppressed. Fixed failures are left out, because a SARIF reader closes what is missing.

    Args:
        report: the comparison.
        version: planguard's version.
    """
    every = list(all_annotations(report))
    breaches = [(each, breach) for each in every for breach in (*each.breaches, *each.warned)]
    first: dict[str, Breach] = {}
    for _, breach in breaches:  # a rule is explained in the words of its first breach
        first.setdefault(_rule_id(breach), breach)
    rules = sorted(first)
    results = [_result(each, breach, rules, alone=bool(report.judged)) for each, breach in breaches]
    run = {
        "tool": {
            "driver": {
                "name": "planguard",
                "semanticVersion": version,
                "rules": [_rule(rule, rule_help(rule, first[rule].finding)) for rule in rules],
            }
        },
        "automationDetails": {"id": f"planguard/{one_line(report.diff.candidate.name, 80)}"},
        "invocations": [
            {
                "executionSuccessful": not report.unjudged,
                "toolExecutionNotifications": list(_notifications(report, every)),
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {
            "verdict": report.verdict_line,
            "counts": {bucket.value: number for bucket, number in report.diff.counts.items()},
        },
    }
    return json_text({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _rule_id(breach: Breach) -> str:
    return one_line(breach.rule.rule, 120)


def _rule(rule: str, text: str) -> dict[str, object]:
    entries = meanings(rule)
    full = {"fullDescription": _message(entries[0].what)} if entries else {}
    return {"id": rule, "shortDescription": _message(rule_title(rule)), "help": _message(text), **full}


def _result(annotation: Annotation, breach: Breach, rules: Sequence[str], *, alone: bool) -> dict[str, object]:
    rule, key = _rule_id(breach), annotation.subject
    warns = breach.finding is not None and breach.finding.severity is Severity.WARN
    text = json.dumps([key, breach.rule.rule, breach.rule.path])
    result = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": "error" if breach.is_new and not warns else "warning" if warns else "note",
        "message": _message(breach.message),
        "locations": [_location(key, breach.location)],
        "partialFingerprints": {FINGERPRINT: hashlib.sha256(text.encode()).hexdigest()[:32]},
    }
    if not alone:  # with only one run, nothing is known to be new
        result["baselineState"] = "new" if breach.is_new else "unchanged"
    if annotation.known:
        result["suppressions"] = [{"kind": "external", "justification": annotation.known}]
    return result


def _location(key: str, found: Location | None) -> dict[str, Any]:
    location = {"logicalLocations": [{"fullyQualifiedName": one_line(key, 400), "kind": "function"}]}
    if found is None:
        return location
    region = {"startLine": found.line or 1} | ({"startColumn": found.column} if found.column else {})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(found.file)}, "region": region}, **location}


def _uri(file: str) -> str:
    """Return a relative reference, or a file URI for an absolute path."""
    try:
        name = os.fsencode(file)  # the bytes of a name that is not UTF-8
    except UnicodeEncodeError:  # a lone surrogate, which no file's name has
        name = file.encode("utf-8", "surrogatepass")
    path = quote(name, safe="/")
    if re.match(r"[A-Za-z]%3A/", path):  # "C:/work"
        return f"file:///{path[0]}:{path[4:]}"
    return f"file://{path}" if path.startswith("/") else path


def _notifications(report: DiffReport, every: Sequence[Annotation]) -> Iterator[dict[str, object]]:
    """Yield everything that is not a result: unjudged parts, cases of unknown result, baseline entries to edit."""
    for each in every:
        if each.level is not None and not each.breaches:
            subject = f"{one_line(each.subject, 160)}: " if each.case is not None else ""
            level = "error" if each.status == "error" else "warning"
            yield {"level": level, "message": _message(f"{subject}{each.title}: {each.message}")}
    for note in report.diff.notes:
        yield {"level": "note", "message": _message(one_line(note, 400))}


def _message(text: str) -> dict[str, str]:
    """Return text without links or placeholders (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return {"text": _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub(r"\\[", text))}
