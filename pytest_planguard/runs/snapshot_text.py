"""The text of a snapshot: canonical JSON without the parts that change from run to run."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document.path import value_at
from ..document.path_pattern import parse_path
from ..errors import RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document.path_pattern import PathPattern
    from ..replay.matching.normalise import Normaliser

SUFFIX = "pgsnap"
"""File suffix. No other snapshot extension claims files with it, so none deletes them."""
VOLATILE = "volatile"
"""The word for all named normalisers together."""
REDACTED = "<redacted>"
_HIDDEN = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a review of the file would not show, or that UTF-8 cannot encode. They are escaped."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """The parts that a snapshot does not keep."""

    places: tuple[PathPattern, ...] = ()
    """Fields whose values are replaced. A missing field still counts as a difference."""
    normalisers: tuple[Normaliser, ...] = ()
    """Rewritings of volatile text, applied to the whole value, so that equal ids stay equal."""


NO_REDACTION = Redaction()


def redaction(words: Iterable[str]) -> Redaction:
    """Return the redaction that the words ask for.

    A word is "volatile" for all normalisers, the name of one, or a path ("meta.duration_s").

    Args:
        words: in any order. Normalisers are applied in the order of their table.

    Raises:
        UsageError: a word is not a valid path.
    """
    from ..replay.matching.normalise import NORMALISERS

    asked = list(words)
    chosen = [one for one in NORMALISERS if VOLATILE in asked or one.name in asked]
    names = {VOLATILE, *NORMALISERS.names}
    return Redaction(tuple(parse_path(word) for word in asked if word not in names), tuple(chosen))


def snapshot_text(value: Any, redact: Redaction = NO_REDACTION) -> str:
    """Return JSON types as the text of a snapshot: sorted keys, two blanks per level, a line break at the end.

    Raises:
        UsageError: a normaliser turns it into something that is not JSON.
    """
    text = json.dumps(_without(value, redact.places), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    for normaliser in redact.normalisers:
        text = normaliser.apply(text)
    try:
        found = json.loads(text)
    except ValueError as error:
        names = ", ".join(normaliser.name for normaliser in redact.normalisers)
        raise UsageError(f"a normaliser ({names}) made a value of a snapshot that is not JSON: {error}") from error
    shown = json.dumps(found, sort_keys=True, ensure_ascii=False, indent=2)
    return _HIDDEN.sub(lambda char: f"\\u{ord(char[0]):04x}", shown) + "\n"


def snapshot_value(text: str) -> Any:
    """Return the value of a snapshot's text. Raises RunError if it is no longer JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunError(f"the snapshot is not JSON: {error}. Restore it, or write it again.") from error


def same_snapshot(one: str, other: str) -> bool:
    """Return True if two texts are the same snapshot, regardless of their layout."""
    if one == other:
        return True
    try:
        return snapshot_text(snapshot_value(one)) == snapshot_text(snapshot_value(other))
    except RunError:
        return False


def _without(value: object, places: Iterable[PathPattern]) -> object:
    """Return a copy with the values at these places replaced, or the value itself if no place matches."""
    paths = {path for pattern in places for path, _ in pattern.select(value)}
    if not paths:
        return value
    if () in paths:
        return REDACTED
    copy = json.loads(json.dumps(value))
    for path in sorted(paths, key=len, reverse=True):  # deeper paths first, as their parent may be replaced too
        value_at(copy, path[:-1])[path[-1]] = REDACTED
    return copy


# A Python value as JSON types, the same in every process. This is what a snapshot keeps.


def plain_value(value: Any) -> Any:
    """Return the value as dict, list, str, int, float, bool or None.

    Models become their JSON form, by alias. Dates, UUIDs, enums and the like become text, and sets become sorted lists.

    Raises:
        UsageError: a part of it is not data, not JSON (NaN), or nested too deeply.
    """
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        data = to_jsonable_python(value, by_alias=True)
        json.dumps(data, allow_nan=False)
        return _with_sorted_sets(data, value)
    except PydanticSerializationError as error:
        raise UsageError(f"a snapshot keeps data (models, dicts, lists, texts, numbers): {error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"a snapshot keeps JSON: {error}") from error


def _with_sorted_sets(data: object, value: object) -> object:
    """Return the plain data with sets in a fixed order: a set of texts is ordered differently in each process."""
    if isinstance(data, list) and isinstance(value, set | frozenset):
        return sorted(data, key=lambda item: json.dumps(item, sort_keys=True))
    if isinstance(data, list) and isinstance(value, list | tuple):
        return [_with_sorted_sets(item, raw) for item, raw in zip(data, value, strict=True)]
    if isinstance(data, dict):
        raws = dict(_fields(data, value))
        return {key: _with_sorted_sets(item, raws[key]) if key in raws else item for key, item in data.items()}
    return data


def _fields(data: dict[str, Any], value: object) -> Iterator[tuple[str, object]]:
    """Yield the Python values behind the fields of plain data, by the names of those fields."""
    if isinstance(value, dict) and len(value) == len(data):
        yield from zip(data, value.values(), strict=True)
    elif dataclasses.is_dataclass(value):
        yield from ((field.name, getattr(value, field.name, None)) for field in dataclasses.fields(value))
    else:
        for name, info in getattr(type(value), "model_fields", {}).items():
            yield info.serialization_alias or info.alias or name, getattr(value, name, None)
