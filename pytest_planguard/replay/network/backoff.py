"""SDKs wait before they send a refused request again: in a replay nothing changes meanwhile, so the wait is skipped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

SDKS = {
    "openai._base_client": ("SyncAPIClient", "AsyncAPIClient"),
    "anthropic._base_client": ("SyncAPIClient", "AsyncAPIClient"),
}
"""Module -> its classes whose `_sleep_for_retry` waits between two sends."""
_WAIT = "_sleep_for_retry"


def backoff_patches(replays: Callable[[], bool]) -> Iterator[tuple[Any, str, Any, Any]]:
    """Yield what replaces the waits of the SDKs that are loaded: none while `replays` says so."""
    for module, names in SDKS.items():
        for name in names:
            client = getattr(sys.modules.get(module), name, None)
            real = getattr(client, _WAIT, None)
            if real is not None:
                ours = _async(real, replays) if name.startswith("Async") else _sync(real, replays)
                yield client, _WAIT, real, ours


def _sync(real: Any, replays: Callable[[], bool]) -> Any:
    def wait(*args: Any, **kwargs: Any) -> Any:
        return None if replays() else real(*args, **kwargs)

    return wait


def _async(real: Any, replays: Callable[[], bool]) -> Any:
    async def wait(*args: Any, **kwargs: Any) -> Any:
        return None if replays() else await real(*args, **kwargs)

    return wait
