"""Classify the step between two linked exchanges: a retry, a tool step, a failed send, a resend, or the next turn."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ...wire.exchange import Role
from ...wire.untrusted_json import parsed_or_none
from ..linking.link import How
from ..reading.error_category import GENERIC, category_of_code, category_of_words, code_name
from .schema_shape import properties

if TYPE_CHECKING:
    from ...wire.exchange import Exchange
    from ..linking.link import Link
    from ..matching.fed_back import FeedbackReading


class StepKind(StrEnum):
    """What happened between an answer and the request that reacts to it."""

    TRANSPORT = "transport"
    """The send failed and was repeated."""
    TOOL_STEP = "tool step"
    TOOL_ERROR = "tool error"
    """A tool returned an error, but no contract rejects the model's call."""
    RETRY = "retry"
    """The contract rejects the answer, and the next request reacts to it, with or without feedback."""
    PROBABLE_RETRY = "probable retry"
    """No contract rejects the answer, but the next request names errors."""
    RESEND = "resend"
    """The app sent the same request again after an answer that no contract rejects, for example for more samples."""
    NEW_TURN = "new turn"


def classify(link: Link, parent: Exchange, reading: FeedbackReading, *, accepted: bool | None) -> StepKind:
    """Return the kind of one link. `accepted` is True if the contract accepts the parent's answer, None if unknown."""
    if accepted is False:
        return StepKind.RETRY
    if link.how is How.SAME:
        return StepKind.RESEND
    if names_errors(reading, parent):
        return StepKind.PROBABLE_RETRY
    results = [p for p in link.delta.pieces if p.role is Role.TOOL]
    if parent.calls and results:
        return StepKind.TOOL_ERROR if any(p.is_error for p in results) else StepKind.TOOL_STEP
    return StepKind.NEW_TURN


def names_errors(reading: FeedbackReading, parent: Exchange) -> bool:
    """Return True if the new words name an error by a known code, or at a field of the parent's answer."""
    names: frozenset[str] | None = None
    for said in reading.said:
        code = said.code
        if code is not None and (code_name(code) in GENERIC or category_of_code(code) is not None):
            return True
        if said.path and category_of_words(said.message):
            names = _fields(parent) if names is None else names
            if said.path[0] in names:
                return True
    return False


def _fields(exchange: Exchange) -> frozenset[str]:
    """Return the names of the answer's fields, in its schemas and in the answer itself."""
    declared = [properties(s) for s in (exchange.output_schema, *exchange.tools.values())]
    given = [c.arguments for c in exchange.calls] + [parsed_or_none(exchange.answer_text)]
    keys = [frozenset(map(str, value)) for value in given if isinstance(value, dict)]
    return frozenset().union(*declared, *keys)
