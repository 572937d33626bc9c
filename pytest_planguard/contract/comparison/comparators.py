"""Comparators decide if a field has its expected value. Each is a value for `Contract(..., compare={...})`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

from ...document.words import composed
from ...errors import UsageError
from ..phrasing import as_json, fold


class Comparator(Protocol):
    """Decides if a field has its expected value."""

    @property
    def optional(self) -> bool:
        """True if a field that is missing or null in the answer is skipped."""
        ...

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if the actual value is right. Both values are plain data. Never raises."""
        ...

    def wanted(self, expected: Any) -> str:
        """Return the expected value as text for a finding: '10 within 0.01'."""
        ...


@dataclass(frozen=True, slots=True)
class Equal:
    """Requires an equal value. The default for fields without a comparator."""

    optional: bool = False

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if both are equal. True is not 1, but 1 is 1.0, as in JSON.

        If the expected value has its own `==`, that decides: `pytest.approx(3)`, or a dirty-equals matcher.
        """
        return _equal(expected, actual)

    def wanted(self, expected: Any) -> str:
        """Return the value as JSON. For a matcher, return its repr."""
        return as_json(expected) if isinstance(expected, _JSON) else repr(expected)


_JSON = (bool, int, float, str, list, dict, type(None))


def _equal(expected: object, actual: object) -> bool:
    if isinstance(expected, bool) != isinstance(actual, bool) and isinstance(expected, bool | int | float):
        return False
    return bool(expected == actual)


@dataclass(frozen=True, slots=True)
class Near:
    """Accepts a number within a tolerance."""

    abs: Decimal
    rel: Decimal
    optional: bool

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if the difference is at most the larger tolerance. Values that are not numbers must be equal."""
        wanted, found = _number(expected), _number(actual)
        if wanted is None or found is None:
            return _equal(expected, actual)
        return abs(found - wanted) <= max(self.abs, self.rel * abs(wanted))

    def wanted(self, expected: Any) -> str:
        """Return '10 within 0.01' or '10 within 5 %'."""
        parts = [f"{self.abs}"] if self.abs or not self.rel else []
        parts += [f"{(100 * self.rel).normalize():f} %"] if self.rel else []
        return f"{as_json(expected)} within {' or '.join(parts)}"


@dataclass(frozen=True, slots=True)
class SameText:
    """Accepts the same text, ignoring white space and, by default, case."""

    fold: bool = True
    optional: bool = False

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if both texts are the same after normalisation. Other values must be equal."""
        if not (isinstance(expected, str) and isinstance(actual, str)):
            return _equal(expected, actual)
        return self.normal(expected) == self.normal(actual)

    def normal(self, text: str) -> str:
        """Return the normalised text: composed accents ("é" may be one character or two) and single spaces."""
        text = composed(text, "NFKC")
        return fold(text) if self.fold else " ".join(text.split())

    def wanted(self, expected: Any) -> str:
        """Return the text."""
        return as_json(expected)


@dataclass(frozen=True, slots=True)
class Similar:
    """Accepts a similar text."""

    at_least: float
    optional: bool

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if the similarity is high enough. Values that are not texts must be equal."""
        if not (isinstance(expected, str) and isinstance(actual, str)):
            return _equal(expected, actual)
        return similarity(expected, actual) >= self.at_least

    def wanted(self, expected: Any) -> str:
        """Return 'a text like "…" (similarity of at least 0.8)'."""
        return f"a text like {as_json(expected)} (similarity of at least {self.at_least})"


_MOST_COMPARED = 5_000
"""Maximum number of characters of each text that `similar` reads. The time grows with the product of the lengths: 0.1 s
for two very different texts of this length."""


def similarity(one: str, other: str) -> float:
    """Return the similarity of two texts (0 to 1): `difflib.SequenceMatcher.ratio`, ignoring case."""
    first, second = (SameText().normal(text[:_MOST_COMPARED]) for text in (one, other))
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


@dataclass(frozen=True, slots=True)
class SameDate:
    """Accepts the same day in any notation."""

    day_first: bool | None
    optional: bool

    def fits(self, expected: object, actual: object) -> bool:
        """Return True if both values are the same day. Values that are not dates must be equal."""
        wanted, found = (day_of(value, day_first=self.day_first) for value in (expected, actual))
        if wanted is None or found is None:
            return _equal(expected, actual)
        return wanted == found

    def wanted(self, expected: Any) -> str:
        """Return 'the day "2026-03-01"'."""
        return f"the day {as_json(expected)}"


@dataclass(frozen=True, slots=True)
class SameItems:
    """Accepts a list with the same items in any order. The score is F1."""

    key: tuple[str, ...]
    optional: bool

    def fits(self, expected: object, actual: object) -> bool:
        """Compare a value that is not a list.

        Lists never get here, because they are aligned and scored item by item.
        """
        return _equal(expected, actual)

    def wanted(self, expected: Any) -> str:
        """Return the list as JSON."""
        return as_json(expected)


@dataclass(frozen=True, slots=True)
class Ignored:
    """Accepts any value, and a missing one. The field does not affect the score."""

    optional: bool = True

    def fits(self, expected: object, actual: object) -> bool:  # noqa: ARG002 - as every comparator
        """Return True."""
        return True

    def wanted(self, expected: Any) -> str:  # noqa: ARG002 - as every comparator
        """Return "anything"."""
        return "anything"


def near(abs: float = 0.0, rel: float = 0.0, *, optional: bool = False) -> Comparator:  # noqa: A002 - as math.isclose
    """Return a comparator for numbers: `near(0.01)`, `near(rel=0.05)`.

    Computes with exact decimals: 1.01 is within 0.01 of 1.00, unlike with floats. Numeric text such as "10.50" is
    treated as a number.

    Args:
        abs: the maximum difference, in the field's unit; at least 0.
        rel: the maximum difference relative to the expected value, at least 0: 0.05 is 5 %. The larger of both
            tolerances applies.
        optional: True to skip a field that is missing or null in the answer.

    Raises:
        UsageError: a tolerance is negative or not a number.
    """
    absolute, relative = _number(abs), _number(rel)
    if absolute is None or relative is None or min(absolute, relative) < 0:
        raise UsageError(f"near needs tolerances of at least 0: got abs={abs!r}, rel={rel!r}; write near(0.01)")
    return Near(absolute, relative, optional)


def same_text(*, fold: bool = True, optional: bool = False) -> Comparator:
    """Return a comparator for texts that ignores white space, the Unicode form of accents, and case.

    Args:
        fold: False makes case count.
        optional: True to skip a field that is missing or null in the answer.
    """
    return SameText(fold, optional)


def similar(at_least: float = 0.8, *, optional: bool = False) -> Comparator:
    """Return a comparator for texts that may differ a little.

    Args:
        at_least: the similarity that is enough, above 0 up to 1: the share of common characters, in order
            (`difflib.SequenceMatcher.ratio`), ignoring white space and case.
        optional: True to skip a field that is missing or null in the answer.

    Raises:
        UsageError: `at_least` is out of this range.
    """
    if isinstance(at_least, bool) or not isinstance(at_least, int | float) or not 0 < at_least <= 1:
        raise UsageError(f"similar needs a share above 0 and at most 1: got {at_least!r}; write similar(0.8)")
    return Similar(float(at_least), optional)


def same_date(*, day_first: bool | None = None, optional: bool = False) -> Comparator:
    """Return a comparator for days: "2026-03-01", "01-Mar-2026", "March 1, 2026" and "01.03.2026" are equal.

    The names of months are English.

    Args:
        day_first: how to read "03/04/2026": True as 3 April, False as March 4. None, the default, does not guess: such
            a text equals only itself. "13/04/2026" is unambiguous, "13/04/26" is not.
        optional: True to skip a field that is missing or null in the answer.
    """
    return SameDate(day_first, optional)


def same_items(key: str | Sequence[str] | None = None, *, optional: bool = False) -> Comparator:
    """Return a comparator for lists whose order does not matter.

    Items are aligned, then compared field by field. The list's score is F1, so a missing item costs as much as an
    invented one.

    Args:
        key: the field, or fields, that identify an item: `same_items(key="sku")`. By default the alignment with the
            best score counts.
        optional: True to skip a list that is missing or null in the answer.

    Raises:
        UsageError: a key is not a string.
    """
    keys = (key,) if isinstance(key, str) else tuple(key or ())
    if not all(isinstance(name, str) and name for name in keys):
        raise UsageError(f"same_items needs the name of a field: got {key!r}; write same_items(key='sku')")
    return SameItems(keys, optional)


def ignored() -> Comparator:
    """Return a comparator that accepts anything, so that the field does not affect the score."""
    return Ignored()


def _number(value: Any) -> Decimal | None:
    """Return a finite number or numeric text as an exact decimal; None for anything else, such as True or "1,000"."""
    if not isinstance(value, int | float | Decimal | str):
        return None
    try:  # no number is written as True is
        # From its text: as binary fractions, 1.01 and 1.00 differ by a little more than 0.01.
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


# Dates in the notations that models use.


_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# "2026/3/1", "2026.03.01"; the standard library reads ISO's "2026-03-01"
_YEAR_FIRST = re.compile(r"(\d{4})[/.\-](\d{1,2})[/.\-](\d{1,2})")
# "01.03.2026", "3/4/2026", "13-04-2026", "1.3.26"
_YEAR_LAST = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(\d{4}|\d{2})")
# "1 March 2026", "1st of March, 2026", "01-Mar-2026", "1-Mar-26"
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?[\s-]+(?:of\s+)?([a-z]{3,9})\.?,?[\s-]+(\d{4}|\d{2})")
# "March 1, 2026", "Mar. 1st 2026"
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
# "Sunday, 1 March 2026": ignore a leading weekday
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+|(?:mon|tue|wed|thu|fri|sat|sun)\.?,?\s+")
_LONGEST = 60
"""Longer texts are never dates: "Wednesday, the 30th of September, 2026 at 12:00:00 UTC" has 53 characters."""


def day_of(value: object, *, day_first: bool | None = None) -> date | None:
    """Return the day that a value denotes; None if it is not a date or is ambiguous.

    Args:
        value: a date, a datetime (its day, without converting its zone), or a text.
        day_first: how to read "03/04/2026"; None leaves it open. With dots the day comes first: "03.04.2026".
    """
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = value.strip()
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return _spelled(text.casefold(), day_first)


def _spelled(text: str, day_first: bool | None) -> date | None:
    weekday = _WEEKDAY.match(text)
    text = text[weekday.end() :] if weekday else text
    if found := _YEAR_FIRST.fullmatch(text):
        return _day(*found.groups())
    if found := _YEAR_LAST.fullmatch(text):
        first, sign, second, year = found.groups()
        is_day_first = True if sign == "." else day_first
        if len(year) == 2 and is_day_first is None:  # "13/04/26" may begin with a year
            return None
        return _numeric(first, second, year, is_day_first)
    if found := _DAY_MONTH.fullmatch(text):
        return _day(found[3], _month(found[2]), found[1])
    if found := _MONTH_DAY.fullmatch(text):
        return _day(found[3], _month(found[1]), found[2])
    return None


def _numeric(first: str, second: str, year: str, day_first: bool | None) -> date | None:
    """Read "13/04/2026" and "04/13/2026" by the number that cannot be a month; "03/04/2026" only by `day_first`."""
    readings = {_day(year, second, first): True, _day(year, first, second): False}
    possible = [day for day in readings if day is not None]
    if len(possible) == 1:
        return possible[0]
    return next((day for day, is_day_first in readings.items() if is_day_first is day_first), None)


def _month(name: str) -> int:
    """Return the month, 1 to 12, for a name or its start, such as "sep" or "sept"; 0 for any other word."""
    return next((number for number, month in enumerate(_MONTHS, 1) if month.startswith(name)), 0)


def _day(year: str, month: str | int, day: str) -> date | None:
    """Return a day; a year of two digits is from 1969 to 2068, as for `strptime`."""
    century = 0 if len(year) > 2 else 2000 if int(year) < 69 else 1900
    try:
        return date(century + int(year), int(month), int(day))
    except ValueError:
        return None
