"""Wording of values and rules in findings: clipped JSON, lists of choices, the nearest known name."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from ..document.limits import ACTUAL_LIMIT
from ..document.words import composed
from ..errors import offer
from .failure_kinds import FailureKind
from .finding import Finding, Severity

if TYPE_CHECKING:
    from ..document.path import Path

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)
_WORD_LIMIT = 100  # compared characters of a value: the time grows with the square of the length
_CHOICE_LIMIT = 12  # choices that a message lists: enough for a model, and still readable
_CANDIDATE_LIMIT = 1000  # maximum names compared, so that a huge enum stays cheap


def as_json(value: object, limit: int = ACTUAL_LIMIT) -> str:
    """Return the value as JSON text of at most `limit` characters; a longer one ends with "…"."""
    if isinstance(value, str):
        text = _ENCODER.encode(value[:limit])  # 20 MB need not be encoded to show 60 characters
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    else:
        text = _started(value, limit)
    return clip(text, limit)


def _started(value: object, limit: int) -> str:
    """Return the start of a container's or number's JSON; stop encoding at the limit."""
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
    """Return the text; cut a longer one to `limit` characters that end with "…"."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def choices(values: Sequence[object]) -> str:
    """Return 'one of "low", "medium", "high"'; a long list is cut and its rest counted."""
    listed = ", ".join(as_json(value) for value in values[:_CHOICE_LIMIT])
    if len(values) == 1:
        return listed
    more = len(values) - _CHOICE_LIMIT
    return f"one of {listed}" + (f" and {more} more" if more > 0 else "")


def plural(count: int, noun: str) -> str:
    """Return '1 item', '2 items' or '3 properties'."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def nearest(value: object, known: Iterable[object]) -> str | None:
    """Return the known text that a value most likely means; None if none is close.

    A known text that the value starts with, or that differs only in case, beats a merely similar one.
    """
    if not isinstance(value, str) or not value.strip():
        return None
    names = tuple([name for name in islice(known, _CANDIDATE_LIMIT) if isinstance(name, str)])
    if not names:
        return None
    return _nearest(fold(value)[:_WORD_LIMIT], names)


@lru_cache(maxsize=1_000)
def _nearest(wanted: str, names: tuple[str, ...]) -> str | None:
    folded = _folded(names)
    begins = [key for key in folded if wanted.startswith(key) and not wanted[len(key) : len(key) + 1].isalnum()]
    if begins:
        return folded[max(begins, key=len)].text
    letters = frozenset(wanted)
    # Names that share few letters cannot be close, and this test is much cheaper than the comparison.
    alike = [
        key for key, name in folded.items() if 2 * len(letters & name.letters) >= max(len(letters), len(name.letters))
    ]
    close = difflib.get_close_matches(wanted, alike) if alike else []  # "abcdef" is close to "abcxyf"
    return folded[close[0]].text if close else None


class _Known(NamedTuple):
    """A known name as written, and the set of its case-folded letters."""

    text: str
    letters: frozenset[str]


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...]) -> dict[str, _Known]:
    """Return the names by their folded start. The first of equal keys wins; blank names are left out."""
    # Reversed, because the last of equal keys stays in a dict.
    keys = [(fold(name)[:_WORD_LIMIT], name) for name in reversed(names)]
    return {key: _Known(name, frozenset(key)) for key, name in keys if key}


def offered(value: object, known: Sequence[str], listed: str) -> str:
    """Return the end of a message about an unknown name: ". Did you mean 'json'? Valid: auto, json"."""
    return offer(nearest(value, known), known, listed=listed)


def did_you_mean(value: object, known: Iterable[object]) -> str | None:
    """Return 'did you mean "high"?', or None."""
    found = nearest(value, known)
    return None if found is None or found == value else f"did you mean {as_json(found)}?"


def fold(text: str) -> str:
    """Return the text for comparison: composed, stripped, with single spaces, case-folded."""
    return " ".join(composed(text).split()).casefold()


def equal_key(value: object) -> str:
    """Return a key that equal values share: text ignores case and white space, other values are compared as JSON."""
    if isinstance(value, str):
        return "text:" + fold(value)  # the text "1" is not the number 1, whose JSON is "1"
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return f"object:{id(value)}"  # a circular value equals only itself


def expected_got(expected: str, actual: str | None) -> str:
    """Return the usual message: 'expected an integer; got "two"'."""
    return f"expected {expected}" if actual is None else f"expected {expected}; got {actual}"


def rule_finding(kind: FailureKind, path: Path, expected: str, value: object, **more: Any) -> Finding:
    """Return the finding about a value that breaks a rule, in planguard's own words."""
    actual = as_json(value)
    return Finding(kind.value, path, expected_got(expected, actual), kind, expected=expected, actual=actual, **more)


# Findings of a check that hit a limit before it had looked at everything.

TOO_MANY = "too_many_errors"
"""Code of the finding that says how many errors planguard read. It is a note if there are other errors; otherwise it is
the answer's only error, because nothing shows that the answer is valid."""
NOT_ASKED = "validators_not_asked"
"""Code of the finding that says that pydantic was not called. If the JSON Schema rejects the answer, this finding is
only a note."""
UNCOUNTED = 10**9
"""Upper limit for counted steps, far more than any validator finishes, so that 2^200 need not be computed exactly."""
_HINT = "tell the alternatives of the union apart by a discriminator, or nest the answer less deeply"


def too_many(looked_at: int, *, of: int | None = None, steps: int | None = None, known_bad: bool) -> Finding:
    """Return the finding that says how many errors planguard read.

    Args:
        looked_at: how many were read.
        of: how many there are; None if they were not counted.
        steps: the steps taken, if the limit on steps was reached.
        known_bad: True if other findings reject the answer.
    """
    errors = f"{looked_at:,} errors were looked at" if of is None else f"{looked_at:,} of {of:,} errors were looked at"
    more = "" if of is not None else ", and there are more" if steps is None else f" in {steps:,} steps, then no more"
    hint = None if known_bad else _HINT
    return Finding(TOO_MANY, (), errors + more, FailureKind.RULE, _weight(known_bad), hint=hint)


def unread(errors: int, *, known_bad: bool) -> Finding:
    """Return the finding for an answer with too many pydantic errors to read."""
    source = "the findings are those of the JSON Schema" if known_bad else "the JSON Schema rejects nothing"
    message = f"0 of pydantic's {errors:,} errors were looked at; {source}"
    return Finding(TOO_MANY, (), message, FailureKind.RULE, _weight(known_bad), hint=_HINT)


def not_asked(name: str, visits: int | None, *, known_bad: bool) -> Finding:
    """Return the finding that says that a type's validators were not run.

    Args:
        name: the name of the type.
        visits: how often they would visit parts of the answer; None if the count was not finished.
        known_bad: True if other findings, those of the JSON Schema, reject the answer.
    """
    number = "too many steps" if visits is None else f"{visits:,} steps" + (" or more" if visits == UNCOUNTED else "")
    message = f"the validators of {clip(name)} were not asked: the alternatives of its unions take {number}"
    return Finding(NOT_ASKED, (), message, FailureKind.RULE, _weight(known_bad), hint=_HINT)


def _weight(known_bad: bool) -> Severity:
    return Severity.INFO if known_bad else Severity.RETRY
