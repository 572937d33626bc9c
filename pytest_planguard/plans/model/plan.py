"""The neutral plan: what every format is read into and what every rule looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .elements import Count as Count
from .elements import Defect as Defect
from .elements import Edge as Edge
from .elements import Link as Link
from .elements import Pair as Pair
from .elements import Prose as Prose
from .elements import Ref as Ref
from .elements import Requirement as Requirement
from .elements import Section as Section
from .elements import Task as Task
from .elements import worth_a_look as worth_a_look
from .place import NOWHERE, Place

if TYPE_CHECKING:
    from ...contract.finding import Severity
    from ...document.path import Path, Span
    from .status import Status

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
