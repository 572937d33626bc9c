"""What a verdict says where a bound kept it from looking at everything."""

from __future__ import annotations

from ...failure_kinds import FailureKind
from ...finding import Finding
from ...phrasing import clip
from ...severity import Severity

TOO_MANY = "too_many_errors"
"""Code of the finding that says how many errors were looked at. A note where there are others, else the answer's only
fault: nobody knows whether it holds."""
NOT_ASKED = "validators_not_asked"
"""Code of the finding that says that pydantic was not called. A note where the JSON Schema rejects the answer."""
UNCOUNTED = 10**9
"""Steps that no validator ends in sensible time, and that are counted no further: 2^200 is not worth its digits."""
_HINT = "tell the alternatives of the union apart by a discriminator, or nest the answer less deeply"


def too_many(looked_at: int, *, of: int | None = None, steps: int | None = None, known_bad: bool) -> Finding:
    """Return the finding that says how many errors were looked at.

    Args:
        looked_at: their number.
        of: how many there are; None where nobody counted.
        steps: the steps that it took, where these ran out.
        known_bad: whether other findings reject the answer.
    """
    errors = f"{looked_at:,} errors were looked at" if of is None else f"{looked_at:,} of {of:,} errors were looked at"
    more = "" if of is not None else ", and there are more" if steps is None else f" in {steps:,} steps, then no more"
    severity = Severity.INFO if known_bad else Severity.RETRY
    return Finding(TOO_MANY, (), errors + more, FailureKind.RULE, severity, hint=None if known_bad else _HINT)


def unread(errors: int, *, known_bad: bool) -> Finding:
    """Return the finding that says that pydantic made too many errors to be read."""
    source = "the findings are those of the JSON Schema" if known_bad else "the JSON Schema rejects nothing"
    message = f"0 of pydantic's {errors:,} errors were looked at; {source}"
    severity = Severity.INFO if known_bad else Severity.RETRY
    return Finding(TOO_MANY, (), message, FailureKind.RULE, severity, hint=_HINT)


def not_asked(name: str, visits: int | None, *, known_bad: bool) -> Finding:
    """Return the finding that says that the validators of a type were not asked.

    Args:
        name: the type's.
        visits: how often they would look at the parts of the answer; None where that was not counted to its end.
        known_bad: whether other findings, those of the JSON Schema, reject the answer.
    """
    number = "too many steps" if visits is None else f"{visits:,} steps" + (" or more" if visits == UNCOUNTED else "")
    message = f"the validators of {clip(name)} were not asked: the alternatives of its unions take {number}"
    severity = Severity.INFO if known_bad else Severity.RETRY
    return Finding(NOT_ASKED, (), message, FailureKind.RULE, severity, hint=_HINT)
