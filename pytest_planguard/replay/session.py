"""What happens to a recording while a test runs: served and recorded exchanges, misses, drifts, secrets.

Nothing here knows vcrpy; `cassette` translates.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from ..errors import CassetteError
from ..wire.decode import decode
from ..wire.exchange import Exchange, Message
from .anew import Anew, anew
from .decision import Fit, Match, MissKind, Refusal, Sent
from .drift import Drift
from .gate import Gate
from .index import CONVERSATION_HEADER, Entry, RecordingIndex
from .interaction import Interaction
from .journal import Journal
from .miss import Miss, explain, explain_cap
from .network import Bypass, NetworkGuard, unexplained
from .play import Play, Settings
from .reader import RawInteraction
from .redact import SecretFound, redact
from .semantic import Meanings, SemanticRequest


class CassetteSession:
    """The recording of a running test. Lists grow while the test runs; read them after it."""

    def __init__(
        self, path: Path, interactions: Iterable[RawInteraction], settings: Settings, guard: NetworkGuard
    ) -> None:
        self.path = path
        self.played: list[Play] = []
        """Exchanges that were answered from the recording."""
        self.recorded: list[Play] = []
        """Exchanges that went to the live endpoint, as they were recorded: without their secrets."""
        self.misses: list[Miss] = []
        """Requests that got no answer, each once however often the SDK repeated it."""
        self.secrets_found: list[SecretFound] = []
        """Secrets that were kept off the disk while recording. A test that records one must fail."""
        self.normalisers_fired: list[str] = []
        """Names of the normalisers that changed a request of this test."""
        self.notes: list[str] = []
        """What a person should know about the file, one line each."""
        self.outgrown = False
        """In mode stale: the recording no longer fits, but answers were served already. Open it again in mode all."""
        self.expired = False
        """The recording is older than `max_age_s`."""
        self.age_s: float | None = None
        """Seconds since its newest answer; None where no answer tells, or nobody asked for a limit."""
        self.failure: CassetteError | None = None
        """The first error while writing; raised again at the end, since SDKs swallow it."""
        self._settings = settings
        self._meaning = Meanings(settings.normalisers, settings.redaction)
        self._index = RecordingIndex(interactions, self._meaning)
        self._gate = Gate(self._index, settings.match, evidence=settings.evidence, normalisers=settings.normalisers)
        self._guard = guard
        self._journal: Journal | None = None
        self._watching = False
        self._lock = threading.RLock()

    @property
    def recording(self) -> bool:
        """Whether requests go to the live endpoint and are recorded."""
        return self._journal is not None or self._watching

    @property
    def capped(self) -> bool:
        """Whether the cap on recording is reached, so that no further request may be sent."""
        return self.recording and self._settings.allowance.is_spent

    @property
    def exchanges(self) -> tuple[Play, ...]:
        """What the test exchanged, played or recorded, in the order in which it was recorded.

        Parallel requests are replayed in another order each time; what is said of them must not depend on that.
        """
        return (*self._in_order(), *self.recorded)

    @property
    def unplayed(self) -> tuple[Exchange, ...]:
        """Recorded exchanges that no request asked for; () while recording."""
        entries = () if self.recording else self._index.unplayed
        return tuple(decode(e.position, e.raw.request, e.raw.response) for e in entries)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """How served requests differ from the recorded ones."""
        return tuple(p.drift for p in self.played if p.drift is not None)

    @property
    def stale(self) -> bool:
        """Whether recorded answers stand in for answers to requests that were never sent: convergence is unproven."""
        return self._settings.match == "gated" and bool(self.drifts)

    @property
    def bypasses(self) -> tuple[Bypass, ...]:
        """Connections that went around the recording; while recording, when nothing was recorded from their host."""
        if not self.recording:
            return tuple(self._guard.bypasses)
        recorded = {_host(play.request.url) for play in self.recorded}
        clients = self._guard.clients
        found = unexplained(self._guard.contacted, recorded)
        return tuple(Bypass(host, None, clients.get(host, "a client")) for host in found)

    @property
    def size(self) -> int:
        """How many interactions the recording has."""
        return len(self._index.raw)

    @property
    def responses(self) -> Iterable[Message]:
        """The recorded responses, in order."""
        return (raw.response for raw in self._index.raw)

    @property
    def anew(self) -> Anew:
        """The command that records the file anew, with what its exchanges took."""
        return anew(self._settings.command, self._index.exchanges)

    @property
    def kept(self) -> tuple[tuple[Exchange, ...], tuple[str | None, ...]]:
        """What the file holds, played or not, and the app's names of the conversations, one an exchange."""
        return self._index.exchanges, tuple(e.conversation for e in self._index.entries)

    @property
    def replayed(self) -> tuple[tuple[Play, RawInteraction], ...]:
        """What was played, in the order of `exchanges`, each with what the recording has of it."""
        entries = self._index.entries
        return tuple((p, entries[p.position - 1].raw) for p in self._in_order() if p.position is not None)

    @property
    def awaits_first(self) -> bool:
        """In mode stale, before the first request: the last moment at which the whole file can be recorded anew."""
        return self._settings.mode == "stale" and not self.played and not self.misses

    def peek(self, message: Message) -> Entry | None:
        """The entry that `answer` would serve now; None for a miss."""
        with self._lock:
            decision = self._gate.decide(self._sent(message))
        return decision.entry if isinstance(decision, Fit) else None

    def start_recording(self) -> None:
        """Send every request from now on to the live endpoint. Raises CassetteError where the folder is read-only."""
        self._journal = Journal(self.path)
        self._guard.blocking = False
        if self._journal.moved is not None:
            self.notes.append(
                f"an interrupted recording stood here; its finished exchanges were kept as {self._journal.moved.name}"
            )

    def watch(self) -> None:
        """Send every request to the live endpoint and write nothing: the file is what the answers are held against."""
        self._watching = True
        self._guard.blocking = False

    def fits(self, message: Message) -> bool:
        """Whether a request has an answer in the recording as it stands. Decides nothing, changes nothing."""
        with self._lock:
            decision = self._gate.decide(self._sent(message))
        return isinstance(decision, Fit) and (decision.drift is None or self._settings.match != "gated")

    def answer(self, message: Message) -> Entry | Miss:
        """The recorded answer to a request, or the miss, which is kept."""
        with self._lock:
            sent = self._sent(message)
            if self.recording:
                return self._missed(sent, Refusal(MissKind.CAPPED))
            self._fired(sent.semantic)
            decision = self._gate.decide(sent)
            if self._settings.mode == "stale" and _deviates(decision, self._settings.match):
                self.outgrown = True
            if isinstance(decision, Refusal):
                return self._missed(sent, decision)
            self._gate.play(sent, decision.entry)
            self.played.append(self._play(sent, decision))
            return decision.entry

    def record(self, interaction: Interaction) -> None:
        """Write one live exchange, without its secrets. Raises CassetteError, and keeps it as `failure`."""
        with self._lock:
            name = self._conversation()
            cleaned = redact(interaction, self._settings.redaction)
            self.secrets_found += [s for s in cleaned.secrets if s not in self.secrets_found]
            written = cleaned.interaction
            play = Play(len(self.recorded) + 1, written.request, written.response, name)
            self.recorded.append(play)
            self._settings.allowance.spend(play.exchange)
            self._write(_named(written, name))
        if self._settings.on_record is not None:
            self._settings.on_record(play)

    def finish(self, *, complete: bool) -> None:
        """End the test. Only a complete recording takes the place of the old one."""
        if self._journal is None:
            return
        if not complete or self.failure is not None or any(m.kind is MissKind.CAPPED for m in self.misses):
            self._journal.abandon()
            if self._journal.count:
                self.notes.append(
                    f"the recording did not end well; its exchanges are kept in {self._journal.part.name}"
                )
        elif not self._journal.finish():
            self.notes.append("no request was sent, so nothing was recorded")

    def _in_order(self) -> list[Play]:
        """The played exchanges by their place in the recording; as they came where places were not told by meaning."""
        if self._settings.match not in ("gated", "strict"):
            return self.played
        found = sorted(self.played, key=lambda play: play.position or 0)
        return [p if p.number == n else replace(p, number=n) for n, p in enumerate(found, 1)]

    def _write(self, interaction: Interaction) -> None:
        if self._journal is None:
            return
        try:
            self._journal.append(interaction)
        except CassetteError as error:
            self.failure = self.failure or error
            raise

    def _missed(self, sent: Sent, refusal: Refusal) -> Miss:
        for miss in self.misses:
            if (miss.sent.hash, miss.sent.conversation) == (sent.hash, sent.conversation):
                miss.count += 1
                return miss
        shown = self._settings.shown_as or self.path.as_posix()
        if refusal.kind is MissKind.CAPPED:
            text = explain_cap(sent, self._settings.allowance.reached, shown, self._settings.command)
        else:
            text = explain(sent, refusal, shown, str(self.anew), tuple(self.notes))
        self.misses.append(Miss(sent, refusal, text))
        return self.misses[-1]

    def _play(self, sent: Sent, fit: Fit) -> Play:
        raw = fit.entry.raw
        number = len(self.played) + 1
        return Play(number, sent.message, raw.response, sent.conversation, fit.entry.position, fit.drift)

    def _sent(self, message: Message) -> Sent:
        semantic = self._meaning(message)
        return Sent(message, semantic, semantic.hash, self._conversation())

    def _conversation(self) -> str | None:
        ask = self._settings.conversation_id
        return ask() if ask is not None else None

    def _fired(self, semantic: SemanticRequest) -> None:
        self.normalisers_fired += [name for name in semantic.fired if name not in self.normalisers_fired]


def _deviates(decision: Fit | Refusal, match: Match) -> bool:
    return isinstance(decision, Refusal) or (match == "gated" and decision.drift is not None)


def _named(interaction: Interaction, name: str | None) -> Interaction:
    if name is None:
        return interaction
    return replace(interaction, request_headers=(*interaction.request_headers, (CONVERSATION_HEADER, (name,))))


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
