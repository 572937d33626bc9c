"""The open cassette of a running test: what was asked and answered, what had no answer, and how that is judged."""

from __future__ import annotations

import shlex
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...replay.refresh.age import age_text
from ..case import ENDED
from .recording_limits import limits_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...replay.refresh.rerecord_hint import RerecordHint
    from ...replay.session.experiment_replay import Replayed
    from ...replay.session.session import CassetteSession
    from ...retry.results import Convergence
    from ...wire.exchange import Exchange
    from ..case import Case

OUTCOMES = {
    "unrecorded": "unrecorded",
    "capped": "unrecorded",
    "changed": "stale",
    "extra": "stale",
    "ambiguous": "ambiguous",
}
"""Kind of a miss to the outcome of its case."""


_UNREACHABLE = "  Start the endpoint or correct its address, then record again."


class OpenRecording:
    """A cassette that is replayed or made: `Recording` on top of a session of `replay`."""

    uses_file = True

    def __init__(self, case: Case, opened: AbstractContextManager[CassetteSession]) -> None:
        self._case = case
        self._judged: tuple[object, tuple[Convergence, ...]] | None = None
        self._opened: AbstractContextManager[CassetteSession] | None = opened
        self._session = opened.__enter__()

    def close(self, error: BaseException | None = None) -> None:
        """End the cassette.

        A cassette in which every request was answered takes the place of the old one, also where the test failed: it
        is the evidence of what failed. A test that was interrupted or skipped half-way, or whose endpoint did not
        answer, leaves the old one. What was replaced is kept for `planguard restore`.

        Raises:
            CassetteError: it could not be written.
        """
        opened, self._opened = self._opened, None
        if opened is None:
            return
        if error is None or (isinstance(error, ENDED) and self._is_whole):
            before = self._before()
            opened.__exit__(None, None, None)
            self._keep(before, failed=error is not None)
            return
        try:
            opened.__exit__(type(error), error, error.__traceback__)
        except BaseException as raised:
            if raised is not error:
                raise

    @property
    def _is_whole(self) -> bool:
        """Whether what a failed test has recorded stands for itself. A first cassette only needs one answer."""
        return self._session.answered if self._case.path.exists() else not self._session.unanswered

    def _before(self) -> bytes | None:
        """Return what a cassette that was made again is about to replace; None where it replaces nothing."""
        path = self._case.path
        return path.read_bytes() if self._session.recorded and path.is_file() else None

    def _keep(self, before: bytes | None, *, failed: bool) -> None:
        """Keep what was replaced, and say how a failed test gets it back."""
        path = self._case.path
        if before is None or path.read_bytes() == before:
            return
        from ...replay.files.replaced import keep_replaced

        if keep_replaced(self._case.item.config.rootpath, path, before) and failed:
            shown = shlex.quote(self._case.shown_path)
            self._session.notes.append(f"the cassette before this one is kept: planguard restore {shown}")

    @property
    def recorded(self) -> bool:
        """Whether this test talked to the live endpoint."""
        return bool(self._session.recorded)

    def exchanges_in(self, content: bytes) -> int | None:
        """How many exchanges the file holds, given its content; None where a new cassette did not replace it."""
        from ...replay.files.end_mark import find_mark

        mark = find_mark(content.decode("utf-8", "replace")) if self.recorded else None
        return mark.count if mark is not None else self._session.size or None

    @property
    def outgrown(self) -> bool:
        """In mode stale: whether a request after the first did not fit, so that all of it has to be recorded again."""
        return self._session.outgrown

    @property
    def misses(self) -> tuple[str, ...]:
        """Requests without an answer and connections around the cassette: an explanation each, first line first."""
        around = [f"a request went around the cassette\n  {bypass}" for bypass in self._session.bypasses]
        unreachable = [
            f"{place} could not be reached, nothing was recorded\n{_UNREACHABLE}" for place in self._session.unreachable
        ]
        own = [miss.message for miss in self._session.misses]
        return (*own, *(text for _, text in self._session.child_misses if text not in own), *around, *unreachable)

    def settle(self) -> None:
        """Refuse the retries that were served until an experiment told, where it has not spoken for them.

        An experiment that might have told more leaves the words unclear, which is no loss.
        """
        self._session.settle({proof.exchange for proof in self._case.proofs if not proof.leaves_missing})

    @property
    def outcome(self) -> str | None:
        """The outcome of a case whose requests found no answer; None where all did, or a retry dropped its findings."""
        kinds = [miss.kind.value for miss in self._session.misses]
        kinds += [kind for kind, _ in self._session.child_misses]
        return next((OUTCOMES[kind] for kind in kinds if kind in OUTCOMES), None)

    @property
    def unplayed(self) -> tuple[str, ...]:
        """Recorded answers that were never asked for, one line each."""
        return tuple(f"exchange {e.number}: {_excerpt(e)}" for e in self._session.unplayed)

    @property
    def stale(self) -> tuple[str, ...]:
        """How served requests differ from the recorded ones, one line each; () where convergence is proven."""
        if not self._session.stale:
            return ()
        numbered = [(p.number, p.drift) for p in self._session.exchanges if p.drift is not None]
        return tuple(f"request {number} {drift}" for number, drift in numbered)

    @property
    def stale_misses(self) -> tuple[str, ...]:
        """Requests so changed that no recorded answer serves them; () where a retry dropped its findings.

        They make a cassette stale as much as those that were served all the same.
        """
        kinds = [miss.kind.value for miss in self._session.misses]
        if "missing" in kinds:
            return ()
        stale = (m for m in self._session.misses if OUTCOMES.get(m.kind.value) == "stale")
        return tuple(m.message.partition("\n")[0] for m in stale)

    @property
    def expired(self) -> tuple[str, ...]:
        """That the cassette is older than allowed, in one line; () where it is not, or its age is unknown."""
        allowed, age = limits_of(self._case.item.config).age_of(self._case.spec), self._session.age_s
        if not self._session.expired or allowed is None or age is None or self.recorded:
            return ()
        return (f"its newest answer is {age_text(age)} old (max_age is {age_text(allowed)})",)

    @property
    def rerecord_hint(self) -> RerecordHint:
        """How the cassette is made again, and what it took."""
        return self._session.rerecord

    @property
    def asked(self) -> bool:
        """Whether the test has sent any request yet."""
        return bool(self._session.exchanges or self._session.misses)

    @property
    def last_exchange(self) -> int:
        """How many requests got an answer: the number of the last exchange, since they are counted from 1."""
        return len(self._session.exchanges)

    @property
    def replayed(self) -> Sequence[Replayed]:
        """What was answered from the cassette; () where a request was not, or a live endpoint was asked."""
        missed = self._session.misses or self._session.child_misses
        return () if self._session.recorded or missed else self._session.replayed

    @property
    def exchanged(self) -> Sequence[Replayed]:
        """What was answered, by the cassette or by the live endpoint; () where a request was not."""
        session = self._session
        if session.misses or session.bypasses or session.secrets_found:
            return ()
        return session.lived if session.recorded else session.replayed

    @property
    def reached(self) -> tuple[str, ...]:
        """Hosts that the test may reach and did, each once: its own database."""
        return self._session.reached

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secrets that were kept off the disk, one line each."""
        return tuple(map(str, self._session.secrets_found))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about the file, and why a test took its time."""
        from .network_refusal import backoff_note

        times = max((miss.count for miss in self._session.misses), default=0)
        return (*self._session.notes, *backoff_note(self._case, times))

    @property
    def summary(self) -> str:
        """What there was to judge, for a test that judged nothing."""
        number = len(self._session.exchanges)
        if not number:
            return "no request was sent and no answer was checked"
        kinds = ", ".join(dict.fromkeys(_why_unjudged(p.exchange) for p in self._session.exchanges))
        return f"{number} {'exchange' if number == 1 else 'exchanges'}, none with an answer to judge ({kinds})"

    @property
    def called_tools(self) -> tuple[str, ...]:
        """Names of the tools that the answers so far call, each once."""
        calls = (call.name for p in self._session.exchanges for call in p.exchange.calls)
        return tuple(dict.fromkeys(name for name in calls if name))

    def judged(self) -> tuple[Convergence, ...]:
        """The conversations so far: requests as they were sent now, with the answers that they got."""
        plays = self._session.exchanges
        on_disk = self._session.secrets_found and self._case.settings.record != "verify"
        exchanges = self._redacted() if on_disk else tuple(p.exchange for p in plays)
        return self._judge(exchanges, [p.conversation for p in plays][: len(exchanges)])

    def kept(self) -> tuple[Convergence, ...]:
        """The conversations that the file holds, whatever was sent now."""
        return self._judge(*self._session.kept)

    def _judge(self, exchanges: Sequence[Exchange], names: Sequence[str | None]) -> tuple[Convergence, ...]:
        from ...retry.judging.judge import DrivenLoop, judge

        done = self._case.judged_already
        if done:
            pairs = [pair for pair in zip(exchanges, names, strict=True) if pair[1] not in done]
            exchanges, names = [exchange for exchange, _ in pairs], [name for _, name in pairs]
        if not exchanges:
            return ()
        spec = self._case.spec
        options = replace(spec.options, proofs=self._case.proofs)
        loops = [DrivenLoop.of(c) for c in self._case.driven]
        asked = (tuple(exchanges), tuple(names), spec.contracts, options, loops)
        if self._judged is None or self._judged[0] != asked:  # an experiment asks what the test's end has asked
            found = judge(exchanges, spec.contracts, options=options, conversation_ids=names, loops=loops)
            self._judged = (asked, found.conversations)
        return self._judged[1]

    def _redacted(self) -> Sequence[Exchange]:
        """What stands on the disk: a row or a report must not show the secrets that the cassette does not."""
        from ...replay.files.reader import read_cassette

        closed = self._opened is None and self._case.path.exists()
        return read_cassette(self._case.path).exchanges if closed else ()


def _why_unjudged(exchange: Exchange) -> str:
    """Return why there was nothing to judge: an unread body, 'auth: HTTP 401: bad key' of a failed request, a tool."""
    from ...contract.failure_kinds import kind_of_status
    from ...report.text import one_line

    if exchange.note:
        return exchange.note
    if exchange.dialect == "command" and exchange.error:
        return one_line(f"{exchange.model}: {exchange.error}", 100)
    kind = kind_of_status(exchange.status)
    failed = f"HTTP {exchange.status}: {one_line(exchange.error or 'no answer', 100)}"
    return (f"{kind.value}: {failed}" if kind else failed) if exchange.status >= 400 else "calls a tool"


def _excerpt(exchange: Exchange) -> str:
    from ...report.text import one_line

    host = urlsplit(exchange.url).hostname
    if not exchange.is_generation and host:
        return one_line(f"{exchange.note}; if it is no model: planguard_allowed_hosts = {host}", 200)
    return one_line(exchange.answer_text or exchange.raw_response, 100)
