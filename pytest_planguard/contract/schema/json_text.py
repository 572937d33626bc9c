"""Values that an app already parsed, as JSON text."""

from __future__ import annotations

import json
from typing import Any


def to_json_text(value: Any) -> str | None:
    """The value as JSON text; None where it has none (a circular value, or one deeper than the interpreter's stack).

    Models, dataclasses, dates and decimals are written as pydantic writes them; what nobody knows as `str()`.
    NaN and Infinity keep those names, which is what the check then finds.
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        return to_json(value, by_alias=True, inf_nan_mode="constants", fallback=str).decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        pass
    try:
        return json.dumps(value, default=str)  # a lone surrogate is only writable as an escape
    except (ValueError, TypeError, RecursionError):
        return None
