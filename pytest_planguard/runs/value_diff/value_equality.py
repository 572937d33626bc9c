"""When two single values count as alike: rounding, spelling, custom operators. The one place that uses deepdiff.

deepdiff judges single pairs that our own differ found changed; it never aligns lists, where it is quadratic, and
nothing that it pickles is read or written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RichOptions:
    """Rules for a pair of values at the same place."""

    significant_digits: int | None = None
    """Digits after the point to which numbers are compared; None: exactly."""
    ignore_case: bool = False
    """Texts that differ in upper and lower case only are alike."""
    ignore_number_type: bool = False
    """1 and 1.0 are alike."""
    operators: Sequence[Any] = ()
    """deepdiff operators (`deepdiff.operator.BaseOperator`), asked for every pair."""

    def alike(self, before: Any, after: Any) -> bool:
        """Return whether the pair counts as alike under these rules."""
        from deepdiff import DeepDiff

        found = DeepDiff(
            before,
            after,
            significant_digits=self.significant_digits,
            ignore_string_case=self.ignore_case,
            ignore_numeric_type_changes=self.ignore_number_type,
            custom_operators=list(self.operators) or None,
        )
        return not found
