"""Whether an error that feedback names is a finding: the same place, and its words or its rule."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..linking.sameness import normal_text
from ..reading.entry import ErrorEntry, place, reaches, same_place
from ..reading.error_category import (
    GENERIC,
    ErrorCategory,
    category_of,
    category_of_code,
    category_of_words,
    code_name,
    only_invalid,
    unreadable,
)
from ..reading.wordings.lines import LABELS
from .keyword_match import lists_allowed
from .own_rule import other_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding

_CODE_LIMIT = 80
_WORDS_LIMIT = 2_000
"""Characters of a message in which allowed values are looked for."""
_READ_LIMIT = 2_000
"""Characters of a message that tell its category; a longer one is not kept."""
_CACHED = 4_096
"""Messages that are kept: every finding asks about every message of the feedback."""
_SIZES = {
    ErrorCategory.TOO_SHORT: {ErrorCategory.TOO_SMALL, ErrorCategory.RANGE},
    ErrorCategory.TOO_LONG: {ErrorCategory.TOO_LARGE, ErrorCategory.RANGE},
    ErrorCategory.TOO_SMALL: {ErrorCategory.RANGE},
    ErrorCategory.TOO_LARGE: {ErrorCategory.RANGE},
}
"""Other words for the same fault: a length below its minimum, a number out of its range."""
_NOTHING = frozenset({"[]", "{}", '""'})
"""Values that are too short because they are empty; validators then say so instead of naming a minimum."""
_NULLS = frozenset({"null", "None"})
"""Values of a wrong type that validators call missing."""
_WRITTEN = ("date", "time", "url", "uuid")
"""Codes of types that are written as text: what cannot be read as one has a wrong format."""


def about_a_field(entry: ErrorEntry) -> bool:
    """Whether the entry is about a field: a word before a colon may announce an error, too ("JSONDecodeError: …")."""
    path = entry.path or ()
    if path and path[-1].endswith(("Error", "Exception")):
        return False
    return len(path) > 1 or (len(path) == 1 and path[0][:1].islower() and path[0] not in LABELS)


def concerns(entry: ErrorEntry, finding: Finding, data: Any = None) -> bool:
    """Return whether the entry is about the finding: at its place, in its words or about its rule."""
    if _names_member(entry, finding, data):
        return category_agrees(entry, finding)
    if entry.path is None or not entry.path:
        return not finding.path and category_agrees(entry, finding)
    here = same_place(entry.path, finding.path, data) or _of_its_list(entry.path, finding)
    return here and not _only_quotes(entry, finding) and category_agrees(entry, finding)


def _names_member(entry: ErrorEntry, finding: Finding, data: Any) -> bool:
    """Return whether the entry names the finding's field at the object around it: `lines.0: requires property sku`.

    Validators report there what is missing or too much, in the words of any language.
    """
    if entry.path is None or not finding.path or isinstance(finding.path[-1], int):
        return False
    name = re.escape(finding.path[-1])
    named = re.search(rf"(?<![A-Za-z0-9_.-]){name}(?![A-Za-z0-9_-])", entry.message[:_WORDS_LIMIT])
    return named is not None and same_place(entry.path, finding.path[:-1], data)


def _only_quotes(entry: ErrorEntry, finding: Finding) -> bool:
    """Whether the words behind the place are the value that stands there: `status: wrong` may be the answer itself."""
    said = entry.message.strip("\"'`., ")
    return bool(said) and not entry.code and said == (finding.actual or "").strip('"')


def _of_its_list(written: Sequence[str], finding: Finding) -> bool:
    """Equal items are a fault of their list: naming the list says it as well as naming the second of them."""
    if category_of(finding) is not ErrorCategory.DUPLICATE:
        return False
    if written[-1:] and written[-1].isdecimal() and same_place(written[:-1], finding.path):
        return True
    in_list = bool(finding.path) and isinstance(finding.path[-1], int)
    return in_list and same_place(written, finding.path[:-1])


def category_agrees(entry: ErrorEntry, finding: Finding) -> bool:
    """Return whether the entry says the finding's problem, wherever it places it."""
    if verbatim(entry.message, finding) or _within(entry.message, finding):
        return True
    name = code_name(entry.code) if entry.code else None
    if name and name not in GENERIC and name in (finding.validator_code, finding.code):
        return True
    if not entry.code and only_invalid(entry.message):
        return bool(finding.path) and category_of(finding) not in (ErrorCategory.MISSING, ErrorCategory.EXTRA)
    words = entry.message[:_WORDS_LIMIT]
    same = bool(entry_categories(entry) & accepted(finding)) and not other_bound(finding, words)
    return same or lists_allowed(finding, words)


def accepted(finding: Finding) -> frozenset[ErrorCategory]:
    """Return what rule an entry may name: a broken document is broken in whatever way the app's parser calls it."""
    rule = category_of(finding)
    if unreadable(finding):
        return frozenset({ErrorCategory.UNREADABLE} | ({rule} if rule else set()))
    if rule is None:
        return frozenset()
    empty = rule is ErrorCategory.TOO_SHORT and finding.actual in _NOTHING
    null = rule is ErrorCategory.TYPE and finding.actual in _NULLS
    text = rule is ErrorCategory.TYPE and (finding.validator_code or "").startswith(_WRITTEN)
    empty = empty or rule is ErrorCategory.MISSING  # forms say of what was left out that it "can't be blank"
    more = (
        {ErrorCategory.EMPTY}
        if empty
        else {ErrorCategory.MISSING}
        if null
        else {ErrorCategory.FORMAT}
        if text
        else set()
    )
    return frozenset({rule, *_SIZES.get(rule, ()), *more})


def entry_categories(entry: ErrorEntry) -> frozenset[ErrorCategory]:
    """By code and by words: validators without a code for what is missing call it a wrong type that is "Required"."""
    return _categories(entry.code, entry.message[:_READ_LIMIT])


@lru_cache(maxsize=_CACHED)
def _categories(code: str | None, message: str) -> frozenset[ErrorCategory]:
    words = message[:_CODE_LIMIT]
    by_words = category_of_code(words) or category_of_words(message)
    return frozenset(rule for rule in (category_of_code(code), by_words) if rule)


def verbatim(text: str, finding: Finding) -> bool:
    """Return whether a text has the finding's own message or its validator's."""
    said = _folded(text)
    return any(m in said for m in messages(finding))


def _within(text: str, finding: Finding) -> bool:
    """Return whether the entry shortens the finding's message: at least three words of it, from its start."""
    said = _folded(text).rstrip(".… ")
    return len(said.split()) >= 3 and any(m.startswith(said) for m in messages(finding))


def messages(finding: Finding) -> tuple[str, ...]:
    """Return the finding's own words and its validator's, normalised, without pydantic's "Value error, "."""
    return _messages(finding.message, finding.validator_message or "")


@lru_cache(maxsize=_CACHED)
def _messages(*words: str) -> tuple[str, ...]:
    plain = (_folded(w).removeprefix("value error, ").removeprefix("assertion failed, ") for w in words)
    return tuple(w for w in plain if w)


def _folded(text: str) -> str:
    """Return a text in the one spelling in which messages are compared."""
    return _folded_short(text) if len(text) <= _READ_LIMIT else normal_text(text).casefold()


@lru_cache(maxsize=_CACHED)
def _folded_short(text: str) -> str:
    return normal_text(text).casefold()


def below_another(entry: ErrorEntry, finding: Finding, data: Any) -> bool:
    """Return whether the entry is about a field of the same name in another part of the answer."""
    written, wanted = entry.path or (), place(finding.path)
    if not wanted or len(written) <= len(wanted) or written[-len(wanted) :] != wanted:
        return False
    return reaches(data, written[: -len(wanted)]) and not same_place(written, finding.path, data)
