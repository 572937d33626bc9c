"""Index a cassette by meaning: each hash maps to a queue, so that each repetition of a request gets the next answer.

The time to find an answer does not depend on the size of the cassette.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from ...document.limits import possessive
from ...retry.linking.link import Link
from ...retry.linking.linker import Linker, link
from ...wire.assistant_threads import with_later_answers
from ...wire.decode import decode, decode_request
from ...wire.exchange import Exchange, Message
from ..files.reader import RawInteraction
from ..privacy.secrets import PLACEHOLDER
from .semantic import SemanticRequest

CONVERSATION_HEADER = "x-planguard-conversation"
"""The request header in which a cassette saves the app's name for a conversation. It is never sent."""

_EXACT = 64
"""Maximum number of waiting entries with the same meaning whose bodies are compared. Beyond that, they are served in
order."""


@dataclass(frozen=True, slots=True)
class RecordedEntry:
    """One recorded interaction in the index."""

    position: int
    """1-based position in the cassette."""
    raw: RawInteraction
    semantic: SemanticRequest
    conversation: str | None
    """The name that the app gave the conversation when it was recorded."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it is sent now."""

    message: Message
    semantic: SemanticRequest
    conversation: str | None = None


class CassetteIndex:
    """All interactions of a cassette, and which of them were played, by which requests."""

    def __init__(self, interactions: Iterable[RawInteraction], meaning: Callable[[Message], SemanticRequest]) -> None:
        self.raw = tuple(interactions)
        """The interactions as read from the file."""
        self._meaning = meaning
        self.played: dict[int, Sent] = {}
        """Maps the positions of the played entries, in the order of playing, to the requests that they answered."""
        self._linker = Linker()  # links played requests; updated only when a changed request needs it

    @cached_property
    def entries(self) -> tuple[RecordedEntry, ...]:
        """The interactions with their meanings, which are computed when a request first needs them."""
        return tuple(
            RecordedEntry(number, raw, self._meaning(raw.request), raw.request.headers.get(CONVERSATION_HEADER))
            for number, raw in enumerate(self.raw, 1)
        )

    @cached_property
    def _queues(self) -> dict[tuple[str | None, str], deque[RecordedEntry]]:
        queues: dict[tuple[str | None, str], deque[RecordedEntry]] = {}
        for entry in self.entries:
            queues.setdefault((None, entry.semantic.hash), deque()).append(entry)
            if entry.conversation is not None:
                queues.setdefault((entry.conversation, entry.semantic.hash), deque()).append(entry)
        return queues

    @cached_property
    def _next(self) -> dict[str | None, deque[RecordedEntry]]:
        """The entries in order. The key None has those of the whole cassette; other keys are names of conversations."""
        following: dict[str | None, deque[RecordedEntry]] = {None: deque(self.entries)}
        for entry in self.entries:
            if entry.conversation is not None:
                following.setdefault(entry.conversation, deque()).append(entry)
        return following

    @cached_property
    def conversations(self) -> frozenset[str]:
        """The names of the conversations in the cassette."""
        return frozenset(e.conversation for e in self.entries if e.conversation is not None)

    def sent(self, message: Message, conversation: str | None) -> Sent:
        """Return a request that is sent now, in its recorded form if only placeholders for secrets differ."""
        return Sent(message, self.as_recorded(self._meaning(message)), conversation)

    def as_recorded(self, semantic: SemanticRequest) -> SemanticRequest:
        """Return the recorded form of a request if only placeholders for secrets differ; else the request itself.

        A cassette can therefore be replayed when the secret variable is missing or has another value.
        """
        if not self._with_placeholders or (None, semantic.hash) in self._queues:
            return semantic
        fitting = [e for e in self._with_placeholders if same_but_for_secrets(e.semantic, semantic)]
        return next((e for e in fitting if not self.is_played(e)), fitting[0]).semantic if fitting else semantic

    @cached_property
    def _with_placeholders(self) -> tuple[RecordedEntry, ...]:
        return tuple(e for e in self.entries if PLACEHOLDER in e.semantic.text or PLACEHOLDER in e.semantic.path)

    def named(self, sent: Sent) -> str | None:
        """Return the conversation of a request if the cassette names it, so that only its entries count; else None."""
        return sent.conversation if sent.conversation in self.conversations else None

    def same(self, sent: Sent) -> RecordedEntry | None:
        """Return the first unplayed entry with the same meaning.

        Entries with an identical body come first: `"tool_call_id": "call_2"` belongs to the answer with that id. Among
        the rest, those with the same URL come first.
        """
        queue = self._queues.get((self.named(sent), sent.semantic.hash))
        first = self._front(queue)
        # Nearly always the first one fits in all respects, so the others are not compared.
        if queue is None or first is None or _sameness(first, sent) == (True, True):
            return first
        near = [entry for entry in islice(queue, _EXACT) if not self.is_played(entry)]
        return max(near, key=lambda entry: _sameness(entry, sent))  # of equal ones, `max` keeps the first

    def following(self, conversation: str | None = None) -> RecordedEntry | None:
        """Return the first unplayed entry. If `conversation` is given, only look there."""
        return self._front(self._next.get(conversation))

    def upcoming(self, number: int) -> list[RecordedEntry]:
        """Return the unplayed entries among the next `number`, counted from the first unplayed one."""
        first = self.following()
        behind = self.entries[first.position - 1 : first.position - 1 + number] if first else ()
        return [entry for entry in behind if not self.is_played(entry)]

    def _front(self, queue: deque[RecordedEntry] | None) -> RecordedEntry | None:
        while queue and queue[0].position in self.played:
            queue.popleft()  # each entry is dropped only once, so the amortised cost is constant
        return queue[0] if queue else None

    def waiting(self, digest: str) -> list[RecordedEntry]:
        """Return all unplayed entries with this hash."""
        return [entry for entry in self._queues.get((None, digest), ()) if not self.is_played(entry)]

    def play(self, entry: RecordedEntry, sent: Sent) -> None:
        """Mark an entry as played for a request."""
        self.played[entry.position] = sent

    def is_played(self, entry: RecordedEntry) -> bool:
        """Return True if the entry has been played."""
        return entry.position in self.played

    def parent(self, sent: Sent) -> tuple[RecordedEntry, Exchange, Link] | None:
        """Return the played entry that a request reacts to, as it was played, and the link to it; None if none fits."""
        if not self.played:
            return None
        for position, asked in islice(self.played.items(), len(self._linker), None):
            self._linker.add(self._as_played(len(self._linker) + 1, position, asked), asked.conversation)
        how = self._linker.next(decode_request(len(self.played) + 1, sent.message), sent.conversation)
        if how is None:
            return None
        position = next(islice(self.played, how.parent - 1, None))
        return self.entries[position - 1], self._linker.exchange(how.parent), how

    def _as_played(self, number: int, position: int, asked: Sent) -> Exchange:
        """Return a played exchange. If its answer was queued, it has the answer that a later request brings."""
        found = decode(number, asked.message, self.entries[position - 1].raw.response)
        if not found.pending:
            return found
        recorded = self.exchanges[position - 1]
        return replace(found, answer=recorded.answer, finish=recorded.finish, pending=recorded.pending)

    @property
    def unplayed(self) -> tuple[RecordedEntry, ...]:
        """The entries that were not played, in order."""
        return tuple(e for e in self.entries if not self.is_played(e))

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The cassette as exchanges. Decoded only when a request has no exact match."""
        return with_later_answers(decode(e.position, e.raw.request, e.raw.response) for e in self.entries)

    @cached_property
    def links(self) -> tuple[Link | None, ...]:
        """For each entry, in order, its link to an earlier one."""
        return link(self.exchanges, [e.conversation for e in self.entries])

    def children(self, position: int) -> list[RecordedEntry]:
        """Return the unplayed entries whose requests react to the entry at a position."""
        return [e for e in self._children.get(position, ()) if not self.is_played(e)]

    def is_root(self, entry: RecordedEntry) -> bool:
        """Return True if an entry begins a conversation."""
        return self.links[entry.position - 1] is None

    @cached_property
    def _children(self) -> dict[int, list[RecordedEntry]]:
        found: dict[int, list[RecordedEntry]] = {}
        for entry, how in zip(self.entries, self.links, strict=True):
            if how is not None:
                found.setdefault(how.parent, []).append(entry)
        return found


def _sameness(entry: RecordedEntry, sent: Sent) -> tuple[bool, bool]:
    return entry.semantic.body == sent.semantic.body, entry.raw.request.url == sent.message.url


# The text that a placeholder may replace: within one JSON string, or within one line of any other text.
_IN_STRING = re.compile(possessive(r'[^"\\]++|\\.'), re.DOTALL)
_IN_LINE = re.compile(r"[^\r\n]*")
# In a path, a placeholder ends with its parameter: "?thread=<id>&limit=20" keeps the limit.
_IN_PATH = re.compile(r"[^&]*")


def same_but_for_secrets(recorded: SemanticRequest, sent: SemanticRequest) -> bool:
    """Return True if a request equals a recorded one whose placeholders may stand for any text."""
    within = _IN_LINE if isinstance(recorded.body, str) else _IN_STRING
    return (
        recorded.method == sent.method
        and fits(recorded.own_path, sent.own_path, _IN_PATH)
        and fits(recorded.text, sent.text, within)
    )


def fits(pattern: str, text: str, within: re.Pattern[str]) -> bool:
    """Return True if a text equals the pattern with some text in place of each placeholder. Takes linear time.

    Each piece between placeholders is searched for from left to right, and the first match counts.
    """
    first, *rest = pattern.split(PLACEHOLDER)
    if not rest:
        return pattern == text
    if not text.startswith(first):
        return False
    at = len(first)
    for number, piece in enumerate(rest, start=1):
        last = number == len(rest)
        end = _last(text, piece, at) if last else text.find(piece, at)
        if end < 0 or not within.fullmatch(text, at, end):
            return False
        at = end + len(piece)
    return at == len(text)


def _last(text: str, piece: str, at: int) -> int:
    end = len(text) - len(piece)
    return end if end >= at and text.endswith(piece) else -1
