"""No wait before a retry in a replay: served answers say `Retry-After: 0`, and SDKs do not sleep between two sends."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...contract.failure_kinds import FailureKind, kind_of_status
from .hooks import Patch, load_now

WAIT_HEADERS = frozenset({"retry-after", "retry-after-ms", "x-retry-after", "x-should-retry-after"})
"""Headers of an answer by which a host tells its client to wait. A replay serves none of them as recorded."""


def no_wait_headers(headers: Iterable[tuple[str, object]], status: int) -> list[tuple[str, list[str]]]:
    """Set the retry delay to 1 ms for SDKs that read milliseconds, and to 0 s for clients such as urllib3."""
    names = {name.lower() for name, _ in headers}
    told = [("retry-after", ["0"])] if "retry-after" in names else []
    return [*told, ("retry-after-ms", ["1"])] if told or kind_of_status(status) is FailureKind.TRANSPORT else []


# The waits of SDKs, for answers without a header.

_MODULE = "._base_client"
"""End of the name of the client module in such an SDK: openai, anthropic, groq and others come from one generator."""
_CLIENTS = ("SyncAPIClient", "AsyncAPIClient")
_WAIT = "_sleep_for_retry"
"""The method that waits between two attempts to send."""

_KNOWN: list[tuple[int, tuple[str, ...]]] = [(0, ())]
"""One entry: the number of loaded modules at the last check, and the SDK modules among them."""


def sdk_modules() -> tuple[str, ...]:
    """Return the names of loaded modules whose clients wait. Checks again if more modules are loaded."""
    if _KNOWN[0][0] != len(sys.modules):
        names = tuple(name for name in list(sys.modules) if name.endswith(_MODULE))
        _KNOWN[0] = (len(sys.modules), names)
    return _KNOWN[0][1]


def load_sdk(name: object) -> bool:
    """Load the clients of an SDK at the audit event that begins their import; return True if that loaded them.

    A test may import its SDK in its body, after the waits of the loaded SDKs were replaced.
    """
    return isinstance(name, str) and name.endswith(_MODULE) and name not in sys.modules and load_now(name)


def backoff_patches(replays: Callable[[], bool]) -> Iterator[Patch]:
    """Yield replacements for the waits of the loaded SDKs. They do not wait while `replays` returns True."""
    for module in sdk_modules():
        for name in _CLIENTS:
            client = getattr(sys.modules.get(module), name, None)
            real = getattr(client, _WAIT, None)
            if real is not None:
                instead = _nothing if name.startswith("Async") else lambda: None
                yield client, _WAIT, real, _waiting(real, replays, instead)


def _waiting(real: Any, replays: Callable[[], bool], instead: Callable[[], object]) -> object:
    def wait(*args: Any, **kwargs: Any) -> Any:
        return instead() if replays() else real(*args, **kwargs)

    return wait


async def _nothing() -> None:
    """End at once."""
