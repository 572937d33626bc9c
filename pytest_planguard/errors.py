"""Errors that planguard raises. Each message says what was seen, where, and what to do next.

None of them describes a bad model answer: a bad answer is a `Verdict` with findings, never an exception.
Only the front doors turn a verdict or a convergence into a failing test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .contract.finding import Finding

ORIGINAL_LIMIT = 500
"""Characters of the model's raw text that `SchemaValidationError` keeps; the rest is counted, not kept."""


class PlanguardError(Exception):
    """Base of every error that planguard raises on purpose."""


class UsageError(PlanguardError, ValueError):
    """A use of planguard that cannot work: an unknown constraint, a marker without a contract."""


class PlanguardWarning(UserWarning):
    """A use of planguard that works, but likely not as meant. Given once, where the user's code stands."""


class CassetteError(PlanguardError):
    """A recording cannot be read or written. The message names the file and the way out."""


class RunError(PlanguardError):
    """A run or a baseline cannot be read or written. The message names the file and the way out."""


class TransientError(PlanguardError):
    """A transport failure (429, 5xx, timeout) that sending the same request again may cure."""


class ContractFailed(PlanguardError, AssertionError):
    """An answer does not keep its contract, or a conversation does not converge. `str()` is the report for a person."""


class SchemaValidationError(PlanguardError):
    """A model's final answer does not keep its schema: a content error, never transient, never retried as transport.

    Attributes:
        provider_name: who answered, for example "openai"; None when unknown.
        original_message: the model's raw text, cut after `ORIGINAL_LIMIT` characters with a note of how much was cut.
        findings: what is wrong, in the order of the verdict.
    """

    def __init__(
        self,
        message: str,
        provider_name: str | None = None,
        original_message: str | None = None,
        findings: Sequence[Finding] = (),
    ) -> None:
        super().__init__(message)
        self.provider_name = provider_name
        self.original_message = None if original_message is None else _bounded(original_message)
        self.findings = tuple(findings)


def _bounded(text: str) -> str:
    cut = len(text) - ORIGINAL_LIMIT
    return text if cut <= 0 else f"{text[:ORIGINAL_LIMIT]}… ({cut:,} more characters)"
