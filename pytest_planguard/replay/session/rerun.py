"""Rerun the app on its recorded answers with one of them changed, to see which requests it sends.

A rerun replaces a cassette's session, and uses the same patches of HTTP clients. It writes nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, KeysView
from dataclasses import dataclass, field, replace

from ...retry.judging.attempts import Applied, answers_of
from ...retry.linking.sameness import document_key
from ...retry.proving.experiment import Experiment
from ...retry.proving.trial import Change, Changes, Request, Seen, Trial, seen
from ...wire.decode import decode, decode_request
from ...wire.exchange import ItemKind, Message
from ...wire.rewrite import with_answer
from ..files.reader import RawInteraction
from ..matching.cassette_index import CONVERSATION_HEADER, CassetteIndex, RecordedEntry, Sent
from ..matching.drift import drift, nearest
from ..matching.normalise import NORMALISERS, Normaliser, normalise
from ..matching.refusal import Miss, MissKind, Refusal
from ..matching.semantic import Meanings
from .playback import Play
from .responder import Responder

Replayed = tuple[Play, RawInteraction]
"""An exchange of the first run, and its interaction in the cassette, for the answer's status and headers."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Results that the reruns on the same exchanges share."""

    meaning: Meanings
    responses: dict[object, Message | None] = field(default_factory=dict)
    """Changed responses; None for a change that does not fit the format of the original."""


class Rerun(Responder):
    """Serves a rerun of the app. Clients may call it from several threads."""

    def __init__(
        self,
        played: Iterable[Replayed],
        experiment: Experiment | None = None,
        change: Change | None = None,
        *,
        normalisers: Iterable[Normaliser] = NORMALISERS,
        conversation_id: Callable[[], str | None] = lambda: None,
        known: _Known | None = None,
    ) -> None:
        """`change` is the new answer for the experiment's exchange. It defaults to the experiment's first change.

        Without one, nothing is changed: such a control run shows if the app is deterministic. `known` is from an
        earlier run on the same exchanges.
        """
        self.trouble: str | None = None
        """If set, this run proves nothing. Describes the first request without a recorded answer."""
        self.passed_on = False
        """True if that request came between the changed answer and the request that must react to it."""
        self.stray: Request | None = None
        """The request without a recorded answer."""
        self._requests: dict[int, Request] = {}
        self._experiment = experiment
        self._change = experiment.changes.at(0) if experiment is not None and change is None else change
        self._played, self._conversation_id = tuple(played), conversation_id
        self._normalisers = tuple(normalisers)
        self._known = known or _Known(Meanings(self._normalisers, reduce=lambda body: body))
        self._index = CassetteIndex((self._as_played(play, raw) for play, raw in self._played), self._known.meaning)
        self._lock = threading.RLock()

    def again(self, experiment: Experiment | None = None, change: Change | None = None) -> Rerun:
        """Return another run on the same exchanges."""
        return Rerun(
            self._played,
            experiment,
            change,
            normalisers=self._normalisers,
            conversation_id=self._conversation_id,
            known=self._known,
        )

    def changeable(self, experiment: Experiment) -> Experiment:
        """Return the experiment with only those changes that can be written in the original response's format."""
        plays = [play for play, _ in self._played if play.number == experiment.exchange][:1]

        def can_be_written(change: Change) -> bool:
            return any(self._changed(play, experiment, change.text) is not None for play in plays)

        moved = experiment.moved if experiment.moved and can_be_written(experiment.moved) else None
        return replace(experiment, changes=Changes(filter(can_be_written, experiment.changes)), moved=moved)

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of the requests."""
        return tuple(entry.raw.request.url for entry in self._index.entries)

    def peek(self, message: Message) -> RecordedEntry | None:
        """Return the entry that would be served, without side effects."""
        with self._lock:
            return self._index.same(self._sent(message))

    @property
    def answered(self) -> KeysView[int]:
        """The numbers of the answered exchanges."""
        return self._index.played.keys()

    def answer(self, message: Message) -> RecordedEntry | Miss:
        """Return the answer from the first run, or the changed one.

        Return a miss for a request without a recorded answer.
        """
        with self._lock:
            sent = self._sent(message)
            entry = self._index.same(sent) or self._reacting(sent)
            if entry is None:
                return Miss(sent, Refusal(MissKind.CHANGED), self.trouble or "")
            self._index.play(entry, sent)
            return entry

    def differences(self, before: Rerun) -> dict[int, Seen]:
        """Return, by exchange number, how requests that react to the changed answer differ from another run's."""
        experiment, change = self._experiment, self._change
        if experiment is None or change is None:
            return {}
        both = [n for n in experiment.targets if n in before.answered and n in self.answered]
        answer, places = experiment.answer, experiment.places
        return {n: seen(before.request(n), self.request(n), change, answer, self._clean, places) for n in both}

    def steady(self, request: Request) -> list[str]:
        """Return a request's texts, without volatile parts."""
        return [self._clean(text) for text in request.texts]

    def request(self, number: int) -> Request:
        """Return the request of an answered exchange."""
        if number not in self._requests:  # each change is compared with the same control
            sent = self._index.played[number]
            self._requests[number] = Request(sent.semantic.body, _texts(sent))
        return self._requests[number]

    def tried(self, before: Rerun) -> Trial:
        """Return the result of this run of an experiment, compared with a run in which nothing was changed."""
        assert self._experiment is not None
        assert self._change is not None
        trouble = self.trouble
        if trouble is None and self._experiment.exchange not in self.answered:
            trouble = "on the second run, the app does not reach this answer"
        return Trial(self._change, self.differences(before), trouble, self.passed_on)

    def _reacting(self, sent: Sent) -> RecordedEntry | None:
        """Return the exchange whose request this one rewords. Without one, set `trouble` and return None.

        Requests after the awaited one are served in order of arrival, only to let the app finish.
        """
        experiment, best = self._experiment, self._nearest(sent)
        if experiment is None:
            self._stray(sent, best)
            return None
        waiting = experiment.targets[-1] not in self.answered
        if (
            experiment.exchange in self.answered
            and best is not None
            and (not waiting or best.position in experiment.targets)
        ):
            return best
        if waiting:  # requests after the awaited one do not matter
            self._stray(sent, best)
        return None

    def _nearest(self, sent: Sent) -> RecordedEntry | None:
        """Return the unplayed exchange that this request most likely rewords."""
        left = [e for e in self._index.unplayed if e.semantic.endpoint == sent.semantic.endpoint]
        if sent.conversation:
            left = [e for e in left if e.conversation == sent.conversation]
        experiment = self._experiment
        if experiment is not None and experiment.targets[-1] not in self.answered:
            left = [e for e in left if e.position not in experiment.later]
        if len(left) == 1:
            return left[0]
        linked = None if experiment is None else self._linked(experiment, sent)
        return linked or nearest(left, sent.semantic)[0]

    def _linked(self, experiment: Experiment, sent: Sent) -> RecordedEntry | None:
        """Return the next awaited exchange if this request clearly reacts to the changed answer.

        The feedback of parallel tasks has similar words, so similarity alone could confuse them.
        """
        found = self._index.parent(sent)
        parent = None if found is None else found[0].position
        waiting = [
            e
            for e in self._index.unplayed
            if e.position in experiment.targets and e.semantic.endpoint == sent.semantic.endpoint
        ]
        return waiting[0] if waiting and parent in (experiment.exchange, *experiment.targets) else None

    def _stray(self, sent: Sent, best: RecordedEntry | None) -> None:
        if self.trouble is not None:
            return
        where = drift(best, sent.semantic, self._normalisers).changes[:1] if best is not None else ()
        how = f", which changed in {where[0].path}: {where[0].window}" if where else ""
        self.stray = Request(sent.semantic.body, _texts(sent))
        experiment = self._experiment
        own = experiment is not None and (best is None or best.position not in experiment.others)
        self.passed_on = own and experiment is not None and experiment.exchange in self.answered
        between = "makes a call that has no cassette" if self.passed_on else "sends other requests"
        self.trouble = f"run again, the app {between}{how}"

    def _as_played(self, play: Play, raw: RawInteraction) -> RawInteraction:
        request, response, experiment, change = play.request, play.response, self._experiment, self._change
        if play.conversation is not None:
            request = replace(request, headers={**request.headers, CONVERSATION_HEADER: play.conversation})
        if experiment is not None and change is not None and play.number == experiment.exchange:
            response = self._changed(play, experiment, change.text) or response
        return RawInteraction(request, response, raw.raw)

    def _changed(self, play: Play, experiment: Experiment, text: str) -> Message | None:
        """Return the response with its answer replaced; None if that is not possible."""
        key = (experiment.exchange, experiment.answer, experiment.contract.name, text)
        if key not in self._known.responses:
            self._known.responses[key] = _with_changed_answer(play, experiment, text)
        return self._known.responses[key]

    def _clean(self, text: str) -> str:
        return normalise(text, self._normalisers)

    def _sent(self, message: Message) -> Sent:
        semantic = self._known.meaning(message)
        return Sent(message, semantic, self._conversation_id())


def _texts(sent: Sent) -> list[str]:
    """Return the texts of a request (prompts, turns, tool results), or the whole body if it cannot be read."""
    items = decode_request(1, sent.message).request
    said = [item.text for item in items if item.kind is not ItemKind.CALL]
    return said or [sent.semantic.text]


def _with_changed_answer(play: Play, experiment: Experiment, text: str) -> Message | None:
    """Return the response with its answer replaced; None if more or less than the answer would change."""
    response = with_answer(play.response, experiment.answer, text)
    begun = play.exchange.prefill
    if response is None and begun and text.startswith(begun):  # the response has only what follows the prefill
        response = with_answer(play.response, experiment.answer.removeprefix(begun), text.removeprefix(begun))
    if response is None:
        return None
    applied = Applied.of(experiment.contract)
    before, after = (
        [answer.text for answer in answers_of(exchange, applied)]
        for exchange in (play.exchange, decode(1, play.request, response))
    )
    at = [number for number, old in enumerate(before) if _agree(old, experiment.answer)]
    wanted = [text if number in at else old for number, old in enumerate(before)]
    same = len(after) == len(wanted) and all(map(_agree, after, wanted))
    return response if len(at) == 1 and same else None


def _agree(one: str, other: str) -> bool:
    return one == other or (document_key(one) is not None and document_key(one) == document_key(other))
