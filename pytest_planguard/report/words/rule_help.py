"""What a rule demands and what to do about a breach of it, for tools that show a rule beside its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME, TEST
from ..explain.explain_text import render_explanations
from ..explain.lookup import meanings
from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...contract.finding import Finding

LIMIT = 300
_TITLES = {
    CHECK: "The check {} of a conversation.",
    OUTCOME: "A conversation that ends as {}.",
    GAVE_UP: "The exception {} after a rejected answer.",
    TEST: "A test that is {}.",
}


def rule_title(rule: str) -> str:
    """Return what kind of thing a rule is, as a sentence: 'The check feedback of a conversation.' is one."""
    prefix, colon, name = rule.partition(":")
    return _TITLES[prefix].format(name) if colon and prefix in _TITLES else f"The rule {rule} of a contract."


def rule_help(rule: str, finding: Finding | None) -> str:
    """Return what a rule demands and what to do: from the catalogue of `planguard explain`, where it has the rule.

    `finding` is a breach of it, in whose words a rule of the user's own is told; None where there is none.
    """
    entries = meanings(rule)
    return render_explanations(entries) if entries else _of_contract(rule, finding)


def _of_contract(rule: str, finding: Finding | None) -> str:
    expected = finding.expected if finding is not None else None
    demand = f"The rule {one_line(rule, LIMIT)} of a contract"
    hint = f" {one_line(finding.hint, LIMIT)}" if finding is not None and finding.hint else ""
    return f"{demand} expects {one_line(expected, LIMIT)}.{hint}" if expected else f"{demand}.{hint}"
