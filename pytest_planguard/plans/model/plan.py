"""The neutral plan: every format is read into it, and every rule checks it.

Equality ignores places, so that two plans are equal if they say the same in different layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from .place import NOWHERE, Place, position

if TYPE_CHECKING:
    from ...contract.finding import Severity
    from ...document.path import Path, Span


class Status(StrEnum):
    """The progress of a task. Formats have many words for it, and a profile maps its own words to these."""

    TODO = "todo"
    ACTIVE = "active"
    REVIEW = "review"
    BLOCKED = "blocked"
    DONE = "done"
    DEFERRED = "deferred"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        """True while work remains: neither done nor given up."""
        return self not in (Status.DONE, Status.CANCELLED, Status.DEFERRED)


CHECKBOX = {" ": Status.TODO, "x": Status.DONE, "X": Status.DONE, "-": Status.ACTIVE, "~": Status.ACTIVE}
"""The marks of Markdown checkboxes; "[-]" and "[~]" are work in progress."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A name in the plan: a cited requirement, a file, a token, an agent."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """A dependency of one task on another task or on a whole section."""

    target: str
    """Key of the task or section that comes first (`Task.key`, `Section.key`); it may not exist."""
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
    """The number in its heading, "2" of "## 2. Setup"; None without one."""
    level: int = 2
    place: Place = field(default=NOWHERE, compare=False)


class Task(NamedTuple):
    """A task, step, job or story task. A named tuple, since large plans have many of them."""

    key: str
    """Identity in the graph: the id qualified by its scope ("master/3.2"), or a stand-in without an id."""
    id: str | None
    """As written; None if the format demands an id and the task has none."""
    title: str = ""
    place: Place = NOWHERE
    section: int | None = None
    """Index into `Plan.sections`; None outside every section."""
    parent: str | None = None
    """Key of the parent task, for a subtask."""
    scope: str = ""
    """The scope in which the id must be unique: a tag, a section, a parent; "" is the whole plan."""
    status: Status | None = None
    status_text: str | None = None
    """The format's own word for the status; set without `status` if the word is unknown."""
    edges: tuple[Edge, ...] = ()
    files: tuple[Ref, ...] = ()
    cites: tuple[Ref, ...] = ()
    """Requirements, acceptance criteria or stories that the task serves."""
    parallel: bool = False
    """True if it may run in parallel with its neighbours."""
    optional: bool = False
    reason: str | None = None
    """Why it is blocked."""
    resource: Ref | None = None
    """The guard, agent or runner that it names."""
    needs: tuple[Ref, ...] = ()
    """Tokens that must hold before it (preconditions)."""
    gives: tuple[Ref, ...] = ()
    """Tokens that hold after it (effects); they are only ever added."""
    budget: int | None = None
    """Attempts that it may take."""

    @property
    def name(self) -> str:
        """The task's name in messages: its id, or the stand-in without one."""
        return self.id or self.key

    def __eq__(self, other: object) -> bool:
        """Compare everything but the place."""
        return isinstance(other, Task) and self._without_place() == other._without_place()

    def __ne__(self, other: object) -> bool:
        """Override the tuple's own, which would compare places."""
        return not self == other

    def __hash__(self) -> int:
        """Match `__eq__`."""
        return hash(self._without_place())

    def _without_place(self) -> tuple[object, ...]:
        return (*self[:3], *self[4:])


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that tasks should serve: "FR-003", an acceptance criterion, a user story."""

    id: str
    kind: str
    """ "FR", "SC", "AC", "story" …, as rules call it."""
    place: Place = field(default=NOWHERE, compare=False)
    scope: str = ""
    """The scope in which the id must be unique: a section of a delta, a requirement; "" is the whole document."""
    text: str | None = None
    """The requirement's text; None if the reader does not provide it."""
    scenarios: int | None = None
    """The number of its scenarios or criteria; None if the reader does not provide it."""


@dataclass(frozen=True, slots=True)
class Count:
    """A total that the plan states about itself."""

    what: str
    """ "tasks" or "phases"."""
    stated: int
    actual: int
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two lists that belong together item by item, with their lengths."""

    names: tuple[str, str]
    lengths: tuple[int, int]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Link:
    """One half of a two-way relation: "A blocks B" or "B is blocked by A"."""

    first: str
    """The one that comes first, in the words of the plan ("phase 1", a task key)."""
    second: str
    stated_by: str
    """The side that states it: "first" (blocks) or "second" (is blocked by)."""
    place: Place = field(default=NOWHERE, compare=False)
    relation: str = "tasks"
    """The kind of relation. Only relations of the same kind are compared."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A piece of text outside code, to search for placeholders."""

    text: str
    place: Place
    starts: tuple[tuple[int, int], ...] = ()
    """Line and column of the first character of each of its lines; empty in JSON and YAML."""

    def at(self, offset: int) -> Place:
        """Return the place of one of its characters, or its own place if no other is known."""
        if not self.starts:
            return self.place
        from ...document.path import Span

        return Place((*self.place.path, offset), Span(*position(self.text, self.starts, offset)))


EVERY = "every requirement"
"""A citation of all requirements: "_Requirements: All_"."""


def worth_a_look(text: str) -> bool:
    """Return True if a text may hold a placeholder.

    Searches for a rare letter of each word first, which is many times faster than to search for the words. It also
    spares most texts a place.
    """
    return (
        ("D" in text and ("TBD" in text or "TODO" in text or "[NEEDS" in text or "[DATE" in text))
        or ("X" in text and ("FIXME" in text or "TXXX" in text))
        or ("K" in text and "TKTK" in text)
        or ("[" in text and _has_template_text(text))
    )


def _has_template_text(text: str) -> bool:
    """Return True if a bracketed name remains from a template. These letters are rare; brackets in JSON are not."""
    return (
        ("#" in text and "[#" in text)
        or ("F" in text and "[FEATURE" in text)
        or ("M" in text and "NAME]" in text)
        or ("T" in text and "Title]" in text)
    )


@dataclass(frozen=True, slots=True)
class Defect:
    """A problem that the reader of a format noticed and no neutral element can hold, with the rule that reports it."""

    code: str
    message: str
    place: Place = field(default=NOWHERE, compare=False)
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    boxes: tuple[Place, ...] = field(default=(), compare=False)
    """Every checkbox of an unread list."""
    is_habit: bool = False
    """True if it covers many elements at once, as a habit of the project."""


KnownBy = Literal["name", "tool", "text"]
"""How the format of a document is known: by name, by the tool's own path or data fields, or guessed from text."""


@dataclass(frozen=True, slots=True)
class Traits:
    """The facts about a format that rules need beyond the plan's content."""

    noun: str = "task"
    """The format's name for a task: "step", "job"."""
    id_pattern: str | None = None
    """Regular expression that a whole id matches; None if any id is valid."""
    id_example: str | None = None
    ids_optional: bool = False
    """True if no tool needs ids. A plan without any then gets a single finding."""
    statuses: tuple[str, ...] = ()
    """The format's own words for statuses, as messages list them."""
    needs_goal: bool = False
    needs_tasks: bool = True
    ordered: bool = False
    """True if the list order is the order of work, so that a dependency on a later task is odd."""
    tokens: bool = False
    """True if the format states the tokens that hold at the start and must hold at the end."""
    edges_carry_data: bool = False
    """True if a dependency passes data on, so that it is needed even if others imply it."""
    validated: bool = False
    """True if the tool itself rejects other files, so that its own path proves the format."""
    normative: bool = False
    """True if every requirement must say SHALL or MUST."""
    scenario: str = "acceptance scenario"
    """The format's name for the acceptance criterion of a requirement or story."""
    needs_requirements: tuple[str, ...] = ()
    """Kinds of requirements with at least one entry; () demands none."""
    one_active: bool = False
    """True if at most one task may be in progress."""
    required: tuple[str, ...] = ()
    """Required sections or fields, by a word of their heading, with alternatives joined by "|"."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Severities by rule code that differ from the rule's default; includes rules that are off by default."""
    off: frozenset[str] = frozenset()
    """Codes of rules that do not apply to the format."""


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
    """Task ids that prose refers to, by key."""
    cites: tuple[Ref, ...] = ()
    """Requirements that the plan mentions outside its tasks, in a coverage table."""
    spoken_of: tuple[str, ...] = field(default=(), compare=False)
    """Names of requirements in texts that may cite them but were not read as citations."""
    unsure: tuple[str, ...] = field(default=(), compare=False)
    """Parts that the reader may not know completely.

    "requirements" if some have another form, "references" if something else may be counted, "element" in a template,
    whose content has no meaning.
    """
    counts: tuple[Count, ...] = ()
    pairs: tuple[Pair, ...] = ()
    links: tuple[Link, ...] = ()
    section_edges: tuple[tuple[str, Edge], ...] = ()
    """Keys of sections that wait for whole other sections, each with its edge: "Phase 2" and an edge to "Phase 1"."""
    groups: tuple[tuple[Edge, ...], ...] = ()
    """Groups of tasks that, by the plan, run at the same time."""
    start: tuple[Ref, ...] | None = None
    """Tokens that hold before the first task; None if the format has no tokens or the plan states none."""
    goals: tuple[Ref, ...] | None = None
    """Tokens that must hold at the end."""
    budget: int | None = None
    """Attempts of the whole plan."""
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
    known_by: KnownBy = field(default="name", compare=False)
    """How the format is known, which decides what can be judged."""
    find: Callable[[Iterable[Path]], Mapping[Path, Span]] | None = field(default=None, compare=False, repr=False)
    """Looks up the places of paths, all in one pass; None if every element already knows its own."""

    def locate(self, places: Iterable[Place]) -> dict[Place, Span]:
        """Return the places of elements in the text. A missing element gets the place of its parent."""
        asked = list(places)
        found = {place: place.span for place in asked if place.span is not None}
        wanted = [place for place in asked if place.span is None]
        if self.find is None or not wanted:
            return found
        spans = self.find({place.path[:end] for place in wanted for end in range(len(place.path) + 1)})
        for place in wanted:
            paths = (place.path[:end] for end in range(len(place.path), -1, -1))
            span = next((spans[path] for path in paths if path in spans), None)
            if span is not None:
                found[place] = span
        return found
