"""Values of answers as JSON that every strict parser reads: no lone surrogates, no NaN, no numbers without end."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any

from .sanitise import visible_char

DIGIT_BITS = 14_000
"""Bits of the largest whole number that is written; Python itself refuses to spell out more than 4,300 digits."""

_COLON = re.compile(":(?=:)")
"""A colon before another: `::set-output` is a command to a build log."""


def json_text(value: Any) -> str:
    """Return the value as JSON in plain ASCII, indented.

    No control, bidi or other hidden character is in it unescaped, and no command to a build log: the data stay equal.
    """
    return without_log_commands(json.dumps(json_safe(value), indent=2, ensure_ascii=True, allow_nan=False))


def without_log_commands(text: str) -> str:
    r"""Return JSON text in which `##[` is written `##\u005b` and `::` is `\u003a:`; it means the same."""
    return _COLON.sub(r"\\u003a", text.replace("##[", r"##\u005b"))


def json_safe(value: Any) -> Any:
    r"""Return the value with only what JSON can say.

    A lone surrogate is spelled out (`\ud800`), as is a number like NaN.

    Nested as deep as answers are read, which is less than Python's recursion limit.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {_text(str(key)): json_safe(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(inner) for inner in value]
    if isinstance(value, int) and value.bit_length() > DIGIT_BITS:
        return f"(a whole number of {value.bit_length():,} bits)"
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float) else _text(str(value))


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(visible_char(char) if "\ud800" <= char <= "\udfff" else char for char in text)
    return text
