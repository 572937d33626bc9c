"""Parameters that are right one by one and make no rule together: it would hold, or fail, for every answer there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Flaw = Callable[[Mapping[str, Any]], "str | None"]
"""What is wrong with complete parameters; None where they make a rule."""


def bounds(params: Mapping[str, Any]) -> str | None:
    """Two bounds of which at least one is given, in their order."""
    low, high = params["min"], params["max"]
    if low is None and high is None:
        return "give 'min', 'max' or both: without a bound it holds for every answer"
    if low is not None and high is not None and low > high:
        return f"'min' {low} is more than 'max' {high}: no answer could hold"
    return None


def some_values(params: Mapping[str, Any]) -> str | None:
    """At least one value to compare with."""
    return None if params["values"] else "'values' is empty: name at least one"


def two_fields(params: Mapping[str, Any]) -> str | None:
    """Two lists to compare."""
    return None if len(params["fields"]) > 1 else "'fields' needs two lists or more: one is always as long as itself"
