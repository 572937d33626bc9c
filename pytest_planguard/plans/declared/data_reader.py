"""Read JSON and YAML by the description of their format."""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from ..plan import NOWHERE, Defect, Edge, Link, Place, Plan, Ref, Section, Task, Traits
from ..reading.outline import Source
from ..reading.parsed_data import Parts, Record, name_of
from ..status import Status
from .paths import data_inside, first, holders, lists, other_dependencies, values_at
from .settings import DataSettings, FormatSettings


def read_data(settings: FormatSettings, data: DataSettings, traits: Traits, checks: bool, source: Source) -> Plan:
    """Return the plan of a document in a described format.

    With `checks`, a field that no record has is reported: the description may misspell it.
    """
    source = (data_inside(data, source) if data.within else None) or source
    parts, root = Parts(source), source.data
    if not isinstance(root, dict | list):
        parts.wrong(root, NOWHERE, "an object or a list")
    reading = _Reading(data, parts)
    reading.read(root)
    for name in settings.required:
        if not [*values_at(root, name)]:
            place, wanted = NOWHERE.sub(name), f'a field "{name}"'
            parts.defects.append(Defect("required-sections", f'the field "{name}" is missing', place, wanted))
    if checks:
        parts.defects += reading.fields_of_no_record()
    if other := other_dependencies(data, reading.records):
        message = f'the format has no field "{other}", so these dependencies were not read'
        expected = f'a field "{data.depends}"' if data.depends else None
        parts.defects.append(Defect("unread-field", message, NOWHERE, expected))
    title = next((value for value, _ in values_at(root, data.plan_title or "")), None)
    goals = (Ref(text if isinstance(text, str) else "", at) for text, at in values_at(root, settings.goal or ""))
    named = (settings.format, name_of(title) or "", next(goals, None))
    tasks, links = reading.finished(), tuple(reading.links)
    return parts.finished(Plan(*named, tuple(reading.sections), tasks, links=links, traits=traits))


class _Reading:
    """A document while it is read."""

    def __init__(self, data: DataSettings, parts: Parts) -> None:
        self.data, self.parts = data, parts
        self.sections: list[Section] = []
        self.tasks: list[Task] = []
        self.links: list[Link] = []
        self.records: list[Record] = []
        self.found = False
        """True if the path of the tasks leads somewhere."""

    def read(self, root: object) -> None:
        held = [*holders(self.data, root)]
        if not held and isinstance(root, dict) and self.data.groups is not None and not self.data.groups.keyed:
            self.parts.wrong(root, NOWHERE, "a list")
        for record, place, key in held:
            if not isinstance(record, dict) and key is not None:
                self.parts.wrong(record, place, "an object")
                continue
            scope = ""
            if self.data.groups is not None and key is not None and not (self.data.groups.several and len(held) < 2):
                scope = self._section(record, place, key)
            section = len(self.sections) - 1 if self.sections else None
            for value, where in lists(self.data, record, place):
                self.found = True
                self._records(value, where, section, scope, None)

    def _section(self, record: Record, place: Place, key: str) -> str:
        """Begin a section, and return the scope of its ids."""
        groups = self.data.groups
        assert groups is not None
        title = self._text(record, groups.title, place) if groups.title else key
        name = (name_of(record.get(groups.id)) or "") if groups.id else f"{groups.noun} {key}"
        self.sections.append(Section(title, name, None, 2, place))
        return key if groups.own_ids else ""

    def _records(self, value: object, place: Place, section: int | None, scope: str, parent: Task | None) -> None:
        """Read a list of tasks, or an object keyed by their ids. Subtasks follow their task."""
        members: list[tuple[object, Place, str | None]]
        if isinstance(value, dict) and self.data.keyed is not False:
            members = [(record, place.sub(key), str(key)) for key, record in value.items()]
        elif self.data.keyed:
            self.parts.wrong(value, place, "an object")
            return
        else:
            members = [(item, where, None) for item, where in self.parts.items(value, place)]
        for number, (record, where, key) in enumerate(members, 1):
            if self.data.texts_only and isinstance(record, str):
                record = {self.data.title: record}
            elif self.data.texts_only or not isinstance(record, dict):
                self.parts.wrong(record, where, "a string" if self.data.texts_only else "an object")
                continue
            task_id = str(number) if self.data.numbered else key
            task = self._task(record, where, task_id, section, scope, parent)
            self.records.append(record)
            self.tasks.append(task)
            if self.data.children is not None:
                for below, inner in values_at(record, self.data.children, where):
                    self._records(below, inner, section, scope, task)

    def _task(
        self, record: Record, place: Place, key: str | None, section: int | None, scope: str, parent: Task | None
    ) -> Task:
        data, parts = self.data, self.parts
        task_id = key if key is not None else name_of(first(record, data.id))
        if data.needs_id and task_id is None:
            parts.wrong(record.get(data.id), place, f"an object with {'an id' if data.id == 'id' else data.id}")
        for name in data.required:
            if first(record, name) in (None, "", []):
                message = f'{data.noun} {task_id or place.path[-1]} has no "{name}"'
                parts.defects.append(Defect("required-sections", message, place.sub(name), f'a field "{name}"'))
        for name in data.texts:
            self._text(record, name, place)
        identity = (f"{scope}/{task_id}" if scope else task_id) if task_id else place.stand_in
        if data.own_ids and parent is not None and task_id and "." not in task_id:
            identity = f"{parent.key}.{task_id}"
            task_id = f"{parent.id}.{task_id}" if parent.id else task_id  # as written, below a task without an id
        title = str(record[data.title]) if data.texts_only else self._text(record, data.title, place)
        edges = tuple(self._edges(record, place, title, scope))
        self._relations(record, place, identity, edges)
        status, word = self._status(record)
        agent = name_of(first(record, data.resource)) if data.resource else None
        resource = Ref(agent, place.sub(data.resource or "")) if agent else None
        files = tuple(self._named(record, data.files, place)) if data.files else ()
        named = (identity, task_id, title or ("" if data.numbered else key or ""))
        inside = (section, parent.key if parent else None, scope)
        return Task(*named, place, *inside, status, word, edges, files, resource=resource)

    def _edges(self, record: Record, place: Place, title: str, scope: str) -> Iterator[Edge]:
        """Yield the dependencies of a task: lists of ids, texts with commas, and names of tasks in its title."""
        if self.data.lists and self.data.depends and "." not in self.data.depends:
            yield from self.parts.edges(record, self.data.depends, place, scope)
            return
        for one in self._named(record, self.data.depends or "", place):
            yield Edge(f"{scope}/{one.name}" if scope else one.name, one.name, one.place)
        if self.data.refers is not None:
            named = re.finditer(self.data.refers, title)
            yield from (Edge(found[1], found[0], place) for found in named if found[1])  # the group may be optional

    def _named(self, record: Record, path: str, place: Place) -> Iterator[Ref]:
        """Yield the names in a field: a list, or texts with commas."""
        for value, where in values_at(record, path, place):
            refs: tuple[Ref, ...] = ()
            if isinstance(value, str | int) and not isinstance(value, bool) and not self.data.lists:
                refs = (Ref(str(value), where),)
            elif value or value is False:
                refs = self.parts.refs(value, where)
            for ref in refs:
                yield from (Ref(name, ref.place) for part in ref.name.split(",") if (name := part.strip()))

    def _relations(self, record: Record, place: Place, key: str, edges: tuple[Edge, ...]) -> None:
        """Record relations that are stated twice: which task blocks which, and lists that correspond."""
        if self.data.blocks is not None:
            self.links += [Link(edge.target, key, "second", edge.place) for edge in edges]
            blocked = self.parts.names(record, self.data.blocks, place)
            self.links += [Link(key, ref.name, "first", ref.place) for ref in blocked]
        if len(self.data.same_length) == 2:
            first, second = self.data.same_length
            listed, beside = record.get(first), record.get(second)
            many = len(listed) if isinstance(listed, list) else 0
            if isinstance(beside, list) and many != len(beside):
                told = (f"{first} has {many} items but {second} has {len(beside)}", place.sub(second))
                found = Defect("parallel-arrays", *told, f"{many} items in {second}", str(len(beside)))
                self.parts.defects.append(found)

    def _status(self, record: Record) -> tuple[Status | None, str | None]:
        value = first(record, self.data.status.label) if self.data.status is not None else None
        if self.data.status is None or value is None:
            return None, None
        return self.data.status.meaning(str(value)), str(value)

    def _text(self, record: Record, path: str, place: Place) -> str:
        if "." not in path:
            return self.parts.text(record, path, place)
        found = next(values_at(record, path, place), None)
        return "" if found is None else self.parts.text_of(*found)

    def finished(self) -> tuple[Task, ...]:
        """Return the tasks, once all of them are known."""
        if self.data.implied:
            return tuple(_merged(self.tasks, self.parts))
        if not self.data.own_ids:
            return tuple(self.tasks)
        known = {task.key for task in self.tasks}
        return tuple([_with_siblings(task, known) if task.parent else task for task in self.tasks])

    def fields_of_no_record(self) -> Iterator[Defect]:
        """Yield a defect for each path without a match, and each described field that no record has."""
        data = self.data
        if not self.found and data.tasks and not data.may_be_empty:
            message = f'nothing is at the path "{data.tasks}" of the tasks that the format names'
            yield Defect("root-shape", message, NOWHERE, "a path in this document; * takes every item of a list")
        title = None if data.title == "title" or data.texts_only else data.title
        status = None if data.status is None else data.status.label
        ids = data.id if data.depends and not any(task.id for task in self.tasks) else None
        for name in dict.fromkeys((title, ids, data.depends, status)):
            # the list that would hold a field is enough: "links.*.key" without links
            listed = (name or "").partition(".*")[0]
            if not name or len(self.records) < 2 or any([*values_at(one, listed)] for one in self.records):
                continue
            # a plan may omit dependencies and statuses, but not a path, its titles and the ids that they need
            code = "root-shape" if name in (title, ids) or "." in name else "unread-field"
            message = f'no {data.noun} has the field "{name}" that the format names, so nothing was read from it'
            yield Defect(code, message, NOWHERE, f'a field "{name}"')


def _with_siblings(task: Task, known: Collection[str]) -> Task:
    """Return a task whose dependencies without a dot mean its siblings, if they exist or no other task fits."""
    edges = []
    for edge in task.edges:
        sibling = f"{task.parent}.{edge.text}"
        beside = "." not in edge.text and (sibling in known or edge.target not in known)
        edges.append(replace(edge, target=sibling) if beside else edge)
    return replace(task, edges=tuple(edges))


def _merged(tasks: list[Task], parts: Parts) -> Iterator[Task]:
    """Yield each task once, with the edges of all its records, then the tasks that occur only as dependencies."""
    found: dict[str, Task] = {}
    for task in tasks:
        if task.id is None:
            continue
        if task.key in found:
            message = f"{task.key} is listed as dependent twice"
            parts.defects.append(Defect("dep-duplicate", message, task.place, hint="merge the two entries"))
            task = replace(found[task.key], edges=(*found[task.key].edges, *task.edges))
        found[task.key] = task
    for edge in [edge for task in found.values() for edge in task.edges]:
        found.setdefault(edge.target, Task(edge.target, edge.target, "", edge.place))
    yield from found.values()
