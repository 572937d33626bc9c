"""What became of the findings of one exchange in the next request, for each answer that the exchange holds.

An app may name places relative to the one argument or item that it validates; call a text where a call was due no valid
document, or no call; and say of an answer that is wrong as a whole what a validator reports of its parts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..matching.carried import carried
from ..outcomes import Grade
from ..reading.error_category import ErrorCategory, category_of
from ..results import Carried
from .parallel_calls import by_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ..matching.carried import FeedbackReading
    from .parallel_calls import Part

NO_TOOL_CALL = "no_tool_call"
"""The code of the finding that says an output tool was not called."""


UNCARRIED = (Grade.LOST, Grade.UNREAD)
"""Grades of a finding that the words were not understood to carry."""
INEXACT = (*UNCARRIED, Grade.WEAK)
"""Grades of a finding for which better words may stand at a relative place."""


def answer_fates(
    verdict: Verdict, reading: FeedbackReading, attempt: int, names: Collection[str] = (), schema: Any = None
) -> Iterator[Carried]:
    """Yield what became of each bad finding of an attempt, in the order of the verdict.

    `names` are the property names of the contract's schema, `schema` is its JSON Schema.
    """
    for errors, said, part in by_answer(verdict, reading):
        yield from fates_of(errors, said, attempt, part, names, schema)


def fates_of(
    errors: Sequence[Finding],
    reading: FeedbackReading,
    attempt: int,
    part: Part,
    names: Collection[str] = (),
    schema: Any = None,
) -> Sequence[Carried]:
    """Return what became of findings of one answer, or of one of several calls."""
    data = part.data
    fates = carried(errors, reading, attempt=attempt, data=data, schema=schema, text=part.text)
    fates = tuple(_as_data(fate, reading, data, schema) for fate in fates)
    if len(names) < 2:
        fates = tuple(_relative(fates, reading, data, attempt))
    return _either_way(fates)


def _relative(fates: Sequence[Carried], reading: FeedbackReading, data: Any, attempt: int) -> list[Carried]:
    """Look once more for what is lost, with its place relative to what the app validates by itself.

    `save_ticket(ticket: Ticket)` has the arguments {"ticket": {...}}, and the error of its body says `priority` where
    the contract of the arguments says `ticket.priority`.
    """
    if _names_whole_places(reading, data, {fate.finding.path for fate in fates}):
        return list(fates)
    return [_anew(fate, reading, data, attempt) if fate.grade in INEXACT else fate for fate in fates]


def _names_whole_places(reading: FeedbackReading, data: Any, wrong: Collection[tuple[str | int, ...]]) -> bool:
    """Whether the feedback names places from the root: `ticket.priority`, `tasks[1].status`, `0.status`.

    The root's only member by itself is such a place where it is `wrong`; else it may be no more than a heading: "The
    ticket is not valid:".
    """
    root = {str(key) for key in data} if isinstance(data, Mapping) else set()
    return any(_from_root(said.entry.path or (), root, wrong) for said in reading.said)


def _from_root(path: Sequence[str] | None, root: Collection[str], wrong: Collection[tuple[str | int, ...]]) -> bool:
    if not path:
        return False
    return path[0].isdecimal() or (path[0] in root and (len(path) > 1 or tuple(path) in wrong))


def _anew(fate: Carried, reading: FeedbackReading, data: Any, attempt: int) -> Carried:
    for depth, inner in _validated_alone(fate.finding, data):
        moved = replace(fate.finding, path=fate.finding.path[depth:])
        (again,) = carried([moved], reading, attempt=attempt, data=inner)
        if again.grade in (Grade.VERBATIM, Grade.LOCATED):
            return replace(again, finding=fate.finding)
    return fate


def _validated_alone(finding: Finding, data: Any) -> Iterator[tuple[int, Any]]:
    """Yield how many steps of the finding's path lead to a value that an app may validate by itself, and the value.

    That is the only argument of a call (`ticket`), an item of the only list (`tasks.0`), or an item of a bare list.
    """
    path = finding.path
    if isinstance(data, Mapping) and len(data) == 1 and len(path) > 1 and path[0] in data:
        inner = data[path[0]]
        if isinstance(inner, Mapping):
            yield 1, inner
        else:
            yield from ((1 + depth, item) for depth, item in _item(path[1:], inner))
    else:
        yield from _item(path, data)


def _item(path: Sequence[str | int], data: Any) -> Iterator[tuple[int, Any]]:
    at = path[0] if len(path) > 1 else None
    if isinstance(data, list) and isinstance(at, int) and at < len(data):
        yield 1, data[at]


def _as_data(fate: Carried, reading: FeedbackReading, data: Any, schema: Any) -> Carried:
    """Let one finding about the whole answer be carried by all that a validator reports in its place.

    All of it, since an app that names two missing fields of three has lost one. Members that no field is for need not
    be named where something else is wrong: few validators refuse them.
    """
    if fate.grade not in UNCARRIED or not fate.finding.replaces:
        return fate
    reported = fate.finding.replaces
    refused = [finding for finding in reported if category_of(finding) is not ErrorCategory.EXTRA]
    found = carried(refused or reported, reading, attempt=fate.attempt, data=data, schema=schema)
    if any(one.grade in UNCARRIED for one in found):
        return fate
    firm = all(one.grade in (Grade.VERBATIM, Grade.LOCATED) for one in found)
    grade = Grade.LOCATED if firm else Grade.WEAK
    return replace(fate, grade=grade, evidence=found[0].evidence, reason=None, reason_code=None)


def _either_way(fates: Sequence[Carried]) -> Sequence[Carried]:
    """Let one fault with two names be carried by either: "invalid JSON" and "call the tool" both answer a text."""
    missing = next((fate for fate in fates if fate.finding.code == NO_TOOL_CALL), None)
    if missing is None:
        return fates
    if missing.grade not in UNCARRIED:
        return [_as(fate, missing) for fate in fates]
    other = next((fate for fate in fates if fate.grade not in UNCARRIED), None)
    return [_as(fate, other) if fate is missing and other else fate for fate in fates]


def _as(fate: Carried, other: Carried) -> Carried:
    if fate.grade not in UNCARRIED:
        return fate
    return replace(fate, grade=other.grade, evidence=other.evidence, reason=None, reason_code=None)
