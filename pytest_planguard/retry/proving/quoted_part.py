"""Change the part of an answer that a finding quotes, such as a hunk of a diff.

The other parts keep their numbers if possible, since feedback may call one "edit 2".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING

from ...contract.constraints.text_edits import TextEdit, read_edits
from ...contract.phrasing import as_json
from ..linking.sameness import normal_text

if TYPE_CHECKING:
    from ...contract.finding import Finding

_MARKER = re.compile(r"@@|<{5}|={5}|>{5}|`{3}|--- |\+\+\+ ")
"""The beginning of a line that separates edits, and is not code."""
_TURNS = (13, 7)
"""How far to turn the letters of a quoted part through the alphabet: "def f7(x):" becomes "qrs s7(k):"."""
_ALPHABETS = (ascii_lowercase, ascii_uppercase)
_LINE = 3
"""Minimum number of letters and digits of a line that shows what a text quotes: "x = 1", but not "}" or "=======".
"""


@dataclass(frozen=True, slots=True)
class PartEdit:
    """A quoted part of an answer, and the text in its place."""

    old: str
    new: str
    """Empty if the part was removed."""

    @property
    def words(self) -> str:
        """The change, for people: '"@@ -1,2 +1,2 @@ …" was removed'."""
        old, new = (as_json(normal_text(part)) for part in (self.old, self.new))
        return f"{old} became {new}" if self.new else f"{old} was removed"


def repairs(finding: Finding, text: str, later: Sequence[str]) -> Iterator[tuple[str, PartEdit]]:
    """Yield the answer with edits of later answers in place of the quoted one, then without it if it is the last.

    Args:
        finding: a finding with a quote.
        text: the answer.
        later: texts of later answers. An edit that the answer already has would be applied twice, so it is left out.
    """
    text, quote = _with_line_feeds(text), finding.quote
    own = [*read_edits(text)]
    known = {edit.old for edit in own}
    for answer in later:
        for edit in read_edits(answer):
            if edit.old not in known:
                yield _changed(text, quote, _written_like(quote, edit))
    if not own or own[-1].text == quote or all(edit.text != quote for edit in own):
        yield _changed(text, quote, "")


def swaps(finding: Finding, text: str) -> Iterator[tuple[str, PartEdit]]:
    """Yield the answer with something else wrong in place of the quoted part: no edits at all, or unknown words."""
    text, quote = _with_line_feeds(text), finding.quote
    left = text
    for edit in read_edits(text):
        left = left.replace(edit.text, "", 1)
    yield left.replace(quote, "", 1), PartEdit(quote, "")
    for by in _TURNS:
        yield _changed(text, quote, "".join(_turned(line, by) for line in quote.splitlines(keepends=True)))


def numbers_of(finding: Finding, text: str) -> set[int]:
    """Return the numbers by which words may name the edit that a finding quotes: its position, its lines."""
    edits = read_edits(_with_line_feeds(text)) if finding.quote else ()
    found = [(n, edit) for n, edit in enumerate(edits) if edit.text == finding.quote]
    headers = (n for n in re.findall(r"\d{1,9}", finding.quote.split("\n", 1)[0]))
    return {*(m for n, edit in found for m in (n, n + 1, edit.line)), *(map(int, headers) if found else ())}


def _changed(text: str, old: str, new: str) -> tuple[str, PartEdit]:
    return text.replace(old, new, 1), PartEdit(old, new)


def _written_like(quote: str, edit: TextEdit) -> str:
    """Return an edit in the format of the quoted one: a model may answer with a diff after it was asked for blocks."""
    if edit.text[:2] == quote[:2]:
        return edit.text
    if quote.startswith("<"):
        return f"<<<<<<< SEARCH\n{edit.old}=======\n{edit.new}>>>>>>> REPLACE\n"
    old, new = edit.old.splitlines(keepends=True), edit.new.splitlines(keepends=True)
    header = f"@@ -1,{len(old)} +1,{len(new)} @@\n"
    return "".join([header, *(f"-{line}" for line in old), *(f"+{line}" for line in new)])


def _turned(line: str, by: int) -> str:
    turned = str.maketrans({letters[n]: letters[(n + by) % 26] for letters in _ALPHABETS for n in range(26)})
    return line if _MARKER.match(line) else line.translate(turned)


def _with_line_feeds(text: str) -> str:
    """Return a text with the line breaks that quotes of edits have."""
    return text.replace("\r\n", "\n")


def repeats_line(finding: Finding, words: str, answer: str) -> bool:
    """Return True if words contain a line that only the quoted part of the answer has: `def f(x):` of a hunk."""
    said, rest = normal_text(words), normal_text(answer.replace("\r\n", "\n").replace(finding.quote, "", 1))
    lines = (normal_text(line.lstrip("+-")) for line in finding.quote.split("\n"))
    own = (line for line in lines if sum(map(str.isalnum, line)) >= _LINE and line not in rest)
    return any(line in said for line in own)
