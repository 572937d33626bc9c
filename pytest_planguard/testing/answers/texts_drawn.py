"""Strategies for a single text with a given length, pattern or format, and required or forbidden words."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from hypothesis import strategies as st

from ...contract.constraints.text_constraints import matches
from ...errors import UsageError
from .shapes import Text

LONGER = 12
"""Maximum number of characters by which a text without a maximum length may exceed its minimum: enough to vary, short
enough to read."""
_INNER = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;!?/'\"\\{}[]äé中😀"
"""Letters, digits, characters that JSON escapes, and characters outside ASCII and outside the basic plane."""
_FIRST = [chr(n) for n in range(0x20, 0x7F)]
"""ASCII only: pattern engines disagree about `\\d` and `\\w` beyond it."""


def text_strategy(shape: Text) -> st.SearchStrategy[str]:
    """Return a strategy for the shape. Texts have no outer white space, because constraints ignore it."""
    if shape.format is not None:
        return _of_format(shape.format)
    if shape.patterns:
        return _of_patterns(shape)
    held = " ".join(str(demand.value) for demand in shape.holds)
    low = max(shape.length.least - len(held) - (1 if held else 0), 0)
    most = shape.length.most
    room = low + LONGER if most is None else max(low, most - len(held) - (1 if held else 0))
    free = st.text(_INNER, min_size=low, max_size=min(room, low + LONGER)).map(_solid)
    drawn = free.map(lambda text: f"{text} {held}".strip()) if held else free
    return drawn.filter(lambda text: _lacks(text, shape)) if shape.lacks else drawn


def _solid(text: str) -> str:
    """Return the text with each outer white space replaced by another character, which keeps its length."""
    bare = text.lstrip()
    text = "a" * (len(text) - len(bare)) + bare
    bare = text.rstrip()
    return bare + "a" * (len(text) - len(bare))


def _lacks(text: str, shape: Text) -> bool:
    return not any(str(demand.value).casefold() in text.casefold() for demand in shape.lacks)


def _of_patterns(shape: Text) -> st.SearchStrategy[str]:
    """Draw from the first pattern, and pad the text if the pattern is not anchored. Other patterns filter."""
    first = str(shape.patterns[0].value)
    try:
        core = st.from_regex(_python(first), alphabet=st.sampled_from(_FIRST), fullmatch=_anchored(first))
    except re.error as exc:
        raise UsageError(f"no text is made for the pattern {first!r}: {exc}; give a strategy with `given`") from None
    low = shape.length.least
    return core.map(lambda text: _padded(text, first, low)).filter(lambda text: fits(shape, text))


def fits(shape: Text, text: str) -> bool:
    """Return True if a text satisfies the bounds, patterns and words of a shape that has no format."""
    low, most = shape.length.least, shape.length.most
    if len(text.strip()) < low or (most is not None and len(text) > most) or not _lacks(text, shape):
        return False
    return all(matches(str(demand.value), text) for demand in shape.patterns) and all(
        str(demand.value) in text for demand in shape.holds
    )


def _python(pattern: str) -> str:
    r"""Return the pattern in Python's syntax: `\z` is the very end in Rust."""
    return pattern.replace(r"\z", r"\Z")


def _anchored(pattern: str) -> bool:
    return pattern.startswith(("^", r"\A")) and pattern.endswith(("$", r"\z", r"\Z"))


def _padded(text: str, pattern: str, low: int) -> str:
    lacking = low - len(text.strip())
    if lacking <= 0 or _anchored(pattern):
        return text
    return text + "x" * lacking if not pattern.endswith(("$", r"\z", r"\Z")) else "x" * lacking + text


def _of_format(name: str) -> st.SearchStrategy[str]:
    strategy: st.SearchStrategy[str] = _FORMATS[name]()
    return strategy


def _moments() -> st.SearchStrategy[dt.datetime]:
    low, high = dt.datetime(1970, 1, 2), dt.datetime(2099, 12, 31)
    return st.datetimes(low, high, timezones=st.just(dt.UTC)).map(lambda moment: moment.replace(microsecond=0))


def _durations() -> st.SearchStrategy[str]:
    return st.tuples(st.integers(0, 99), st.integers(0, 23), st.integers(0, 59)).map(
        lambda parts: f"P{parts[0]}DT{parts[1]}H{parts[2]}M"
    )


_FORMATS: dict[str, Any] = {
    "date": lambda: st.dates(dt.date(1970, 1, 1), dt.date(2099, 12, 31)).map(str),
    "date-time": lambda: _moments().map(lambda moment: moment.isoformat()),
    "time": lambda: st.times().map(lambda moment: moment.replace(microsecond=0).isoformat() + "Z"),
    "duration": _durations,
    "uuid": lambda: st.uuids().map(str),
    "uuid4": lambda: st.uuids(version=4).map(str),
    "email": lambda: st.from_regex(r"[a-z]{1,8}\.[a-z]{1,8}@example\.(com|org)", fullmatch=True),
    "uri": lambda: st.from_regex(r"https://example\.(com|org)/[a-z0-9]{0,12}", fullmatch=True),
    "ipv4": lambda: st.ip_addresses(v=4).map(str),
    "ipv6": lambda: st.ip_addresses(v=6).map(str),
}
"""Maps a format to a strategy for common spellings, which every validator accepts."""
