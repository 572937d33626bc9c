"""Excuse findings that the app cannot detect, since it reads the answer differently from the contract.

Such an app parses the whole answer, accepts a value of the wrong type unchanged, or has no rules of one kind and
reports everything else. The last two cases apply only if the contract is the request's schema, which may be stricter
than the app. A contract that the test names is taken as the app's own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....contract.finding import Severity
from ....contract.verdict import Verdict
from ....document.formats.parser_stops import parser_stops
from ....document.path import Path, get_at
from ...matching.match_finding import entry_categories
from ...matching.whole_answer import UNKNOWN, lines_about_parsing, names_stop
from ...outcomes import NOT_FED_BACK, Firmness, Grade
from ...reading.entry import clip, place
from ...reading.error_category import ErrorCategory, category_of, unreadable

if TYPE_CHECKING:
    from ....contract.finding import Finding
    from ...matching.fed_back import FeedbackReading
    from ...results import Attempt

_FIRM = (Firmness.PROVEN, Firmness.VERBATIM, Firmness.LOCATED)
_WHOLE = "the app parses the whole answer and reports where parsing fails"
_AS_IT_IS = "the app accepts the value itself and reports what is wrong inside it"
_NO_RULE = "the app reports every other problem but none of this kind: the request's schema is stricter than the app"
_TRUTHS = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0"})
"""Words that lenient parsers convert to true or false."""
_Sort = ErrorCategory | tuple[str, Path]
"""A kind of rule that an app may lack: all findings of a category, or a single finding, given by its identity."""


def as_app_reads(
    attempts: Sequence[Attempt],
    readings: Sequence[FeedbackReading],
    *,
    partial: bool = False,
    names: Collection[str] = (),
) -> list[Attempt]:
    """Excuse findings that the app demonstrably does not detect.

    Such a finding gets the grade "not judged" with a reason. In later answers it becomes a warning. In the last answer,
    other findings of kinds that apps may lack become warnings, too, if the answer has no worse ones.

    Args:
        attempts: the attempts of one conversation, with graded findings.
        readings: the new words of the next request, for each attempt except the last.
        partial: True if the contract is only the schema in the requests.
        names: the property names at the root of the schema.
    """
    named = {_sort(c.finding) for a in attempts for c in a.fed_back if c.how in _FIRM}
    absent: set[_Sort] = set()
    read_so = []
    for at, given in enumerate(attempts):
        attempt = _demoted(given, absent) if absent else given
        if at < len(readings):
            attempt = _parsed_whole(attempt, readings[at])
        if partial and at < len(readings):
            taken = _taken_as_it_is(attempt, readings[at], names)
            ignored = _ignored(attempt, named)
            absent |= {finding.identity for finding in taken} | {s for s in map(_sort, ignored) if s}
            attempt = _excused(_excused(attempt, taken, _AS_IT_IS), ignored, _NO_RULE)
        read_so.append(attempt)
    if partial and attempts:
        last = {_sort(finding) for finding in read_so[-1].verdict.errors}
        if not last & named and None not in last:  # then the app may have taken the last answer
            read_so[-1] = _demoted(read_so[-1], {sort for sort in last if sort})
    return read_so


def _excused(attempt: Attempt, findings: Sequence[Finding], reason: str) -> Attempt:
    """Grade these findings as not judged, unless they were fed back."""
    wanted = {id(finding) for finding in findings}
    gradings = tuple(
        replace(c, grade=Grade.NOT_JUDGED, how=None, evidence=None, reason=reason)
        if id(c.finding) in wanted and c.grade in NOT_FED_BACK
        else c
        for c in attempt.fed_back
    )
    return replace(attempt, fed_back=gradings) if wanted else attempt


# The whole answer


def _parsed_whole(attempt: Attempt, reading: FeedbackReading) -> Attempt:
    """Excuse findings inside a document if the app stopped before it.

    The answer is "Sorry! {...}" with a wrong field, and the app says "Expecting value: line 1 column 1". The same holds
    if we read YAML and the app takes only JSON.
    """
    verdict = attempt.verdict
    if verdict.ok or any(map(unreadable, verdict.errors)):
        return attempt
    lines = [line for new in reading.texts for line in lines_about_parsing(new)]
    judged, sent = attempt.verdict.text, attempt.exchange.answer_text
    # A byte order mark, which a verdict omits, stops a parser.
    stops = parser_stops(sent if sent.endswith(judged) else judged) if lines else UNKNOWN
    said = next((line for line in lines if names_stop(line, stops)), None)
    return attempt if said is None else _excused(attempt, verdict.errors, f"{_WHOLE}: {clip(said)}")


# A value of another type


def _taken_as_it_is(attempt: Attempt, reading: FeedbackReading, names: Collection[str]) -> list[Finding]:
    """Return wrong types of values whose members the feedback reports as wrong: the app took these values as they are.

    The schema of the tool says {"answer": string}, the answer is {"answer": {"priority": "hi"}}, and the app says that
    `priority` must be "low" or "high".
    """
    data = attempt.verdict.data
    return [
        fed_back.finding
        for fed_back in attempt.fed_back
        if fed_back.grade in NOT_FED_BACK
        and category_of(fed_back.finding) is ErrorCategory.TYPE
        and _finds_fault_inside(fed_back.finding, reading, data, names)
    ]


def _finds_fault_inside(finding: Finding, reading: FeedbackReading, data: object, names: Collection[str]) -> bool:
    value = get_at(data, finding.path)
    inside = {str(key) for key in value} if isinstance(value, Mapping) else set()
    # A name that the root also has may refer to the root.
    inside -= {*names, *(map(str, data) if isinstance(data, Mapping) and finding.path else ())}
    above = place(finding.path)
    errors = [entry.path for entry in reading.said if entry.path and entry_categories(entry)]
    paths = [path[len(above) :] if path[: len(above)] == above else path for path in errors]
    return any(path and path[0] in inside for path in paths)


# Rules that an app does not have


def _ignored(attempt: Attempt, named: Collection[_Sort | None]) -> list[Finding]:
    """Return the findings of a kind that the app never names although it names everything else in this answer."""
    gradings = [c for c in attempt.fed_back if c.grade is not Grade.NOT_JUDGED]
    missed = [c.finding for c in gradings if c.grade in NOT_FED_BACK]
    sorts = {_sort(finding) for finding in missed}
    # Keywords may come from a quotation of the answer, so a weak match proves nothing.
    rest = [c.how for c in gradings if _sort(c.finding) not in sorts]
    firm = bool(rest) and all(how in _FIRM for how in rest)
    return missed if firm and None not in sorts and not sorts & set(named) else []


def _sort(finding: Finding) -> ErrorCategory | None:
    """Return the category of a rule that an app may lack; None for findings that every validator reports.

    The categories are members without a field, numbers and truth values as text, and formats, which JSON Schema makes
    optional.
    """
    category = category_of(finding)
    if category is ErrorCategory.EXTRA or (category is ErrorCategory.FORMAT and finding.validator_code == "format"):
        return category
    return category if category is ErrorCategory.TYPE and _converts(finding) else None


def _converts(finding: Finding) -> bool:
    """Return True if a value has the right type after conversion: "5" for 5, "true" or 1 for true."""
    expected, value = finding.expected or "", (finding.actual or "").strip('"')
    if "true or false" in expected:
        return value.lower() in _TRUTHS
    if not (expected.endswith(("an integer", "a number")) and finding.actual != value):
        return False
    try:
        number = float(value)
    except ValueError:
        return False
    return number.is_integer() or expected.endswith("a number")


def _demoted(attempt: Attempt, absent: Collection[_Sort]) -> Attempt:
    """Return the attempt with warnings for rules that the app lacks; answers with several calls stay unchanged."""
    verdict = attempt.verdict
    found = [
        replace(f, severity=Severity.WARN) if f.severity.bad and {f.identity, _sort(f)} & {*absent} else f
        for f in verdict.findings
    ]
    if found == list(verdict.findings) or type(verdict) is not Verdict:
        return attempt
    kept = {id(finding) for finding in found}
    gradings = tuple(c for c in attempt.fed_back if id(c.finding) in kept)
    return replace(attempt, verdict=replace(verdict, findings=tuple(found)), fed_back=gradings)
