"""What the cassette of a test shows once it is closed: a value, which by default is that of a test without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...replay.session.playback import Play
    from ...replay.session.session import CassetteSession
    from ...wire.exchange import Exchange


OUTCOMES = {
    "unrecorded": "unrecorded",
    "capped": "unrecorded",
    "changed": "stale",
    "extra": "stale",
    "ambiguous": "ambiguous",
}
"""Kind of a miss to the outcome of its case."""
_UNREACHABLE = "  Start the endpoint or correct its address, then record again."


@dataclass(frozen=True, slots=True)
class PlayedCassette:
    """What was asked and answered, and what does not fit. Explanations are texts, the most telling line first."""

    uses_file: bool = False
    """Whether requests were replayed from a file or recorded into one."""
    recorded: bool = False
    """Whether the test talked to the live endpoint."""
    size: int = 0
    """Exchanges of the cassette as it was opened."""
    plays: tuple[Play, ...] = ()
    """Requests that got an answer, in the order in which they were recorded."""
    unplayed: tuple[Exchange, ...] = ()
    """Recorded answers that were never asked for."""
    misses: tuple[str, ...] = ()
    """Requests without an answer and connections around the cassette: an explanation each."""
    outcome: str | None = None
    """The outcome of a case whose requests found no answer; None where all did, or a retry dropped its findings."""
    stale: tuple[str, ...] = ()
    """How served requests differ from the recorded ones, one line each; () where convergence is proven."""
    stale_misses: tuple[str, ...] = ()
    """Changed requests that no recorded answer serves, one line each; () where a retry dropped its findings.

    They make a cassette stale as much as those that were served all the same.
    """
    expired: tuple[str, ...] = ()
    """That the cassette is older than allowed, in one line; () where it is not, or its age is unknown."""
    secrets: tuple[str, ...] = ()
    """Secrets that were kept off the disk, one line each."""
    notes: tuple[str, ...] = ()
    """What a person should know about the file."""
    refusals: int = 0
    """How often the same request was refused, which tells why a test took its time."""

    @classmethod
    def of(cls, session: CassetteSession, expired: tuple[str, ...]) -> PlayedCassette:
        """Return what a session has seen; `expired` is that its cassette is older than allowed."""
        kinds = [miss.kind.value for miss in session.misses]
        outcomes = (OUTCOMES.get(kind) for kind in (*kinds, *(kind for kind, _ in session.child_misses)))
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
            refusals=max((miss.count for miss in session.misses), default=0),
        )

    def exchanges_in(self, content: bytes) -> int | None:
        """How many exchanges the file holds, given its content; None where a new cassette did not replace it."""
        from ...replay.files.end_mark import find_mark

        mark = find_mark(content.decode("utf-8", "replace")) if self.recorded else None
        return mark.count if mark is not None else self.size or None

    @property
    def called_tools(self) -> tuple[str, ...]:
        """Names of the tools that the answers call, each once."""
        calls = (call.name for play in self.plays for call in play.exchange.calls)
        return tuple(dict.fromkeys(name for name in calls if name))

    @property
    def summary(self) -> str:
        """What there was to judge, for a test that judged nothing."""
        if not self.plays:
            return "no request was sent and no answer was checked"
        kinds = ", ".join(dict.fromkeys(_why_unjudged(play.exchange) for play in self.plays))
        number = len(self.plays)
        return f"{number} {'exchange' if number == 1 else 'exchanges'}, none with an answer to judge ({kinds})"


def misses_of(session: CassetteSession) -> tuple[str, ...]:
    """Requests without an answer and connections around the cassette: an explanation each, first line first."""
    around = [f"a request went around the cassette\n  {bypass}" for bypass in session.bypasses]
    unreachable = [
        f"{place} could not be reached, nothing was recorded\n{_UNREACHABLE}" for place in session.unreachable
    ]
    own = [miss.message for miss in session.misses]
    return (*own, *(text for _, text in session.child_misses if text not in own), *around, *unreachable)


def _why_unjudged(exchange: Exchange) -> str:
    """Return why there was nothing to judge: an unread body, 'auth: HTTP 401: bad key' of a failed request, a tool."""
    from ...contract.failure_kinds import kind_of_status
    from ...printable import one_line

    if exchange.note:
        return exchange.note
    if exchange.dialect == "command" and exchange.error:
        return one_line(f"{exchange.model}: {exchange.error}", 100)
    kind = kind_of_status(exchange.status)
    failed = f"HTTP {exchange.status}: {one_line(exchange.error or 'no answer', 100)}"
    return (f"{kind.value}: {failed}" if kind else failed) if exchange.status >= 400 else "calls a tool"
