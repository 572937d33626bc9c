"""The catalogue: every rule, in the order in which a document is judged."""

from __future__ import annotations

from types import MappingProxyType

from . import dependencies, ids, parallel, references, structure, task_progress, tokens, unfinished_words
from .rule import Rule

RULES: tuple[Rule, ...] = (
    *structure.RULES,
    *ids.RULES,
    *dependencies.RULES,
    *references.RULES,
    *task_progress.RULES,
    *parallel.RULES,
    *unfinished_words.RULES,
    *tokens.RULES,
)
BY_CODE = MappingProxyType({rule.code: rule for rule in RULES})
"""Rule by its code."""
