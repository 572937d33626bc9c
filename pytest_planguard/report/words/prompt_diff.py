"""The differences between the prompts of two runs, message by message, with the words around each change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from ...document.words import ChangePiece, change_pieces
from ...printable import one_line
from ...runs.compare.run_diff import Bucket
from ..finding_text import count

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, RunDiff
    from ...runs.model.judged_answers import Said
    from ...runs.model.run import CaseRow

SHOWN = 5
"""Changed messages that are shown."""
PIECE_LIMIT = 2_000
"""Characters of one piece."""
PROMPT = "prompt ("
"""Prefix of the names of the axes about changes in the prompt."""


class MessageChange(NamedTuple):
    """A message of the first request that differs between two rows of a case."""

    role: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PromptChange:
    """A changed message in the form of a page."""

    title: str
    """A title such as 'system message, in 10 of 10 cases'."""
    pieces: tuple[ChangePiece, ...]


def prompt_changes(diff: RunDiff) -> tuple[PromptChange, ...]:
    """Return the changed messages of the prompt, most frequent first; () if the prompt did not change.

    If the prompt and a case's input are one message, no two cases share it. Then the first case is the example.
    """
    if not any(axis.name.startswith(PROMPT) for axis in diff.axes):
        return ()
    known = [case for case in diff.cases if case.bucket is not Bucket.NOT_COMPARABLE and _asked(case.base)]
    changes = [(case, list(_message_changes(case))) for case in known if _asked(case.candidate)]
    counted = Counter(change for _, found in changes for change in set(found))
    shared = [change for change, cases in counted.most_common() if cases > 1 or len(changes) == 1]
    if shared:
        total = count(len(changes), "case")
        return tuple(_change(change, f"in {counted[change]:,} of {total}") for change in shared[:SHOWN])
    example = next(((case, found) for case, found in changes if found), None)
    if example is None:
        return ()
    case, found = example
    return tuple(_change(change, f"for example in {one_line(case.key, 400)}") for change in found[:SHOWN])


def _asked(rows: tuple[CaseRow, ...]) -> tuple[Said, ...]:
    return next((row.asked for row in rows if row.asked), ())


def _message_changes(case: CaseDiff) -> Iterator[MessageChange]:
    before, after = _asked(case.base), _asked(case.candidate)
    for role in dict.fromkeys(said.role for said in (*before, *after)):
        old, new = ([said.text for said in side if said.role == role] for side in (before, after))
        for one, other in zip_longest(old, new, fillvalue=""):
            if one.split() != other.split():
                yield MessageChange(role, one, other)


def _change(change: MessageChange, where: str) -> PromptChange:
    pieces = change_pieces(change.before, change.after)
    shown = tuple(ChangePiece(piece.part, one_line(piece.text, PIECE_LIMIT)) for piece in pieces)
    return PromptChange(f"{one_line(change.role, 40)} message, {where}", shown)
