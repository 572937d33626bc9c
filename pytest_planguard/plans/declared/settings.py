"""What a file that describes a plan format may say: the fields of `planguard-plan.yaml`, and its patterns compiled.

Field names and types are the schema by which such a file is checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from ..model.plan import Status

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
    """The format's own words, and what each means."""
    also: dict[str, StatusWord] = field(default_factory=dict)
    """Further words that are read, and that messages do not list."""
    exact: bool = False
    """Whether upper and lower case tell words apart."""

    def meaning(self, written: str) -> Status | None:
        """Return what a word means; None for a word that is not known."""
        words = {**self.words, **self.also}
        known = words.get(written)
        if known is None and not self.exact:
            known = {name.lower(): meaning for name, meaning in words.items()}.get(written.lower())
        return Status(known) if known else None


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
class GroupSettings:
    """Where groups of tasks stand in JSON and YAML."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    keyed: bool = False
    """True where the document is an object whose keys name its groups; False where it is a list of them."""
    title: str | None = None
    """Field of a group with its title; None takes its key."""
    id: str | None = None
    noun: str = "group"
    own_ids: bool = False
    """True where ids count within their group."""
    several: bool = False
    """True where a single group is the whole plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """Where tasks stand in JSON and YAML, and what their fields are called. A field of a record may be a path."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    within: Literal["front matter", "code"] | None = None
    """Where the data stand in a Markdown document: between its first two lines of dashes, or in the first code block of
    YAML or JSON; None for a document that is nothing else."""
    tasks: str = ""
    """Path of the list of tasks, or of the object whose keys are their ids: "steps", "phases.*.steps", "." for the
    document itself. Of several, "steps | plan", the first that is there counts. In groups: of a group."""
    groups: GroupSettings | None = None
    keyed: bool | None = None
    """True for an object whose keys are the ids, False for a list; None takes either."""
    texts_only: bool = False
    """True where a task is a text and no object."""
    id: str = "id"
    numbered: bool = False
    """True where ids are the positions in the list, from 1."""
    own_ids: bool = False
    """True where ids of tasks below a task count within it: `2` below 1 is 1.2, and so is `2` in what 1.1 waits for."""
    needs_id: bool = False
    title: str = "title"
    plan_title: str | None = None
    """Path of the title of the whole plan."""
    texts: tuple[str, ...] = ()
    """Further fields that are looked at for placeholders."""
    depends: str | None = None
    """Field with the ids that a task waits for: a list, or a text with commas."""
    lists: bool = False
    """True where what a task waits for is a list and nothing else."""
    refers: str | None = None
    """Regular expression of what names another task in a title; its group 1 is the id."""
    blocks: str | None = None
    """Field with the ids of the tasks that wait for this one; both sides have to say so."""
    implied: bool = False
    """True where records state dependencies alone, so that what is only waited for is a task too."""
    same_length: tuple[str, ...] = ()
    """Two list fields of a task that belong together item by item."""
    children: str | None = None
    """Field of a task with the tasks below it, at any depth; a path, as `tasks` is."""
    files: str | None = None
    resource: str | None = None
    """Field with the agent, guard or runner of a task."""
    status: StatusSettings | None = None
    one_active: bool = False
    """True where at most one task may be in progress."""
    noun: str = "task"
    pattern: str | None = None
    """Regular expression of one id."""
    example: str | None = None
    required: tuple[str, ...] = ()
    """Fields that every task must have."""
    ordered: bool = False
    carries_data: bool = False
    """True where a dependency hands on data, so that one that others imply is still needed."""
    may_be_empty: bool = False
    """True where a document without tasks is a plan."""
    each: tuple[str, ...] = ()
    """Fields that every record has, by which a document is told: "blocks | blockedBy" for either."""
    marks: tuple[str, ...] = ()
    """Fields of which four, in any record, prove the format; with fewer it is likely."""
    beside: tuple[str, ...] = ()
    """For texts: fields that may stand beside the list. Others make a document something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings:
    """The whole description of a format."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - where pydantic looks for it

    format: str
    """Its name, for messages, options and reports: "runbook"."""
    about: str = ""
    family: str | None = None
    """The tool, where it has several formats; None for the name itself."""
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
    schema: object = None
    """A JSON Schema for data: a path beside this file, or the schema itself."""


FIELDS = ("id", "title", "number")
_FIELD = re.compile(r"\{(\w+)\}")  # "{title}"
_BLANKS = re.compile(r"[ \t]+")  # one blank of a pattern stands for any run
_NUMBER = r"\d+(?:\.\d+)*"  # "2", "2.1"
_LENIENT = r"[A-Za-z]{0,10}[-.]?\d[\w.-]*(?<![.-])"
"""What stands where an id should: "S-3", "12b", where ids are "S3"."""
_MARKS = r"[*_`~]{0,3}"
"""Marks around words: "**Depends on:**", "_after_"."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a heading or an item looks."""

    exact: re.Pattern[str]
    """Matches it, with groups of the names of its fields."""
    lenient: re.Pattern[str] | None
    """Matches one whose id has another form; None where nothing but the id would tell it."""


def template(pattern: str, id_pattern: str) -> Template:
    """Return a pattern as regular expressions.

    Args:
        pattern: text with {id}, {title} or {number}; blanks stand for any run of blanks.
        id_pattern: regular expression of one id.
    """
    lead = _FIELD.split(pattern, maxsplit=1)[0]
    has_words = any(character.isalpha() for character in lead) and "{id}" in pattern
    return Template(_compiled(pattern, id_pattern), _compiled(pattern, _LENIENT) if has_words else None)


def _compiled(pattern: str, id_pattern: str) -> re.Pattern[str]:
    pieces = {"id": rf"\[?{_MARKS}(?P<id>{id_pattern}){_MARKS}\]?", "number": rf"(?P<number>{_NUMBER})"}
    pieces["title"] = r"(?P<title>[^\n]*)"
    parts = _FIELD.split(pattern.strip())
    regex = "".join(pieces[part] if at % 2 else _literal(part) for at, part in enumerate(parts))
    return re.compile(rf"{_MARKS}{regex}", re.IGNORECASE)


def _literal(text: str) -> str:
    """Return a text between two fields as a regular expression: "Step " and ": ", where the last blank may miss."""
    if text and not text.strip():
        return r"(?:[ \t]+|$)"
    words = _BLANKS.split(text)
    joined = r"[ \t]+".join(re.escape(word) for word in words)
    return joined.removesuffix(r"[ \t]+") + r"[ \t]*" if words[-1] == "" and len(words) > 1 else joined


def fields_of(pattern: str) -> list[str]:
    """Return the names in braces of a pattern, in order."""
    return [found[1] for found in _FIELD.finditer(pattern)]


def label(phrase: str) -> re.Pattern[str]:
    """Return what finds a label ("Depends on:", in bold or not) or a phrase in running text ("after")."""
    words = r"[ \t]+".join(re.escape(word) for word in phrase.rstrip(":：").split())
    colon = rf"[ \t]*{_MARKS}[ \t]*[:：]{_MARKS}" if is_label(phrase) else r"(?!\w)"
    return re.compile(rf"(?<!\w){_MARKS}{words}{colon}[ \t]*", re.IGNORECASE)


def is_label(phrase: str) -> bool:
    """Return whether what follows a phrase up to the line's end belongs to it: it ends with a colon."""
    return phrase.rstrip().endswith((":", "："))
