"""Safe access to parsed JSON and YAML, in which every part may have the wrong type."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from ...contract.phrasing import as_json
from ..plan import Defect, Edge, Place, Plan, Prose, Ref, worth_a_look
from .outline import Source

Record: TypeAlias = Mapping[str, object]
"""An object of JSON or YAML."""
_NAMES: dict[type, str] = {dict: "an object", list: "a list", str: "a string", int: "an integer", bool: "true or false"}
_NAMES[type(None)] = "null"


class Parts:
    """Extracts values from a document, and records wrong types."""

    def __init__(self, source: Source) -> None:
        self.defects: list[Defect] = []
        self.prose: list[Prose] = []
        self._find = source.document.locate_many

    def finished(self, plan: Plan) -> Plan:
        """Return a plan with the recorded defects and texts."""
        return replace(plan, prose=tuple(self.prose), defects=tuple(self.defects), find=self._find)

    def items(self, value: object, place: Place) -> Iterator[tuple[object, Place]]:
        """Yield the items of a list with their places. Any other value is a defect, unless it is missing."""
        if isinstance(value, list):
            path = place.path
            for number, item in enumerate(value):
                yield item, Place((*path, number))
        elif value is not None:
            self.wrong(value, place, "a list")

    def records(self, value: object, place: Place) -> list[tuple[Record, Place]]:
        """Return the results of `items`, for lists of objects."""
        found = [*self.items(value, place)]
        for item, where in found:
            if not isinstance(item, dict):
                self.wrong(item, where, "an object")
        return [(item, where) for item, where in found if isinstance(item, dict)]

    def refs(self, value: object, place: Place) -> tuple[Ref, ...]:
        """Return the scalars of a list as names. Any other value is a defect, unless it is missing."""
        found = []
        for item, where in self.items(value, place):
            if isinstance(item, (str, int)) and not isinstance(item, bool):  # `[true]` would name a task "True"
                found.append(Ref(str(item), where))
            else:
                self.wrong(item, where, "a string")
        return tuple(found)

    def names(self, record: Record, key: str, place: Place) -> tuple[Ref, ...]:
        """Return the scalars of a list field; a missing or empty one costs nothing."""
        value = record.get(key)
        # `dependencies: false` has a wrong type, while null and "" are other words for none
        return self.refs(value, place.sub(key)) if value or value is False else ()

    def edges(self, record: Record, key: str, place: Place, scope: str = "") -> tuple[Edge, ...]:
        """Return the scalars of a list field as dependencies, with ids of a scope."""
        listed = self.names(record, key, place)
        return tuple([Edge(f"{scope}/{ref.name}" if scope else ref.name, ref.name, ref.place) for ref in listed])

    def text(self, record: Record, key: str, place: Place) -> str:
        """Return a string field, and check it for placeholders; "" if it is missing or not a string."""
        return self.text_of(record.get(key), place, key)

    def text_of(self, value: object, place: Place, *below: str) -> str:
        """Return a value as `text` does. Its place is the given one, with `below` appended if given."""
        if isinstance(value, str):
            if worth_a_look(value):
                self.prose.append(Prose(value, place.sub(*below)))
            return value
        return str(value) if isinstance(value, (int, float)) else ""

    def number(self, record: Record, key: str, place: Place) -> int | None:
        """Return an integer field, if any. Any other value is a defect."""
        value = record.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is not None:
            self.wrong(value, place.sub(key), "an integer")
        return None

    def wrong(self, value: object, place: Place, expected: str) -> None:
        """Record a value of the wrong type."""
        seen = _NAMES.get(type(value), "a number")
        message = f"expected {expected}, got {seen}"
        self.defects.append(Defect("root-shape", message, place, expected, as_json(value)))


def object_of(value: object) -> Record:
    """Return an object; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def records_of(value: object) -> list[Record]:
    """Return the objects of a list, to detect formats; [] for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def name_of(value: object) -> str | None:
    """Return an id as text; None if it is missing or not a scalar."""
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" else None
