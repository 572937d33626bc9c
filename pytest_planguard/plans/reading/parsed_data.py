"""Careful access to parsed JSON and YAML, whose every part may have the wrong type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...contract.phrasing import as_json
from ..model.place import Place
from ..model.plan import Defect, Prose, Ref, worth_a_look

if TYPE_CHECKING:
    from ...document.path import Path
    from .outline import Source

_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "an integer",
    bool: "true or false",
    type(None): "null",
}


class Parts:
    """Takes values out of a document and remembers what had the wrong type."""

    def __init__(self, text: str | None = None) -> None:
        """Begin with nothing.

        Args:
            text: the document; one look at it may spare a look at each of its strings.
        """
        self.defects: list[Defect] = []
        self.prose: list[Prose] = []
        self.looks = text is None or "\\u00" in text or worth_a_look(text)  # "\u0054BD" is "TBD"
        """Whether a string of the document can hold a placeholder."""

    @classmethod
    def of(cls, source: Source) -> Parts:
        """Begin with a document; one look at it may spare a look at each string where it is JSON."""
        return cls(source.document.body if source.document.format == "json" else None)

    def items(self, value: Any, place: Place) -> Iterator[tuple[Any, Place]]:
        """Yield the items of a list with their places; nothing, and a defect, for any other value but a missing one."""
        if isinstance(value, list):
            path = place.path
            for number, item in enumerate(value):
                yield item, Place((*path, number))
        elif value is not None:
            self.wrong(value, place, "a list")

    def records(self, value: Any, place: Place) -> list[tuple[dict[Any, Any], Place]]:
        """Return what `items` yields, for lists of objects."""
        if not isinstance(value, list):
            if value is not None:
                self.wrong(value, place, "a list")
            return []
        path = place.path
        pairs = [(item, Place((*path, number))) for number, item in enumerate(value) if isinstance(item, dict)]
        for number, item in enumerate(value if len(pairs) < len(value) else ()):
            if not isinstance(item, dict):
                self.wrong(item, Place((*path, number)), "an object")
        return pairs

    def refs(self, value: Any, place: Place) -> tuple[Ref, ...]:
        """Return the scalars of a list as names; nothing, and a defect, for any other value but a missing one."""
        if not isinstance(value, list):
            if value is not None:
                self.wrong(value, place, "a list")
            return ()
        return tuple([Ref(name, where) for name, where in self._scalars(value, place.path)])

    def names(self, record: dict[Any, Any], key: str, place: Place) -> tuple[Ref, ...]:
        """Return the scalars of a list field; a missing or empty one costs nothing."""
        value = record.get(key)
        return self.refs(value, place.sub(key)) if value or value is False else ()

    def placed_names(self, record: dict[Any, Any], key: str, place: Place) -> list[tuple[str, Place]]:
        """As `names`, without an object for each."""
        value = record.get(key)
        if isinstance(value, list):
            return self._scalars(value, (*place.path, key)) if value else []
        if value or value is False:
            self.wrong(value, place.sub(key), "a list")
        return []

    def _scalars(self, listed: list[Any], path: Path) -> list[tuple[str, Place]]:
        found = []
        for number, item in enumerate(listed):
            where = Place((*path, number))
            if type(item) is str or (isinstance(item, (str, int)) and not isinstance(item, bool)):
                found.append((str(item), where))
            else:
                self.wrong(item, where, "a string")
        return found

    def text(self, record: dict[Any, Any], key: str, place: Place) -> str:
        """Return a string field, looked at for placeholders; "" where it is missing or no string."""
        value = record.get(key)
        if isinstance(value, str):
            if self.looks and worth_a_look(value):
                self.prose.append(Prose(value, place.sub(key)))
            return value
        return "" if value is None else str(value) if isinstance(value, (int, float)) else ""

    def texts(self, record: dict[Any, Any], keys: tuple[str, ...], place: Place) -> None:
        """As `text`, for fields whose values nothing else needs."""
        for key in keys:
            value = record.get(key)
            if isinstance(value, str) and worth_a_look(value):
                self.prose.append(Prose(value, place.sub(key)))

    def number(self, record: dict[Any, Any], key: str, place: Place) -> int | None:
        """Return an integer field; None, and a defect, where it is something else; None where it is missing."""
        value = record.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is not None:
            self.wrong(value, place.sub(key), "an integer")
        return None

    def wrong(self, value: Any, place: Place, expected: str) -> None:
        """Remember a value of the wrong type."""
        seen = _NAMES.get(type(value), "a number")
        message = f"expected {expected}, got {seen}"
        self.defects.append(Defect("root-shape", message, place, expected, as_json(value)))


def records_of(value: Any) -> list[dict[Any, Any]]:
    """Return the objects of a list; nothing for any other value. For telling formats apart."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def name_of(value: Any) -> str | None:
    """Return an id as text; None where it is missing or no scalar."""
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" else None
