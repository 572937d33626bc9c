"""Judge a plan by the rules: findings with codes, severities and places."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from ...contract.finding import Finding, Related, Severity
from ...contract.own_checks import crash_finding, raised_outside
from ...contract.phrasing import did_you_mean
from ..model.index import PlanIndex
from .rule import Hit, has_subject
from .rule_table import RULES
from .sureness import sure_hits

if TYPE_CHECKING:
    from ...document.path import Span
    from ..model.place import Place
    from ..model.plan import Plan
    from .rule import Rule

HITS_PER_RULE = 200
"""Findings of one rule that are reported for one plan; the rest are counted in a last one."""
GUESSES = 50
"""Findings of one plan for whose unknown name the nearest known one is looked for."""
LINES_IN_MESSAGE = 12
"""Line numbers that a message names; the rest are counted."""


def check_plan(
    plan: Plan,
    rules: Iterable[Rule] = RULES,
    *,
    severity: Mapping[str, Severity | str] | None = None,
    catalogue: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """Return everything that the rules find in a plan, in the order of the text.

    Args:
        plan: what `read_plan` gave.
        rules: which rules to ask; a rule that is off by default runs only where `severity` names it.
        severity: rule code to severity, over the format's and the rule's own; info, warn, retry or fail.
        catalogue: names of the guards, agents or runners that tasks may name; None asks nothing of them.
    """
    index = PlanIndex(plan, catalogue)
    chosen = {code: Severity(value) for code, value in (severity or {}).items()}
    hits: list[tuple[Rule, Hit, bool]] = []
    crashes: list[Finding] = []
    for rule in _asked(rules, plan, chosen):
        try:
            stream = iter(rule.check(plan, index))
            first = next(stream, None)
            if first is not None:  # the common case is that there is none
                listed = [*_bounded(chain((first,), stream))]
                hits.extend((rule, hit, sure) for hit, sure in zip(listed, sure_hits(rule, plan, listed), strict=True))
        except Exception as error:
            if not raised_outside(error):
                raise
            crashes.append(crash_finding(f"the rule {rule.code}", error))
    if not hits:
        return tuple(crashes)
    spans = plan.locate({place for _, hit, _ in hits for place in _places(hit)})
    found = [
        _finding(rule, hit, spans, chosen.get(rule.code) or _weight(rule, plan, hit, sure=sure))
        for rule, hit, sure in _with_hints(hits)
    ]
    return tuple(sorted([*crashes, *found], key=_position))


def _asked(rules: Iterable[Rule], plan: Plan, chosen: Mapping[str, Severity]) -> list[Rule]:
    """Return the rules that run: the caller's word counts before the format's, and that before the rule's own."""
    off, weighed = plan.traits.off, plan.traits.severities
    on = [rule for rule in rules if rule.code in chosen or (rule.code not in off and (rule.on or rule.code in weighed))]
    return [rule for rule in on if has_subject(rule.check, plan)]


def _bounded(stream: Iterator[Hit]) -> Iterable[Hit]:
    yield from islice(stream, HITS_PER_RULE)
    more = sum(1 for _ in stream)
    if more:
        from ..model.place import NOWHERE

        yield Hit(NOWHERE, f"{more:,} more findings of this rule are not listed")


def _with_hints(hits: list[tuple[Rule, Hit, bool]]) -> Iterator[tuple[Rule, Hit, bool]]:
    """Yield the hits, with the nearest known name as the hint of the first ones that name an unknown one."""
    left = GUESSES
    for rule, hit, sure in hits:
        if hit.near is not None and left > 0:
            left -= 1
            hit = replace(hit, hint=did_you_mean(*hit.near))
        yield rule, hit, sure


def _places(hit: Hit) -> Iterable[Place]:
    yield hit.place
    yield from (place for _, place in hit.related)
    yield from hit.lines[:LINES_IN_MESSAGE]


def _finding(rule: Rule, hit: Hit, spans: Mapping[Place, Span], severity: Severity) -> Finding:
    return Finding(
        rule.code,
        hit.place.path,
        hit.message + _lines(hit, spans),
        rule.kind,
        severity,
        spans.get(hit.place),
        hit.expected,
        hit.actual,
        hit.hint,
        tuple(Related(message, place.path, spans.get(place)) for message, place in hit.related),
    )


def _weight(rule: Rule, plan: Plan, hit: Hit, *, sure: bool) -> Severity:
    """Return what a hit weighs by itself, its format and its rule; one that is not sure is a remark."""
    return (hit.severity or plan.traits.severities.get(rule.code) or rule.severity) if sure else Severity.INFO


def _lines(hit: Hit, spans: Mapping[Place, Span]) -> str:
    lines = [str(spans[place].line) for place in hit.lines[:LINES_IN_MESSAGE] if place in spans]
    more = len(hit.lines) - LINES_IN_MESSAGE + hit.more_lines
    if not lines:
        return ""
    return f" (line{'s' if len(hit.lines) > 1 else ''} {', '.join(lines)}{f' and {more:,} more' if more > 0 else ''})"


def _position(finding: Finding) -> tuple[int, int]:
    return (finding.span.line, finding.span.column) if finding.span else (0, 0)
