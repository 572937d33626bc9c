"""The neutral plan: readers turn every format into it, and every rule checks it.

Equality ignores places, so two plans are equal if they say the same thing in different layouts.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from ..contract.finding import Severity
from ..contract.phrasing import as_json
from ..document.path import Path, to_dotted
from ..document.positions import Span
from .status import Status


@dataclass(frozen=True, slots=True)
class Place:
    """A path into the document, with its place in the text if that is already known.

    In Markdown the path consists of ids (`("tasks", "T007")`), so it names the same task in the next attempt. In JSON
    and YAML it is the real path. Its place in the text is looked up only when a finding needs it.
    """

    path: Path = ()
    """Keys and indices from the root; () is the whole document."""
    span: Span | None = None
    """None in JSON and YAML until it is looked up; see `Plan.locate`."""

    @property
    def line(self) -> int | None:
        """The first line, 1-based; None without a span."""
        return None if self.span is None else self.span.line

    @property
    def stand_in(self) -> str:
        """The name of a task that has no id, made from its path: "steps[2]"."""
        return to_dotted(self.path)

    def sub(self, *parts: str | int) -> "Place":
        """Return a place below this one without a span: `place.sub("dependencies", 0)`."""
        return Place((*self.path, *parts))


NOWHERE = Place()
"""The whole document."""


@lru_cache(maxsize=8)  # a paragraph of 40,000 lines may mention a task in each of them
def _line_starts(text: str) -> tuple[int, ...]:
    return (0, *(found.end() for found in re.finditer("\n", text)))


def line_at(text: str, offset: int) -> tuple[int, int]:
    """Return the 0-based number of the line at an offset, and the characters before the offset in it.

    Lines are split at LF.
    """
    starts = _line_starts(text)
    number = bisect_right(starts, offset) - 1
    return number, offset - starts[number]


@dataclass(frozen=True, slots=True)
class Ref:
    """A name in the plan: a cited requirement, a file, a token, an agent."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """A dependency of one task on another task or on a whole section."""

    target: str
    """Key of the task or section that comes first (`Task.key`, `Section.key`). The plan may have no such key."""
    text: str
    """As written: "T003", "1.2", "3"."""
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A phase, group, story or tag that holds tasks."""

    title: str
    key: str = ""
    """The target of an edge to the whole section; "" if the section cannot be referenced."""
    number: str | None = None
    """The number in its heading: "2" in "## 2. Setup"; None if the heading has no number."""
    level: int = 2
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Task:
    """A task, step, job or story task."""

    key: str
    """Identity in the graph: the id qualified by its scope ("master/3.2"), or a stand-in if there is no id."""
    id: str | None
    """As written; None if the format demands an id and the task has none."""
    title: str = ""
    place: Place = field(default=NOWHERE, compare=False)
    section: int | None = None
    """Index into `Plan.sections`; None if the task is outside all sections."""
    parent: str | None = None
    """Key of the parent task, for a subtask."""
    scope: str = ""
    """The scope in which the id must be unique: a tag, a section or a parent; "" means the whole plan."""
    status: Status | None = None
    status_text: str | None = None
    """The format's word for the status. If the word is unknown, `status` is None."""
    edges: tuple[Edge, ...] = ()
    files: tuple[Ref, ...] = ()
    cites: tuple[Ref, ...] = ()
    """Requirements, acceptance criteria or stories that the task serves."""
    parallel: bool = False
    """True if it may run in parallel with its neighbours."""
    optional: bool = False
    resource: Ref | None = None
    """The guard, agent or runner that the task names."""
    needs: tuple[Ref, ...] = ()
    """Tokens that must hold before the task (preconditions)."""
    gives: tuple[Ref, ...] = ()
    """Tokens that hold after the task (effects). No task removes a token."""
    budget: int | None = None
    """Maximum number of attempts for the task."""
    status_place: Place | None = field(default=None, compare=False, repr=False)
    """The place of `status_text` in Markdown."""

    @property
    def name(self) -> str:
        """The task's name in messages: its id, else its title in Markdown, or its path in JSON and YAML."""
        return self.id or (as_json(self.title) if self.key.startswith("?") else self.key)


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that tasks should serve: "FR-003", an acceptance criterion, a user story."""

    id: str
    kind: str
    """The kind by which rules select requirements: "FR", "SC", "AC", "story" …"""
    place: Place = field(default=NOWHERE, compare=False)
    scope: str = ""
    """The scope in which the id must be unique: a delta's section or a requirement; "" means the whole document."""
    text: str | None = None
    """The requirement's text; None if the reader does not provide it."""
    scenarios: int | None = None
    """The number of its scenarios or criteria; None if the reader does not provide it."""
    headings: tuple[str, ...] = field(default=(), compare=False)
    """The headings of its scenarios, if the reader provides them."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation as one of its two sides states it: "A blocks B" or "B is blocked by A"."""

    first: str
    """The side that must come first, as the plan names it ("phase 1", a task key)."""
    second: str
    stated_by: str
    """Which side states the relation: "first" (blocks) or "second" (is blocked by)."""
    place: Place = field(default=NOWHERE, compare=False)
    relation: str = "tasks"
    """The kind of relation. Only relations of the same kind are compared."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A piece of text outside code, to search for placeholders."""

    text: str
    place: Place
    starts: tuple[tuple[int, int], ...] = ()
    """Line and column at which each line of the piece starts; empty in JSON and YAML."""

    def at(self, offset: int) -> Place:
        """Return the place of the character at `offset`, or of the whole piece if `starts` is empty."""
        if not self.starts:
            return self.place
        number, before = line_at(self.text, offset)
        line, column = self.starts[number]
        return Place((*self.place.path, offset), Span(line, column + before))


EVERY = "every requirement"
"""A citation of all requirements: "_Requirements: All_"."""

_PLACEHOLDERS = ("TBD", "TODO", "FIXME", "TXXX", "TKTK", "[NEEDS", "[DATE", "[#", "[FEATURE", "NAME]", "Title]")


def worth_a_look(text: str) -> bool:
    """Return True if `text` may hold a placeholder. Most texts fail this test, so they need no place."""
    return any(word in text for word in _PLACEHOLDERS)


@dataclass(frozen=True, slots=True)
class Defect:
    """A problem that a format's reader found but the neutral plan cannot express. `code` is the reporting rule."""

    code: str
    message: str
    place: Place = field(default=NOWHERE, compare=False)
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    boxes: tuple[Place, ...] = field(default=(), compare=False)
    """Every checkbox in a list that was not read as tasks."""
    is_habit: bool = False
    """True if one defect covers many elements, since the project always writes them this way."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The facts about a format that rules need beyond the plan's content."""

    noun: str = "task"
    """The format's name for a task: "step", "job"."""
    id_pattern: str | None = None
    """Regular expression that must match the whole id; None if any id is valid."""
    id_example: str | None = None
    ids_optional: bool = False
    """True if no tool needs ids. A plan without any id then gets a single finding instead of one per task."""
    statuses: tuple[str, ...] = ()
    """The format's words for statuses, as messages list them."""
    needs_goal: bool = False
    needs_tasks: bool = True
    ordered: bool = False
    """True if tasks are done in list order, so a dependency on a later task is suspicious."""
    tokens: bool = False
    """True if the format states which tokens hold at the start and which must hold at the end."""
    validated: bool = False
    """True if the tool rejects files of other formats. A file in the tool's own path then surely has this format."""
    normative: bool = False
    """True if every requirement must say SHALL or MUST."""
    scenario: str = "acceptance scenario"
    """The format's name for an acceptance criterion of a requirement or story."""
    needs_requirements: tuple[str, ...] = ()
    """Kinds of requirements that need at least one entry; () if none is needed."""
    one_active: bool = False
    """True if at most one task may be in progress."""
    required: tuple[str, ...] = ()
    """Required sections or fields. Each is a word from its heading; "|" separates alternatives."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Severities by rule code, if they differ from the default. An entry turns on a rule that is off by default."""
    off: frozenset[str] = frozenset()
    """Codes of rules that the format switches off."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan document."""

    format: str
    """Name of the profile that read it: "spec-kit-tasks"."""
    title: str = ""
    goal: Ref | None = None
    sections: tuple[Section, ...] = ()
    tasks: tuple[Task, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    mentions: tuple[Ref, ...] = ()
    """References to tasks in prose, as task keys."""
    cites: tuple[Ref, ...] = ()
    """Requirements that the plan cites outside its tasks, for example in a coverage table."""
    spoken_of: tuple[str, ...] = field(default=(), compare=False)
    """Names of requirements in text that may cite them, although the reader did not treat it as a citation."""
    unsure: tuple[str, ...] = field(default=(), compare=False)
    """Parts of the plan that the reader may have read incompletely.

    "requirements": some may have another form. "references": a number may refer to something else. "element": the file
    is a template, so its content has no meaning.
    """
    renames: tuple[tuple[Ref, Ref], ...] = field(default=(), compare=False)
    """The requirements that a delta renames: the old name and the new one."""
    links: tuple[Link, ...] = ()
    section_edges: tuple[tuple[str, Edge], ...] = ()
    """Sections that wait for another whole section, as key and edge: "Phase 2" with an edge to "Phase 1"."""
    groups: tuple[tuple[Edge, ...], ...] = ()
    """Groups of tasks that run at the same time, according to the plan."""
    start: tuple[Ref, ...] | None = None
    """Tokens that hold before the first task; None if the format has no tokens or the plan states none."""
    goals: tuple[Ref, ...] | None = None
    """Tokens that must hold at the end."""
    budget: int | None = None
    """Maximum number of attempts for the whole plan."""
    status: Status | None = None
    """Status of the whole document (a story that is Done)."""
    status_text: str | None = None
    status_place: Place = field(default=NOWHERE, compare=False)
    headings: tuple[Ref, ...] = field(default=(), compare=False)
    """Every heading of a Markdown plan."""
    prose: tuple[Prose, ...] = field(default=(), compare=False)
    """Text outside code that may contain placeholders."""
    defects: tuple[Defect, ...] = ()
    traits: Traits = field(default_factory=Traits, compare=False, repr=False)
    known_by: Literal["name", "tool", "text"] = field(default="name", compare=False)
    """If the format is known by name, by the tool's own path or fields, or guessed. Which rules apply depends on it."""
    find: Callable[[Iterable[Path]], Mapping[Path, Span]] | None = field(default=None, compare=False, repr=False)
    """Looks up the places of all given paths in one pass; None if every element already has its place."""

    def locate(self, places: Iterable[Place]) -> dict[Place, Span]:
        """Return where these places are in the text. A missing element gets its parent's span."""
        asked = list(places)
        found = {place: place.span for place in asked if place.span is not None}
        paths = {one: [one.path[:end] for end in range(len(one.path), -1, -1)] for one in asked if one.span is None}
        if self.find is None or not paths:
            return found
        spans = self.find({path for above in paths.values() for path in above})
        nearest = {place: next((path for path in above if path in spans), None) for place, above in paths.items()}
        return found | {place: spans[path] for place, path in nearest.items() if path is not None}
