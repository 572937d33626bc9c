"""The baseline as a file: JSON that is sorted and reads well in a review."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from ..errors import RunError
from .baseline import Baseline, Entry
from .fields import RowError, maybe_text, objects, seen, text
from .files import write_whole
from .header import NOTHING

FORMAT = 1
KIND = "baseline"
OWN = ("case", "rule", "place", "first_seen", "owner", "reason", "expires")


def read_baseline(path: Path, update: str = "--baseline-update") -> Baseline:
    """Read a baseline. `update` is the option that makes one.

    Raises RunError for a file that is missing, broken, or written by a later planguard; the message names the entry.
    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        way = f"Make it with {update}."
        raise RunError(f"{path}: the baseline cannot be read: {error.strerror or error}. {way}") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: the baseline is no JSON: {error}. Restore it from version control.") from error
    try:
        return Baseline(tuple(_entries(data)))
    except RowError as error:
        raise RunError(f"{path}: {error}. Mend it, or restore it from version control.") from error


def write_baseline(path: Path, baseline: Baseline) -> Path:
    """Write a baseline, whole or not at all. Raises RunError."""
    return write_whole(path, [baseline_text(baseline)], "the baseline")


def baseline_text(baseline: Baseline) -> str:
    """The text of the file."""
    data = {"planguard": KIND, "format": FORMAT, "failures": [entry_data(entry) for entry in baseline.entries]}
    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


def _entries(data: Any) -> Iterator[Entry]:
    if not isinstance(data, dict) or data.get("planguard") != KIND:
        raise RowError('it is no baseline: the field "planguard" must be "baseline"')
    if data.get("format") != FORMAT:
        raise RowError(f"baseline format {seen(data.get('format'))}, and this planguard reads {FORMAT}")
    for number, entry in enumerate(objects(data, "failures"), 1):
        try:
            yield _entry(entry)
        except RowError as error:
            raise RowError(f"entry {number}: {error}") from error


def _entry(data: dict[str, Any]) -> Entry:
    return Entry(
        text(data, "case"),
        text(data, "rule"),
        maybe_text(data, "place") or "",
        _day(data, "first_seen"),
        maybe_text(data, "owner"),
        maybe_text(data, "reason"),
        _day(data, "expires"),
        {key: value for key, value in data.items() if key not in OWN} or NOTHING,
    )


def _day(data: dict[str, Any], name: str) -> str | None:
    """A day in the one spelling that sorts as text."""
    value = maybe_text(data, name)
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise RowError(f"the field {name!r} must be a day like 2026-12-31, got {seen(value)}") from error


def entry_data(entry: Entry) -> dict[str, Any]:
    """An entry as plain data, with the user's own fields."""
    own = {name: getattr(entry, name) for name in OWN}
    return {**own, **entry.extra}
