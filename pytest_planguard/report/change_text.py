"""Render one changed field: a row if both values are short, else a block. Mismatched snapshots become such rows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..document.words import ChangePart, ChangePiece, change_pieces, changed_lines, common_prefix
from ..errors import RunError
from ..printable import one_line, visible
from ..runs.compare.answer_diff import with_rules
from ..runs.snapshots import snapshot_value
from ..runs.value_diff import MISSING, ChangeKind, diff_values
from .plain_text import Style, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..contract import Contract
    from ..contract.finding import Finding
    from ..runs.value_diff import FieldChange


WAS_MISSING = "(empty — field was missing)"
IS_MISSING = "(empty — field is missing)"
NULL = "(null)"
EMPTY_TEXT = "(empty text)"
SHORT = 40
"""Maximum number of characters of a value in a row."""
WIDE = 100
"""Maximum number of characters of a line in a block."""
PIECE_LIMIT = 400
"""Maximum number of characters of one piece of a changed text."""
PLAIN = Style()


def render_change(change: FieldChange, *, indent: str = "  ", style: Style = PLAIN, block: bool = False) -> str:
    """Return a change as one row, or as a block with `-` for the value before and `+` for the value after.

    Args:
        change: the change.
        indent: text before a row. The signs of a block are in its first column.
        style: the colours.
        block: True to draw short values as a block too.
    """
    place, rules = one_line(change.where, 120), rule_text(change)
    if change.kind is ChangeKind.MOVED:
        return f"{indent}{place}: {_moved(change)}"
    before, after = sides(change)
    row = _row(change, before, after)
    if not block and row is not None:
        return f"{indent}{place}: {style.strong(row) if change.verdict else row}{_rules(rules, change, style)}"
    heading = f"{indent}{place}:{_rules(rules, change, style)}"
    # The signs are in the first column after the outer indent, the values two blanks deeper than their place.
    return "\n".join([heading, style.bad(f"{indent[:-2]}-   {before}"), style.good(f"{indent[:-2]}+   {after}")])


def change_line(change: FieldChange) -> str:
    """Return text such as 'recommendation: Go → Proceed (breaks one_of)'."""
    rules = rule_text(change)
    what = "moved" if change.kind is ChangeKind.MOVED else " → ".join(sides(change))
    return f"{one_line(change.where, 120)}: {what}{f' ({rules})' if rules else ''}"


def pieces_of(change: FieldChange) -> tuple[ChangePiece, ...]:
    """Return the pieces of a change: two texts with their changed words marked, 'moved from item …', or both values."""
    if change.kind is ChangeKind.MOVED:
        return (ChangePiece(ChangePart.SAME, _moved(change)),)
    if isinstance(change.before, str) and isinstance(change.after, str):
        pieces = change_pieces(change.before, change.after)
        if pieces:
            return tuple(ChangePiece(piece.part, one_line(piece.text, PIECE_LIMIT)) for piece in pieces)
    before, after = sides(change)
    return (ChangePiece(ChangePart.GONE, before), ChangePiece(ChangePart.NEW, after))


def _moved(change: FieldChange) -> str:
    old, new = change.path[-1], change.path_after[-1]
    return f"moved from item {int(old) + 1} to item {int(new) + 1}"


def rule_text(change: FieldChange) -> str:
    """Return text such as 'breaks one_of; fixes min_length'; "" if no rule is affected."""
    parts = [
        f"{verb} {', '.join(codes)}" for verb, codes in (("breaks", change.breaks), ("fixes", change.fixes)) if codes
    ]
    return one_line("; ".join(parts), 120)


def sides(change: FieldChange) -> tuple[str, str]:
    """Return both values on one line each. For two long texts, return the words around the first difference.

    Two values never look alike. If they would (white space, "1" and 1), texts are quoted with every blank.
    """
    before, after = change.before, change.after
    if isinstance(before, str) and isinstance(after, str):
        old, new = _texts(before, after)
        return (old, new) if old != new else _exact(before, after)  # "a  b" and "a b" look alike on one line
    spelled = MISSING not in (before, after)
    old = WAS_MISSING if before is MISSING else value_text(before, spelled=spelled)
    return old, IS_MISSING if after is MISSING else value_text(after, spelled=spelled)


def value_text(value: object, *, spelled: bool = False) -> str:
    """Return a value on one line, clipped with "..." at the end. `spelled` puts a text into quotes."""
    if value is None:
        return NULL
    if value == "":
        return EMPTY_TEXT
    if isinstance(value, str) and not spelled and value.strip():
        # a part, because white space may become shorter and a value may have megabytes
        return _clipped(one_line(value[: 4 * WIDE]), len(value))
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return f"({type(value).__name__}, too deep to show)"
    return _clipped(one_line(text[: 4 * WIDE]), len(text))


def _texts(before: str, after: str) -> tuple[str, str]:
    if max(len(before), len(after)) <= SHORT or not (before and after):
        return value_text(before), value_text(after)
    old, new = changed_lines(before, after, WIDE)
    return one_line(old, WIDE + 2), one_line(new, WIDE + 2)


def _exact(before: str, after: str) -> tuple[str, str]:
    """Return two quoted texts, starting shortly before their first difference. Blanks are preserved."""
    start = max(0, common_prefix(before, after) - SHORT // 2)
    dots = "…" if start else ""
    pieces = (visible(text[start : start + 2 * SHORT], keep="") for text in (before, after))
    old, new = (f'{dots}"{piece}"' for piece in pieces)
    return old, new


def _clipped(line: str, length: int) -> str:
    cut = len(line) > WIDE or length > 4 * WIDE
    return f"{line[: WIDE - 3].rstrip()}..." if cut else line


def _row(change: FieldChange, before: str, after: str) -> str | None:
    """Return the values as one row; None if they are too long for one."""
    if change.kind is ChangeKind.ADDED:
        return f"added {after}" if len(after) <= 2 * SHORT else None
    if change.kind is ChangeKind.REMOVED:
        return f"removed {before}" if len(before) <= 2 * SHORT else None
    return f"{before} → {after}" if max(len(before), len(after)) <= SHORT else None


def _rules(rules: str, change: FieldChange, style: Style) -> str:
    if not rules:
        return ""
    return " " + (style.bad if change.breaks else style.good)(f"({rules})")


MAX_ROWS = 40
"""Maximum number of changed fields to list. The rest are counted."""
MAX_LINES = 20
"""Maximum number of lines of a new snapshot to show."""


def changed_rows(before: str, after: str, contracts: Sequence[Contract] = ()) -> list[str]:
    """Return the changes in the fields of a snapshot, one line each if both values are short.

    Args:
        before: the snapshot's text.
        after: the text that the test produced.
        contracts: the test's contracts. The affected rules come from the one that fits the values best.
    """
    try:
        old, new = snapshot_value(before), snapshot_value(after)
    except RunError as error:
        return [one_line(str(error), 300)]
    changes = with_rules(diff_values(old, new).changes, *_findings(old, new, contracts))
    if not changes:
        return ["the texts differ, the values do not: write the snapshot again"]
    lines = [f"{len(changes):,} {'field' if len(changes) == 1 else 'fields'} changed"]
    for change in changes[:MAX_ROWS]:
        lines += render_change(change).split("\n")
    more = len(changes) - MAX_ROWS
    return [*lines, f"  … and {more:,} more"] if more > 0 else lines


def new_rows(text: str) -> list[str]:
    """Return the start of a snapshot that does not exist yet."""
    lines = visible(text).rstrip("\n").split("\n")
    shown = [f"  {one_line(line, 200) if len(line) > 200 else line}" for line in lines[:MAX_LINES]]
    more = len(lines) - MAX_LINES
    return [*shown, f"  … and {count(more, 'more line')}"] if more > 0 else shown


def _findings(
    old: object, new: object, contracts: Sequence[Contract]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the bad findings of both values by the contract with the fewest, which is most likely the right one."""
    judged = list(_judged(old, new, contracts))
    return min(judged, key=lambda both: len(both[0]) + len(both[1])) if judged else ((), ())


def _judged(
    old: object, new: object, contracts: Sequence[Contract]
) -> Iterator[tuple[tuple[Finding, ...], tuple[Finding, ...]]]:
    for contract in contracts:
        yield contract.check(old).errors, contract.check(new).errors
