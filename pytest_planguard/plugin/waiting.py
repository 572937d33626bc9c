"""Why a refused test took seconds: clients take a refusal for a lost connection, wait, and send the request again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .case import Case

SAID: pytest.StashKey[str] = pytest.StashKey()
"""The test that was told; the others of a session took their time for the same reason."""


def note_of_waiting(case: Case, times: int) -> tuple[str, ...]:
    """One note for the first test of a session that was refused so many `times`; () where that was once.

    Where no recording is open connections are refused, and nobody knows whether all were for the same request.
    """
    if times < 2 or case.item.config.stash.setdefault(SAID, case.nodeid) != case.nodeid:
        return ()
    waited = f"{times} requests were refused; SDKs send a refused one again and wait before it, for seconds in all"
    return (f"{waited}: a client with max_retries=0 in tests spares that",)
