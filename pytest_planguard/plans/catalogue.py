"""The rule catalogue as text for a terminal, and as values for a program."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..contract.finding import Severity
from .model.unknown_name import unknown_rule
from .rules.rule_table import RULES

if TYPE_CHECKING:
    from .rules.rule import Rule


def rule_of(code: str, rules: Iterable[Rule] = RULES) -> Rule:
    """Return the rule of a code.

    Raises:
        UsageError: there is no such rule; the message names the nearest.
    """
    known = {rule.code: rule for rule in rules}
    if code not in known:
        raise unknown_rule(code, known)
    return known[code]


def explain(rule: Rule) -> str:
    """Return what a rule checks, an example and how to fix it, for a terminal."""
    return f"{_heading(rule)}\n\n{rule.what}\n\nExample: {rule.example}\nFix:     {rule.mend}\n"


def list_rules(rules: Iterable[Rule] = RULES) -> str:
    """Return one line for each rule: code, severity, the first sentence of what it checks."""
    return "".join(f"{rule.code:<22}{_severity(rule):<13}{_first(rule.what)}\n" for rule in rules)


def rule_values(rule: Rule) -> dict[str, Any]:
    """Return a rule as plain values, for a program."""
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


def _heading(rule: Rule) -> str:
    return f"{rule.code} ({_severity(rule)}{_guessed(rule)})"


def _severity(rule: Rule) -> str:
    return str(rule.severity) if rule.on else f"{rule.severity}, off"


def _guessed(rule: Rule) -> str:
    """Return '; a remark where the format was guessed', nothing for rules that rest on their element alone."""
    if rule.severity is Severity.INFO or not rule.rests_on:
        return ""
    when = "; ".join(f"a remark {_WHEN[part]}" for part in rule.rests_on)
    return f"; {when}"


_WHEN = {
    "document": "where the format was guessed",
    "list": "where the format was guessed",
    "references": "where the format was guessed and more than one number in five leads nowhere",
    "form": "where the format was guessed and more than one in ten is written so",
    "tasks": "where a list of tasks was not read",
    "requirements": "where the format was guessed and requirements stand in another form",
}
"""When a rule that rests on something is not sure of it."""


def _first(text: str) -> str:
    return text.split(". ", 1)[0].rstrip(".") + "."
