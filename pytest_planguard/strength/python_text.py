"""Suggested constraints as ready Python: imports, helper functions, a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .suggestion import Suggestion


def constraints_module(suggestions: Sequence[Suggestion]) -> str:
    """Return a module that defines `CONSTRAINTS`; "" where nothing is suggested."""
    if not suggestions:
        return ""
    names = sorted({suggestion.builder for suggestion in suggestions})
    helpers = "".join(f"\n\n{helper}" for helper in dict.fromkeys(one.helper for one in suggestions) if helper)
    lines = "".join(constraint_lines(suggestion) for suggestion in suggestions)
    gap = "\n\n" if helpers else "\n"
    typing = "from typing import Any\n\n" if helpers else ""
    return f"{typing}from pytest_planguard import {', '.join(names)}\n{helpers}{gap}CONSTRAINTS = [\n{lines}]\n"


def constraint_lines(suggestion: Suggestion) -> str:
    """Return the line of a constraint below a comment with its evidence."""
    evidence = " ".join(suggestion.evidence.split())
    return f"    # {evidence}{_doubt(suggestion)}\n    {suggestion.python},\n"


def _doubt(suggestion: Suggestion) -> str:
    """Return words that name given answers which break the constraint, at most three; "" where none does."""
    names = suggestion.broken_by
    if not names:
        return ""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f", but for these (are they good?): {' '.join(', '.join(names[:3]).split())}{more}"
