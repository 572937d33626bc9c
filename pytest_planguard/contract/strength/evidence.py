"""Collect what good answers have in common at each place: values, formats and references."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted, wildcard
from ...document.path_pattern import walk
from ..phrasing import equal_key, plural

if TYPE_CHECKING:
    from ...document.path import Path
    from .. import Contract
    from ..constraints.scene import CheckContext


@dataclass(frozen=True, slots=True)
class Demand:
    """A schema in a request."""

    name: str
    """The tool's name, or the schema's title, or "answer"."""
    digest: str
    """Equal for equal schemas."""
    is_output: bool = True
    """True if the request forces it for the answer; False for an optional tool."""


@dataclass(frozen=True, slots=True)
class GoodAnswer:
    """One recorded answer that is known to be good."""

    name: str
    """The answer's source, for reports: "tickets.jsonl line 3"."""
    data: Any
    """The answer as plain JSON data."""
    context: CheckContext | None = None
    """Texts that the answer may have copied from; None if unknown."""
    schema: Demand | None = None
    """The schema that the request asks for; None if it asks for none, or is unknown."""


def data_of(contract: Contract[Any], answer: object) -> object:
    """Return the plain value of an answer; its text if it cannot be parsed."""
    if not isinstance(answer, (str, bytes)):
        return answer
    verdict = contract.check(answer)
    return verdict.text if verdict.data is None else verdict.data


@dataclass(frozen=True, slots=True)
class Site:
    """One value of one answer."""

    answer: int
    """Index of the answer."""
    path: Path
    value: Any


@dataclass(slots=True)
class Place:
    """All values of all answers at one path, ignoring list indices: "steps[*]"."""

    name: str
    """The path in the syntax of constraints; "" is the whole answer."""
    sites: list[Site] = field(default_factory=list)

    @property
    def values(self) -> list[Any]:
        """The values, answer by answer."""
        return [site.value for site in self.sites]

    @property
    def texts(self) -> list[str]:
        """The values that are texts."""
        return [value for value in self.values if isinstance(value, str)]

    def holds(self, kind: type) -> bool:
        """Return True if every value is of a type. Here a bool is not a number, and an int counts as a float."""
        kinds = (int, float) if kind is float else kind
        return all(isinstance(value, kinds) and (kind is bool or not isinstance(value, bool)) for value in self.values)


Evidence = Mapping[str, Place]
"""Places by name, in the order of the first answer."""


def evidence_of(answers: Sequence[GoodAnswer]) -> Evidence:
    """Return every place of the answers."""
    places: dict[str, Place] = {}
    for index, answer in enumerate(answers):
        for path, value in walk(answer.data):
            name = place_name(path)
            places.setdefault(name, Place(name)).sites.append(Site(index, path, value))
    return places


def place_name(path: Path) -> str:
    """Return a path with "[*]" for every index: ("tasks", 0, "id") is "tasks[*].id"; the root is ""."""
    return to_dotted(wildcard(path)) if path else ""


def siblings(evidence: Evidence, path: Path) -> Iterator[Place]:
    """Yield the places of the same object, including the path's own."""
    parent = place_name(path[:-1])
    for name, place in evidence.items():
        # The root has no object around it, and items of a list are no members of one.
        if place.sites[0].path and place_name(place.sites[0].path[:-1]) == parent and not name.endswith("[*]"):
            yield place


def span(numbers: Sequence[int], noun: str) -> str:
    """Return "3 to 6 items", or "2 items" if all numbers are equal."""
    low, high = min(numbers), max(numbers)
    return plural(low, noun) if low == high else f"{low} to {plural(high, noun)}"


def all_distinct(lists: Iterable[Sequence[object]]) -> bool:
    """Return True if no list has two equal items, ignoring case and white space in texts."""
    return all(len(set(map(equal_key, items))) == len(items) for items in lists)


# Textual forms that good answers may share: dates, ids, conclusions.

_DATE = re.compile(r"([12]\d{3})(-\d{2}-\d{2}(?:[T ].*)?)")
"""A date, with or without a time: "2026-11-22", "2026-11-22T10:00:00Z"."""
DATE = "date of this century"
FORMATS = {
    DATE: r"20\d\d-\d\d-\d\d",
    "date and time of this century": r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d.*",
    "UUID": r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
    "URL": r"https?://\S+",
    "e-mail address": r"[^@\s]+@[^@\s]+\.[^@\s]+",
    "id of a prefix and a number": r"[A-Za-z]{1,10}[-_]?\d{1,8}",
    "number": r"\d{1,8}(\.\d{1,8}){0,3}",
}
"""Names and patterns of whole texts, the strictest first."""
_OPPOSITES = (
    ("Go", "No-Go"), ("Yes", "No"), ("Approved", "Rejected"), ("Approve", "Reject"), ("Pass", "Fail"),
    ("True", "False"),
)  # fmt: skip
_CONCLUSIONS = {"no go": "Go"} | {one.casefold(): other for pair in _OPPOSITES for one, other in (pair, pair[::-1])}
_CONCLUSION = re.compile(r"(?i)(no[- ]go|go|yes|no|approved?|reject(?:ed)?|pass|fail|true|false)\b")
"""A conclusion at the start of a text: "Go with caution"."""


def format_of_all(texts: Sequence[str]) -> tuple[str, str] | None:
    """Return the name and pattern of the first format that every text matches; None without one, or without texts."""
    for name, pattern in FORMATS.items():
        if texts and all(re.fullmatch(pattern, text) for text in texts):
            return name, pattern
    return None


def stale_date(text: str) -> str | None:
    """Return the date a hundred years earlier; None for other texts. "2026-11-22" gives "1926-11-22"."""
    match = _DATE.fullmatch(text)
    return f"{int(match[1]) - 100}{match[2]}" if match else None


def is_conclusion(text: str) -> bool:
    """Return True if a text begins with a conclusion."""
    return _CONCLUSION.match(text) is not None


def negated(text: str) -> str:
    """Return the text with the opposite conclusion: "Go with caution" gives "No-Go with caution"."""
    return _CONCLUSION.sub(lambda match: _CONCLUSIONS[match[1].casefold()], text, count=1)


# Fields that refer to ids elsewhere in the same answer.


@dataclass(frozen=True, slots=True)
class Reference:
    """Every value at `source` also occurs at `target` in the same answer."""

    source: str
    """The place of the references: "tasks[*].depends_on[*]"."""
    target: str
    """The place of the ids: "tasks[*].id"."""


def references(evidence: Evidence) -> list[Reference]:
    """Return the references that hold in every answer and occur at least three times.

    Ids are strings or integers that are unique in each answer and belong to a list of objects: "tasks[*].id".
    """
    ids = [place for place in evidence.values() if _is_id(place)]
    return [
        Reference(source.name, target.name)
        for source in evidence.values()
        if len(source.sites) >= 3 and not _is_id(source)
        for target in ids
        if source is not target and _all_known(source, target)
    ]


def id_places(evidence: Evidence) -> frozenset[str]:
    """Return the names of the places that hold ids or refer to them."""
    ids = {place.name for place in evidence.values() if _is_id(place)}
    return frozenset(ids | {reference.source for reference in references(evidence)})


def _is_id(place: Place) -> bool:
    """Return True if a place holds ids: its key suggests it ("id", "task_id"), and its values are unique."""
    key = place.name.rpartition(".")[2].casefold()
    if "[*]." not in place.name or not (key in ("id", "key", "name") or key.endswith(("_id", "id"))):
        return False
    return all(len(set(values)) == len(values) for values in _by_answer(place).values())


def _all_known(source: Place, target: Place) -> bool:
    known = _by_answer(target)
    return all(set(values) <= set(known.get(answer, ())) for answer, values in _by_answer(source).items())


def _by_answer(place: Place) -> dict[int, list[object]]:
    values: dict[int, list[object]] = defaultdict(list)
    for site in place.sites:
        if isinstance(site.value, (str, int)) and not isinstance(site.value, bool):
            values[site.answer].append(site.value)
        else:
            values[site.answer].append(object())  # not an id: equals nothing
    return values
