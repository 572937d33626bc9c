"""What a rule demands and what to do about a breach of it, for tools that show a rule beside its results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME, TEST
from ..media.sanitise import one_line

if TYPE_CHECKING:
    from ...contract.finding import Finding

LIMIT = 300
CHECKS = {
    "carried": "Each retry must carry what was wrong with the answer before: put the findings into the next request.",
    "stops": "The loop must stop in time: keep to the allowed attempts, and ask no more where an answer cannot help.",
    "agreed": "The app and the contract must judge every answer alike: put the app's own rules into the contract.",
    "fresh": "No retry may send an earlier request again: add what was wrong with the answer.",
    "addressed": "A retry must hold the rejected answer once, as the model's own turn or call.",
    "clean": "Feedback must hold no traceback, API error, secret or URL.",
    "bounded": "A retry's request may grow only by the answers so far and their feedback.",
    "shrinking": "A retry must bring no new findings, and must not fall back to an earlier phase.",
    "task_kept": "Every retry must still say what the task is.",
    "accounted": "Every attempt must say how many tokens it took.",
    "copied": "The valid last answer must copy neither a worked example nor the feedback.",
}
"""What each check of a conversation demands; `valid` repeats the findings of the last answer."""
_PREFIXES = {
    OUTCOME: "The conversation must end with a valid answer: planguard show RECORDING shows it attempt by attempt.",
    GAVE_UP: "The app gave up after a rejected answer and raised this exception: what was rejected is the cause.",
    TEST: "The test itself failed, and no answer says why: pytest shows its traceback.",
}
"""What a rule means that no contract names, by the word before its colon."""


_TITLES = {
    CHECK: "The check {} of a conversation.",
    OUTCOME: "A conversation that ends as {}.",
    GAVE_UP: "The exception {} after a rejected answer.",
    TEST: "A test that is {}.",
}


def rule_title(rule: str) -> str:
    """Return what kind of thing a rule is, as a sentence: 'The check carried of a conversation.' is one."""
    prefix, colon, name = rule.partition(":")
    return _TITLES[prefix].format(name) if colon and prefix in _TITLES else f"The rule {rule} of a contract."


def rule_help(rule: str, finding: Finding | None) -> str:
    """Return what a rule demands, in a sentence or two.

    `finding` is a breach of it, in whose words a rule of a contract is told; None where there is none.
    """
    prefix, colon, name = rule.partition(":")
    if colon and prefix == CHECK and name in CHECKS:
        return CHECKS[name]
    if colon and prefix in _PREFIXES:
        return _PREFIXES[prefix]
    return _plan_rule(rule) or _of_contract(rule, finding)


def _plan_rule(code: str) -> str:
    from ...plans.rules.rule_table import RULES

    return next((f"{rule.what} {rule.mend}" for rule in RULES if rule.code == code), "")


def _of_contract(rule: str, finding: Finding | None) -> str:
    expected = finding.expected if finding is not None else None
    demand = f"The rule {one_line(rule, LIMIT)} of a contract"
    hint = f" {one_line(finding.hint, LIMIT)}" if finding is not None and finding.hint else ""
    return f"{demand} expects {one_line(expected, LIMIT)}.{hint}" if expected else f"{demand}.{hint}"
