"""Read JSON and YAML by the description of their format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..model.place import NOWHERE, Place
from ..model.plan import Defect, Edge, Plan, Ref, Status, Task, Traits
from ..reading.parsed_data import Parts, Record, name_of

if TYPE_CHECKING:
    from ..reading.outline import Source
    from .settings import DataSettings, FormatSettings

ANY = "*"
"""Every item of a list, or every value of an object: "phases.*.steps"."""


@dataclass(frozen=True, slots=True)
class DataReader:
    """Reads documents of one described format."""

    settings: FormatSettings
    data: DataSettings
    traits: Traits

    def __call__(self, source: Source) -> Plan:
        """Return the plan of a document."""
        parts = Parts(source)
        root = source.data
        if not isinstance(root, dict | list):
            parts.wrong(root, NOWHERE, "an object or a list")
        tasks = tuple(self._tasks(parts, values_at(root, self.data.tasks), None))
        goal = root.get(self.settings.goal) if isinstance(root, dict) and self.settings.goal else None
        for name in self.settings.required:
            if not [*values_at(root, name)]:
                place, field = NOWHERE.sub(name), f'a field "{name}"'
                parts.defects.append(Defect("required-sections", f'the field "{name}" is missing', place, field))
        ref = Ref(goal, NOWHERE.sub(self.settings.goal or "")) if isinstance(goal, str) else None
        return parts.finished(Plan(self.settings.format, goal=ref, tasks=tasks, traits=self.traits))

    def _tasks(self, parts: Parts, lists: Iterator[tuple[object, Place]], parent: str | None) -> Iterator[Task]:
        """Yield the tasks of some lists, each followed by those below it."""
        for value, where in lists:
            for record, place, key in _records(parts, value, where):
                task = self._task(parts, record, place, key)
                yield task._replace(parent=parent)
                if self.data.children is not None:
                    yield from self._tasks(parts, values_at(record, self.data.children, place), task.key)

    def _task(self, parts: Parts, record: Record, place: Place, key: str | None) -> Task:
        task_id = key if key is not None else name_of(record.get(self.data.id))
        for name in self.data.required:
            if record.get(name) in (None, "", []):
                message = f'{self.data.noun} {task_id or place.path[-1]} has no "{name}"'
                parts.defects.append(Defect("required-sections", message, place.sub(name), f'a field "{name}"'))
        status, text = self._status(record)
        return Task(
            task_id or place.stand_in,
            task_id,
            parts.text(record, self.data.title, place),
            place if key is not None or task_id is None else place.sub(self.data.id),
            status=status,
            status_text=text,
            edges=tuple(Edge(ref.name, ref.name, ref.place) for ref in self._refs(parts, record, place)),
            files=parts.names(record, self.data.files, place) if self.data.files else (),
        )

    def _refs(self, parts: Parts, record: Record, place: Place) -> tuple[Ref, ...]:
        """Return what a task waits for: a list of ids, or a text with commas."""
        if self.data.depends is None:
            return ()
        value = record.get(self.data.depends)
        if isinstance(value, str | int) and not isinstance(value, bool):
            names = [part.strip() for part in str(value).split(",")]
            return tuple(Ref(name, place.sub(self.data.depends)) for name in names if name)
        return parts.names(record, self.data.depends, place)

    def _status(self, record: Record) -> tuple[Status | None, str | None]:
        value = record.get(self.data.status.label) if self.data.status is not None else None
        if self.data.status is None or value is None:
            return None, None
        return self.data.status.meaning(str(value)), str(value)


def values_at(root: object, path: str, start: Place = NOWHERE) -> Iterator[tuple[object, Place]]:
    """Yield the values at a path such as "phases.*.steps" with their places; nothing where it leads nowhere."""
    found: list[tuple[object, Place]] = [(root, start)]
    for part in path.split("."):
        found = [one for value, place in found for one in _below(value, part, place)]
    return iter(found)


def _below(value: object, part: str, place: Place) -> Iterator[tuple[object, Place]]:
    if part == ANY and isinstance(value, list):
        yield from ((item, place.sub(number)) for number, item in enumerate(value))
    elif part == ANY and isinstance(value, dict):
        yield from ((item, place.sub(key)) for key, item in value.items())
    elif isinstance(value, dict) and part in value:
        yield value[part], place.sub(part)


def _records(parts: Parts, value: object, place: Place) -> Iterator[tuple[Record, Place, str | None]]:
    """Yield the tasks of a list, or of an object whose keys are their ids."""
    if not isinstance(value, dict):
        yield from ((record, where, None) for record, where in parts.records(value, place))
        return
    for key, record in value.items():
        if isinstance(record, dict):
            yield record, place.sub(key), str(key)
        else:
            parts.wrong(record, place.sub(key), "an object")
