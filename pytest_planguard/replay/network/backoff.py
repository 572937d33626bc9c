"""SDKs wait before they send a refused request again: in a replay nothing changes meanwhile, so the wait is skipped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from .sends import Patch

_MODULE = "._base_client"
"""What the module of such an SDK's clients ends with: openai, anthropic, groq and others come from one generator."""
_CLIENTS = ("SyncAPIClient", "AsyncAPIClient")
_WAIT = "_sleep_for_retry"
"""The method that waits between two sends."""

_KNOWN: list[tuple[int, tuple[str, ...]]] = [(0, ())]
"""One entry: how many modules were loaded at the last look, and those of SDKs among them."""


def sdk_modules() -> tuple[str, ...]:
    """Return the names of the loaded modules whose clients wait. It looks again once more modules are loaded."""
    if _KNOWN[0][0] != len(sys.modules):
        names = tuple(name for name in list(sys.modules) if name.endswith(_MODULE))
        _KNOWN[0] = (len(sys.modules), names)
    return _KNOWN[0][1]


def load_sdk(name: object) -> bool:
    """Load the clients of an SDK at the audit event that their import begins with; return whether they came by it.

    A test may import its SDK in its body, when the waits of those that were loaded are replaced already.
    """
    if not isinstance(name, str) or not name.endswith(_MODULE) or name in sys.modules:
        return False
    try:
        import_module(name)
    except ImportError:  # the import that is under way says so itself
        return False
    return True


def backoff_patches(replays: Callable[[], bool]) -> Iterator[Patch]:
    """Yield what replaces the waits of the SDKs that are loaded: none while `replays` says so."""
    for module in sdk_modules():
        for name in _CLIENTS:
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
