"""The table of all rules, and the judgement of a plan by them: findings with codes, severities and places.

A finding keeps its severity only if the reader is sure about everything that it depends on; otherwise it is a remark.
If the user names no format, the format is guessed. Parts that do not fit the format's grammar may then be the project's
own style, which the reader does not know.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from ...contract.finding import Finding, Related, Severity
from ...contract.own_checks import crash_finding, raised_outside
from ...contract.phrasing import did_you_mean, nearest
from ...document.positions import Span
from ...errors import UsageError, offer
from ...registry import Registry
from ..index import PlanIndex
from ..plan import NOWHERE, Place, Plan
from ..reading.task_forms import UNREAD_TASKS
from . import dependencies, ids, parallel, references, requirements, structure, tokens, unfinished
from .rule import Hit, Rule

_MODULES = (structure, ids, dependencies, references, requirements, unfinished, parallel, tokens)
RULES = Registry("plan rule", {rule.code: rule for module in _MODULES for rule in module.RULES})
"""All rules, in the order in which they run."""
BY_CODE = MappingProxyType({rule.code: rule for rule in RULES})
"""The built-in rules by code."""


def unknown_rule(code: str, known: Iterable[str]) -> UsageError:
    """Return an error that suggests the nearest code, or else the command that lists the codes, which are many."""
    rest = offer(nearest(code, known)) or ". `planguard plan rules` lists all of them"
    return UsageError(f"unknown plan rule {code!r}{rest}")


def rule_of(code: str, rules: Iterable[Rule] = RULES) -> Rule:
    """Return the rule with a code. Raises UsageError, which suggests the nearest code, if there is no such rule."""
    known = {rule.code: rule for rule in rules}
    if code not in known:
        raise unknown_rule(code, known)
    return known[code]


ELEMENTS_PER_SLIP = 10
"""A deviation is a mistake if at most one in this many elements deviates: one box in thirty without an id.

If more deviate, the project always writes this way. A shorter list shows no habit, so it has no certain mistakes.
"""
_REQUIREMENTS = ("req-scenario", "req-text")
"""Rules about the form of requirements. The other rules about form check tasks."""
_HEADED = ("header-format", "id-missing", "id-format")  # rules about form that do not apply to a task's steps


def sure_hits(rule: Rule, plan: Plan, hits: Sequence[Hit]) -> list[bool]:
    """Return a flag for each hit of a rule: True if the reader is sure about everything that the hit depends on.

    The reader is sure about a format that the user named, or whose tool rejects other files. If it left out a list,
    hits of rules that need all tasks are remarks.

    In a guessed format, no hit is certain if a list was left out. Otherwise, hits about the document as a whole are
    never certain, hits about form only if they are a mistake, and others if every part that they depend on was read.
    """
    left_out = any(defect.code == UNREAD_TASKS for defect in plan.defects)
    if is_known(plan):
        return [not (left_out and "tasks" in rule.rests_on)] * len(hits)
    if plan.known_by == "text" and "list" in rule.rests_on:
        return [False] * len(hits)
    if left_out or "document" in rule.rests_on or any(part in plan.unsure for part in (*rule.rests_on, "element")):
        return [False] * len(hits)
    is_slip = _is_slip(rule, plan, len(hits))
    return [hit.sure and is_slip for hit in hits]


def is_known(plan: Plan) -> bool:
    """Return True if the format was not guessed.

    The user named it, JSON or YAML fields identify it, or the path belongs to a tool that rejects any other form. A
    path alone identifies the tool, but not how a project writes its Markdown.
    """
    return plan.known_by == "name" or (plan.known_by == "tool" and (plan.find is not None or plan.traits.validated))


def _is_slip(rule: Rule, plan: Plan, hits: int) -> bool:
    """Return True if only a few elements break a rule about form; always True for other rules."""
    if rule.code in _REQUIREMENTS:
        elements = len(plan.requirements)
    else:
        elements = sum(task.parent is None or rule.code not in _HEADED for task in plan.tasks)
    return "form" not in rule.rests_on or hits * ELEMENTS_PER_SLIP <= elements


HITS_PER_RULE = 200
"""Maximum number of findings per rule and plan. A final finding counts the rest."""
GUESSES = 50
"""Maximum number of findings per plan that suggest the nearest known name for an unknown one."""
LINES_IN_MESSAGE = 12
"""Maximum number of line numbers in a message. It only counts the rest."""


def check_plan(
    plan: Plan,
    rules: Iterable[Rule] = RULES,
    *,
    severity: Mapping[str, Severity | str] | None = None,
    catalogue: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of all rules for a plan, in text order.

    Args:
        plan: the result of `read_plan`.
        rules: the rules to apply; a rule that is off by default runs only if `severity` names it.
        severity: maps a rule code to a severity, which overrides the format's and the rule's own.
        catalogue: names of the guards, agents or runners that tasks may name; None skips this check.
    """
    index = PlanIndex(plan, catalogue)
    chosen = {code: Severity(value) for code, value in (severity or {}).items()}
    hits: list[tuple[Rule, Hit, bool]] = []
    crashes: list[Finding] = []
    for rule in _asked(rules, plan, chosen):
        try:
            if listed := [*_bounded(iter(rule.check(plan, index)))]:  # most rules have no hit
                hits.extend((rule, hit, sure) for hit, sure in zip(listed, sure_hits(rule, plan, listed), strict=True))
        except Exception as error:
            if not raised_outside(error):
                raise
            crashes.append(crash_finding(f"the rule {rule.code}", error))
    if not hits:
        return tuple(crashes)
    places = {place for _, hit, _ in hits for place in (hit.place, *hit.lines[:LINES_IN_MESSAGE])}
    spans = plan.locate(places | {place for _, hit, _ in hits for _, place in hit.related})
    weighed = plan.traits.severities
    found = []
    left = GUESSES
    for rule, hit, sure in hits:
        if hit.near is not None and left > 0:
            left -= 1
            hit = replace(hit, hint=did_you_mean(*hit.near))
        own = (hit.severity or weighed.get(rule.code) or rule.severity) if sure else Severity.INFO
        found.append(_finding(rule, hit, spans, chosen.get(rule.code) or own))
    return by_place([*crashes, *found])


def _asked(rules: Iterable[Rule], plan: Plan, chosen: Mapping[str, Severity]) -> list[Rule]:
    """Return the rules to run. The caller's choice overrides the format's, which overrides the rule's default."""
    off, weighed = plan.traits.off, plan.traits.severities
    on = [rule for rule in rules if rule.code in chosen or (rule.code not in off and (rule.on or rule.code in weighed))]
    return [rule for rule in on if rule.about is None or getattr(plan, rule.about)]


def _bounded(stream: Iterator[Hit]) -> Iterable[Hit]:
    yield from islice(stream, HITS_PER_RULE)
    if more := sum(1 for _ in stream):
        yield Hit(NOWHERE, f"{more:,} more findings of this rule are not listed")


def _finding(rule: Rule, hit: Hit, spans: Mapping[Place, Span], severity: Severity) -> Finding:
    related = tuple(Related(message, place.path, spans.get(place)) for message, place in hit.related)
    told = (rule.code, hit.place.path, hit.message + _lines(hit, spans), rule.kind, severity, spans.get(hit.place))
    return Finding(*told, hit.expected, hit.actual, hit.hint, related)


def _lines(hit: Hit, spans: Mapping[Place, Span]) -> str:
    lines = [str(spans[place].line) for place in hit.lines[:LINES_IN_MESSAGE] if place in spans]
    more = len(hit.lines) - LINES_IN_MESSAGE
    if not lines:
        return ""
    return f" (line{'s' if len(hit.lines) > 1 else ''} {', '.join(lines)}{f' and {more:,} more' if more > 0 else ''})"


def by_place(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings in text order. Findings about the whole document come first."""
    return tuple(sorted(findings, key=lambda one: (one.span.line, one.span.column) if one.span else (0, 0)))
