"""Which exceptions are transport failures: those that sending the same request again may cure.

Judged by type and status, never by words: a validation message that quotes "500" is no server error.
"""

from __future__ import annotations

from ..errors import PlanguardError, TransientError

_STATUSES = frozenset({408, 409, 425, 429, 529})
_NAMES = frozenset({"APIConnectionError", "APITimeoutError", "ConnectError", "ReadError", "RemoteProtocolError"})
"""Exceptions of HTTP clients and SDKs that are no ConnectionError, by the name of one of their classes."""
_CHAIN_LIMIT = 10


def is_transient(error: BaseException) -> bool:
    """Whether the same request may be sent again.

    An SDK wraps whatever happens below it: where one of our own errors is the cause (a recording that lacks the
    request, a bad answer), it is none.
    """
    cause: BaseException | None = error
    for _ in range(_CHAIN_LIMIT):
        if cause is None:
            break
        if isinstance(cause, PlanguardError):
            return isinstance(cause, TransientError)
        cause = cause.__cause__ or cause.__context__
    return isinstance(error, (TimeoutError, ConnectionError)) or _status(error) or _named(error)


def _status(error: BaseException) -> bool:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    return isinstance(status, int) and (status in _STATUSES or 500 <= status < 600)


def _named(error: BaseException) -> bool:
    return any(base.__name__ in _NAMES for base in type(error).__mro__)
