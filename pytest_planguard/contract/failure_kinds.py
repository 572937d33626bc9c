"""Kinds of bad answers, and advice on retrying for each kind."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Phase(StrEnum):
    """The stage of a check that produces a finding. Fixing an earlier phase may reveal findings of a later one."""

    PARSE = "parse"
    SCHEMA = "schema"
    CONTENT = "content"

    @cached_property
    def rank(self) -> int:
        """0 for parse, 1 for schema, 2 for content."""
        return list(Phase).index(self)


class Reask(StrEnum):
    """Advice on asking again."""

    YES = "yes"
    """Feed the findings back and ask again."""
    ONCE = "once"
    """Try once more, but not twice."""
    NOT_AT_THIS_LIMIT = "not at this limit"
    """Only a higher token limit helps: the same limit would cut the next answer too."""
    NO = "no"
    """Asking again with feedback does not help."""
    TRANSPORT = "transport"
    """The same request may be sent again; there is no answer to give feedback on."""


class FailureKind(StrEnum):
    """The kind of a bad answer. Each kind has a phase, and advice on asking again."""

    # parse: the answer is not a readable document
    EMPTY = "empty"
    """The answer is empty, only whitespace, or only a thinking block."""
    REFUSAL = "refusal"
    """The model refuses in a refusal field or in prose, or a content filter stopped it."""
    ASK_BACK = "ask_back"
    """The model asks the user instead of answering."""
    TRUNCATED = "truncated"
    """The answer is incomplete, according to the finish reason or because the document is not closed."""
    INVALID_JSON = "invalid_json"
    INVALID_YAML = "invalid_yaml"
    PROSE = "prose"
    """Text without a document, or around a document that must be the whole answer."""
    FENCE = "fence"
    """A code fence around a document that must be the whole answer."""
    THINKING = "thinking"
    """A thinking block beside a document that must be the whole answer."""
    MULTIPLE = "multiple"
    """Several documents. planguard never guesses which one to use."""
    DUPLICATE_KEY = "duplicate_key"
    NON_FINITE = "non_finite"
    """NaN or Infinity, which are not JSON numbers."""
    TOO_DEEP = "too_deep"
    """The document is nested so deeply that parsers fail. No real document is."""
    TOO_LARGE = "too_large"
    ENCODING = "encoding"
    """Bytes that are not UTF-8."""
    LOOP = "loop"
    """The answer repeats the same words until the limit."""
    # schema: the document has the wrong shape
    SCHEMA_ECHO = "schema_echo"
    """The model returned the schema instead of data."""
    WRAPPED = "wrapped"
    """The data is nested one key too deep."""
    ENCODED = "encoded"
    """A JSON string that contains the JSON document."""
    MISSING = "missing"
    EXTRA = "extra"
    TYPE = "type"
    ENUM = "enum"
    RANGE = "range"
    LENGTH = "length"
    FORMAT = "format"
    """A pattern, date, URL or other textual form."""
    RULE = "rule"
    """A validator, a cross-field rule or a structural rule rejects the answer."""
    UNKNOWN_TOOL = "unknown_tool"
    NO_TOOL_CALL = "no_tool_call"
    # content: the shape is right, but the content is not
    CONTENT = "content"
    """A content constraint is broken."""
    # no answer
    TRANSPORT = "transport"
    """`PASSING_STATUSES`, 5xx, timeout, connection."""
    AUTH = "auth"

    @cached_property
    def reask(self) -> Reask:
        """The advice on asking again after this kind."""
        return _REASK.get(self, Reask.YES)

    @cached_property
    def phase(self) -> Phase:
        """The phase in which findings of this kind arise."""
        if self in _PARSE:
            return Phase.PARSE
        return Phase.CONTENT if self is FailureKind.CONTENT else Phase.SCHEMA


_REFUSED_KEY = frozenset({401, 403})
PASSING_STATUSES = frozenset({408, 409, 425, 429})
"""Timeout, conflict, too early, too many requests: the same request may succeed later, as after any 5xx."""


def kind_of_status(status: int) -> FailureKind | None:
    """Return `auth` or `transport` for an HTTP status without a model's answer; None for any other status.

    A 400 or 404 is neither: the request itself is wrong, so resending it, even with another key, changes nothing.
    """
    if status in _REFUSED_KEY:
        return FailureKind.AUTH
    return FailureKind.TRANSPORT if status in PASSING_STATUSES or 500 <= status < 600 else None


_STRICTEST_FIRST = (Reask.NO, Reask.TRANSPORT, Reask.NOT_AT_THIS_LIMIT, Reask.ONCE, Reask.YES)


def strictest(kinds: Iterable[FailureKind]) -> Reask:
    """Return the strictest value among several kinds; NO if there are no kinds."""
    answers = {kind.reask for kind in kinds}
    if len(answers) == 1:
        return answers.pop()
    return next((word for word in _STRICTEST_FIRST if word in answers), Reask.NO)


_REASK = {
    FailureKind.EMPTY: Reask.ONCE,
    FailureKind.REFUSAL: Reask.NO,
    FailureKind.TRUNCATED: Reask.NOT_AT_THIS_LIMIT,
    FailureKind.LOOP: Reask.NO,
    FailureKind.TRANSPORT: Reask.TRANSPORT,
    FailureKind.AUTH: Reask.NO,
}
# By the order of the members: those before the first of the schema.
_PARSE = frozenset(list(FailureKind)[: list(FailureKind).index(FailureKind.SCHEMA_ECHO)]) | {
    FailureKind.TRANSPORT,
    FailureKind.AUTH,
}
