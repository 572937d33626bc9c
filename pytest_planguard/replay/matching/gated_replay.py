"""Find the recorded answer that matches a request, and decide if it may be served.

A request with the same meaning as a recorded one gets its answer. Of the others, a first attempt may be reworded. A
retry is refused if it clearly feeds back no finding of the previous attempt, because replaying its answer would prove
nothing. A retry with words that planguard cannot read is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...retry.judging.attempts import ContractLike
from ...retry.judging.retry_listing import RetryFeedback, evidence
from ...retry.linking.link import Link
from ...wire.exchange import Exchange
from .cassette_index import CassetteIndex, RecordedEntry, Sent
from .drift import Drift, Likeness, drift, nearest
from .normalise import NORMALISERS, Normaliser
from .refusal import Fit, MatchMode, MissKind, Refusal

SAME_TASK = 0.5
"""Minimum share of common words for a changed request to count as the recorded one, reworded. Below one half, more
words are new than kept, so it is a different request."""


class Gate:
    """Decides for one replay. It is not thread-safe; the session calls it for one request at a time."""

    def __init__(
        self,
        index: CassetteIndex,
        match: MatchMode,
        *,
        contracts: Sequence[ContractLike] = (),
        provisional: Callable[[], bool] = lambda: False,
        normalisers: Iterable[Normaliser] = NORMALISERS,
    ) -> None:
        self._index = index
        self._match = match
        self._contracts = contracts
        self._provisional = provisional
        self._normalisers = tuple(normalisers)
        self._likeness = Likeness(index)

    def decide(self, sent: Sent) -> Fit | Refusal:
        """Return the entry to serve, or why none may be served. Doesn't change any state; `answer` does."""
        if self._match == "ordered":
            return self._by_position(sent)
        entry = self._index.same(sent)
        if entry is not None:
            return Refusal(MissKind.AMBIGUOUS) if self._is_ambiguous(sent) else Fit(entry)
        if not self._index.entries:
            return Refusal(MissKind.UNRECORDED)
        if self._match == "strict":
            return self._refused(sent, MissKind.CHANGED, self._nearest(self._likely(sent), sent)[0])
        return self._by_conversation(sent)

    def answer(self, sent: Sent) -> Fit | Refusal:
        """Decide, and count an entry to serve as played."""
        decision = self.decide(sent)
        if isinstance(decision, Fit):
            self._index.play(decision.entry, sent)
        return decision

    def _is_ambiguous(self, sent: Sent) -> bool:
        """Return True if it is unclear which of several recorded answers belongs to this request.

        Identical requests are interchangeable, and get their answers in the order in which they arrive. If the app
        names its conversations and the cassette does not, the first answer may be any, but later ones must match the
        conversation.
        """
        if self._match == "lenient" or sent.conversation is None or self._index.named(sent) is not None:
            return False
        names = {asked.conversation for asked in self._index.played.values()}
        known = sent.conversation in names and len(names) > 1  # a single conversation cannot be confused with another
        return known and len({e.raw.response.body for e in self._index.waiting(sent.semantic.hash)}) > 1

    def _by_position(self, sent: Sent) -> Fit | Refusal:
        entry = self._index.following(self._index.named(sent))
        if entry is None:
            return Refusal(MissKind.EXTRA if self._index.entries else MissKind.UNRECORDED)
        if entry.semantic.endpoint != sent.semantic.endpoint:
            return self._refused(sent, MissKind.CHANGED, entry)
        return Fit(entry, None if entry.semantic.hash == sent.semantic.hash else self._drift(entry, sent))

    def _by_conversation(self, sent: Sent) -> Fit | Refusal:
        """Decide on a request with a new meaning: a retry by its feedback, a first attempt by its wording."""
        found = self._index.parent(sent)
        if found is None:
            return self._reworded(sent, self._likely(sent, roots=True))
        parent, attempt, how = found
        children = self._index.children(parent.position)
        if self._match == "lenient":
            return self._reworded(sent, children or self._likely(sent, endpoint=sent.semantic.endpoint))
        told = self._retry_feedback(attempt, how, children)
        if told.all_missing:
            likely, _ = self._nearest(children or self._likely(sent), sent)
            missing = self._refused(sent, MissKind.MISSING, likely, told.missing)
            # Without new words, an experiment could not find any that belong to a finding.
            return self._until_tried(sent, children, missing, parent) if how.delta.pieces else missing
        return self._reworded(sent, children, is_retry=told.judged)

    def _until_tried(
        self, sent: Sent, children: list[RecordedEntry], missing: Refusal, parent: RecordedEntry
    ) -> Fit | Refusal:
        """If an experiment will decide, serve a retry that seems to feed nothing back; otherwise refuse it."""
        if not self._provisional():
            return missing
        fit = self._reworded(sent, children, is_retry=True)
        if isinstance(fit, Refusal):
            return missing
        return replace(fit, unless_proven=missing, answered=parent.position)

    def _reworded(self, sent: Sent, entries: list[RecordedEntry], *, is_retry: bool = False) -> Fit | Refusal:
        """Return the entry most similar to the request.

        With `is_retry`, the request feeds findings back or may do so, so any wording is accepted.
        """
        candidates = [e for e in entries if e.semantic.endpoint == sent.semantic.endpoint]
        best, alike = self._nearest(candidates, sent)
        if best is None:
            # an answer is left, but for another request
            kind = MissKind.CHANGED if self._index.following() else MissKind.EXTRA
            return self._refused(sent, kind, self._nearest(self._likely(sent), sent)[0])
        if self._match != "lenient":
            if not is_retry and alike < SAME_TASK:
                return self._refused(sent, MissKind.CHANGED, best)
            if self._has_rival(best, alike, candidates, sent):
                return self._refused(sent, MissKind.AMBIGUOUS, best)
        return Fit(best, self._drift(best, sent))

    def _has_rival(self, best: RecordedEntry, alike: float, candidates: list[RecordedEntry], sent: Sent) -> bool:
        """Return True if another candidate with a different answer and request is equally similar."""
        unlike = [e for e in candidates if e.semantic.hash != best.semantic.hash]
        others = [e for e in unlike if e.raw.response.body != best.raw.response.body]
        return self._nearest(others, sent)[1] == alike

    def _retry_feedback(self, attempt: Exchange, how: Link, children: list[RecordedEntry]) -> RetryFeedback:
        """Return what the request feeds back, by the contracts or else by the errors that the recorded retry named."""
        recorded = self._index.links[children[0].position - 1] if children else None
        return evidence(attempt, how, self._contracts, recorded)

    def _likely(self, sent: Sent, *, roots: bool = False, endpoint: object = None) -> list[RecordedEntry]:
        """Return the unplayed entries to compare a request with.

        If the cassette names its conversation, only look there. `roots` limits them to entries at the request's
        endpoint that begin a conversation.
        """
        index = self._index
        name = index.named(sent)
        wanted = sent.semantic.endpoint if roots else endpoint

        def fits(entry: RecordedEntry) -> bool:
            mine = name is None or entry.conversation == name
            return (
                mine and (wanted is None or entry.semantic.endpoint == wanted) and (not roots or index.is_root(entry))
            )

        return self._likeness.likely(sent.semantic, fits)

    def _nearest(self, entries: Iterable[RecordedEntry], sent: Sent) -> tuple[RecordedEntry | None, float]:
        return nearest(entries, sent.semantic, self._likeness.words)

    def _refused(
        self, sent: Sent, kind: MissKind, near: RecordedEntry | None, missing: tuple[str, ...] = ()
    ) -> Refusal:
        if near is None and kind is MissKind.CHANGED:
            kind = MissKind.EXTRA
        return Refusal(kind, self._drift(near, sent) if near else None, missing)

    def _drift(self, entry: RecordedEntry, sent: Sent) -> Drift:
        return drift(entry, sent.semantic, self._normalisers)
