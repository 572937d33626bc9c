"""Parse dates in the notations that models use."""

from __future__ import annotations

import re
from datetime import date, datetime

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
# "2026/3/1", "2026.03.01"; the standard library reads ISO's "2026-03-01"
_YEAR_FIRST = re.compile(r"(\d{4})[/.\-](\d{1,2})[/.\-](\d{1,2})")
# "01.03.2026", "3/4/2026", "13-04-2026"
_YEAR_LAST = re.compile(r"(\d{1,2})([/.\-])(\d{1,2})\2(\d{4})")
# "1 March 2026", "1st of March, 2026"
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3,9})\.?,?\s+(\d{4})")
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
        return _numeric(first, second, year, True if sign == "." else day_first)
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


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
