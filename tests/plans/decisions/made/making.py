"""Plans in short: tasks, sections, requirements and what waits for what, each with a place."""

from __future__ import annotations

import re
from typing import Any

from pytest_planguard.document.positions import Span
from pytest_planguard.plans.plan import Edge, Place, Plan, Ref, Requirement, Section, Task, Traits

_EDGE = re.compile(r"(?P<target>[^=@]+)(?:=(?P<text>[^@]*))?(?:@(?P<line>\d+))?")
"""A dependency in short: "T2"; "1.2=2@40" for the text "2" on line 40, which means 1.2.

A "¤" stands for a blank: "phase¤2".
"""


def at(line: int, *path: str | int) -> Place:
    """The place of something on a line."""
    return Place(path, Span(line, 3))


def task(key: str, title: str = "Write it", *, after: str = "", line: int = 0, **more: Any) -> Task:
    """A task on the line of its number; what it waits for, its files and what it cites are words of one text."""
    line = line or 10 + int(re.sub(r"\D", "", key) or 0)
    edges = []
    for number, word in enumerate(after.split()):
        named = _EDGE.fullmatch(word)
        assert named is not None
        place = at(int(named["line"] or line), "tasks", key, "dependencies", number)
        target = named["target"].replace("¤", " ")
        edges.append(Edge(target, named["text"] or target, place))
    for name in ("files", "cites", "needs", "gives"):
        more[name] = tuple(Ref(word, at(line, "tasks", key, name)) for word in more.get(name, "").split())
    more.setdefault("id", key.rpartition("/")[2])
    return Task(key, title=title, place=at(line, "tasks", key), edges=tuple(edges), **more)


def plan(*tasks: Task, **more: Any) -> Plan:
    """A plan of a format that asks for nothing."""
    return Plan("test", tasks=tasks, **{"traits": Traits(), **more})


def tasks(count: int, first: int = 1, **more: Any) -> tuple[Task, ...]:
    """Tasks in a row."""
    return tuple(task(f"T{number:03}", f"Write part {number}", **more) for number in range(first, first + count))


def circle(count: int) -> tuple[Task, ...]:
    """Tasks of which each waits for the next, and the last for the first."""
    return tuple(task(f"T{n}", after=f"T{n % count + 1}") for n in range(1, count + 1))


def section(title: str, key: str = "", line: int = 1, **more: Any) -> Section:
    """A section on a line."""
    return Section(title, key, place=at(line, "sections", title), **more)


def refs(words: str, line: int = 60) -> tuple[Ref, ...]:
    """A name for each word."""
    return tuple(Ref(word, at(line, "text", word)) for word in words.split())


def wanted(words: str, kind: str = "FR", **more: Any) -> tuple[Requirement, ...]:
    """A requirement for each word."""
    return tuple(
        Requirement(word, kind, at(70 + n, "requirements", word), **more) for n, word in enumerate(words.split())
    )


def between(*pairs: tuple[str, str]) -> tuple[tuple[str, Edge], ...]:
    """What sections wait for, on lines of their own."""
    return tuple(
        (name, Edge(target, target.title(), at(80 + n, "sections", name))) for n, (name, target) in enumerate(pairs)
    )


PHASES = (section("One", "phase 1", 1), section("Two", "phase 2", 2), section("Three", "phase 3", 3))
IDS = Traits(id_pattern=r"T\d{3}", id_example="T001", noun="step")
