"""Why a request was refused, in words: the messages of misses. `gated_replay` serves a request or refuses it.

Misses are kept even if the app handles them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from urllib.parse import unquote, urlsplit

from ...wire.exchange import Message
from .cassette_index import RecordedEntry, Sent
from .drift import Drift

MatchMode = Literal["gated", "strict", "ordered", "lenient"]


class MissKind(StrEnum):
    """Why no recorded answer may be served."""

    UNRECORDED = "unrecorded"
    """There is no cassette, or it has nothing similar to the request."""
    CHANGED = "changed"
    """The request differs from the recorded one by more than the mode allows: the cassette is stale."""
    MISSING = "missing"
    """There is evidence that a retry feeds back no finding of the previous attempt."""
    EXTRA = "extra"
    """Every recorded answer that matches has already been used."""
    CAPPED = "capped"
    """Recording has stopped, because the limit on calls or tokens is reached or the app does not stop asking."""
    UNANSWERED = "unanswered"
    """A forked child that is recorded got no answer before its test ended."""
    AMBIGUOUS = "ambiguous"
    """Several concurrent tasks send the same request, and its recorded answers differ."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """No answer may be served."""

    kind: MissKind
    nearest: Drift | None = None
    """How the request differs from the most similar unplayed exchange; None if all have been played."""
    missing: tuple[str, ...] = ()
    """For a retry: the findings that it dropped, one line each."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The recorded entry to serve, and how the request differs from it (None if it has the same meaning)."""

    entry: RecordedEntry
    drift: Drift | None = None
    unless_proven: Refusal | None = None
    """If set, the answer is provisional: this refusal applies unless an experiment shows that the request feeds back a
    finding."""
    answered: int | None = None
    """1-based position in the cassette of the answer that the request reacts to."""


_REASONS = {
    MissKind.UNRECORDED: "nothing is recorded for this test yet",
    MissKind.CHANGED: "stale cassette: the request has changed since it was recorded",
    MissKind.MISSING: "missing feedback: the retry feeds back no finding of the attempt before it",
    MissKind.EXTRA: "unexpected request: all matching recorded answers have already been used",
    MissKind.CAPPED: "recording has stopped",
    MissKind.AMBIGUOUS: "the same request belongs to several tasks and their recorded answers differ",
}
"""The reasons, shown first in a message. Their first words name the kind, because pytest's short summary is cut off."""
_WHY_NONE = "the recorded answer would prove nothing, so planguard does not serve it"
_TRIED = "running the app again did not show that any of them is fed back"
_NAME_IT = "put `with planguard.conversation(id):` around each task, then record again"


@dataclass(slots=True)
class Miss:
    """One request that got no answer."""

    sent: Sent
    refusal: Refusal
    message: str
    """The whole explanation, for people."""
    count: int = 1
    """How often the same request was sent. An SDK's own retries repeat it."""

    @property
    def kind(self) -> MissKind:
        """Why no recorded answer could be served."""
        return self.refusal.kind


def local_place(url: str) -> str | None:
    """Return 'the command claude' for command://claude, 'the function ask' for call://python/ask; else None."""
    scheme, _, rest = url.partition("://")
    if scheme == "call":
        name, _, step = rest.partition("/")[2].partition("/")
        return f"the function {unquote(name)}" + (f", step {unquote(step.partition('/')[0])}" if step else "")
    return f"the command {unquote(rest)}" if scheme == "command" else None


def explain(sent: Sent, refusal: Refusal, path: str, command: str, notes: tuple[str, ...], *, tried: bool) -> str:
    """Explain what was sent, what is recorded (in the file `path`), how they differ, and which command to run.

    `tried` is True for a retry that got a provisional answer, but that no experiment confirmed.
    """
    missing = refusal.kind is MissKind.MISSING
    place = local_place(sent.message.url) or f"{sent.semantic.method} {sent.semantic.path}"  # 'POST /v1/messages'
    lines = [
        _REASONS[refusal.kind] + ("" if missing else ". No recorded answer fits this request."),
        *(f"  missing:   {finding}" for finding in refusal.missing),
        *([f"  why:       {_TRIED if tried else _WHY_NONE}"] if missing else []),
        f"  sent:      {place}{_conversation_note(sent)}",
        f"  recording: {path}",
        *_nearest(refusal),
        *(f"  note:      {note}" for note in notes),
    ]
    if refusal.kind is MissKind.AMBIGUOUS:  # recording again would not help
        return "\n".join([*lines, f"  to do:     {_NAME_IT}"])
    if missing:
        # Don't suggest recording again: that would record a retry without its findings.
        return "\n".join([*lines, "  to do:     put what was wrong into the retry's prompt"])
    return "\n".join([*lines, f"  to record: {command}", *_no_model(sent.message)])


def _no_model(message: Message) -> list[str]:
    """Explain how to allow a download, such as a tokenizer's. A cache may hide it while recording, or later."""
    host = urlsplit(message.url).hostname
    reads = message.method.upper() == "GET" and host
    return [f"             or, if {host} is not a model: planguard_allowed_hosts = {host}"] if reads else []


def explain_stop(sent: Sent, why: str, path: str, advice: str, command: str) -> str:
    """Explain why a request was not sent while recording, and which file has the answers recorded so far."""
    return "\n".join([
        f"Recording has stopped: {why}.",
        f"  sent:      nothing; the request was {sent.semantic.method} {sent.semantic.path}{_conversation_note(sent)}",
        f"  recording: {path} stays as it was; new exchanges of this test are kept in a .part file beside it",
        f"  to do:     {advice}, and record again:",
        f"             {command}",
    ])  # fmt: skip


def explain_unanswered(message: Message) -> str:
    """Explain why a forked child's request is missing in the cassette that its parent records."""
    return "\n".join([
        "the cassette is not complete: a forked child sent a request, and got no answer before the test ended",
        f"  sent:      {message.method} {urlsplit(message.url)._replace(query='', fragment='').geturl()}",
        "  to do:     wait in the test until the child ends",
    ])  # fmt: skip


def _conversation_note(sent: Sent) -> str:
    return f" (conversation {sent.conversation!r})" if sent.conversation is not None else ""


def _nearest(refusal: Refusal) -> list[str]:
    near = refusal.nearest
    if near is None:
        return []
    share = f"{near.similarity:.0%} of the words agree"
    lines = [f"  nearest:   interaction {near.position}, not played yet ({share})"]
    return [*lines, *(f"  changed:   {c.path}: {c.window}" for c in near.changes)]
