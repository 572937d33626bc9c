"""Grade the findings of each answer in an exchange by the next request.

Apps report errors in different ways. They may name places relative to the argument or item that they validate. If the
model sent a text instead of a tool call, they may report an invalid document or a missing call. If an answer is wrong
as a whole, they may report each part, as validators do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...matching.fed_back import fed_back
from ...outcomes import NOT_FED_BACK, Firmness, Grade
from ...reading.error_category import ErrorCategory, category_of
from ...results import FedBack
from ..required_findings import by_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....contract.finding import Finding
    from ....contract.verdict import Verdict
    from ...matching.fed_back import FeedbackReading
    from ..required_findings import Part

NO_TOOL_CALL = "no_tool_call"
"""The code of the finding that reports a missing call of the output tool."""


_FIRM = (Firmness.VERBATIM, Firmness.LOCATED)
"""Results that need no second look at relative places."""


def answer_gradings(
    verdict: Verdict, reading: FeedbackReading, attempt: int, names: Collection[str], schema: object
) -> Iterator[FedBack]:
    """Yield the grading of each error of an attempt, in the order of the verdict.

    `names` are the property names of the contract's schema, and `schema` is its JSON Schema.
    """
    for errors, said, part in by_answer(verdict, reading):
        yield from gradings_of(errors, said, attempt, part, names, schema)


def gradings_of(
    errors: Sequence[Finding],
    reading: FeedbackReading,
    attempt: int,
    part: Part,
    names: Collection[str],
    schema: object,
) -> Sequence[FedBack]:
    """Grade the findings of one answer, which may be one of several calls."""
    data = part.data
    gradings = fed_back(errors, reading, attempt=attempt, data=data, schema=schema, text=part.text)
    gradings = tuple(_as_data(graded, reading, data, schema) for graded in gradings)
    if len(names) < 2:
        gradings = tuple(_relative(gradings, reading, data, attempt))
    return _either_way(gradings)


def _relative(gradings: Sequence[FedBack], reading: FeedbackReading, data: object, attempt: int) -> list[FedBack]:
    """Grade missing findings again, with places relative to the part that the app validates.

    For example, `save_ticket(ticket: Ticket)` gets the arguments {"ticket": {...}}. The app's error names `priority`,
    but the finding's place is `ticket.priority`.
    """
    if _names_whole_places(reading, data, {graded.finding.path for graded in gradings}):
        return list(gradings)
    return [
        _at_relative_place(graded, reading, data, attempt)
        if graded.grade in NOT_FED_BACK or graded.how is Firmness.WEAK
        else graded
        for graded in gradings
    ]


def _names_whole_places(reading: FeedbackReading, data: object, wrong: Collection[tuple[str | int, ...]]) -> bool:
    """Return True if the feedback names places from the root: `ticket.priority`, `tasks[1].status`, `0.status`.

    A member of the root without a path below it counts only if it is in `wrong`. Otherwise it may be a heading: "The
    ticket is not valid:".
    """
    root = {str(key) for key in data} if isinstance(data, Mapping) else set()
    paths = [entry.path for entry in reading.said if entry.path]
    return any(path[0].isdecimal() or (path[0] in root and (len(path) > 1 or path in wrong)) for path in paths)


def _at_relative_place(graded: FedBack, reading: FeedbackReading, data: object, attempt: int) -> FedBack:
    for depth, inner in _validated_alone(graded.finding, data):
        moved = replace(graded.finding, path=graded.finding.path[depth:])
        (again,) = fed_back([moved], reading, attempt=attempt, data=inner)
        if again.how in _FIRM:
            return replace(again, finding=graded.finding)
    return graded


def _validated_alone(finding: Finding, data: object) -> Iterator[tuple[int, object]]:
    """Yield (depth, value) for each value on the finding's path that an app may validate separately.

    These are the only argument of a call (`ticket`), an item of the only list (`tasks.0`), and an item of a bare list.
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


def _item(path: Sequence[str | int], data: object) -> Iterator[tuple[int, Any]]:
    at = path[0] if len(path) > 1 else None
    if isinstance(data, list) and isinstance(at, int) and at < len(data):
        yield 1, data[at]


def _as_data(graded: FedBack, reading: FeedbackReading, data: object, schema: object) -> FedBack:
    """Count a finding about the whole answer as fed back if all findings that it replaces were fed back.

    For example, the finding replaces three missing fields; an app that names two of them has dropped one. Unknown
    members need not be named if something else is wrong, since few validators reject them.
    """
    if graded.grade not in NOT_FED_BACK or not graded.finding.replaces:
        return graded
    reported = graded.finding.replaces
    refused = [finding for finding in reported if category_of(finding) is not ErrorCategory.EXTRA]
    found = fed_back(refused or reported, reading, attempt=graded.attempt, data=data, schema=schema)
    if any(one.grade in NOT_FED_BACK for one in found):
        return graded
    firm = all(one.how in _FIRM for one in found)
    how = Firmness.LOCATED if firm else Firmness.WEAK
    return replace(graded, grade=Grade.FED_BACK, how=how, evidence=found[0].evidence, reason=None, reason_code=None)


def _either_way(gradings: Sequence[FedBack]) -> Sequence[FedBack]:
    """Treat a text instead of a tool call as one error with two names: "invalid JSON" or "call the tool" is enough."""
    missing = next((graded for graded in gradings if graded.finding.code == NO_TOOL_CALL), None)
    if missing is None:
        return gradings
    if missing.grade not in NOT_FED_BACK:
        return [_as(graded, missing) for graded in gradings]
    other = next((graded for graded in gradings if graded.grade not in NOT_FED_BACK), None)
    return [_as(graded, other) if graded is missing and other else graded for graded in gradings]


def _as(graded: FedBack, other: FedBack) -> FedBack:
    if graded.grade not in NOT_FED_BACK:
        return graded
    return replace(graded, grade=other.grade, how=other.how, evidence=other.evidence, reason=None, reason_code=None)
