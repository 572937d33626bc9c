"""How much a driven loop may spend, and which failures it may answer by sending the same request again.

Only the error's type and status decide, not its words: a validation message that quotes "500" is not a server error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..contract.failure_kinds import FailureKind, kind_of_status
from ..errors import PlanguardError, UsageError
from ..wire.exchange import Usage

Price = Callable[[Usage], float]
"""The cost of one answer's tokens, in the unit of `Budget.cost`."""

FIRST_DELAY_S = 1.0
"""Seconds before the first repetition of a failed send. Each further wait is twice as long."""
LONGEST_DELAY_S = 30.0
"""Maximum number of seconds before a repetition."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one conversation. The first one reached ends it.

    Raises:
        UsageError: a limit allows nothing, or a cost has no price.
    """

    attempts: int = 3
    """Maximum number of attempts, including the first; at least 1."""
    tokens: int | None = None
    """Maximum number of input and output tokens of all attempts. When they are used up, or if an answer does not state
    its tokens, there is no further attempt: an unknown cost is not free."""
    cost: float | None = None
    """Maximum cost of all attempts. Needs `price`."""
    price: Price | None = None
    transport_retries: int = 2
    """How many sends may be repeated after a transport failure (429, 5xx, timeout, connection), per conversation. They
    do not count as attempts."""

    def __post_init__(self) -> None:
        for name, least in (("attempts", 1), ("transport_retries", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"a budget's {name} must be at least {least}, got {getattr(self, name)}")
        for name in ("tokens", "cost"):
            bound = getattr(self, name)
            if bound is not None and bound <= 0:
                raise UsageError(f"a budget's {name} must be more than 0, got {bound}")
        if self.cost is not None and self.price is None:
            raise UsageError("a budget in money needs price=, a function from an answer's Usage to its cost")

    def spent(self, usages: list[Usage]) -> str | None:
        """Return why these usages allow no further attempt, or None if they do."""
        if len(usages) >= self.attempts:
            return f"all {self.attempts} attempts are made"
        if self.tokens is None and self.cost is None:
            return None
        if any(usage.input_tokens is None or usage.output_tokens is None for usage in usages):
            return "an answer does not say how many tokens it took"
        tokens = sum((usage.input_tokens or 0) + (usage.output_tokens or 0) for usage in usages)
        if self.tokens is not None and tokens >= self.tokens:
            return f"{tokens:,} of {self.tokens:,} tokens are spent"
        if self.cost is None or self.price is None:
            return None
        cost = sum(map(self.price, usages))
        return f"{cost:g} of {self.cost:g} are spent" if cost >= self.cost else None


def delay_s(retry: int) -> float:
    """Return the seconds to wait before transport retry number `retry` (from 1): doubling from 1 s, at most 30 s."""
    # 2 ** 1_100 is no float any more; from the sixth retry on, the limit counts anyway
    return min(FIRST_DELAY_S * 2.0 ** min(retry - 1, 10), LONGEST_DELAY_S)


# Transport failures: exceptions that sending the same request again may cure.

_NAMES = frozenset({"APIConnectionError", "APITimeoutError", "ConnectError", "ReadError", "RemoteProtocolError"})
"""Class names of HTTP clients' and SDKs' exceptions that do not derive from ConnectionError."""
CHAIN_LIMIT = 10
"""Maximum number of causes of an exception to look at; an exception may be among its own causes."""


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, its cause, the cause of that, and so on: SDKs wrap every error below them."""
    for _ in range(CHAIN_LIMIT):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def kind_of_response(error: BaseException) -> FailureKind | None:
    """Return `auth` or `transport` for an SDK's error with such an HTTP status; None for any other error."""
    # An error of openai has the status itself, one of httpx has it in its response.
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return kind_of_status(status) if isinstance(status, int) else None


def is_transient(error: BaseException) -> bool:
    """Return True if the same request may be sent again.

    An SDK wraps every error below it. If one of our own errors is the cause (a cassette that lacks the request, a bad
    answer), it may not.
    """
    if any(isinstance(cause, PlanguardError) for cause in causes(error)):
        return False
    if kind_of_response(error) is FailureKind.TRANSPORT:
        return True
    by_name = any(base.__name__ in _NAMES for base in type(error).__mro__)
    return by_name or isinstance(error, (TimeoutError, ConnectionError))
