"""Which recorded answer fits a request that is sent now, and whether it may be served.

A request that means the same as a recorded one gets its answer. One that does not is looked at: a first attempt may
differ in wording, a retry must carry a finding of the attempt before it, else the recording proves nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..retry.link import Link, Linker
from ..wire.decode import decode
from ..wire.exchange import Exchange, Message
from .actor import current_actor, is_alive
from .decision import Fit, Match, MissKind, Refusal, Sent
from .drift import Drift, drift, nearest
from .evidence import Carry, Evidence, as_recorded, no_evidence
from .index import Entry, RecordingIndex
from .normalise import NORMALISERS, Normaliser

SAME_TASK = 0.5
"""A changed request is the recorded one reworded when at least half of all their words agree; below, more is new than
kept, and it is another request."""
_UNANSWERED = Message(status=503)
"""Stands for the answer that a request does not have yet."""


@dataclass(frozen=True, slots=True)
class _Played:
    entry: Entry
    sent: Sent

    def exchange(self, number: int) -> Exchange:
        return decode(number, self.sent.message, self.entry.raw.response)


class Gate:
    """Decides for one replay; not thread-safe, the session calls it one request at a time."""

    def __init__(
        self,
        index: RecordingIndex,
        match: Match,
        *,
        evidence: Evidence = no_evidence,
        normalisers: Iterable[Normaliser] = NORMALISERS,
    ) -> None:
        self._index = index
        self._match = match
        self._evidence = evidence
        self._normalisers = tuple(normalisers)
        self._played: list[_Played] = []
        self._linker = Linker()  # of the played requests as far as a changed one had to be looked at
        self._actors: dict[str, weakref.WeakSet[Any]] = {}

    def decide(self, sent: Sent) -> Fit | Refusal:
        """The entry to serve, or why none may be. Changes nothing; `play` does."""
        if self._match == "ordered":
            return self._by_position(sent)
        entry = self._same(sent)
        if entry is not None:
            return Refusal(MissKind.AMBIGUOUS) if self._is_ambiguous(sent) else Fit(entry)
        if not self._index.entries:
            return Refusal(MissKind.UNRECORDED)
        if self._match == "strict":
            return self._refused(sent, MissKind.CHANGED, self._index.unplayed)
        return self._by_conversation(sent)

    def play(self, sent: Sent, entry: Entry) -> None:
        """Note that a request was served with an entry."""
        self._index.play(entry)
        self._played.append(_Played(entry, sent))
        self._actors.setdefault(sent.hash, weakref.WeakSet()).add(current_actor())

    def _same(self, sent: Sent) -> Entry | None:
        """The entry of the same meaning: of the same conversation where the recording knows it by name."""
        if sent.conversation in self._index.conversations:
            return self._index.first(sent.hash, sent.conversation)
        return self._index.first(sent.hash)

    def _is_ambiguous(self, sent: Sent) -> bool:
        """Whether nobody can tell which of several recorded answers to this request is meant.

        So it is when another live task or thread sent the same request. Where the app names its conversations and the
        recording does not, a conversation's first answer may be any, but a later one must be its own.
        """
        if self._match == "lenient" or sent.conversation in self._index.conversations:
            return False
        waiting = {e.raw.response.body for e in self._index.waiting(sent.hash)}
        if sent.conversation is not None:
            names = {p.sent.conversation for p in self._played}
            return sent.conversation in names and len(names) > 1 and len(waiting) > 1
        if not any(a is not current_actor() and is_alive(a) for a in self._actors.get(sent.hash, ())):
            return False
        return len(waiting | {p.entry.raw.response.body for p in self._played if p.sent.hash == sent.hash}) > 1

    def _by_position(self, sent: Sent) -> Fit | Refusal:
        unplayed = self._mine(sent, self._index.unplayed)
        if not unplayed:
            return Refusal(MissKind.EXTRA if self._index.entries else MissKind.UNRECORDED)
        entry = unplayed[0]
        if entry.endpoint != sent.endpoint:
            return self._refused(sent, MissKind.CHANGED, [entry])
        return Fit(entry, None if entry.hash == sent.hash else self._drift(entry, sent))

    def _by_conversation(self, sent: Sent) -> Fit | Refusal:
        """A request that means something new: a retry is judged by what it carries, a first attempt by its wording."""
        found = self._parent(sent)
        if found is None:
            return self._reworded(sent, self._mine(sent, self._index.roots))
        parent, how = found
        children = self._index.children(parent.entry.position)
        if self._match == "lenient":
            return self._reworded(sent, children or self._mine(sent, self._index.unplayed))
        carry = self._carry(parent.exchange(how.parent), how, children)
        if carry.judged and not carry.carried:
            return self._refused(sent, MissKind.LOST, children or self._index.unplayed, carry)
        return self._reworded(sent, children, proven=carry.judged)

    def _reworded(self, sent: Sent, entries: list[Entry], *, proven: bool = False) -> Fit | Refusal:
        """The entry most like the request. `proven` when the request carries a finding, so its wording is free."""
        candidates = [e for e in entries if e.endpoint == sent.endpoint]
        best, alike = nearest(candidates, sent.semantic)
        if best is None:
            kind = MissKind.CHANGED if self._index.unplayed else MissKind.EXTRA
            return self._refused(sent, kind, self._index.unplayed)
        if self._match != "lenient":
            if not proven and alike < SAME_TASK:
                return self._refused(sent, MissKind.CHANGED, candidates)
            if self._has_rival(best, candidates, sent):
                return self._refused(sent, MissKind.AMBIGUOUS, candidates)
        return Fit(best, self._drift(best, sent))

    def _has_rival(self, best: Entry, candidates: list[Entry], sent: Sent) -> bool:
        """Whether another candidate with another answer and another request is just as like."""
        others = [e for e in candidates if e.hash != best.hash and e.raw.response.body != best.raw.response.body]
        _, alike = nearest(others, sent.semantic)
        return bool(others) and alike == nearest([best], sent.semantic)[1]

    def _carry(self, attempt: Exchange, how: Link, children: list[Entry]) -> Carry:
        """What the request carries: by the contracts, else by what the recorded retry named."""
        carry = self._evidence(attempt, how)
        recorded = self._index.links[children[0].position - 1] if children else None
        return carry if carry.judged or recorded is None else as_recorded(attempt, recorded, how)

    def _parent(self, sent: Sent) -> tuple[_Played, Link] | None:
        """The played attempt that a request reacts to, if any."""
        if not self._played:
            return None
        for played in self._played[len(self._linker) :]:
            self._linker.add(played.exchange(len(self._linker) + 1), played.sent.conversation)
        child = decode(len(self._played) + 1, sent.message, _UNANSWERED)
        how = self._linker.next(_as_answered(child), sent.conversation)
        return (self._played[how.parent - 1], how) if how else None

    def _mine(self, sent: Sent, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that a request may be compared with: those of its own named conversation where there is one."""
        entries = list(entries)
        if sent.conversation in self._index.conversations:
            return [e for e in entries if e.conversation == sent.conversation]
        return entries

    def _refused(self, sent: Sent, kind: MissKind, entries: Iterable[Entry], carry: Carry | None = None) -> Refusal:
        best, _ = nearest(entries, sent.semantic)
        if best is None and kind is MissKind.CHANGED:
            kind = MissKind.EXTRA
        return Refusal(kind, self._drift(best, sent) if best else None, carry.lost if carry else ())

    def _drift(self, entry: Entry, sent: Sent) -> Drift:
        return drift(entry, sent.semantic, self._normalisers)


def _as_answered(exchange: Exchange) -> Exchange:
    """The request as if a model had answered it: only then does the linker take it for part of a conversation."""
    return replace(exchange, status=200, error=None, finish=None)
