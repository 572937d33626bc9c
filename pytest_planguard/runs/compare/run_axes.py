"""Overall differences between two runs, such as the model.

Reports show them first, because they may explain the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from ...document.words import ChangePart, ChangePiece, change_pieces
from ...printable import one_line
from .run_diff import Axis, Bucket

if TYPE_CHECKING:
    from ..model.judged_answers import Said
    from ..model.run import CaseRow, Run
    from .classification import CasePair
    from .run_diff import RunDiff


SHOWN = 12
"""Number of characters to show of a commit or digest."""
NAMED = 3
"""Maximum number of digests to list. If there are more, nearly every case has its own, so they are only counted."""


def axes_of(base: Run, candidate: Run, pairs: Iterable[CasePair] = ()) -> tuple[Axis, ...]:
    """Return the axes on which the runs differ, the most informative first.

    Axes unknown in both runs are left out. `pairs` are the common cases. Their first requests show how the prompt
    changed.
    """
    axes = _axes(base, candidate, pairs)
    return tuple(axis for axis in axes if axis.before != axis.after and (axis.before or axis.after))


def _axes(base: Run, candidate: Run, pairs: Iterable[CasePair]) -> Iterator[Axis]:
    model = _axis("model", (row.model for row in base.rows), (row.model for row in candidate.rows))
    variant = _axis("variant", (row.variant for row in base.rows), (row.variant for row in candidate.rows))
    yield model
    if (variant.before, variant.after) != (model.before, model.after):  # `models=[...]` names variants after models
        yield variant
    yield from prompt_axes(pairs)
    yield _digests("contract", _contracts(base.rows), _contracts(candidate.rows))
    yield _axis("match", [base.header.match], [candidate.header.match])
    yield _axis("commit", [_commit(base)], [_commit(candidate)])
    old, new = base.header.packages, candidate.header.packages
    # Only common ones: a run lists the clients that its tests loaded, so a missing one may just not have been needed.
    for name in sorted(old.keys() & new.keys()):
        yield _axis(name, [old[name]], [new[name]])


def _axis(name: str, before: Iterable[str | None], after: Iterable[str | None]) -> Axis:
    old, new = ({value for value in values if value} for values in (before, after))
    return Axis(name, tuple(sorted(old)), tuple(sorted(new)))


def _digests(name: str, before: Iterable[str | None], after: Iterable[str | None]) -> Axis:
    """Return an axis that lists digests, or their number if there are many."""
    found = _axis(name, before, after)
    if max(len(found.before), len(found.after)) <= NAMED or found.before == found.after:
        return found
    same = len(set(found.before) & set(found.after))
    before, after = (f"{len(values):,} different ones, {same:,} of them" for values in (found.before, found.after))
    return Axis(name, (f"{before} also now",), (f"{after} also before",))


def _contracts(rows: Iterable[CaseRow]) -> Iterator[str]:
    for row in rows:
        yield from (f"{name} {digest}".strip() for name, digest in row.contracts)


def _commit(run: Run) -> str | None:
    if run.header.commit is None:
        return None
    return run.header.commit[:SHOWN] + (" with uncommitted changes" if run.header.dirty else "")


EDITS_SHOWN = 5
"""Maximum number of prompt changes to list. The rest are counted."""
WORDS_SHOWN = 120
"""Maximum characters to show of each side of a change."""
NOTHING = "nothing"
UNKNOWN = "unknown (kept by an earlier planguard)"


class Edit(NamedTuple):
    """A message, or words in one, that were replaced, added (`before` is "") or removed (`after` is "")."""

    role: str
    before: str
    after: str


def prompt_axes(pairs: Iterable[CasePair]) -> Iterator[Axis]:
    """Yield the changes to the prompt, as seen in the common cases, most frequent first.

    A difference in only one of several cases is considered its input, not the prompt. If there is only one common case,
    every difference counts.
    """
    requests = [(_asked(pair.base), _asked(pair.candidate)) for pair in pairs if pair.base and pair.candidate]
    known = [(before, after) for before, after in requests if before and after]
    if not known and any(before or after for before, after in requests):
        told = [UNKNOWN if not any(side) else "known" for side in zip(*requests, strict=True)]
        yield Axis("prompt", (told[0],), (told[1],))
    counted = Counter(edit for before, after in known if before != after for edit in set(_edits(before, after)))
    shared = [(edit, cases) for edit, cases in counted.most_common() if cases > 1 or len(known) == 1]
    shared.sort(key=lambda found: (-found[1], found[0]))
    for edit, cases in shared[:EDITS_SHOWN]:
        name = f"prompt ({edit.role} message, {cases:,} of {len(known):,} {'case' if len(known) == 1 else 'cases'})"
        yield Axis(name, (_side(edit.before),), (_side(edit.after),))
    if len(shared) > EDITS_SHOWN:
        yield Axis("prompt, further changes", (), (f"{len(shared) - EDITS_SHOWN:,}",))


def _asked(rows: Iterable[CaseRow]) -> tuple[Said, ...]:
    """Return the first request of the first row that has one."""
    return next((row.asked for row in rows if row.asked), ())


def _messages(before: tuple[Said, ...], after: tuple[Said, ...]) -> Iterator[Edit]:
    """Yield the messages in pairs. They are paired per role, because a system message may be new."""
    for role in dict.fromkeys(said.role for said in (*before, *after)):
        old, new = ([said.text for said in side if said.role == role] for side in (before, after))
        yield from (Edit(role, one, other) for one, other in zip_longest(old, new, fillvalue=""))


def _edits(before: tuple[Said, ...], after: tuple[Said, ...]) -> Iterator[Edit]:
    """Yield the words that were replaced, message by message."""
    for role, one, other in _messages(before, after):
        if one != other:
            yield from _words(role, one, other)


def _side(words: str) -> str:
    if not words:
        return NOTHING
    return f"“{words if len(words) <= WORDS_SHOWN else words[: WORDS_SHOWN - 1] + '…'}”"


def _words(role: str, before: str, after: str) -> Iterator[Edit]:
    """Yield each sequence of words that was replaced, ignoring white space."""
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


# The changed messages of the prompt, each with the words around its changes.

MESSAGES_SHOWN = 5
"""Maximum number of changed messages to show."""
PIECE_LIMIT = 2_000
"""Maximum number of characters of one piece."""
PROMPT = "prompt ("
"""Prefix of the names of the axes about changes in the prompt."""


class PromptChange(NamedTuple):
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
    asked = [(c.key, _asked(c.base), _asked(c.candidate)) for c in diff.cases if c.bucket is not Bucket.NOT_COMPARABLE]
    changes = [(key, list(_rewritten(old, new))) for key, old, new in asked if old and new]
    counted = Counter(change for _, found in changes for change in set(found))
    shared = [change for change, cases in counted.most_common() if cases > 1 or len(changes) == 1]
    if shared:
        total = f"{len(changes):,} {'case' if len(changes) == 1 else 'cases'}"
        return tuple(_shown(change, f"in {counted[change]:,} of {total}") for change in shared[:MESSAGES_SHOWN])
    key, found = next(((key, found) for key, found in changes if found), ("", []))
    return tuple(_shown(change, f"for example in {one_line(key, 400)}") for change in found[:MESSAGES_SHOWN])


def _rewritten(before: tuple[Said, ...], after: tuple[Said, ...]) -> Iterator[Edit]:
    return (pair for pair in _messages(before, after) if pair.before.split() != pair.after.split())


def _shown(change: Edit, where: str) -> PromptChange:
    pieces = change_pieces(change.before, change.after)
    shown = tuple(ChangePiece(piece.part, one_line(piece.text, PIECE_LIMIT)) for piece in pieces)
    return PromptChange(f"{one_line(change.role, 40)} message, {where}", shown)
