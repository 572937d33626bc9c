"""A Python value as JSON types, the same in every process: what a snapshot keeps of it."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


def plain_value(value: Any) -> Any:
    """The value as dict, list, str, int, float, bool or None.

    Models are what they are in JSON, by alias; dates, UUIDs, enums and the like are texts; sets are sorted lists.

    Raises:
        UsageError: something in it is no data, is no JSON (NaN), or is nested too deep.
    """
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        data = to_jsonable_python(value, by_alias=True)
        json.dumps(data, allow_nan=False)
        return _with_sorted_sets(data, value)
    except PydanticSerializationError as error:
        raise UsageError(f"a snapshot keeps data (models, dicts, lists, texts, numbers): {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"a snapshot keeps JSON: {error}") from error


def _with_sorted_sets(data: Any, value: Any) -> Any:
    """The plain data with what was a set in a fixed order: a set of texts has another one in each process."""
    if isinstance(data, list) and isinstance(value, set | frozenset):
        return sorted(data, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(data, list) and isinstance(value, list | tuple):
        return [_with_sorted_sets(item, raw) for item, raw in zip(data, value, strict=True)]
    if isinstance(data, dict):
        raws = dict(_fields(data, value))
        return {key: _with_sorted_sets(item, raws[key]) if key in raws else item for key, item in data.items()}
    return data


def _fields(data: dict[str, Any], value: Any) -> Iterator[tuple[str, Any]]:
    """The Python values behind the fields of plain data, by the names that those have."""
    if isinstance(value, dict) and len(value) == len(data):
        yield from zip(data, value.values(), strict=True)
    elif dataclasses.is_dataclass(value):
        yield from ((field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value))
    else:
        for name, info in getattr(type(value), "model_fields", {}).items():
            yield info.serialization_alias or info.alias or name, getattr(value, name, None)
