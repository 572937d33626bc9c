"""A redline: a value in an answer that no retry may talk away, so that a person has to decide."""

from __future__ import annotations

from ...contract.constraints.constraint import ContentConstraint
from .conditions import parse_conditions


def redline(*conditions: str, language: str = "en") -> tuple[ContentConstraint, ...]:
    """Return a constraint of severity fail for each `field:value`; a contract of any task takes them.

    The value counts anywhere in the field's text, in any case. A finding of severity fail ends the retries, and opens
    a gate that is given the findings: `gate.check(task, value, findings=verdict.findings)`.

    Args:
        conditions: such as "go_no_go_recommendation:Do Not Execute"; several may stand in one text, with commas.
        language: that of the values, which good answers in another one would not hold.

    Raises:
        UsageError: a condition without a colon, an empty name or value, a quote that is not closed.
    """
    parsed = [condition for text in conditions for condition in parse_conditions(text)]
    return tuple(
        ContentConstraint(
            one.name, "excludes", {"values": (one.value,), "ignore_case": True, "language": language}, "fail"
        )
        for one in parsed
    )
