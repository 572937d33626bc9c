"""One check of one answer in full: what is wrong with it, by document, schema, constraints and rules, and where.

A good answer of a contract that is a schema alone needs none of this: see `Checker.check`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...document.answer import locate_many, read
from ..failure_kinds import FailureKind
from ..finding import Finding, Severity
from ..own_checks import CRASHED, asked, crash_finding, guarded
from ..schema.list_wrapping import ListWrapping
from ..schema.schema import any_bad
from ..schema.values import to_json_text
from ..verdict import Verdict
from .document_findings import parse_findings, refusal_finding, stray_text
from .wrapped_answers import diagnose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...document.answer import Document
    from ...document.path import Path, Span
    from ..constraints.scene import CheckContext
    from ..finding import Finding
    from ..schema.schema import SchemaCheck
    from .check import Checker, DocumentRule

    Validated = tuple[object, list[Finding]]
    """What a schema says of a document: the value, None where it is bad, and the findings."""


CUSTOM = "custom"
"""The type of constraint that runs the user's own code."""
_COVERING = frozenset({"type", "missing", "schema_echo", "wrapped", "encoded"})
"""Codes after which nothing can be said about what stands below their path."""
MAX_REPLACED = 100
"""Findings of the validator that are kept where one finding replaces them."""


def full_check(
    checker: Checker,
    document: Document,
    finish: str | None,
    context: CheckContext | None,
    *,
    located: bool = True,
    validated: Validated | None = None,
) -> Verdict:
    """Return the verdict on a document, whatever is wrong with it or stands around it.

    Args:
        checker: the parts of the contract.
        document: the answer as it was read.
        finish: why the answer ended, where known.
        context: what was asked, where known.
        located: whether findings get places in the text; False for a value that came without one.
        validated: what the schema said already, where it was asked.
    """
    found: list[Finding] = []
    if document.problems or document.notes or finish is not None:
        found = parse_findings(document, finish)
    value = None
    if checker.format == "auto" and not document.problems and not any_bad(found):
        stray = stray_text(document, checker.schema, checker.constraints)
        if stray is not None:
            found = [*found, stray]
            document = replace(document, data=None)
    # What there is of half an answer is not judged.
    half = document.data is None or any(item.code == "truncated" and item.severity.bad for item in found)
    if not (half and any_bad(found)):
        value, broken = _shape(checker.schema, document, validated)
        found += broken
        if checker.constraints or checker.rules:
            bad = [item for item in broken if item.severity.bad]
            found += _content(checker, document, value, context, bad)
    ok = not any_bad(found)
    if not ok and located:
        found = with_positions(found, document)
    found.sort(key=_order)
    kept = value if ok else None
    return Verdict(checker.name, document.text, tuple(found), kept, document.data, document.format)


def check_value(checker: Checker, value: object, finish: str | None, context: CheckContext | None) -> Verdict:
    """Return the verdict on a value that was parsed already."""
    text = to_json_text(value)
    if text is None:
        message = "the value has no JSON form: it is circular or too deep"
        return Verdict(checker.name, "", (Finding("invalid_json", (), message, FailureKind.INVALID_JSON),))
    return full_check(checker, read(text, format="json"), finish, context, located=False)


def declined(checker: Checker, answer: object, finish: str | None, refusal: str | None) -> Verdict | None:
    """Return the verdict on an answer in which the model declined; None where nothing says so."""
    found = refusal_finding(finish, refusal)
    if found is None:
        return None
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return Verdict(checker.name, text if isinstance(text, str) else to_json_text(text) or "", (found,))


def _shape(schema: SchemaCheck, document: Document, validated: Validated | None) -> Validated:
    """Return the validated value and the findings of the schema, or the one finding that explains them all."""
    value, found = validated or schema.validate(document.data, document.json_text)
    if any_bad(found):
        whole = diagnose(schema, document.data)
        return None, found if whole is None else [replace(whole, replaces=tuple(found[:MAX_REPLACED]))]
    return value, found


def _content(
    checker: Checker, document: Document, value: object, context: CheckContext | None, broken: Sequence[Finding]
) -> list[Finding]:
    """Return what constraints and rules say, except where the schema has spoken already.

    The user's own checks get the validated value as plain data. While the schema fails they read what is sound of it:
    one that reads anything else, or raises, says nothing more.
    """
    found, schema, seen = [], checker.schema, None
    if checker.rules or any(rule.constraint_type == CUSTOM for rule in checker.constraints):
        sound = schema.sound(document.data, document.json_text, broken) if broken else None
        seen = sound if broken else schema.plain(value, document.data)
    wrapping = schema if isinstance(schema, ListWrapping) else None
    data = document.data if wrapping is None else wrapping.wrapped(document.data)
    as_written = list if wrapping is None or data is document.data else wrapping.as_written
    for rule in checker.constraints:
        own = rule.constraint_type == CUSTOM
        says = rule.sound_findings if own and broken else rule.findings
        found += as_written(says(seen if own else data, context))
    for check in checker.rules:
        items = as_written(_rule_findings(check, guarded(seen) if broken else seen, document))
        found += [item for item in items if not (broken and item.code == CRASHED)]
    spoken = {item.path for item in broken}
    covered = {item.path for item in broken if item.code in _COVERING}
    return [
        item
        for item in _without_repeats(found)
        # The root, (), leads to every other path.
        if item.path not in spoken and not any(item.path[:depth] in covered for depth in range(len(item.path)))
    ]


def _without_repeats(found: Iterable[Finding]) -> list[Finding]:
    """Two constraints may miss the same field: said once, with the graver severity."""
    kept: dict[object, Finding] = {}
    for item in found:
        key = item.identity if item.code in ("missing", "type") else (item.identity, item.message, item.severity)
        known = kept.get(key)
        if known is None or item.severity.rank > known.severity.rank:
            kept[key] = item
    return list(kept.values())


def _rule_findings(rule: DocumentRule, data: object, document: Document) -> Iterator[Finding]:
    try:
        yield from asked(lambda: rule(data, document), data)
    except Exception as exc:  # a user's rule may raise anything; the other findings must not be lost
        yield crash_finding(f"the rule {getattr(rule, '__name__', type(rule).__name__)}", exc)


def _order(found: Finding) -> tuple[int, bool, int, int]:
    """By phase, then place; what has no place comes last in its phase, in the order found."""
    span = found.span
    phase = found.kind.phase.rank
    return (phase, True, 0, 0) if span is None else (phase, False, span.line, span.column)


# Line and column of each finding in the model's own text.


def with_positions(found: Sequence[Finding], document: Document) -> list[Finding]:
    """Return the findings with line and column; what is missing gets the position of its parent."""
    paths = {item.path for item in found if item.span is None}
    paths |= {other.path for item in found for other in item.related}
    spans = locate_many(document, paths)
    absent = [path for path in paths if path not in spans]
    if absent:  # asked for only now: the end of an outer value is far away in a long text
        spans |= locate_many(document, {path[:depth] for path in absent for depth in range(len(path))})
    return [_at_span(item, spans) for item in found]


def _at_span(found: Finding, spans: Mapping[Path, Span]) -> Finding:
    if found.span is not None or found.severity is Severity.INFO:
        return found
    span = _nearest(found.path, spans)
    related = [item if item.span else replace(item, span=_nearest(item.path, spans)) for item in found.related]
    return replace(found, span=span, related=tuple(related))


def _nearest(path: Path, spans: Mapping[Path, Span]) -> Span | None:
    """Return the span of the path, or of the innermost parent that is there."""
    return next((spans[path[:depth]] for depth in range(len(path), -1, -1) if path[:depth] in spans), None)
