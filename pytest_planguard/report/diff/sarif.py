"""A comparison as SARIF 2.1.0, for code scanning: one result for every rule that a failing case breaks.

Source: OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ...printable import one_line, visible
from ..escaping import json_text
from ..explain import meanings
from ..words.case_words import rule_help, rule_title
from .annotations import all_annotations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..words.comparison_words import DiffReport
    from .annotations import Annotation, Breach, Location

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
    breaches = [(each, breach) for each in every for breach in each.breaches]
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
            {"executionSuccessful": True, "toolExecutionNotifications": list(_notifications(report, every))}
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
    text = json.dumps([key, breach.rule.rule, breach.rule.path])
    result = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "level": "error" if breach.is_new else "note",
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
    path = quote(visible(file, keep=""), safe="/")
    if re.match(r"[A-Za-z]%3A/", path):  # "C:/work"
        return f"file:///{path[0]}:{path[4:]}"
    return f"file://{path}" if path.startswith("/") else path


def _notifications(report: DiffReport, every: Sequence[Annotation]) -> Iterator[dict[str, object]]:
    """Yield everything that is not a result: cases of unknown result, and baseline entries that need an edit."""
    for each in every:
        if each.level is not None and not each.breaches:
            subject = f"{one_line(each.subject, 160)}: " if each.case is not None else ""
            yield {"level": "warning", "message": _message(f"{subject}{each.title}: {each.message}")}
    for note in report.diff.notes:
        yield {"level": "note", "message": _message(one_line(note, 400))}


def _message(text: str) -> dict[str, str]:
    """Return text without links or placeholders (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    return {"text": _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub(r"\\[", text))}
