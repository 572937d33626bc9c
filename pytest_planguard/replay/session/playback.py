"""The settings of a session, the data of one exchange, its own headers, and the limits of recording."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

from ...errors import CassetteError
from ...retry.judging.attempts import ContractLike
from ...retry.judging.retry_listing import is_rejected
from ...retry.linking.link import How
from ...retry.linking.linker import Linker
from ...wire.decode import decode
from ...wire.exchange import Exchange, Message
from ..files.interaction import Interaction
from ..matching.drift import Drift
from ..matching.normalise import NORMALISERS, Normaliser
from ..matching.refusal import MatchMode
from ..privacy.redaction_rules import Redaction


class Allowance:
    """How many live requests may still be sent. All cassettes and threads of a run share it.

    Requests that are in progress when the limit is reached are completed and recorded, so parallel requests may exceed
    it.
    """

    def __init__(self, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        """Set the limits, which are at least 0. None means no limit. Tokens include requests and answers."""
        self._max_calls, self._max_tokens = max_calls, max_tokens
        self.calls = 0
        self.tokens = 0
        """Tokens used so far, as reported in the answers."""
        self._lock = threading.Lock()

    def spend(self, exchange: Exchange) -> None:
        """Count one live exchange."""
        usage = exchange.usage
        with self._lock:
            self.calls += 1
            self.tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)

    @property
    def limits_calls(self) -> bool:
        """True if the number of calls is limited."""
        return self._max_calls is not None

    @property
    def so_far(self) -> str:
        """'5 calls, 1,230 tokens so far'."""
        return f"{_count(self.calls, 'call')}, {_count(self.tokens, 'token')} so far"

    @property
    def reached(self) -> str:
        """'the cap of 5 calls is reached (5 calls, 1,230 tokens so far)'; "" if the limits allow another call."""
        for cap, used, what in ((self._max_calls, self.calls, "call"), (self._max_tokens, self.tokens, "token")):
            if cap is not None and used >= cap:
                return f"the cap of {_count(cap, what)} is reached ({self.so_far})"
        return ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


Mode = Literal["none", "missing", "stale", "all", "verify"]
COMMAND = "pytest --planguard-record=all"
"""The command to show in messages if the caller gave none."""


@dataclass(frozen=True)
class Play:
    """One exchange of the running test."""

    number: int
    """1-based number, in the order of requests."""
    request: Message
    """The request that the test sent."""
    response: Message
    """The recorded response."""
    conversation: str | None = None
    """The app's name for the conversation, if any."""
    position: int | None = None
    """1-based position of the served answer in the cassette; None for an exchange that is being recorded."""
    drift: Drift | None = None
    """How the request differs from the recorded one; None if both have the same meaning."""

    @cached_property
    def exchange(self) -> Exchange:
        """The request and its answer in provider-neutral form. Decoded on first use."""
        return decode(self.number, self.request, self.response)


@dataclass(frozen=True, slots=True)
class CassetteSettings:
    """The settings of an open cassette; see `open_cassette`."""

    mode: Mode = "none"
    match: MatchMode = "gated"
    redaction: Redaction = field(default_factory=Redaction)
    contracts: tuple[ContractLike, ...] = ()
    """The contracts for the answers. They determine what a retry has to feed back."""
    provisional: Callable[[], bool] = lambda: False
    """Returns True if a retry that seems to feed nothing back may be answered, because an experiment will decide."""
    conversation_id: Callable[[], str | None] = lambda: None
    state: Callable[[], Mapping[str, str]] = dict
    """Returns the texts that are recorded with a request, by name."""
    for_model: str | None = None
    """The model that the test names, which is recorded with each request."""
    command: str = COMMAND
    shown_as: str = ""
    allowance: Allowance = field(default_factory=Allowance)
    normalisers: tuple[Normaliser, ...] = field(default_factory=lambda: tuple(NORMALISERS))


MOST_EQUAL = 3
"""Number of identical rejected answers in a conversation after which recording stops."""
MOST_CALLS = 30
"""Number of calls in a conversation after which recording stops. A working agent needs fewer."""


RAISE_CAP = "raise --planguard-record-max-calls or --planguard-record-max-tokens"
"""The advice if a limit is reached."""


class Stop(NamedTuple):
    """The reason why a recording stopped, and what to do."""

    why: str
    advice: str
    option: str = ""
    """An option for the next recording, with a leading blank."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """The state of a conversation after one exchange."""

    calls: int
    rejected: dict[object, int]
    """Maps each rejected answer to how often it was received."""


class EndlessLoops:
    """Follows the conversations of a recording from answer to answer."""

    def __init__(self, contracts: Sequence[ContractLike]) -> None:
        self._contracts = contracts
        self._linker = Linker()
        self._reached: list[_Reached] = []

    def add(self, exchange: Exchange, conversation: str | None) -> Stop | None:
        """Add a live exchange. Return why the conversation must stop; None if it may continue."""
        link = self._linker.next(exchange, conversation)
        self._linker.add(exchange, conversation)
        before = _Reached(0, {}) if link is None else self._reached[link.parent - 1]
        if link is not None and link.how is How.SAME:
            # A prompt that is sent often may belong to many conversations, if its answers were accepted.
            before = _Reached(before.calls if before.rejected else 0, {})
        counts = dict(before.rejected)
        said = tuple((item.kind, item.name, item.text) for item in exchange.answer)
        # A queued answer is still empty, so every poll would repeat it.
        if not exchange.pending and is_rejected(exchange, self._contracts):
            counts[said] = counts.get(said, 0) + 1
        now = _Reached(before.calls + 1, counts)
        self._reached.append(now)
        if counts.get(said, 0) >= MOST_EQUAL:
            why = f"one conversation rejected the same answer {MOST_EQUAL} times"
            return Stop(why, "change the prompt or the contract, or let the app give up when an answer repeats")
        if now.calls < MOST_CALLS:
            return None
        why, option = f"one conversation has made {MOST_CALLS} calls", " --planguard-record-max-calls=100"
        return Stop(why, "let the app give up sooner, or raise the limit", option)


# The headers that planguard adds to a recorded request: its conversation and its state.

MOST_STATE = 200_000
"""Maximum number of characters of a state. Each exchange of a cassette has its own."""


_SENT: ContextVar[tuple[object, str | None]] = ContextVar("planguard_sent", default=(None, None))
"""The request that this thread or task sends, and its state. Another may send an equal one at the same time."""


def note_state(request: object, state: str | None) -> None:
    """Keep the state of a request until its answer is recorded."""
    _SENT.set((request, state))


def noted_state(request: object, otherwise: Callable[[], str | None]) -> str | None:
    """Return the state of a request that was sent; that of `otherwise` if none was noted."""
    sent, state = _SENT.get()
    _SENT.set((None, None))
    return state if sent == request else otherwise()


def state_text(read: Callable[[], Mapping[str, str]]) -> str | None:
    """Return a state as JSON; None if it is empty. Raises CassetteError for one that cannot be read or recorded."""
    try:
        state = dict(read())
    except Exception as error:  # an SDK would report the test's own mistake as a connection error
        text = f"planguard.state: {type(error).__name__}: {error}; pass a function that returns a dict of texts"
        raise CassetteError(text) from error
    wrong = [name for name, text in state.items() if not (isinstance(name, str) and isinstance(text, str))]
    if wrong:
        raise CassetteError(f"planguard.state: {wrong[0]!r} has no text; return a dict such as {{'a.py': ''}}")
    size = sum(map(len, (*state, *state.values())))
    if size > MOST_STATE:
        raise CassetteError(
            f"planguard.state: {size:,} characters, but at most {MOST_STATE:,} are recorded; leave files out"
        )
    return json.dumps(state) if state else None


def with_header(interaction: Interaction, name: str, value: str | None) -> Interaction:
    """Return an interaction with one more header in its request; without a value, the same one."""
    if value is None:
        return interaction
    return replace(interaction, request_headers=(*interaction.request_headers, (name, (value,))))
