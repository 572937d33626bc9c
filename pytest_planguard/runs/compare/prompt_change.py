"""What changed in the prompt: equal differences between the first requests of the same cases are one change.

A prompt is what cases share and an input is what they do not, wherever in the messages either stands. So the first
requests of each case are compared whole, and a difference that several cases have in the same words is the prompt's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from ...document.words import ChangePart, change_pieces
from .run_diff import Axis

if TYPE_CHECKING:
    from ..model.first_request import Said
    from ..model.run import CaseRow
    from .pairing import CasePair

SHOWN = 5
"""Changes of the prompt that are named; the rest is counted."""
WORDS_SHOWN = 120
"""Characters of one side of a change that are shown."""
NOTHING = "nothing"
UNKNOWN = "unknown (kept by an earlier planguard)"


class Edit(NamedTuple):
    """Words of one message that were replaced, added ("" before) or removed ("" after)."""

    role: str
    before: str
    after: str


def prompt_axes(pairs: Iterable[CasePair]) -> Iterator[Axis]:
    """Yield the changes of the prompt that the runs' common cases show, those of most cases first.

    With one common case every difference counts as the prompt's. A difference that no other case has is an input.
    """
    requests = [(_asked(pair.base), _asked(pair.candidate)) for pair in pairs if pair.base and pair.candidate]
    known = [(before, after) for before, after in requests if before and after]
    if not known and any(before or after for before, after in requests):
        told = [UNKNOWN if not any(side) else "known" for side in zip(*requests, strict=True)]
        yield Axis("prompt", (told[0],), (told[1],))
    counted = Counter(edit for before, after in known if before != after for edit in set(_edits(before, after)))
    shared = [(edit, cases) for edit, cases in counted.most_common() if cases > 1 or len(known) == 1]
    shared.sort(key=lambda found: (-found[1], found[0]))
    for edit, cases in shared[:SHOWN]:
        name = f"prompt ({edit.role} message, {cases:,} of {len(known):,} {'case' if len(known) == 1 else 'cases'})"
        yield Axis(name, (_side(edit.before),), (_side(edit.after),))
    if len(shared) > SHOWN:
        yield Axis("prompt, further changes", (), (f"{len(shared) - SHOWN:,}",))


def _asked(rows: Iterable[CaseRow]) -> tuple[Said, ...]:
    """Return the first request of the first row that has one."""
    return next((row.asked for row in rows if row.asked), ())


def _edits(before: tuple[Said, ...], after: tuple[Said, ...]) -> Iterator[Edit]:
    """Yield what differs, message by message among those of one role: a system message may be new before the others."""
    for role in dict.fromkeys(said.role for said in (*before, *after)):
        old, new = ([said.text for said in side if said.role == role] for side in (before, after))
        for one, other in zip_longest(old, new, fillvalue=""):
            if one != other:
                yield from _words(role, one, other)


def _side(words: str) -> str:
    if not words:
        return NOTHING
    return f"“{words if len(words) <= WORDS_SHOWN else words[: WORDS_SHOWN - 1] + '…'}”"


def _words(role: str, before: str, after: str) -> Iterator[Edit]:
    """Yield each run of words that was replaced; white space is not told."""
    gone = ""
    for piece in change_pieces(before, after):
        if piece.part is ChangePart.NEW:
            yield Edit(role, gone, piece.text)
            gone = ""
        else:
            if gone:
                yield Edit(role, gone, "")
            gone = piece.text if piece.part is ChangePart.GONE else ""
    if gone:
        yield Edit(role, gone, "")
