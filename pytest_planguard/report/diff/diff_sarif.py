"""A comparison as SARIF 2.1.0, for code scanning: one result for every rule that a failing case breaks.

Source: OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...printable import one_line, visible
from ...runs.compare.run_diff import Bucket
from ...runs.model.broken_rules import TEST, Broken, broken_rules, sorted_rules
from ..explain import meanings
from ..media.escaping import json_text
from ..words.baseline_text import entry_line, known_reason
from ..words.comparison_words import title
from ..words.phrases import (
    broken_text,
    case_reason,
    change_line,
    findings_of,
    lines_of,
    rule_help,
    rule_title,
    verdict_line,
)
from .location import location_of

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff
    from ..words.comparison_words import DiffReport

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "planguard/v1"
"""Name of the fingerprint: case, rule and place, so that a result is the same in every run."""
CHANGES = 5
SAID = 3
"""Findings that one result tells: a rule may be broken at many items of a list."""
_NOTED = (Bucket.STALE, Bucket.UNSTABLE, Bucket.NOT_COMPARABLE)
"""Buckets that are no results: nothing is known about the case."""
_LINK = re.compile(r"\[(?=[^\]]*\]\()")
"""The bracket that begins a link in a SARIF message: "[text](target)"; escaped, since a model may have written it."""
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
"""An argument of a SARIF message: "{0}"; escaped for the same reason."""


def render_sarif(report: DiffReport, version: str) -> str:
    """Return the document.

    Failures that are new are errors, those that the base had are notes with the state "unchanged", those that the list
    of known failures covers are suppressed. What is fixed is left out: a reader of SARIF closes what no longer comes.

    Args:
        report: the comparison.
        version: of planguard.
    """
    results = [result for case in report.diff.cases if case.fails for result in _results(report, case)]
    described = _described(report)
    rules = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = rules.index(result["ruleId"])
    run = {
        "tool": {"driver": _driver(version, {rule: described.get(rule, "") for rule in rules})},
        "automationDetails": {"id": f"planguard/{one_line(report.diff.candidate.name, 80)}"},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": list(_notifications(report))}],
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {
            "verdict": verdict_line(report),
            "counts": {bucket.value: number for bucket, number in report.diff.counts.items()},
        },
    }
    return json_text({"$schema": SCHEMA, "version": VERSION, "runs": [run]})


def _driver(version: str, rules: dict[str, str]) -> dict[str, Any]:
    """Return the tool with its rules; `rules` has the help of each by its id."""
    described = [_rule(rule, text) for rule, text in rules.items()]
    return {"name": "planguard", "semanticVersion": version, "rules": described}


def _rule(rule: str, text: str) -> dict[str, Any]:
    described = {
        "id": rule,
        "shortDescription": {"text": _message(rule_title(rule))},
        "help": {"text": _message(text)},
    }
    entries = meanings(rule)
    return described | ({"fullDescription": {"text": _message(entries[0].what)}} if entries else {})


def _described(report: DiffReport) -> dict[str, str]:
    """Return the help of every rule that a failing case breaks, in the words of its first breach."""
    described: dict[str, str] = {}
    for case in report.diff.cases:
        for broken in _broken(case) if case.fails else ():
            rule = one_line(broken.rule, 120)
            described.setdefault(rule, rule_help(rule, next(findings_of(case, broken), None)))
    return described


def _broken(case: CaseDiff) -> list[Broken]:
    """Return what a failing case breaks, sorted; at least that its test failed."""
    own = {*case.open} & {*broken_rules(case.candidate)}
    return sorted_rules((*case.broken, *case.still_broken, *own)) or [Broken(f"{TEST}:failed")]


def _results(report: DiffReport, case: CaseDiff) -> Iterator[dict[str, Any]]:
    new = {*case.broken} if case.bucket is not Bucket.ADDED else {*case.broken, *case.still_broken}
    for broken in _broken(case):
        is_new = broken in new or case.is_new_failure
        result = {
            "ruleId": one_line(broken.rule, 120),
            "level": "error" if is_new else "note",
            "message": {"text": _told(case, broken)},
            "locations": [_location(report, case, broken)],
            "partialFingerprints": {FINGERPRINT: _fingerprint(case.key, broken)},
        }
        if not report.judged:  # of one run alone nobody knows what is new
            result["baselineState"] = "new" if is_new else "unchanged"
        if report.is_known(case):
            result["suppressions"] = [{"kind": "external", "justification": _justified(report, case, broken)}]
        yield result


def _justified(report: DiffReport, case: CaseDiff, broken: Broken) -> str:
    held = report.gate.baseline if report.gate is not None else None
    identity = (case.candidate[0].key, broken.rule, broken.path)
    entries = [entry for entry in held.known if entry.identity == identity] if held is not None else []
    return known_reason(entries) if entries else "listed as a known failure"


def _told(case: CaseDiff, broken: Broken) -> str:
    """Return what is broken where, and the changes that break it."""
    changes = [change_line(change) for change in case.changes if broken.rule in change.breaks][:CHANGES]
    said = list(dict.fromkeys(lines_of(case, broken)))[:SAID]
    return _message("\n".join([f"{one_line(case.key, 160)} breaks {broken_text(broken)}", *said, *changes]))


def _location(report: DiffReport, case: CaseDiff, broken: Broken) -> dict[str, Any]:
    location = {"logicalLocations": [{"fullyQualifiedName": one_line(case.key, 400), "kind": "function"}]}
    found = location_of(case, report.prefix, broken.rule)
    if found is None:
        return location
    region = {"startLine": found.line or 1} | ({"startColumn": found.column} if found.column else {})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(found.file)}, "region": region}, **location}


def _uri(file: str) -> str:
    """Return a relative reference, or a file URI for an absolute path."""
    path = quote(visible(file, keep=""), safe="/")
    if re.match(r"[A-Za-z]%3A/", path):
        return f"file:///{path[0]}:{path[4:]}"
    return f"file://{path}" if path.startswith("/") else path


def _notifications(report: DiffReport) -> Iterator[dict[str, Any]]:
    for case in report.diff.of(*_NOTED):
        text = f"{one_line(case.key, 160)} is {title(case.bucket, 1)}: {case_reason(case)}"
        yield {"level": "warning", "message": {"text": _message(text)}}
    held = report.gate.baseline if report.gate is not None else None
    for word, entries in (("has expired", held.expired), ("no longer fails", held.fixed)) if held is not None else ():
        for entry in entries:
            yield {"level": "warning", "message": {"text": _message(f"a listed failure {word}: {entry_line(entry)}")}}
    for note in report.diff.notes:
        yield {"level": "note", "message": {"text": _message(one_line(note, 400))}}


def _fingerprint(key: str, broken: Broken) -> str:
    text = json.dumps([key, broken.rule, broken.path])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _message(text: str) -> str:
    """Return text in which nothing is a link or a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub(r"\\[", text))
