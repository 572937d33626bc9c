"""The gate's answers: the entry that fits, or why none may be served."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ...wire.exchange import Message
from .cassette_index import RecordedEntry
from .drift import Drift
from .semantic import SemanticRequest

MatchMode = Literal["gated", "strict", "ordered", "lenient"]


class MissKind(StrEnum):
    """Why no recorded answer may be served."""

    UNRECORDED = "unrecorded"
    """There is no cassette, or nothing in it is like the request."""
    CHANGED = "changed"
    """The request differs more from the recorded one than the mode allows: the cassette is stale."""
    MISSING = "missing"
    """There is evidence that a retry feeds back no finding of the attempt before it."""
    EXTRA = "extra"
    """Every recorded answer that fits has been used already."""
    CAPPED = "capped"
    """Recording has stopped: the cap on calls or tokens is reached."""
    AMBIGUOUS = "ambiguous"
    """The same request comes from several tasks at once, and its recorded answers differ."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """No answer may be served."""

    kind: MissKind
    nearest: Drift | None = None
    """How the request differs from the nearest unplayed exchange; None when all are played or there is none."""
    missing: tuple[str, ...] = ()
    """For a retry: the findings that it dropped, one line each."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The recorded entry to serve, and how the request differs from it (None when it means the same)."""

    entry: RecordedEntry
    drift: Drift | None = None
    unless_proven: Refusal | None = None
    """Why the answer may not be served for good, unless an experiment shows that the request feeds back a finding."""
    answered: int | None = None
    """Place in the cassette of the answer that such a request reacts to, from 1."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it is sent now."""

    message: Message
    semantic: SemanticRequest
    hash: str
    conversation: str | None = None
