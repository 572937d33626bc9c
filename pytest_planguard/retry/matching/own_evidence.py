"""Find in words what belongs to a finding: its value, its bound and its choices, in any language.

For `nights`, which is 90 and may be at most 28, "не может быть меньше 1 (сейчас -2)" has the other bound and another
value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from ..reading.comparison import LATIN, comparison_in
from ..reading.error_category import (
    GENERIC,
    ErrorCategory,
    category_of,
)
from ..reading.words import amounts_in, spelled_in
from .praise import complains

if TYPE_CHECKING:
    from ...contract.finding import Finding

LIMITS = frozenset({ErrorCategory.TOO_SHORT, ErrorCategory.TOO_LONG, ErrorCategory.TOO_SMALL, ErrorCategory.TOO_LARGE})
SHORTEST_VALUE = 2
"""Minimum length of a value to find in a text, in characters: a single character is everywhere."""
_ALLOWED_LIMIT = 100
"""Maximum number of allowed values to find in a sentence; each takes one search."""
# Characters of another script may touch a value: "必须是half、full之一".
_LATIN = f"{LATIN}0-9_"
# A list of allowed values is feedback only with a demand: "use Draft or Approved". Otherwise it describes the format.
_CHOOSE = re.compile(r"\b(?:only|allowed|use)\b", re.IGNORECASE)
# "got null", "is None"; not "none of these".
_NULL = re.compile(r"\b(?:null|None|nil|undefined)\b")


def own_words(finding: Finding) -> list[str]:
    """Return a finding's message, and that of the user's own validator."""
    words = [finding.message]
    if finding.validator_message and finding.validator_code in GENERIC:
        words.append(finding.validator_message.removeprefix("Value error, ").removeprefix("Assertion failed, "))
    return [message for message in words if message.strip()]


def value_of(finding: Finding) -> str:
    """Return the bad value as feedback quotes it."""
    return (finding.actual or "").strip('"')


def quotes_value(finding: Finding, words: str, data: object = None) -> bool:
    """Return True if the words quote the finding's bad value, which occurs only once in the answer.

    Of a long value that findings show cut off, the beginning is enough.
    """
    value, shown = value_of(finding), finding.actual or ""
    if shown.endswith("…"):  # cut off, so without its closing quote: a value may be "…" itself, or end with it
        return shown.startswith('"') and value[:-1] in words
    if len(value) < SHORTEST_VALUE or value not in words:
        return False
    quoted = re.search(rf"(?<![A-Za-z0-9_.-]){re.escape(value)}(?![A-Za-z0-9_]|\.\d)", words)
    return quoted is not None and len([*islice(_occurrences(data, value), 2)]) < 2


def _occurrences(data: object, value: str) -> Iterator[None]:
    """Yield once for each place of the answer with this value."""
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _occurrences(inner, value)
    if not isinstance(data, dict | list) and str(data) == value:
        yield


def rejects_value(finding: Finding, words: str) -> bool:
    """Return True if the words quote the finding's bad value and find fault, for any reason: "soon is no good"."""
    return quotes_value(finding, words) and complains(words.replace(value_of(finding), " "))


def quotes_alone(finding: Finding, words: str) -> bool:
    """Return True if the value is null, or the only number in the words, also with a single digit."""
    if finding.actual == "null":
        return _NULL.search(words) is not None
    return (finding.actual or "").isdecimal() and amounts_in(words) == {_number(value_of(finding))}


def limit_of(finding: Finding) -> float | None:
    """Return the number in the finding's own rule; None if it has none."""
    return _limit_in(finding.expected or "", finding.validator_message or "", finding.message)


@lru_cache(maxsize=4_096)  # all words are compared with the limits of all findings
def _limit_in(*messages: str) -> float | None:
    return next((_number(own.bound) for own in map(comparison_in, messages) if own and own.bound), None)


def bound_of(finding: Finding) -> float | None:
    """Return the bound of a finding about a limit; None for any other finding."""
    return limit_of(finding) if category_of(finding) in LIMITS else None


def own_bound(finding: Finding, words: str) -> bool:
    """Return True if the words compare with the finding's own bound."""
    compared = comparison_in(words)
    return compared is not None and compared.bound is not None and limit_of(finding) == _number(compared.bound)


def names_bound(finding: Finding, words: str) -> bool:
    """Return True if the words name the finding's bound: "we stop at 28", "shorten it to 30 characters".

    The field's opposite limit has another bound, so this needs no comparative. A value that is its own bound shows
    none: in "must be an integer, not 0", 0 is the value that must be greater than 0.
    """
    bound = bound_of(finding)
    return bound in amounts_in(words) and bound != _number(value_of(finding))


def spells_bound(finding: Finding, words: str) -> bool:
    """Return True if the words spell out the finding's own bound: "fewer than two steps"."""
    return bound_of(finding) in spelled_in(words)


def other_bound(finding: Finding, words: str) -> bool:
    """Return True if the words compare with another bound, and name neither the finding's bound nor its value."""
    compared, limit = comparison_in(words), limit_of(finding)
    named = _number(compared.bound or "") if compared else None
    if named is None or limit is None or abs(named - limit) <= 1 or named in positions(finding):
        return False  # "less than 29" may be 28 at most, and "line 2: too short" names no bound
    value, is_text = value_of(finding), (finding.actual or "").startswith('"')
    return not amounts_in(words) & {limit, _number(value), float(len(value)) if is_text else None}


def positions(finding: Finding) -> set[int]:
    """Return the numbers of the items on the finding's path, as texts count them from 0 or from 1."""
    return {n + more for n in finding.path if isinstance(n, int) for more in (0, 1)}


def _number(text: str) -> float | None:
    return max(amounts_in(text.strip(".")), default=None)  # a thousand of "1.000"


def names_allowed(finding: Finding, words: str, *, every: bool = False) -> bool:
    """Return True if the words name two or all allowed values, none of them as a part of a path."""
    texts = [value for value in finding.allowed[:_ALLOWED_LIMIT] if isinstance(value, str) and value]
    named = [v for v in texts if re.search(rf"(?<![{_LATIN}./\]-]){re.escape(v)}(?![{_LATIN}\[/-]|\.\w)", words, re.I)]
    return len(named) >= (len(texts) if every else min(len(texts), 2)) > 1


def lists_allowed(finding: Finding, words: str) -> bool:
    """Return True if the words demand the allowed values."""
    return names_allowed(finding, words) and (complains(words) or _CHOOSE.search(words) is not None)
