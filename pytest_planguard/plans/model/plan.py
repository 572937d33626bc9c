"""The neutral plan: what every format is read into, what it is made of, and what every rule looks at.

Places take no part in equality, so that two plans are equal when they say the same, wherever it stands.
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
    """How far a task is. Formats have many words for these; a profile maps its own words to them."""

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
"""What the mark in a Markdown checkbox means; "[-]" and "[~]" are work in progress."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A name that stands somewhere in the plan: a cited requirement, a file, a token, an agent."""

    name: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Edge:
    """One task waits for another task or for a whole section."""

    target: str
    """Key of the task or section that comes first (`Task.key`, `Section.key`), whether or not it exists."""
    text: str
    """As written: "T003", "1.2", "3"."""
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A phase, group, story or tag that holds tasks."""

    title: str
    key: str = ""
    """What an edge to the whole section is called; "" where nothing can refer to it."""
    number: str | None = None
    """The number in its heading, "2" of "## 2. Setup"; None where it has none."""
    level: int = 2
    place: Place = field(default=NOWHERE, compare=False)


class Task(NamedTuple):
    """One task, step, job or story task. A named tuple, since plans of many tasks make many of them."""

    key: str
    """Identity in the graph: the id qualified by its scope ("master/3.2"); a stand-in where there is no id."""
    id: str | None
    """As written; None where the format demands one and there is none."""
    title: str = ""
    place: Place = NOWHERE
    section: int | None = None
    """Index into `Plan.sections`; None outside every section."""
    parent: str | None = None
    """Key of the task that this is a subtask of."""
    scope: str = ""
    """Where the id must be unique: a tag, a section, a parent; "" is the whole plan."""
    status: Status | None = None
    status_text: str | None = None
    """The format's own word for the status; set without `status` where the word is unknown."""
    edges: tuple[Edge, ...] = ()
    files: tuple[Ref, ...] = ()
    cites: tuple[Ref, ...] = ()
    """Requirements, acceptance criteria or stories that the task serves."""
    parallel: bool = False
    """Marked as safe to run beside its neighbours."""
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
        """What messages call the task: its id, or the stand-in where it has none."""
        return self.id or self.key

    def __eq__(self, other: object) -> bool:
        """Equal when everything but the place is."""
        return isinstance(other, Task) and self._without_place() == other._without_place()

    def __ne__(self, other: object) -> bool:
        """The tuple's own would compare places."""
        return not self == other

    def __hash__(self) -> int:
        """As `__eq__`."""
        return hash(self._without_place())

    def _without_place(self) -> tuple[object, ...]:
        return (*self[:3], *self[4:])


@dataclass(frozen=True, slots=True)
class Requirement:
    """Something that tasks should serve: "FR-003", an acceptance criterion, a user story."""

    id: str
    kind: str
    """ "FR", "SC", "AC", "story" …: rules speak of it in these words."""
    place: Place = field(default=NOWHERE, compare=False)
    scope: str = ""
    """Where the id must be unique: a section of a delta, a requirement; "" is the whole document."""
    text: str | None = None
    """What is required; None where the reader does not say."""
    scenarios: int | None = None
    """How many scenarios or criteria it has; None where the reader does not say."""


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
    """What comes first, in the words of the plan ("phase 1", a task key)."""
    second: str
    stated_by: str
    """Which of the two says so: "first" (blocks) or "second" (is blocked by)."""
    place: Place = field(default=NOWHERE, compare=False)
    relation: str = "tasks"
    """What is related: relations are compared with their own kind alone."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A piece of text outside code, as placeholders are looked for in it."""

    text: str
    place: Place
    starts: tuple[tuple[int, int], ...] = ()
    """Line and column of the first character of each of its lines; empty in JSON and YAML."""

    def at(self, offset: int) -> Place:
        """Return the place of one of its characters; its own place where only that is known."""
        if not self.starts:
            return self.place
        from ...document.path import Span

        return Place((*self.place.path, offset), Span(*position(self.text, self.starts, offset)))


EVERY = "every requirement"
"""What a task cites that says that it serves all: "_Requirements: All_"."""


def worth_a_look(text: str) -> bool:
    """Return whether a text can hold a placeholder at all.

    Looks for one rare letter of each word first, which is many times faster than to look for the words, and spares
    most texts their own place.
    """
    return (
        ("D" in text and ("TBD" in text or "TODO" in text or "[NEEDS" in text or "[DATE" in text))
        or ("X" in text and ("FIXME" in text or "TXXX" in text))
        or ("K" in text and "TKTK" in text)
        or ("[" in text and _has_template_text(text))
    )


def _has_template_text(text: str) -> bool:
    """Return whether a name in brackets is left of a template. The brackets of JSON are no rare letter, these are."""
    return (
        ("#" in text and "[#" in text)
        or ("F" in text and "[FEATURE" in text)
        or ("M" in text and "NAME]" in text)
        or ("T" in text and "Title]" in text)
    )


@dataclass(frozen=True, slots=True)
class Defect:
    """Something that the reader of a format noticed and no neutral element can carry, with the rule that reports it."""

    code: str
    message: str
    place: Place = field(default=NOWHERE, compare=False)
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    boxes: tuple[Place, ...] = field(default=(), compare=False)
    """Every checkbox of a list that was not read."""
    is_habit: bool = False
    """True where it is said once of many elements: how the project writes them."""


KnownBy = Literal["name", "tool", "text"]
"""How a document's format is known: somebody named it; the tool's own path, or its own fields in JSON and YAML, tell
it; or it was only guessed from the text."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What rules must know about a format beyond one plan's content."""

    noun: str = "task"
    """What the format calls a task: "step", "job"."""
    id_pattern: str | None = None
    """Regular expression that a whole id matches; None where any id will do."""
    id_example: str | None = None
    ids_optional: bool = False
    """True where no tool asks for ids: a plan without any is said to be one, once."""
    statuses: tuple[str, ...] = ()
    """The format's own words for statuses, as a message lists them."""
    needs_goal: bool = False
    needs_tasks: bool = True
    ordered: bool = False
    """True where the list order is the order of work, so that depending on a later task is odd."""
    tokens: bool = False
    """True where the format states tokens: what holds at the start and what must hold at the end."""
    edges_carry_data: bool = False
    """True where a dependency hands on data, so that one that others imply is still needed."""
    validated: bool = False
    """True where the tool itself refuses files that are written otherwise: its own path is as good as a name."""
    normative: bool = False
    """True where every requirement says SHALL or MUST."""
    scenario: str = "acceptance scenario"
    """What the format calls that by which a requirement or a story is accepted."""
    needs_requirements: tuple[str, ...] = ()
    """Kinds of requirements of which there must be at least one; () asks for none."""
    one_active: bool = False
    """True where at most one task may be in progress."""
    required: tuple[str, ...] = ()
    """Sections or fields that must be there, by a word of their heading, alternatives joined by "|"."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule code to severity, where the format differs from the rule's default; names rules that are off, too."""
    off: frozenset[str] = frozenset()
    """Codes of rules that the format leaves out."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One plan document."""

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
    """Requirements that the plan speaks of outside its tasks, in a table of what covers what."""
    spoken_of: tuple[str, ...] = field(default=(), compare=False)
    """Names of requirements in texts that may cite them and were not read as citations."""
    unsure: tuple[str, ...] = field(default=(), compare=False)
    """Parts of which the reader saw that it may not know all: "requirements" where some stand in another form,
    "references" where something else may be counted, "element" in a template, of which nothing is meant."""
    counts: tuple[Count, ...] = ()
    pairs: tuple[Pair, ...] = ()
    links: tuple[Link, ...] = ()
    section_edges: tuple[tuple[str, Edge], ...] = ()
    """Keys of sections that wait for whole other sections, each with its edge: "Phase 2" and an edge to "Phase 1"."""
    groups: tuple[tuple[Edge, ...], ...] = ()
    """Groups of tasks that are said to run at the same time."""
    start: tuple[Ref, ...] | None = None
    """Tokens that hold before the first task; None where the format has no tokens or the plan does not say."""
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
    """Text outside code that is worth a look for placeholders."""
    defects: tuple[Defect, ...] = ()
    traits: Traits = field(default_factory=Traits, compare=False, repr=False)
    known_by: KnownBy = field(default="name", compare=False)
    """How the format is known: what may be judged rests on it."""
    find: Callable[[Iterable[Path]], Mapping[Path, Span]] | None = field(default=None, compare=False, repr=False)
    """Looks up the places of paths, all in one pass; None where every element already knows its own."""

    def locate(self, places: Iterable[Place]) -> dict[Place, Span]:
        """Return where elements stand in the text. An element whose place is not there stands where its parent does."""
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
