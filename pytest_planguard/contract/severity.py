"""How much a finding matters."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property


class Severity(StrEnum):
    """How much a finding matters, from least to most. The order of definition is the order of severity."""

    INFO = "info"
    """Noted, passes: a fence was stripped, prose stood around the document."""
    WARN = "warn"
    """Recorded and shown, passes, never fed back: a field took its default."""
    RETRY = "retry"
    """The answer is bad; the finding belongs into the next request."""
    FAIL = "fail"
    """The answer is bad and asking again is pointless or forbidden: stop at once, zero retries."""

    @cached_property
    def bad(self) -> bool:
        """True where the answer does not pass: retry and fail."""
        return self in (Severity.RETRY, Severity.FAIL)

    @cached_property
    def rank(self) -> int:
        """0 for info up to 3 for fail."""
        return list(Severity).index(self)
