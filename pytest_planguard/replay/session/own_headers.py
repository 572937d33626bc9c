"""The headers that planguard adds to a recorded request: its conversation and its state."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace

from ...errors import CassetteError
from ...wire.exchange import STATE_HEADER, Message
from ..files.interaction import Interaction

MOST = 200_000
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
    if size > MOST:
        raise CassetteError(f"planguard.state: {size:,} characters, but at most {MOST:,} are recorded; leave files out")
    return json.dumps(state) if state else None


def with_header(interaction: Interaction, name: str, value: str | None) -> Interaction:
    """Return an interaction with one more header in its request; without a value, the same one."""
    if value is None:
        return interaction
    return replace(interaction, request_headers=(*interaction.request_headers, (name, (value,))))


def with_state(sent: Message, recorded: Message) -> Message:
    """Return a request with the state that was recorded with another."""
    state = recorded.headers.get(STATE_HEADER)
    return sent if state is None else replace(sent, headers={**sent.headers, STATE_HEADER: state})
