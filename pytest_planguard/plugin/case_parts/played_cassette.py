"""The state of a test's cassette once closed. The default value is that of a test without a cassette."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...printable import one_line

if TYPE_CHECKING:
    from ...replay.session.playback import Play
    from ...replay.session.session import CassetteSession
    from ...wire.exchange import Exchange


OUTCOMES = {
    "unrecorded": "unrecorded",
    "capped": "unrecorded",
    "unanswered": "unrecorded",
    "changed": "stale",
    "extra": "stale",
    "ambiguous": "ambiguous",
}
"""The outcome of a case for each kind of miss."""
_SILENT = "\n  If the endpoint is down, start it or correct its address, then record again."
"""The advice about a host of which nothing was recorded."""


@dataclass(frozen=True, slots=True)
class PlayedCassette:
    """The requests, answers and misfits of a test. Explanations put the most useful line first."""

    uses_file: bool = False
    """True if requests were replayed from a file or recorded into one."""
    recorded: bool = False
    """True if the test called the live endpoint."""
    size: int = 0
    """Exchanges in the cassette when it was opened."""
    plays: tuple[Play, ...] = ()
    """Answered requests, in recording order."""
    unplayed: tuple[Exchange, ...] = ()
    """Recorded answers that the test never requested."""
    misses: tuple[str, ...] = ()
    """Explanations of requests without an answer and connections that bypassed the cassette."""
    outcome: str | None = None
    """The outcome if a request found no answer; None if all did, or if a retry dropped its findings."""
    stale: tuple[str, ...] = ()
    """How answered requests differ from the recorded ones, one line each; () if convergence is proven."""
    stale_misses: tuple[str, ...] = ()
    """Changed requests without a recorded answer, one line each; () if a retry dropped its findings.

    They make a cassette stale just as answered requests do.
    """
    expired: tuple[str, ...] = ()
    """A line if the cassette is older than allowed; () if it is not, or its age is unknown."""
    secrets: tuple[str, ...] = ()
    """Secrets that were not written to disk, one line each."""
    notes: tuple[str, ...] = ()
    """Notes for the reader about the file."""

    @classmethod
    def of(cls, session: CassetteSession, expired: tuple[str, ...]) -> PlayedCassette:
        """Return what a session has seen. `expired` has a line if its cassette is older than allowed."""
        kinds = [miss.kind.value for miss in session.misses]
        outcomes = (OUTCOMES.get(kind) for kind in kinds)
        stale = () if "missing" in kinds else (m for m in session.misses if OUTCOMES.get(m.kind.value) == "stale")
        plays = session.exchanges
        drifted = [(play.number, play.drift) for play in plays if play.drift is not None] if session.stale else []
        return cls(
            uses_file=True,
            recorded=bool(session.recorded),
            size=session.size,
            plays=plays,
            unplayed=session.unplayed,
            misses=misses_of(session),
            outcome=next(filter(None, outcomes), None),
            stale=tuple(f"request {number} {drift}" for number, drift in drifted),
            stale_misses=tuple(miss.message.partition("\n")[0] for miss in stale),
            expired=expired,
            secrets=tuple(map(str, session.secrets_found)),
            notes=tuple(session.notes),
        )

    def exchanges_in(self, content: bytes) -> int | None:
        """Return the number of exchanges in the file, given its content; None if no new cassette replaced it."""
        from ...replay.files.interaction import find_mark

        mark = find_mark(content.decode("utf-8", "replace")) if self.recorded else None
        return mark.count if mark is not None else self.size or None

    @property
    def called_tools(self) -> tuple[str, ...]:
        """Names of the tools that the answers call, without repeats."""
        calls = (call.name for play in self.plays for call in play.exchange.calls)
        return tuple(dict.fromkeys(name for name in calls if name))

    @property
    def summary(self) -> str:
        """A description of the exchanges, for a test that judged no answer."""
        if not self.plays:
            return "no request was sent and no answer was checked"
        kinds = ", ".join(dict.fromkeys(_why_unjudged(play.exchange) for play in self.plays))
        number = len(self.plays)
        return f"{number} {'exchange' if number == 1 else 'exchanges'}, none with an answer to judge ({kinds})"


def misses_of(session: CassetteSession) -> tuple[str, ...]:
    """Return an explanation for each request without an answer and each connection that bypassed the cassette."""
    around = (
        f"nothing was recorded of {bypass.host}\n  {bypass}{_SILENT}"
        if session.recording and bypass.port is None
        else f"a request went around the cassette\n  {bypass}"
        for bypass in session.bypasses
    )
    return (*(miss.message for miss in session.misses), *around)


def _why_unjudged(exchange: Exchange) -> str:
    """Return why there was nothing to judge: an unread body, a failed request ('auth: HTTP 401: bad key') or a tool."""
    from ...contract.failure_kinds import kind_of_status

    if exchange.note:
        return exchange.note
    if exchange.dialect == "command" and exchange.error:
        return one_line(f"{exchange.model}: {exchange.error}", 100)
    kind = kind_of_status(exchange.status)
    failed = f"HTTP {exchange.status}: {one_line(exchange.error or 'no answer', 100)}"
    return (f"{kind.value}: {failed}" if kind else failed) if exchange.status >= 400 else "calls a tool"
