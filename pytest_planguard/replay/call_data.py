"""Values of an app as plain JSON data, and the return values of recorded functions made from data again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from ..errors import CassetteError, UsageError
from ..wire.untrusted_json import mapping, parse_json
from .files.interaction import as_data

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


def answer_body(answer: object) -> bytes:
    """Return the data of an answer as a cassette stores it."""
    return json.dumps({"answer": answer}, ensure_ascii=False).encode("utf-8", "backslashreplace")


def answer_in(body: bytes) -> Any:
    """Return the recorded answer as plain data. Raises CassetteError without one."""
    try:
        return mapping(parse_json(body.decode()))["answer"]
    except (KeyError, ValueError) as error:
        problem = f"got {type(error).__name__}: {error}"
        raise CassetteError(f"a recorded call cannot be read: {problem}; record the test again") from None


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
        again = rebuild(answer_in(answer_body(data)))
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
"""Marks a key that did not come back."""


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
