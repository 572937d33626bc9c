"""Arguments and answers of a call as plain JSON data, and answers as the values that they were."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

from ...errors import CassetteError, UsageError

_AS_TEXT = (date, time, Decimal, PurePath, UUID)
"""Values whose text says all of them; a `datetime` is a `date`."""


def plain(value: Any, where: str) -> Any:
    """Return a value as JSON data: models and dataclasses as objects, a class as its JSON Schema or its name.

    Args:
        value: what is recorded.
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
        return _text(value)
    if isinstance(value, _AS_TEXT):
        return value.isoformat() if isinstance(value, date | time) else str(value)
    return _members(value, where)


def _members(value: Any, where: str) -> Any:
    """Return a value that has others in it."""
    for name in ("model_dump", "to_dict"):  # pydantic and its like, LangChain's messages among them
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
        "record a function of texts, messages and plain data, or name the argument in ignore="
    )


def _text(value: str | bytes | bytearray) -> Any:
    if isinstance(value, str):
        return str(value)  # a subclass
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


Rebuild = Callable[[Any], Any]
"""Makes the value that a function returned of the data that was recorded of it."""


def rebuilding(returns: Any) -> Rebuild:
    """Return what makes values of a type of their data. None, and Any, stand for plain data, which stays as it is."""
    if returns is None or returns is Any or returns is str:
        return lambda data: data
    from pydantic import TypeAdapter

    adapter: Any = TypeAdapter(returns)
    return lambda data: adapter.validate_json(json.dumps(data))


def checked(value: Any, rebuild: Rebuild, asked: str) -> Any:
    """Return the data of an answer, once it is known that the same answer can be made of it again.

    Raises:
        UsageError: it cannot.
    """
    data = plain(value, f"the answer of {asked}")
    try:
        again = rebuild(data)
    except ValueError:
        again = None
    if type(again) is not type(value) or plain(again, asked) != data:
        raise UsageError(
            f"the answer of {asked} cannot be replayed: got {type(value).__name__}; "
            "annotate what the function returns, say it with returns=, or return the text"
        )
    return data


def rebuilt(data: Any, rebuild: Rebuild, asked: str) -> Any:
    """Return the value that was recorded. Raises CassetteError where the function returns another type by now."""
    try:
        return rebuild(data)
    except ValueError as error:
        problem = str(error).partition("\n")[0]
        raise CassetteError(
            f"the recorded answer of {asked} does not fit what it returns: got {problem}; record the test again"
        ) from None
