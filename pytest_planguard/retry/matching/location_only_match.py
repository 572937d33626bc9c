"""Errors in words that no reader knows (a language without a word list, a bare type name) at exactly the wrong places.

Where feedback names places of findings and no other, in words that say nothing else that we know, it is taken to speak
of them: weakly, since nobody here can read it. A list that names a good field, too, may as well describe the format.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..reading.entry import ErrorEntry, Place, parse_place, place, reaches, same_place
from ..reading.error_category import category_of_words
from ..reading.wordings.lines import Line, lines_of
from .match_finding import about_a_field, entry_categories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract.finding import Finding

# A message with one of these is English, which is read elsewhere; "fehlt" and "Int" have none.
_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|not|must|should|be|to|of|and|it|this|that|has|have|for|with|fine|ok(?:ay)?"
    r"|good|correct|valid)\b",
    re.IGNORECASE,
)
# A row of a Markdown table: "| 1 | `goal` | fehlt |", the number being optional.
_ROW = re.compile(r"\s*\|\s*(?:\d+\s*\|\s*)?[`*]{0,2}([^|`*]{1,200})[`*]{0,2}\s*\|\s*([^|]{1,400}?)\s*(?:\|.*)?")
# A bullet or sentence that begins with a place, quoted after two words at most ("Das Feld `goal` fehlt") or bare
# ("goal fehlt"). The bare form is ASCII, since words of other alphabets are no field names there.
_SENTENCE = re.compile(
    r"(?:^|(?<=[;。；]))\s{0,8}(?:[-*•–—]\s+|\d{1,3}[.)]\s+)?"
    r"(?:(?:[^\W\d_]{1,30}\s+){0,2}[`'\"]([A-Za-z_$][\w$.\[\]-]{0,200})[`'\"]|(?a:([A-Za-z_$][\w$.\[\]-]{0,200}+)))"
    r"(?!:)([^\n;。；]{1,400})",
    re.M,
)
_READ_LIMIT = 100_000
# The row of dashes under the head of a table: "|---|:--|".
_RULE_ROW = re.compile(r"[\s|:-]+")
# A message is at least a word of two letters; "-" and "3" say nothing.
_LETTERS = re.compile(r"[^\W\d_]{2}")


def by_location_only(
    findings: Sequence[Finding], text: str, entries: Iterable[ErrorEntry], data: Any = None
) -> dict[int, ErrorEntry]:
    """For each finding (by its place in the sequence) the entry that names its place in words nobody here knows.

    Empty where the text names any other place than those of the findings, or says something that is known.
    """
    said = (*entries, *_rows(text), *_sentences(text, {place(f.path) for f in findings}, data))
    named = [e for e in said if e.path and about_a_field(e)]
    if not named or any(_is_known(e) for e in named):
        return {}
    found = {n: e for n, f in enumerate(findings) for e in named if _at(f, e, data)}
    places = {place(findings[n].path) for n in found}
    alone = len(places) == len(found) and len({e.path for e in named}) == len(places)
    return found if alone else {}


def _at(finding: Finding, entry: ErrorEntry, data: Any) -> bool:
    """Return whether the entry is at the finding's place and says more than the value that stands there."""
    here = bool(finding.path) and same_place(entry.path or (), finding.path, data)
    return here and entry.message.strip("\"'`. ") != (finding.actual or "").strip('"')


def _is_known(entry: ErrorEntry) -> bool:
    """Return whether the words can be read: then they either agree with a finding or speak of something else."""
    known = entry_categories(entry) or entry.code or category_of_words(entry.message)
    return bool(known or _ENGLISH.search(entry.message) or not _LETTERS.search(entry.message))


def _sentences(text: str, wanted: set[Place], data: Any) -> Iterator[ErrorEntry]:
    """The parts of running text that begin with a place of the answer or of a finding, two words in front at most."""
    for found in _SENTENCE.finditer(text[:_READ_LIMIT]):
        where = parse_place(found[1] or found[2])
        if where in wanted or reaches(data, where):
            yield ErrorEntry(where, None, found[3], found.start(), found.end())


def _rows(text: str) -> Iterator[ErrorEntry]:
    """Yield the rows of a table whose first cell is a place; the head of the table names none."""
    lines = lines_of(text)
    for line, below in zip(lines, [*lines[1:], Line("", 0)], strict=True):
        row = _ROW.fullmatch(line.text)
        if row and not _RULE_ROW.fullmatch(line.text) and not (below.text and _RULE_ROW.fullmatch(below.text)):
            yield ErrorEntry(parse_place(row[1].strip()), None, row[2], line.start, line.start + len(line.text))
