"""A stale recording whose requests differ in their envelope only: what was sent is kept, and the way out is told."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .case import Case


def rekey_command(case: Case) -> str | None:
    """The command that takes the new requests over without a call; None where more than the envelope changed."""
    from ..replay.privacy.redact import Redaction
    from ..replay.refresh.rekey import Sent, rekeyed
    from ..replay.refresh.sent_file import keep_sent

    if case.tape is None or not case.stale or case.tape.misfits:
        return None
    replayed = case.tape.replayed
    sent = [Sent(play.position, play.request) for play, _ in replayed if play.position is not None]
    try:
        kept = keep_sent(case.item.config.rootpath, case.path, sent, Redaction())
    except OSError:  # a read-only checkout: recording anew stays the way out
        return None
    told = [rekeyed(raw.request, one) for (_, raw), one in zip(replayed, kept, strict=True)]
    return f"planguard show {shlex.quote(case.shown_path)} --rekey" if all(one.allowed for one in told) else None
