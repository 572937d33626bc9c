"""One call as a cassette stores it: the function's name and its arguments, and for a search the place in the search."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import quote

from ..wire.exchange import Message
from .call_data import answer_body, plain
from .files.interaction import Interaction, local_exchange, local_request

SCHEME = "call"
"""Scheme of the address of a recorded call: `call://python/ask`."""
_TURN = ("role", "parts", "type")
"""A chat message has one of these: `role` at OpenAI, `parts` at Gemini, `type` in the items of OpenAI's Responses."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """The arguments of a recorded function call."""

    name: str
    messages: tuple[Any, ...]
    """The chat messages among its arguments, as plain data."""
    arguments: Mapping[str, Any]
    """The other arguments as plain data, keyed by parameter name."""
    place: tuple[str, ...] = ()
    """For a call in a search: step, prefix, feedback and index, as in its `TapeKey`."""

    @property
    def url(self) -> str:
        """`call://python/ask`. For a search, the place follows, so that only answers for the same place are served."""
        # The first try of a step has no feedback. `…/plan/1f0e…/none/0` has as many parts as the tries after it.
        words = (self.name, *(word or "none" for word in self.place))
        return f"{SCHEME}://python/" + "/".join(quote(word, safe="") for word in words)

    @property
    def body(self) -> bytes:
        """The call as JSON."""
        data: dict[str, object] = {"call": self.name, "arguments": dict(self.arguments)}
        if self.messages:
            data["messages"] = list(self.messages)
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")

    @property
    def message(self) -> Message:
        """The call in the form that the gate reads."""
        return local_request(self.url, self.body)


def request_of(
    name: str,
    ask: Callable[..., object],
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
    ignore: Collection[str],
) -> CallRequest:
    """Return a call in the form in which it is recorded, with arguments given by position or by name.

    Raises:
        UsageError: an argument that cannot be written as data.
    """
    given = {argument: value for argument, value in _bound(ask, args, kwargs).items() if argument not in ignore}
    place = next((_place(value) for value in given.values() if _is_step(value)), ())
    data = {
        argument: plain(_step_turns(value) if _is_step(value) else value, f"the argument {argument} of {name}")
        for argument, value in given.items()
    }
    turns = next((argument for argument, value in data.items() if _are_turns(value)), None)
    messages = () if turns is None else tuple(data.pop(turns))
    return CallRequest(name, messages, data, place)


def interaction_of(request: CallRequest, answer: object, latency_s: float) -> Interaction:
    """Return a call in the form of a cassette. `answer` is plain data."""
    return local_exchange(request.url, request.body, answer_body(answer), latency_s)


def call_name(ask: Callable[..., object]) -> str:
    """Return the name of a function in cassettes: 'ask' for `Client.ask` and for `partial(ask, client)`."""
    while isinstance(ask, partial):
        ask = ask.func
    name = getattr(ask, "__name__", None) or type(ask).__name__
    return "ask" if name == "<lambda>" else str(name)


def _bound(ask: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, object]:
    try:
        bound = inspect.signature(ask).bind(*args, **kwargs)
    except (TypeError, ValueError):  # no signature, or a call that the function itself will refuse
        return {**{str(place): value for place, value in enumerate(args)}, **kwargs}
    given: dict[str, object] = {}
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        given.update(value if kind is inspect.Parameter.VAR_KEYWORD else {name: value})
    return given


def _are_turns(value: Any) -> bool:
    """Return True if an argument is a list of chat messages."""
    turns = isinstance(value, list) and all(isinstance(t, dict) and any(name in t for name in _TURN) for t in value)
    return turns and any("role" in turn or "parts" in turn for turn in value)  # declared tools have only a type


# The context of a step of a search, recognised by its key, since this layer knows nothing of searches.

_KEY = ("step", "prefix", "feedback", "index")
"""Members of a `TapeKey`, in the order of the address."""
_STEP = "Step {step}."
"""Placeholder for the prompt of a step, which the step words itself."""


def _is_step(value: object) -> bool:
    key = getattr(value, "key", None)
    return all(hasattr(key, name) for name in _KEY)


def _place(context: Any) -> tuple[str, ...]:
    return tuple(str(getattr(context.key, name)) for name in _KEY)


def _step_turns(context: Any) -> object:
    """Return the prompt of a step as chat messages: the answers before it, and the two kinds of feedback."""
    before = [{"role": "user", "content": f"{one.step}: {one.answer}"} for one in context.path]
    prompt = {"role": "user", "content": _STEP.format(step=context.step)}
    return context.messages([*before, prompt])
