"""The catalogue of all rules, in the order in which they run, and its output as text or plain values."""

from collections.abc import Iterable
from types import MappingProxyType

from ...contract.finding import Severity
from ...contract.phrasing import nearest
from ...errors import UsageError, offer
from ...registry import Registry
from . import dependencies, ids, parallel, references, requirements, structure, task_progress, tokens, unfinished_words
from .rule import Rule

_BUILT_IN: tuple[Rule, ...] = (
    *structure.RULES,
    *ids.RULES,
    *dependencies.RULES,
    *references.RULES,
    *requirements.RULES,
    *task_progress.RULES,
    *parallel.RULES,
    *unfinished_words.RULES,
    *tokens.RULES,
)
RULES = Registry("plan rule", {rule.code: rule for rule in _BUILT_IN})
BY_CODE = MappingProxyType({rule.code: rule for rule in _BUILT_IN})
"""The built-in rules by code."""


def unknown_rule(code: str, known: Iterable[str]) -> UsageError:
    """Return an error that suggests the nearest code, or else the command that lists the codes, which are many."""
    rest = offer(nearest(code, known)) or ". `planguard plan rules` lists all of them"
    return UsageError(f"unknown plan rule {code!r}{rest}")


def rule_of(code: str, rules: Iterable[Rule] = RULES) -> Rule:
    """Return the rule with a code.

    Raises:
        UsageError: there is no such rule; the message suggests the nearest code.
    """
    known = {rule.code: rule for rule in rules}
    if code not in known:
        raise unknown_rule(code, known)
    return known[code]


def explain(rule: Rule) -> str:
    """Return text for a terminal: what a rule checks, an example, and how to fix a finding."""
    guessed = "" if rule.severity is Severity.INFO else "".join(f"; a remark {_WHEN[part]}" for part in rule.rests_on)
    heading = f"{rule.code} ({_severity(rule)}{guessed})"
    return f"{heading}\n\n{rule.what}\n\nExample: {rule.example}\nFix:     {rule.mend}\n"


def list_rules(rules: Iterable[Rule] = RULES) -> str:
    """Return one line per rule: its code, severity and the first sentence of its description."""
    first = ((rule, rule.what.split(". ", 1)[0].rstrip(".")) for rule in rules)
    return "".join(f"{rule.code:<22}{_severity(rule):<13}{sentence}.\n" for rule, sentence in first)


def rule_values(rule: Rule) -> dict[str, object]:
    """Return a rule as plain values for JSON output."""
    return {
        "code": rule.code,
        "severity": str(rule.severity),
        "rests_on": list(rule.rests_on),
        "on": rule.on,
        "kind": rule.kind.value,
        "checks": rule.what,
        "example": rule.example,
        "mend": rule.mend,
    }


def _severity(rule: Rule) -> str:
    return str(rule.severity) if rule.on else f"{rule.severity}, off"


_WHEN = {
    "document": "if the format was guessed",
    "list": "if the format was guessed",
    "references": "if the format was guessed and more than one number in five leads nowhere",
    "form": "if the format was guessed and more than one in ten is written this way",
    "tasks": "if a list of tasks was not read",
    "requirements": "if the format was guessed and requirements have another form",
}
"""When a rule's findings are uncertain, by the kind of evidence that the rule relies on."""
