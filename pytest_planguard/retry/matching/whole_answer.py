"""What new words say of an answer as a whole, which has no place to be named by: where a parser stops, what is wrong.

One line may feed back such a finding, or show that the words are about another answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from ..outcomes import Firmness
from ..reading.entry import ROOT_NAMES
from ..reading.error_category import ErrorCategory, category_of, category_of_words, unreadable
from ..reading.wordings.structures import MESSAGES
from .graded import fed_back_as
from .keyword_match import spoken_of
from .match_finding import about_a_field, verbatim
from .new_text import NewText, clip
from .parse_error_fit import is_parse_error, names_another, names_own

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from ...document.formats.parser_stops import ParserStops
    from ..reading.entry import ErrorEntry
    from ..results import FedBack

_MOST_LINES = 1_000
"""Lines at either end of a text that may name a parse error: it comes before a long quotation, or after it."""

_NO_FIELDS = ROOT_NAMES.union(MESSAGES, ("string", "array", "number", "literal", "key", "token", "parser", "text"))
"""Names for the answer, for what JSON is made of, and for an error's message: parsers put those in front of a colon."""

_AROUND = " \t\r,;"
"""What an entry leaves away at the ends of its line."""


def another_parse_error(finding: Finding, texts: Sequence[NewText], stops: ParserStops) -> str | None:
    """Return why the parse errors that the words name are not this answer's; None where one fits, or none is named."""
    if not unreadable(finding):
        return None
    for line in chain.from_iterable(_ends(new.text) for new in texts):
        if names_own(finding, line, stops) or (verbatim(line, finding) and not names_another(finding, line, stops)):
            return None
    for new in texts:
        for line in filter(_is_about_parsing, _ends(new.text)):
            other = names_another(finding, line, stops)
            if other is not None:
                return f"it names a parse error at {other} ({new.where}: {clip(line)})"
    return None


def lines_about_parsing(new: NewText) -> Iterator[str]:
    """Yield the lines that say of the answer, and of no field of it, that a parser failed."""
    yield from filter(_is_about_parsing, _of_no_field(new))


def spoken(finding: Finding, texts: Sequence[NewText], stops: ParserStops) -> FedBack | None:
    """Return the grading of a finding about the whole answer that words speak of; None for any other finding."""
    for new in () if finding.path else texts:
        fields = [(entry.start, entry.end) for entry in new.entries if _is_of_a_field(entry)]
        found = spoken_of(finding, new.text, category_of(finding), fields)
        if found:
            return fed_back_as(finding, Firmness.WEAK, new.quote(found.start, found.end))
        for line in _of_no_field(new) if unreadable(finding) else ():
            if names_own(finding, line, stops):
                return fed_back_as(finding, Firmness.WEAK, f"{new.where}: {clip(line)}")
    return None


def _of_no_field(new: NewText) -> Iterator[str]:
    of_fields = {
        line.strip(_AROUND)
        for entry in new.entries
        if _is_of_a_field(entry)
        for line in new.text[entry.start : entry.end].split("\n")
    }
    return (line for line in _ends(new.text) if line.strip(_AROUND) not in of_fields)


def _is_of_a_field(entry: ErrorEntry) -> bool:
    """Return whether an entry is about a field, not about the answer ("response: …") or its parts ("in string: …")."""
    return about_a_field(entry) and (entry.path or ("",))[-1] not in _NO_FIELDS


def _is_about_parsing(line: str) -> bool:
    return is_parse_error(line) or category_of_words(line) is ErrorCategory.UNREADABLE


def _ends(text: str) -> Iterator[str]:
    lines = text.split("\n")
    behind = max(len(lines) - _MOST_LINES, _MOST_LINES)
    return chain(islice(lines, _MOST_LINES), islice(lines, behind, None))
