"""Track a cassette during its test: exchanges, misses, drifts, secrets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from ...errors import CassetteError
from ...wire.decode import decode
from ...wire.exchange import Exchange, Message
from ..files.cassette_journal import CassetteJournal
from ..files.interaction import Interaction
from ..files.reader import RawInteraction
from ..matching.cassette_index import CassetteIndex
from ..matching.drift import Drift
from ..matching.refusal import Miss
from ..matching.semantic import Meanings
from ..network.contacts import around, beside, unexplained
from ..network.guard import Bypass, NetworkGuard
from ..privacy.redact import SecretFound
from .playback import CassetteSettings, Play
from .rerecord import RerecordHint, rerecord_hint
from .responder import Responder


class SessionHistory(Responder):
    """The history of a `CassetteSession`. Lists grow while the test runs; read them after it."""

    def __init__(
        self, path: Path, interactions: Iterable[RawInteraction], settings: CassetteSettings, guard: NetworkGuard
    ) -> None:
        self.path = path
        self.played: list[Play] = []
        """Exchanges that were answered from the cassette."""
        self.recorded: list[Play] = []
        """Exchanges with the live endpoint, as recorded (without secrets)."""
        self.lived: list[tuple[Play, RawInteraction]] = []
        """The same exchanges including secrets. Used only to rerun the same test."""
        self.misses: list[Miss] = []
        """Requests without an answer. A request that the SDK repeated is listed once."""
        self.secrets_found: list[SecretFound] = []
        """Secrets that were removed while recording. A test that records one must fail."""
        self.notes: list[str] = []
        """Notes on the file for people, one line each."""
        self.outgrown = False
        """In mode "stale": the cassette no longer matches, but answers were already served. Open it again in mode
        "all"."""
        self.expired = False
        """True if the cassette is older than `max_age_s`."""
        self.age_s: float | None = None
        """Age of its newest answer in seconds; None if no answer has a date, or there is no limit."""
        self.failure: CassetteError | None = None
        """The first error while writing. It is raised again at the end, because SDKs may swallow it."""
        self._settings = settings
        self._index = CassetteIndex(interactions, Meanings(settings.normalisers, settings.redaction))
        self._guard = guard
        self._journal: CassetteJournal | None = None
        self.left: Path | None = None
        """The journal that is kept because the test failed."""
        self._watching = False
        self._awaited: set[tuple[str, str, bytes]] = set()
        """Method, URL and body of each live request that has no answer yet."""

    @property
    def recording(self) -> bool:
        """True if requests go to the live endpoint and are recorded."""
        return self._journal is not None or self._watching

    @property
    def exchanges(self) -> tuple[Play, ...]:
        """The test's exchanges, played or recorded, in the order of recording.

        The order of parallel requests varies between replays, and results must not depend on it.
        """
        return (*self._in_order(), *self.recorded)

    @property
    def unplayed(self) -> tuple[Exchange, ...]:
        """Recorded exchanges that were not played; () while recording."""
        entries = () if self.recording else self._index.unplayed
        return tuple(decode(e.position, e.raw.request, e.raw.response) for e in entries)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        """The differences between served requests and the recorded ones."""
        return tuple(p.drift for p in self.played if p.drift is not None)

    @property
    def stale(self) -> bool:
        """True if answers were served to requests that differ from the recorded ones. Convergence is then unproven."""
        return self._settings.match == "gated" and bool(self.drifts)

    @property
    def unanswered(self) -> bool:
        """True if the live endpoint returned only errors: no recorded exchange has a status of 200 to 299."""
        return bool(self.recorded) and not any(200 <= p.response.status < 300 for p in self.recorded)

    @property
    def answered(self) -> bool:
        """True if the live endpoint answered all requests, and the last one successfully."""
        ended_well = bool(self.recorded) and 200 <= self.recorded[-1].response.status < 300
        return ended_well and not self._awaited and not self.misses

    @property
    def bypasses(self) -> tuple[Bypass, ...]:
        """Connections that bypassed the cassette.

        While recording, these are connections to a host without recorded exchanges, or from unsupported clients.
        """
        if not self.recording:
            return self._guard.all_bypasses
        recorded = {urlsplit(play.request.url).hostname or "" for play in self.recorded}
        hosts = unexplained(self._guard.contacted - self._guard.passed, recorded)
        silent = [Bypass(host, None, self._guard.clients.get(host, "a client")) for host in hosts]
        urls = [play.request.url for play in self.recorded]
        found = dict((*around(self._guard.all_unrecorded, urls), *beside(self._guard.places, urls)))
        return (*silent, *(Bypass(*place, client) for place, client in found.items()))

    @property
    def reached(self) -> tuple[str, ...]:
        """Allowed hosts to which connections were made, without duplicates."""
        return tuple(self._guard.reached)

    def _note_download(self, play: Play) -> None:
        """Note a download.

        A cache may answer it later, or may have answered it before, and then the cassette does not match.
        """
        if play.request.method.upper() != "GET" or play.exchange.is_generation:
            return
        host = play.exchange.url.partition("://")[2].partition("/")[0].partition(":")[0]
        text = f"{host} was asked for something other than an answer; to leave it out: planguard_allowed_hosts = {host}"
        if text not in self.notes:
            self.notes.append(text)

    @property
    def size(self) -> int:
        """Number of interactions in the cassette."""
        return len(self._index.raw)

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of the recorded requests, in order."""
        return tuple(raw.request.url for raw in self._index.raw)

    @property
    def responses(self) -> Iterable[Message]:
        """The recorded responses, in order."""
        return (raw.response for raw in self._index.raw)

    @property
    def rerecord(self) -> RerecordHint:
        """The command that records the file again, with the cost of its exchanges."""
        return rerecord_hint(self._settings.command, self._index.exchanges)

    @property
    def kept(self) -> tuple[tuple[Exchange, ...], tuple[str | None, ...]]:
        """All exchanges of the file, played or not, and for each exchange the app's name of its conversation."""
        return self._index.exchanges, tuple(e.conversation for e in self._index.entries)

    @property
    def replayed(self) -> tuple[tuple[Play, RawInteraction], ...]:
        """The played exchanges in the order of `exchanges`, each with its interaction in the cassette."""
        entries = self._index.entries
        return tuple((p, entries[p.position - 1].raw) for p in self._in_order() if p.position is not None)

    def _in_order(self) -> list[Play]:
        """Return the played exchanges sorted by position, or by arrival if positions were not chosen by meaning."""
        if self._settings.match not in ("gated", "strict"):
            return self.played
        found = sorted(self.played, key=lambda play: play.position or 0)
        return [p if p.number == n else replace(p, number=n) for n, p in enumerate(found, 1)]


def as_lived(interaction: Interaction, play: Play) -> tuple[Play, RawInteraction]:
    """Return an exchange for a rerun, with the data that never reaches the disk. It stays in memory."""
    headers = {name: list(values) for name, values in interaction.response_headers}
    status = {"code": interaction.status, "message": interaction.reason}
    raw = RawInteraction(
        interaction.request, interaction.response, {"response": {"status": status, "headers": headers}}
    )
    return replace(play, request=interaction.request, response=interaction.response), raw
