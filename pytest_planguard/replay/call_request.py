"""One call as a cassette stores it: the function's name, its arguments and its answer as plain JSON data.

A call in a search also has its place in the search.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from functools import partial
from pathlib import PurePath
from typing import Any
from urllib.parse import quote
from uuid import UUID

from ..errors import CassetteError, UsageError
from ..wire.exchange import Message
from ..wire.untrusted_json import mapping, parse_json
from .files.interaction import Interaction, as_data, local_exchange, local_request

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
    return local_exchange(request.url, request.body, _answer_body(answer), latency_s)


def _answer_body(answer: object) -> bytes:
    return json.dumps({"answer": answer}, ensure_ascii=False).encode("utf-8", "backslashreplace")


def answer_in(body: bytes) -> Any:
    """Return the recorded answer as plain data. Raises CassetteError without one."""
    try:
        return mapping(parse_json(body.decode()))["answer"]
    except (KeyError, ValueError) as error:
        problem = f"got {type(error).__name__}: {error}"
        raise CassetteError(f"a recorded call cannot be read: {problem}; record the test again") from None


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


# Values of an app as JSON data.

_AS_TEXT = (date, time, Decimal, PurePath, UUID)
"""Types whose text is complete; a `datetime` is a `date`."""


def plain(value: Any, where: str) -> Any:
    """Return a value as JSON data: models and dataclasses as objects, a class as its JSON Schema or its name.

    Args:
        value: the value to record.
        where: its name in messages.

    Raises:
        UsageError: a value that cannot be written as data, such as a client.
    """
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return value
    if isinstance(value, Enum):
        return plain(value.value, where)
    if isinstance(value, type):
        schema = getattr(value, "model_json_schema", None)
        return value.__qualname__ if schema is None else schema()
    if isinstance(value, str | bytes | bytearray):
        return str(value) if isinstance(value, str) else as_data(value)  # a subclass of text
    if isinstance(value, _AS_TEXT):
        return value.isoformat() if isinstance(value, date | time) else str(value)
    return _members(value, where)


def _members(value: object, where: str) -> object:
    """Return a value that contains other values."""
    for name in ("model_dump", "to_dict"):  # pydantic and similar classes, LangChain's messages among them
        dump = getattr(value, name, None)
        if callable(dump):
            return plain(dump(mode="json") if name == "model_dump" else dump(), where)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name), f"{where}.{field.name}") for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(member, f"{where}.{key}") for key, member in value.items()}
    if isinstance(value, AbstractSet):
        return sorted((plain(member, where) for member in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(member, f"{where}[{at}]") for at, member in enumerate(value)]
    raise UsageError(
        f"{where} cannot be recorded: got {type(value).__name__}; "
        "only text, messages and plain data can be recorded; to leave an argument out, name it in ignore="
    )


# Return values out of JSON data.

Rebuild = Callable[[Any], Any]
"""Makes the return value of a function from recorded data."""


def rebuilder(returns: Any) -> Rebuild:
    """Return a function that makes values of a type from recorded data.

    For `None`, Any and str it returns data unchanged.
    """
    if returns is None or returns is Any or returns is str:
        return lambda data: data
    from pydantic import TypeAdapter

    adapter: Any = TypeAdapter(returns)
    # As JSON: a strict model takes the text of a date only from JSON.
    return lambda data: adapter.validate_json(json.dumps(data))


def replayable(value: object, rebuild: Rebuild, name: str) -> Any:
    """Return the data of an answer, after checking that a replay makes the same answer from it.

    Args:
        value: the answer.
        rebuild: what makes the answer of a replay from its data.
        name: the name of the function that gave the answer.

    Raises:
        UsageError: a replay would return another value or type.
    """
    where = f"the return value of {name}"
    data = plain(value, where)
    changed = next(_changes(value, data, rebuild, where), None)
    if changed is not None:
        place, part = changed
        raise UsageError(
            f"{place} cannot be replayed: got {type(part).__name__}; "
            "annotate the return type, pass it as returns=, or return the text"
        )
    return data


def _changes(value: object, data: object, rebuild: Rebuild, where: str) -> Iterator[tuple[str, object]]:
    """Yield place and value of each part of an answer that a replay would return as something else."""
    try:
        again = rebuild(answer_in(_answer_body(data)))
    except (CassetteError, ValueError):  # data that is nested too deep to be read, or not of the type
        yield where, value
        return
    yield from _other_types(value, again, where)
    kept = plain(again, where)
    # NaN does not equal itself, but its text does.
    if kept != data and json.dumps(kept, sort_keys=True) != json.dumps(data, sort_keys=True):
        yield where, value


def _other_types(value: Any, again: Any, where: str) -> Iterator[tuple[str, object]]:
    """Yield place and value of each part that came back as another type: a tuple as a list, the key 1 as "1"."""
    if type(again) is type(value):
        for place, part, other in _parts(value, again, where):
            yield from _other_types(part, other, place)
    elif (type(value), type(again)) != (int, float):  # a whole number for a float comes back as 1.0, which equals it
        yield where, value


_GONE = object()
"""What came back for a key that is not there any more."""


def _parts(value: Any, again: Any, where: str) -> Iterator[tuple[str, object, object]]:
    """Yield the place of each part of a value, the part, and what came back there. A model counts as one part."""
    if isinstance(value, Mapping):
        kept = {(type(key), key): other for key, other in again.items()}
        for key, member in value.items():
            if (type(key), key) in kept:
                yield f"{where}.{key}", member, kept[type(key), key]
            else:
                yield f"a key of {where}", key, _GONE
    elif isinstance(value, list | tuple):
        for at, (member, other) in enumerate(zip(value, again, strict=False)):  # another length is other data
            yield f"{where}[{at}]", member, other
    elif is_dataclass(value):
        for one in fields(value):
            yield f"{where}.{one.name}", getattr(value, one.name), getattr(again, one.name)


def rebuilt(data: object, rebuild: Rebuild, name: str) -> Any:
    """Return the recorded value. Raises CassetteError if the function `name` now returns another type."""
    try:
        return rebuild(data)
    except ValueError as error:
        problem = str(error).partition("\n")[0]
        raise CassetteError(
            f"the recorded answer of {name} does not match its return type: got {problem}; record the test again"
        ) from None
