"""Scalars of the YAML 1.2 core schema: what a plain word means.

YAML 1.1, which PyYAML resolves by default, reads `no` as False, `012` as 10, `1:30` as 90 and `2026-01-01` as a date.
Here they are a string, 12, a string and a string: models write for readers, not for YAML 1.1.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_NUMBER_START = frozenset("-+.0123456789")


class NotFinite(ValueError):
    """The scalar is infinite or no number, which no JSON value is."""


def plain(text: str) -> Any:
    """Return the value of a plain (unquoted) scalar.

    Raises:
        NotFinite: `.inf`, `.nan`, or a number too large for a float.
        ValueError: an integer with more digits than Python reads or writes.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT.match(text):
        return int(text)
    if _BASED.match(text):
        return _printable(int(text, 0))
    if _FLOAT.match(text):
        return _finite(float(text))
    if _NOT_FINITE.match(text):
        raise NotFinite
    return text


def _printable(number: int) -> int:
    """Return a number that a report can write. Raises ValueError for others: digits to base 16 are read without end."""
    str(number)
    return number


def _finite(number: float) -> float:
    if not isfinite(number):
        raise NotFinite
    return number


def _of_type(*types: type) -> Callable[[str], Any]:
    def convert(text: str) -> Any:
        value = plain(text)
        if type(value) not in types:
            raise ValueError(text)
        return value

    return convert


def _tagged_float(text: str) -> float:
    try:
        return float(_of_type(int, float)(text))
    except OverflowError:  # 400 digits
        raise NotFinite from None


CONVERT: dict[str, Callable[[str], Any]] = {
    TAG + "str": str,
    TAG + "int": _of_type(int),
    TAG + "float": _tagged_float,
    TAG + "bool": _of_type(bool),
    TAG + "null": _of_type(type(None)),
    "!": str,
}
"""How an explicit tag reads a scalar. Raises ValueError where the text does not fit the tag."""
