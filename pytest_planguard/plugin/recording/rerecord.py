"""A stale cassette: record it again, or keep what was sent where only its envelope changed.

A conversation is recorded whole or not at all, and whether a cassette still fits shows only while it is replayed. So
the first run finds out, and the second one records. Fixtures are not set up again between the two.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from .open_recording import open_recording
from .recording import ENDED

if TYPE_CHECKING:
    from collections.abc import Generator

    import pytest

    from ..case import Case


def rerecorded_if_outgrown(item: pytest.Item, case: Case) -> Generator[None, object, object]:
    """Wrap a test's body: where its replay shows that the cassette is outgrown, run the body again to record it.

    What the first run raised is forgotten then: it came from answers that no longer fit.
    """
    try:
        result = yield
    except ENDED:
        if not case.recording.outgrown:
            raise
    else:
        if not case.recording.outgrown:
            return result
    _start_over(case)
    if getattr(item, "_excinfo", None):  # where a unittest case keeps the failures of its first run
        item._excinfo = None  # type: ignore[attr-defined]  # noqa: SLF001
    item.runtest()
    return None


def _start_over(case: Case) -> None:
    case.recording.close()
    case.checked.clear()
    case.driven.clear()
    case.expected.clear()
    case.recording = open_recording(case, "all")


# A stale cassette whose requests differ in their envelope only: what was sent is kept for `planguard show --rekey`.


def rekey_command(case: Case) -> str | None:
    """Return the command that adopts the new requests without a call; None where more than the envelope changed."""
    from ...replay.privacy.redaction import own_redaction
    from ...replay.session.rekey import SentRequest, keep_sent, rekeyed

    # Where a request found no answer, `replayed` is empty, and nothing shows that only the envelope changed.
    if not case.stale or case.recording.misses:
        return None
    replayed = case.recording.replayed
    sent = [SentRequest(play.position, play.request) for play, _ in replayed if play.position is not None]
    try:
        kept = keep_sent(case.item.config.rootpath, case.path, sent, own_redaction(case.settings.redact))
    except OSError:  # a read-only checkout: re-recording stays the way out
        return None
    rekeyings = [rekeyed(raw.request, one) for (_, raw), one in zip(replayed, kept, strict=True)]
    return f"planguard show {shlex.quote(case.shown_path)} --rekey" if all(r.allowed for r in rekeyings) else None
