"""How findings put values and rules into words: clipped JSON, lists of choices, the nearest known name."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from .failure_kinds import FailureKind
from .finding import ACTUAL_LIMIT, Finding, Severity

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)
_WORD_LIMIT = 100  # characters of a value that are compared with known names: similarity is quadratic in length
_CHOICE_LIMIT = 12  # choices that a message lists; a model needs the list, but not a dictionary
_CANDIDATE_LIMIT = 1000  # names compared at most, so that a huge enum stays cheap


def as_json(value: object, limit: int = ACTUAL_LIMIT) -> str:
    """Return the value as JSON text of at most `limit` characters; a longer one ends with "…"."""
    if isinstance(value, str):
        text = _ENCODER.encode(value[:limit])
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    else:
        text = _started(value, limit)
    return clip(text, limit)


def _started(value: object, limit: int) -> str:
    """Return the beginning of a container's or a number's JSON, encoded no further than needed."""
    parts: list[str] = []
    length = 0
    try:
        for part in _ENCODER.iterencode(value):
            parts.append(part)
            length += len(part)
            if length > limit:
                break
    except (RecursionError, ValueError, TypeError):
        parts.append("…")
    return "".join(parts)


def clip(text: str, limit: int = ACTUAL_LIMIT) -> str:
    """Return the text, cut to `limit` characters with "…" at its end where it is longer."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def choices(values: Sequence[object]) -> str:
    """'one of "low", "medium", "high"'; a long list is cut and counted."""
    listed = ", ".join(as_json(value) for value in values[:_CHOICE_LIMIT])
    if len(values) == 1:
        return listed
    more = len(values) - _CHOICE_LIMIT
    return f"one of {listed}" + (f" and {more} more" if more > 0 else "")


def plural(count: int, noun: str) -> str:
    """'1 item', '2 items', '3 properties'."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def nearest(value: object, known: Iterable[object]) -> str | None:
    """Return the known text that a value most likely means; None where none is close.

    A known text that begins the value, or that differs in case alone, wins over mere similarity.
    """
    if not isinstance(value, str) or not value.strip():
        return None
    names = tuple([name for name in islice(known, _CANDIDATE_LIMIT) if isinstance(name, str)])
    if not names:
        return None
    folded = _folded(names)
    wanted = fold(value)[:_WORD_LIMIT]
    begins = [key for key in folded if wanted.startswith(key) and not wanted[len(key) : len(key) + 1].isalnum()]
    if begins:
        return folded[max(begins, key=len)].text
    letters = frozenset(wanted)
    alike = [key for key, name in folded.items() if _share_letters(letters, name.letters)]
    # Names with few letters in common cannot be near; finding that out is far cheaper than the comparison.
    close = difflib.get_close_matches(wanted, alike) if alike else []  # by its own bound: "abcdef" is near "abcxyf"
    return folded[close[0]].text if close else None


def _share_letters(one: frozenset[str], other: frozenset[str]) -> bool:
    return 2 * len(one & other) >= max(len(one), len(other))


class _Known(NamedTuple):
    """A known name as it is written, and its letters, case folded."""

    text: str
    letters: frozenset[str]


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...]) -> dict[str, _Known]:
    """Return the names by their folded beginning, the first of equal ones; blank names are left out."""
    keys = [(fold(name)[:_WORD_LIMIT], name) for name in reversed(names)]
    return {key: _Known(name, frozenset(key)) for key, name in keys if key}


def did_you_mean(value: object, known: Iterable[object]) -> str | None:
    """'did you mean "high"?', or None."""
    found = nearest(value, known)
    return None if found is None or found == value else f"did you mean {as_json(found)}?"


def fold(text: str) -> str:
    """Return the text for comparison: outer space off, inner space single, case folded."""
    return " ".join(text.split()).casefold()


def expected_got(expected: str, actual: str | None) -> str:
    """Return the common message: 'expected an integer; got "two"'."""
    return f"expected {expected}" if actual is None else f"expected {expected}; got {actual}"


# What a verdict says where a bound kept it from looking at everything.

TOO_MANY = "too_many_errors"
"""Code of the finding that says how many errors were looked at. A note where there are others, else the answer's only
fault: nobody knows whether it holds."""
NOT_ASKED = "validators_not_asked"
"""Code of the finding that says that pydantic was not called. A note where the JSON Schema rejects the answer."""
UNCOUNTED = 10**9
"""Steps that no validator ends in sensible time, and that are counted no further: 2^200 is not worth its digits."""
_HINT = "tell the alternatives of the union apart by a discriminator, or nest the answer less deeply"


def too_many(looked_at: int, *, of: int | None = None, steps: int | None = None, known_bad: bool) -> Finding:
    """Return the finding that says how many errors were looked at.

    Args:
        looked_at: their number.
        of: how many there are; None where nobody counted.
        steps: the steps that it took, where these ran out.
        known_bad: whether other findings reject the answer.
    """
    errors = f"{looked_at:,} errors were looked at" if of is None else f"{looked_at:,} of {of:,} errors were looked at"
    more = "" if of is not None else ", and there are more" if steps is None else f" in {steps:,} steps, then no more"
    hint = None if known_bad else _HINT
    return Finding(TOO_MANY, (), errors + more, FailureKind.RULE, _weight(known_bad), hint=hint)


def unread(errors: int, *, known_bad: bool) -> Finding:
    """Return the finding that says that pydantic made too many errors to be read."""
    source = "the findings are those of the JSON Schema" if known_bad else "the JSON Schema rejects nothing"
    message = f"0 of pydantic's {errors:,} errors were looked at; {source}"
    return Finding(TOO_MANY, (), message, FailureKind.RULE, _weight(known_bad), hint=_HINT)


def not_asked(name: str, visits: int | None, *, known_bad: bool) -> Finding:
    """Return the finding that says that the validators of a type were not asked.

    Args:
        name: the type's.
        visits: how often they would look at the parts of the answer; None where that was not counted to its end.
        known_bad: whether other findings, those of the JSON Schema, reject the answer.
    """
    number = "too many steps" if visits is None else f"{visits:,} steps" + (" or more" if visits == UNCOUNTED else "")
    message = f"the validators of {clip(name)} were not asked: the alternatives of its unions take {number}"
    return Finding(NOT_ASKED, (), message, FailureKind.RULE, _weight(known_bad), hint=_HINT)


def _weight(known_bad: bool) -> Severity:
    return Severity.INFO if known_bad else Severity.RETRY
