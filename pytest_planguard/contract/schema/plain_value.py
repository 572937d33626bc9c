"""A validated value as plain data under its JSON names: what checks of the user's own get, defaults filled in."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..soundness.hole import Hole

if TYPE_CHECKING:
    from pydantic import TypeAdapter

PLAIN = (str, int, float, bool, type(None), Decimal, Hole)
"""Types that stay as they are: numbers stay numbers, so that a check can add them up."""


def plain_value(adapter: TypeAdapter[Any], value: Any, data: Any) -> Any:
    """Return a validated value as plain data: dates, enums and the like as JSON spells them, numbers as numbers.

    The data itself where the value has no such form.
    """
    try:
        return _plain(adapter.dump_python(value, by_alias=True, warnings=False))
    except Exception:  # a user's own serializer may raise anything
        return data


def _plain(value: Any) -> Any:
    if type(value) in PLAIN:
        return value
    if isinstance(value, dict):
        return {_key(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner) for inner in value]
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    from pydantic_core import to_jsonable_python

    return str(to_jsonable_python(key))
