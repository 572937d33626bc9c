"""A stale cassette, which no longer holds what the app sends, or one that is too old: its problems, and the repair.

`plugin.recording` notes the requests that differ.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from .failure import Problem
from .problems import failed_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..case import Case


def judge_cassette(case: Case, bad: list[Problem]) -> None:
    """Note if the cassette is too old, and the commands that repair a stale one. `bad`: what conversations broke."""
    case.expired = () if bad else case.recording.expired
    if case.session is not None and case.stale_reasons and not feedback_is_missing(case):
        case.rerecord_hint = case.session.rerecord
    else:
        case.rerecord_hint = None
    if case.stale and not feedback_is_missing(case):
        case.rekey_command = _rekey_command(case)


def outdated(case: Case) -> Iterator[Problem]:
    """Yield the problems of the cassette itself."""
    if not case.settings.stale_fails:
        return
    yield from stale_recording(case)
    if case.expired:
        yield Problem(f"the cassette has expired: {case.expired[0]}", "", _rerecord_advice(case))


def stale_recording(case: Case) -> Iterator[Problem]:
    """Yield that the cassette no longer fits: a warning for a passing test, the likely reason for a failing one."""
    if case.stale:
        lines = "\n".join(f"  {line}" for line in case.stale)
        yield Problem("the cassette is stale: it no longer fits what is sent", lines, _rerecord_advice(case))


def _rerecord_advice(case: Case) -> str:
    return "" if case.rerecord_hint is None else str(case.rerecord_hint)


def feedback_is_missing(case: Case) -> bool:
    """Return True if an answered or refused retry feeds back nothing of what was wrong.

    It must not be recorded again, because the cassette would keep the bug.
    """
    from ...runs.model.run import MISSING_FEEDBACK

    refused = any(miss.startswith(MISSING_FEEDBACK) for miss in case.recording.misses)
    return refused or any("feedback" in failed_checks(found) for found in case.conversations)


def _rekey_command(case: Case) -> str | None:
    """Keep the new requests for `planguard show --rekey`, and return that command, which needs no call of a model.

    Return None if more than the envelope of the requests changed.
    """
    from ...replay.privacy.redaction_rules import own_redaction
    from ...replay.session.rekey import SentRequest, keep_sent, rekeyed
    from ..recording.recording import replayed_of

    # If a request found no answer, `replayed_of` is empty, and nothing proves that only the envelope changed.
    if not case.stale or case.recording.misses:
        return None
    replayed = replayed_of(case)
    sent = [SentRequest(play.position, play.request) for play, _ in replayed if play.position is not None]
    settings = case.settings
    redaction = own_redaction(settings.redact, settings.keep, settings.keep_headers)
    try:
        kept = keep_sent(case.item.config.rootpath, case.path, sent, redaction)
    except OSError:  # a read-only checkout: recording again still works
        return None
    rekeyings = [rekeyed(raw.request, one) for (_, raw), one in zip(replayed, kept, strict=True)]
    return f"planguard show {shlex.quote(case.shown_path)} --rekey" if all(r.allowed for r in rekeyings) else None
