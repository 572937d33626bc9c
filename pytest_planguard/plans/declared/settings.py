"""The allowed content of a file that describes a plan format, `planguard-plan.yaml`, and its compiled patterns.

Field names and types are the schema that checks such a file.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from ..status import Status

Form = Literal["headings", "items", "checkboxes", "numbered"]
"""The form of tasks: headings, list items, list items with a box, or items of a numbered list."""
Word = Literal["info", "warn", "retry", "fail", "off"]
StatusWord = Literal["todo", "active", "review", "blocked", "done", "deferred", "cancelled"]
DEFAULT_ID = r"[A-Za-z]{0,10}-?\d+(?:\.\d+)*[a-z]?"
"""The form of an id, unless described: "S1", "STEP-12", "2.1", "4b"."""


class _Settings:
    __slots__ = ()
    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012 - pydantic reads it here


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSettings(_Settings):
    """How tasks state their progress."""

    label: str = "Status:"
    """The label of a task's status in Markdown; in data the name of the field."""
    words: dict[str, StatusWord] = field(default_factory=dict)
    """The format's own words for a status, with their meanings."""
    also: dict[str, StatusWord] = field(default_factory=dict)
    """Further accepted words, which messages do not list."""
    exact: bool = False
    """True if words are case-sensitive."""

    def meaning(self, written: str) -> Status | None:
        """Return the meaning of a word; None for an unknown word."""
        words = {**self.words, **self.also}
        known = words.get(written)
        if known is None and not self.exact:
            known = {name.lower(): meaning for name, meaning in words.items()}.get(written.lower())
        return Status(known) if known else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnyTasks(_Settings):
    """What is said about tasks in any syntax."""

    noun: str = "task"
    example: str | None = None
    """An id, for messages."""
    required: tuple[str, ...] = ()
    """Labels (Markdown) or fields (data) that every task must have: "Verify:"."""
    status: StatusSettings | None = None
    ordered: bool = False
    """True if document order is the order of work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSettings(_AnyTasks):
    """The form of tasks in Markdown."""

    form: Form = "headings"
    level: int | None = None
    """Level of the headings or depth of the items, 1-based; None for any level."""
    pattern: str = "{id}: {title}"
    """The text of a task, with {id} and {title}: "Step {id}: {title}"."""
    id: str = DEFAULT_ID
    """Regular expression of one id."""
    under: str | None = None
    """The only heading below which there are tasks."""
    depends: tuple[str, ...] = ()
    """Labels or phrases before the dependencies of a task: "Depends on:", "after"."""
    files: tuple[str, ...] = ()
    """Labels or phrases before the files of a task: "Touches:"."""
    parallel: str | None = None
    """The mark of tasks that may run in parallel with their neighbours: "[P]"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSettings(_Settings):
    """The form of headings of task groups."""

    pattern: str = "{title}"
    """The text of the heading, with {title} and perhaps {number}: "Phase {number}: {title}"."""
    level: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSettings(_Settings):
    """The place of task groups in JSON and YAML."""

    keyed: bool = False
    """True if the document is an object keyed by group name; False if it is a list of groups."""
    title: str | None = None
    """Field of a group with its title; None takes its key."""
    id: str | None = None
    noun: str = "group"
    own_ids: bool = False
    """True if ids are relative to their group."""
    several: bool = False
    """True to treat a single group as the whole plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings(_AnyTasks):
    """The place of tasks in JSON and YAML, and the names of their fields. A field of a record may be a path."""

    within: Literal["front matter", "code"] | None = None
    """The place of the data in a Markdown document; None if the document is all data.

    Between its first two lines of dashes, or in the first code block of YAML or JSON.
    """
    tasks: str = ""
    """Path of the list of tasks, or of the object keyed by their ids: "steps", "phases.*.steps".

    "." is the document itself. If there are several, as in "steps | plan", the first existing one is used. In groups,
    the path starts at the group.
    """
    groups: GroupSettings | None = None
    keyed: bool | None = None
    """True for an object keyed by ids, False for a list; None accepts either."""
    texts_only: bool = False
    """True if a task is a text, not an object."""
    id: str = "id"
    numbered: bool = False
    """True if ids are the 1-based positions in the list."""
    own_ids: bool = False
    """True if ids of subtasks are relative to their task: `2` below 1 is 1.2, and so is the dependency `2` of 1.1."""
    needs_id: bool = False
    title: str = "title"
    plan_title: str | None = None
    """Path of the title of the whole plan."""
    texts: tuple[str, ...] = ()
    """Further fields to check for placeholders."""
    depends: str | None = None
    """Field with the ids of a task's dependencies: a list, or a text with commas."""
    lists: bool = False
    """True if dependencies are always a list."""
    refers: str | None = None
    """Regular expression of a reference to another task in a title; its group 1 is the id."""
    blocks: str | None = None
    """Field with the ids of the tasks that wait for this one. The relation must be stated on both sides."""
    implied: bool = False
    """True if records only state dependencies, so that a dependency without a record is still a task."""
    same_length: tuple[str, ...] = ()
    """Two list fields of a task whose items correspond."""
    children: str | None = None
    """Field of a task with its subtasks, at any depth; a path, like `tasks`."""
    files: str | None = None
    resource: str | None = None
    """Field with the agent, guard or runner of a task."""
    one_active: bool = False
    """True if at most one task may be in progress."""
    pattern: str | None = None
    """Regular expression of one id."""
    may_be_empty: bool = False
    """True if a document without tasks is a plan."""
    each: tuple[str, ...] = ()
    """Fields that every record has, which detect a document: "blocks | blockedBy" for either."""
    marks: tuple[str, ...] = ()
    """Fields of which any four, in any record, prove the format. Fewer make it likely."""
    beside: tuple[str, ...] = ()
    """For tasks that are texts: other fields that may be next to the list. Any other field rules the format out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSettings(_Settings):
    """The whole description of a format."""

    format: str
    """Its name, for messages, options and reports: "runbook"."""
    about: str = ""
    family: str | None = None
    """The tool, if it has several formats; None for the name itself."""
    recognise: tuple[str, ...] = ()
    """Regular expressions that must each match a line (Markdown), or required fields (data)."""
    signs: dict[str, int] = field(default_factory=dict)
    """For Markdown, in place of `recognise`: regular expressions, each with the weight that a match of a line adds.

    A document is a plan by content alone from 30 on; below that, its path must be one of `places`.
    """
    places: tuple[str, ...] = ()
    """Globs of the usual paths of such files."""
    own_places: tuple[str, ...] = ()
    """Globs of paths that only this tool's files have, so that they prove the format."""
    required: tuple[str, ...] = ()
    """Required headings (Markdown; alternatives separated by "|"), or fields (data)."""
    goal: str | None = None
    """Heading or label of the goal: "Purpose", "Goal | Overview"."""
    tasks: TaskSettings | None = None
    """For Markdown. A format without `tasks` and `data` is a document of `required` headings."""
    sections: SectionSettings | None = None
    data: DataSettings | None = None
    """For JSON and YAML."""
    rules: dict[str, Word] = field(default_factory=dict)
    """Rule code to severity, or off."""
    schema: object = None
    """A JSON Schema for data: a path beside this file, or the schema itself."""


PARTS: dict[str, type[_Settings]] = {"data": DataSettings, "groups": GroupSettings, "sections": SectionSettings}
PARTS |= {"status": StatusSettings, "tasks": TaskSettings}
"""The settings of each part of a description."""
_FIELD = re.compile(r"\{(\w+)\}")  # "{title}"
_BLANKS = re.compile(r"[ \t]+")  # one blank of a pattern matches any run
_NUMBER = r"\d+(?:\.\d+)*"  # "2", "2.1"
_LENIENT = r"[A-Za-z]{0,10}[-.]?\d[\w.-]*(?<![.-])"  # a text that resembles an id: "S-3", "12b", if ids are "S3"
_MARKS = r"[*_`~]{0,3}"  # marks that may surround words: "**Depends on:**", "_after_"
_BOX = r"(?:`?\[(?P<mark>[ xX~-])\]`?[ \t]+)?"  # the checkbox of a heading: "### [x] Step 1: Stop", "### `[ ]` Task 2"


def lenient(pattern: str) -> re.Pattern[str] | None:
    """Return `exact` with any form of id; None if only the id would tell a task from other text."""
    lead = _FIELD.split(pattern, maxsplit=1)[0]
    has_words = any(character.isalpha() for character in lead) and "{id}" in pattern
    return exact(pattern, _LENIENT) if has_words else None


def exact(pattern: str, id_pattern: str) -> re.Pattern[str]:
    """Return the form of a heading or item, with groups for {id}, {title} and {number}; a blank matches any run."""
    pieces = {"id": rf"\[?{_MARKS}(?P<id>{id_pattern}){_MARKS}\]?", "number": rf"(?P<number>{_NUMBER})"}
    pieces["title"] = r"(?P<title>[^\n]*)"
    parts = _FIELD.split(pattern.strip())
    regex = "".join(pieces[part] if at % 2 else _literal(part) for at, part in enumerate(parts))
    return re.compile(rf"{_BOX}{_MARKS}{regex}", re.IGNORECASE)


def _literal(text: str) -> str:
    """Return a text between two fields as a regular expression: "Step " and ": ", whose last blank is optional."""
    if text and not text.strip():  # "{id} {title}" fits an id without a title too, which another rule reports
        return r"(?:[ \t]+|$)"
    words = _BLANKS.split(text)
    joined = r"[ \t]+".join(re.escape(word) for word in words)
    return joined.removesuffix(r"[ \t]+") + r"[ \t]*" if words[-1] == "" and len(words) > 1 else joined


def fields_of(pattern: str) -> list[str]:
    """Return the names in braces of a pattern, in order."""
    return [found[1] for found in _FIELD.finditer(pattern)]


def label(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a label ("Depends on:", in bold or not) or a phrase in running text ("after")."""
    words = r"[ \t]+".join(re.escape(word) for word in phrase.rstrip(":：").split())
    colon = rf"[ \t]*{_MARKS}[ \t]*[:：]{_MARKS}" if is_label(phrase) else r"(?!\w)"  # "after", not "afterwards"
    return re.compile(rf"(?<!\w){_MARKS}{words}{colon}[ \t]*", re.IGNORECASE)


def is_label(phrase: str) -> bool:
    """Return True if a phrase ends with a colon, so that it introduces the rest of the line."""
    return phrase.rstrip().endswith((":", "："))
