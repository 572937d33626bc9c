"""A cassette while a test runs: how it is opened, what is answered or recorded, how it is closed.

Past events are in `history`. Nothing here knows vcrpy; `cassette` translates.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import CassetteError
from ...wire.exchange import MODEL_HEADER, STATE_HEADER, Message
from ..files.cassette_journal import CassetteJournal, count_exchanges, finished_exchanges, journals_of
from ..files.interaction import Interaction
from ..files.reader import Cassette, RawInteraction, read_cassette
from ..matching.cassette_index import CONVERSATION_HEADER, RecordedEntry, Sent
from ..matching.gated_replay import Gate
from ..matching.refusal import (
    Fit,
    Miss,
    MissKind,
    Refusal,
    explain,
    explain_stop,
    explain_unanswered,
)
from ..network.contacts import leads_back
from ..network.earlier_threads import blames_earlier, with_sender
from ..network.guard import NetworkGuard
from ..privacy.redact import Redacted, first_secret, redact
from .history import SessionHistory, as_lived
from .playback import (
    RAISE_CAP,
    CassetteSettings,
    EndlessLoops,
    Mode,
    Play,
    Stop,
    note_state,
    noted_state,
    state_text,
    with_header,
)
from .rerecord import SKEW_S, newest_answer


class CassetteSession(SessionHistory):
    """The cassette of a running test: answers its requests, or records the answers of the live endpoint."""

    def __init__(
        self, path: Path, interactions: Iterable[RawInteraction], settings: CassetteSettings, guard: NetworkGuard
    ) -> None:
        super().__init__(path, interactions, settings, guard)
        self._gate = Gate(
            self._index,
            settings.match,
            contracts=settings.contracts,
            provisional=settings.provisional,
            normalisers=settings.normalisers,
        )
        self._unsettled: list[tuple[int, Miss]] = []  # place of the answer, and the miss that its retry may become
        self._loops = EndlessLoops(settings.contracts)
        self._endless: Stop | None = None  # why the conversation being recorded may not continue
        self._fitted = False  # in mode stale: the first request got its answer, and no other thread may undo this
        self._lock, self._lock_pid = threading.RLock(), os.getpid()
        self._ended = False  # known to forked children: the test is over
        self._owed: dict[tuple[str, str, bytes], Message] = {}  # requests of forked children without an answer yet

    @property
    def exchanges(self) -> tuple[Play, ...]:
        """As in the history, including what forked children have done so far."""
        with self._alone():
            return super().exchanges

    @property
    def capped(self) -> bool:
        """True if a recording limit is reached, so that no further request may be sent."""
        with self._alone():
            return self.recording and (self._endless is not None or bool(self._settings.allowance.reached))

    @property
    def awaits_first(self) -> bool:
        """True until the first request in mode stale. Until then, the whole file can still be recorded again.

        Never in a forked child: its parent opens the journal, in a second run.
        """
        begun = self._fitted or self.played or self.misses or self._guard.reports.in_child
        return self._settings.mode == "stale" and not begun

    def replays(self, message: Callable[[], Message]) -> bool:
        """Return True if `answer` should get a request.

        If the very first request does not fit, the cassette is recorded again.
        """
        if self.awaits_first and not self.recording and not self.fits(message()):
            self.start_recording()
        return self.capped if self.recording else True

    def peek(self, message: Message) -> RecordedEntry | None:
        """Return the entry that `answer` would serve now; None for a miss."""
        with self._alone():
            decision = self._gate.decide(self._index.sent(message, self._settings.conversation_id()))
        return decision.entry if isinstance(decision, Fit) else None

    def start_recording(self) -> None:
        """Send every request from now on to the live endpoint. Raises CassetteError if the folder is read-only.

        Does nothing if recording has begun, or if a first request has got its answer in the meantime.
        """
        with self._lock:
            if self.recording or self._fitted:
                return
            journal = CassetteJournal(self.path, partial(first_secret, redaction=self._settings.redaction))
            self._guard.blocking = False
            self._journal = journal
        if not journal.locked:
            self.notes.append("this file system has no locks: record with one session at a time")
        if journal.interrupted:
            last = journal.interrupted[0].name
            self.notes.append(f"there is an interrupted cassette here; its finished exchanges are kept in {last}")

    def watch(self) -> None:
        """Send every request to the live endpoint and write nothing: the answers are compared with the file."""
        self._watching = True
        self._guard.blocking = False

    def fits(self, message: Message) -> bool:
        """Return True if the cassette answers a request unchanged.

        In mode stale, the first such request rules out recording.
        """
        with self._alone():
            decision = self._gate.decide(self._index.sent(message, self._settings.conversation_id()))
            fits = isinstance(decision, Fit) and (decision.drift is None or self._settings.match != "gated")
            self._fitted = self._fitted or (fits and self.awaits_first and not self.recording)
        return fits

    def answer(self, message: Message) -> RecordedEntry | Miss:
        """Return the recorded answer to a request, or the miss, which is kept."""
        with self._alone():
            name = self._settings.conversation_id()
            self._share("answer", message, name)
            return self._answer(message, name)

    def _answer(self, message: Message, name: str | None) -> RecordedEntry | Miss:
        sent = self._index.sent(message, name)
        if self.recording:
            return self._keep_miss(sent, Refusal(MissKind.CAPPED))
        decision = self._gate.answer(sent)
        deviates = isinstance(decision, Refusal) or (self._settings.match == "gated" and decision.drift is not None)
        self.outgrown = self.outgrown or (self._settings.mode == "stale" and deviates)
        if isinstance(decision, Refusal):
            return self._keep_miss(sent, decision)
        if decision.unless_proven is not None and decision.answered is not None:
            self._unsettled.append((decision.answered, self._miss(sent, decision.unless_proven, tried=True)))
        self.played.append(self._play(sent, decision))
        return decision.entry

    def expect(self, message: Message) -> None:
        """Note a request that is being sent to the live endpoint.

        If an SDK repeats it, one answer is enough for all.
        """
        with self._alone():
            self._share("expect", message)
            self._awaited.add(_key(message))
            note_state(_key(message), self._state() if self.recording else None)

    def record(self, interaction: Interaction) -> None:
        """Write one live exchange, without its secrets. Raises CassetteError, and keeps it as `failure`."""
        with self._alone():
            name, key = self._settings.conversation_id(), _key(interaction.request)
            state = noted_state(key, self._state)
            interaction = with_header(interaction, STATE_HEADER, state)
            interaction = with_header(interaction, MODEL_HEADER, self._settings.for_model)
            cleaned = redact(interaction, self._settings.redaction)
            self._share("record", cleaned, interaction, name)
            self._record(cleaned, interaction, name)
            self._write(with_header(cleaned.interaction, CONVERSATION_HEADER, name))

    def _state(self) -> str | None:
        try:
            return state_text(self._settings.state)
        except CassetteError as error:
            self.failure = self.failure or error
            raise

    def _record(self, cleaned: Redacted, interaction: Interaction, name: str | None) -> None:
        self._awaited.discard(_key(interaction.request))
        self.secrets_found += [s for s in cleaned.secrets if s not in self.secrets_found]
        kept = [f"kept, as planguard_keep says: {one}" for one in cleaned.kept]
        self.notes += [note for note in kept if note not in self.notes]
        written = cleaned.interaction
        play = Play(len(self.recorded) + 1, written.request, written.response, name)
        self.recorded.append(play)
        self.lived.append(as_lived(interaction, play))
        self._settings.allowance.spend(play.exchange)
        if not self._settings.allowance.limits_calls:
            self._endless = self._endless or self._loops.add(play.exchange, name)
        self._note_download(play)

    def settle(self, excused: Collection[int]) -> None:
        """Turn provisional answers into misses, except for retries whose findings turn out not to be missing.

        `excused` are the exchanges with those findings, by their numbers in `exchanges`.
        """
        served = {play.position for play in self.exchanges if play.number in excused}
        self.misses += [miss for answered, miss in self._unsettled if answered not in served]
        self._unsettled.clear()

    def finish(self, *, complete: bool) -> None:
        """End the test. Only a complete cassette replaces the old one."""
        with self._alone():
            self._share("end")
        if self._journal is None:
            return
        # The parent saw these requests begin in a child that has not answered for them.
        for message in self._owed.values():
            refusal = Refusal(MissKind.UNANSWERED)
            self.misses.append(Miss(self._index.sent(message, None), refusal, explain_unanswered(message)))
        kept = {MissKind.CAPPED, MissKind.UNANSWERED}
        if not complete or self.failure is not None or any(m.kind in kept for m in self.misses):
            self._journal.abandon()
            if self._journal.count:
                errors = "the endpoint answered nothing but errors"
                why = errors if self.unanswered else "the cassette did not end well"
                self.notes.append(f"{why}; its exchanges are kept in {self._journal.part.name}")
                self.left = self._journal.part
        elif not self._finished(self._journal):
            self.notes.append("no request was seen, so nothing was recorded")

    def _finished(self, journal: CassetteJournal) -> bool:
        """Turn the journal into the cassette. Raises CassetteError, and keeps it as `failure`."""
        try:
            return journal.finish()
        except CassetteError as error:
            self.failure = error
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Exclude all other threads and forked children of the test, and first do what the other processes did."""
        if self._lock_pid != os.getpid():  # a thread that was not copied may have held it when this child was forked
            self._lock, self._lock_pid = threading.RLock(), os.getpid()
        with self._lock, self._guard.reports.alone() as deeds:
            for kind, *what in deeds:
                self._follow(kind, *what)
            yield

    def _share(self, kind: str, *what: object) -> None:
        """Let the other processes do the same. Raises CassetteError in a child that outlives the test."""
        if self._ended:
            raise CassetteError("the test has ended; wait in it until its forked children end")
        self._guard.reports.share(kind, *what)

    def _follow(self, kind: str, *what: Any) -> None:
        """Do what another process has done to the same cassette."""
        if kind == "answer":
            self._answer(*what)
        elif kind == "expect":
            (message,) = what
            self._owed[_key(message)] = message
        elif kind == "record":
            cleaned, interaction, name = what
            self._owed.pop(_key(interaction.request), None)
            self._record(cleaned, interaction, name)
            if self._journal is not None:
                self._journal.follow(with_header(cleaned.interaction, CONVERSATION_HEADER, name))
        elif kind == "end":
            self._ended = True

    def _write(self, interaction: Interaction) -> None:
        if self._journal is None:
            return
        try:
            self._journal.append(interaction)
        except CassetteError as error:
            self.failure = self.failure or error
            raise

    def _keep_miss(self, sent: Sent, refusal: Refusal) -> Miss:
        for miss in self.misses:
            if (miss.sent.semantic.hash, miss.sent.conversation) == (sent.semantic.hash, sent.conversation):
                miss.count += 1
                return miss
        miss = self._miss(sent, refusal)
        if not blames_earlier(sent.message.url):
            self.misses.append(miss)
        return miss

    def _miss(self, sent: Sent, refusal: Refusal, *, tried: bool = False) -> Miss:
        shown = self._settings.shown_as or self.path.as_posix()
        if refusal.kind is MissKind.CAPPED:
            allowance, stop = self._settings.allowance, self._endless
            if stop is None or allowance.reached:
                stop = Stop(allowance.reached, RAISE_CAP)
            else:
                stop = stop._replace(why=f"{stop.why} ({allowance.so_far})")
            text = explain_stop(sent, stop.why, shown, stop.advice, self._settings.command + stop.option)
        else:
            notes = (*self.notes, *self._other_base(sent.message.url))
            text = explain(sent, refusal, shown, str(self.rerecord), notes, tried=tried)
        return Miss(sent, refusal, with_sender(text))

    def _other_base(self, url: str) -> Iterator[str]:
        for first in islice(self._index.entries, 1):
            yield from leads_back(url, first.raw.request.url, first.semantic.own_path)

    def _play(self, sent: Sent, fit: Fit) -> Play:
        """Return the exchange as the test lived it: the request has the state that was recorded with its answer."""
        raw, request = fit.entry.raw, sent.message
        state = raw.request.headers.get(STATE_HEADER)
        if state is not None:
            request = replace(request, headers={**request.headers, STATE_HEADER: state})
        number, position = len(self.played) + 1, fit.entry.position
        return Play(number, request, raw.response, sent.conversation, position, fit.drift)


def _key(request: Message) -> tuple[str, str, bytes]:
    """Return a key that distinguishes a request that waits for its live answer."""
    return request.method, request.url, request.body


# How a session begins, by its mode and the existing file, and how it ends.


def kept_cassette(file: Path, mode: Mode) -> Cassette | None:
    """Return the cassette; None without one, or if it is recorded again. Raises CassetteError."""
    return read_cassette(file) if mode != "all" and file.exists() else None


def begin(session: CassetteSession, mode: Mode, max_age_s: float | None, now: Callable[[], float]) -> None:
    """Determine the age of the cassette, and start the mode. Raises CassetteError.

    `max_age_s` is the oldest valid age, in seconds; `now` is the clock, seconds since the epoch. The age of an answer
    from the future can't be trusted: its date was edited, or the clock was set back.
    """
    newest = newest_answer(session.responses) if max_age_s is not None else None
    session.age_s = None if newest is None else now() - newest
    session.expired = session.age_s is not None and max_age_s is not None and not -SKEW_S <= session.age_s <= max_age_s
    absent = not session.urls
    if mode == "verify":
        session.watch()
    elif (mode != "none" and absent) or (mode == "stale" and session.expired):  # "all" reads no cassette
        session.start_recording()
    elif absent and (parts := journals_of(session.path)):
        count = count_exchanges(finished_exchanges(parts[0]))
        session.notes.append(
            f"{parts[0].name} holds {count} finished exchange{'' if count == 1 else 's'} of a cassette "
            "that was interrupted; record the test again (they are kept beside the new cassette)"
        )


@contextmanager
def finishing(session: CassetteSession) -> Iterator[None]:
    """End the session with the block. Only a block without an error leaves a complete cassette.

    Raises CassetteError.
    """
    try:
        yield
    except BaseException:
        session.finish(complete=False)
        raise
    session.finish(complete=True)
    if session.failure is not None:
        raise session.failure
