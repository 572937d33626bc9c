"""The catalogue: every rule, in the order in which a document is judged."""

from __future__ import annotations

from types import MappingProxyType

from ...registry.table import Registry
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
"""By code."""
BY_CODE = MappingProxyType({rule.code: rule for rule in _BUILT_IN})
"""The built-in rules by code."""


def register_plan_rule(rule: Rule) -> None:
    """Add a plan rule for the whole process: every plan is judged by it.

    Raises:
        UsageError: another rule of that code exists.
    """
    RULES.register(rule.code, rule)
