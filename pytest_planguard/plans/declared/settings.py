"""What a file that describes a plan format may say: the fields of `planguard-plan.yaml`.

Field names and types are the schema by which such a file is checked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Form = Literal["headings", "items", "checkboxes", "numbered"]
"""How tasks look: headings, list items, list items with a box, or items of a numbered list."""
Word = Literal["info", "warn", "retry", "fail", "off"]
StatusWord = Literal["todo", "active", "review", "blocked", "done", "deferred", "cancelled"]
DEFAULT_ID = r"[A-Za-z]{0,10}-?\d+(?:\.\d+)*[a-z]?"
"""The form of an id where none is described: "S1", "STEP-12", "2.1", "4b"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSettings:
    """How tasks say how far they are."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    label: str = "Status:"
    """What introduces the status of a task in Markdown; in data the name of the field."""
    words: dict[str, StatusWord] = field(default_factory=dict)
    """The format's own words, in any case, and what each means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSettings:
    """How tasks look in Markdown."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    form: Form = "headings"
    level: int | None = None
    """Level of the headings from 1, or depth of the items from 1; None takes every level."""
    pattern: str = "{id}: {title}"
    """The text of a task, with {id} and {title}: "Step {id}: {title}"."""
    id: str = DEFAULT_ID
    """Regular expression of one id."""
    example: str | None = None
    """An id, for messages."""
    noun: str = "task"
    under: str | None = None
    """Heading below which alone tasks stand."""
    depends: tuple[str, ...] = ()
    """What introduces the tasks that a task waits for: "Depends on:", "after"."""
    files: tuple[str, ...] = ()
    """What introduces the files of a task: "Touches:"."""
    required: tuple[str, ...] = ()
    """Labels that every task must have: "Verify:"."""
    parallel: str | None = None
    """The mark of tasks that may run beside their neighbours: "[P]"."""
    status: StatusSettings | None = None
    ordered: bool = False
    """True where the order in the document is the order of work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSettings:
    """How headings of groups of tasks look."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    pattern: str = "{title}"
    """The text of the heading, with {title} and perhaps {number}: "Phase {number}: {title}"."""
    level: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """Where tasks stand in JSON and YAML, and what their fields are called."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    tasks: str
    """Path of the list of tasks, or of the object whose keys are their ids: "steps", "phases.*.steps"."""
    id: str = "id"
    title: str = "title"
    depends: str | None = None
    """Field with the ids that a task waits for: a list, or a text with commas."""
    children: str | None = None
    """Field of a task with the tasks below it, at any depth; a path, as `tasks` is."""
    files: str | None = None
    status: StatusSettings | None = None
    noun: str = "task"
    pattern: str | None = None
    """Regular expression of one id."""
    example: str | None = None
    required: tuple[str, ...] = ()
    """Fields that every task must have."""
    ordered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """The whole description of a format."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    format: str
    """Its name, for messages, options and reports: "runbook"."""
    about: str = ""
    recognise: tuple[str, ...] = ()
    """Regular expressions, each of which some line must match (Markdown), or fields that must be there (data)."""
    places: tuple[str, ...] = ()
    """Globs of the paths at which such files usually stand."""
    required: tuple[str, ...] = ()
    """Headings that must be there (Markdown; alternatives separated by "|"), or fields (data)."""
    goal: str | None = None
    """Heading or label of the goal: "Purpose"."""
    tasks: TaskSettings | None = None
    """For Markdown; one of `tasks` and `data` is needed."""
    sections: SectionSettings | None = None
    data: DataSettings | None = None
    """For JSON and YAML."""
    rules: dict[str, Word] = field(default_factory=dict)
    """Rule code to severity, or off."""
    schema: Any = None
    """A JSON Schema for data: a path beside this file, or the schema itself."""
