"""Close the cassette of a test, and report its answers, misses and conversations.

The marker and `plugin.options` decide if a test records at all. In CI, none does unless an option demands it.
"""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from ...printable import visible
from ...replay.session.rerecord import age_s, age_text
from ..case import ENDED
from ..case_parts.played_cassette import PlayedCassette

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...replay.session.rerun import Replayed
    from ...replay.session.session import CassetteSession
    from ...retry.results import Convergence
    from ...wire.exchange import Exchange
    from ..case import Case


def close_cassette(case: Case, error: BaseException | None) -> None:
    """Close an open cassette, and keep its results. `error` is the exception of the test function.

    If every request was answered, the new cassette replaces the old one even if the test failed: it is the evidence. If
    the test was interrupted or skipped half-way, or its endpoint did not answer, the old one stays. A replaced cassette
    is kept for `planguard cassette restore`.

    Raises:
        CassetteError: it could not be written.
    """
    opened, case.opened = case.opened, None
    if opened is None:
        return
    try:
        if error is None or (isinstance(error, ENDED) and _is_whole(case)):
            replaces = session_of(case).recorded and case.path.is_file()
            before = case.path.read_bytes() if replaces else None
            opened.__exit__(None, None, None)
            _keep(case, before, failed=error is not None)
            return
        try:
            opened.__exit__(type(error), error, error.__traceback__)
        except BaseException as raised:
            if raised is not error:
                raise
        if not isinstance(error, ENDED):
            _tell_what_is_left(case)
    finally:
        case.recording = PlayedCassette.of(session_of(case), _expired(case))


def _tell_what_is_left(case: Case) -> None:
    """Print the path of an interrupted recording at once, since the test will have no report."""
    plugins, left = case.item.config.pluginmanager, session_of(case).left
    reporter, capture = plugins.get_plugin("terminalreporter"), plugins.get_plugin("capturemanager")
    if left is None or reporter is None:
        return
    way = f"planguard cassette recover --replace {shlex.quote(str(left))}"
    with nullcontext() if capture is None else capture.global_and_fixture_disabled():
        said = f"planguard: what was recorded is kept; to make a cassette of it: {way}"
        reporter.write_line(visible(said), red=True)


def _is_whole(case: Case) -> bool:
    """Return True if a failed test's recording is complete. A first cassette needs only one answer."""
    session = session_of(case)
    return session.answered if case.path.exists() else not session.unanswered


def _keep(case: Case, before: bytes | None, *, failed: bool) -> None:
    """Keep the replaced cassette, and note how to restore it after a failed test."""
    if before is None or case.path.read_bytes() == before:
        return
    from ...replay.files.names import keep_replaced

    if keep_replaced(case.item.config.rootpath, case.path, before) and failed:
        shown = shlex.quote(case.shown_path)
        session_of(case).notes.append(f"the cassette before this one is kept: planguard cassette restore {shown}")


def settle(case: Case) -> None:
    """Refuse retries that were answered pending an experiment, unless an experiment confirms them.

    An experiment that could have shown more leaves the wording unclear, which is not a loss.
    """
    session_of(case).settle({proof.exchange for proof in case.proofs if not proof.leaves_missing})
    case.recording = PlayedCassette.of(session_of(case), _expired(case))


def session_of(case: Case) -> CassetteSession:
    """Return the session of a case that has a cassette."""
    assert case.session is not None
    return case.session


def max_age_of(case: Case) -> float | None:
    """Return the maximum age of a test's cassette in seconds; None for any age."""
    return case.settings.max_age if case.spec.max_age is None else age_s(case.spec.max_age)


def _expired(case: Case) -> tuple[str, ...]:
    session = session_of(case)
    allowed, age = max_age_of(case), session.age_s
    if not session.expired or allowed is None or age is None or session.recorded:
        return ()
    told = f"{age_text(age)} old" if age > 0 else f"dated {age_text(-age)} in the future"
    return (f"its newest answer is {told} (max_age is {age_text(allowed)})",)


def replayed_of(case: Case) -> Sequence[Replayed]:
    """Return the exchanges answered from the cassette; () if a request was not, or went to a live endpoint."""
    session = session_of(case)
    return () if session.recorded or session.misses else session.replayed


def exchanged_of(case: Case) -> Sequence[Replayed]:
    """Return the exchanges so far, answered from the cassette or live; () if a request was not answered."""
    session = case.session
    if session is None or session.misses or session.bypasses or session.secrets_found:
        return ()
    return session.lived if session.recorded else session.replayed


def judged_of(case: Case) -> tuple[Convergence, ...]:
    """Return the conversations so far: the current requests, with the answers that they got."""
    session = case.session
    if session is None:
        return ()
    plays = session.exchanges
    on_disk = session.secrets_found and case.settings.record != "verify"
    exchanges = _redacted(case) if on_disk else tuple(p.exchange for p in plays)
    return _judge(case, exchanges, [p.conversation for p in plays][: len(exchanges)])


def kept_of(case: Case) -> tuple[Convergence, ...]:
    """Return the conversations in the file, regardless of the current requests."""
    return _judge(case, *session_of(case).kept)


def _judge(case: Case, exchanges: Sequence[Exchange], names: Sequence[str | None]) -> tuple[Convergence, ...]:
    from ...retry.judging.judge import DrivenLoop, judge

    done = case.judged_already
    if done:
        pairs = [pair for pair in zip(exchanges, names, strict=True) if pair[1] not in done]
        exchanges, names = [exchange for exchange, _ in pairs], [name for _, name in pairs]
    if not exchanges:
        return ()
    spec = case.spec
    options = replace(spec.options, proofs=case.proofs)
    loops = [DrivenLoop.of(c) for c in case.driven]
    asked = (tuple(exchanges), tuple(names), spec.contracts, options, loops)
    if case.judgement is None or case.judgement[0] != asked:
        found = judge(exchanges, spec.contracts, options=options, conversation_ids=names, loops=loops)
        case.judgement = (asked, found.conversations)
    return case.judgement[1]


def _redacted(case: Case) -> Sequence[Exchange]:
    """Return the exchanges on disk, so that rows and reports show no secrets that the cassette hides."""
    from ...replay.files.reader import read_cassette

    closed = case.opened is None and case.path.exists()
    return read_cassette(case.path).exchanges if closed else ()
