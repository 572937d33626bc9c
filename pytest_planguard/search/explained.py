"""What the plan search's own finding code means."""

from __future__ import annotations

from ..registry import CATALOGUE, Sort, explained
from .blame import DUPLICATE

_CODES = (
    (
        DUPLICATE,
        "A step of a plan search gave an artifact that the same place of the search had before.",
        "To go on with it would search the same branch twice.",
        "the second outline under one goal equals the first",
        "Let the step see its earlier attempts, or raise the temperature; `StepBudget` bounds how often it is tried.",
    ),
)
CATALOGUE.register(explained(Sort.CODE, _CODES))
