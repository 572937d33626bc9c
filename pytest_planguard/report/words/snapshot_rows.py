"""A snapshot that does not match, as rows: each changed field, and the contract's rules that it affects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import RunError
from ...printable import one_line, visible
from ...runs.compare.answer_diff import with_rules
from ...runs.snapshots.snapshot_text import snapshot_value
from ...runs.value_diff.field_diff import diff_values
from ..words.change_text import render_change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...contract import Contract
    from ...contract.finding import Finding

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
    return [*shown, f"  … and {more:,} more lines"] if more > 0 else shown


def _findings(old: Any, new: Any, contracts: Sequence[Contract]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Return the bad findings of both values by the contract with the fewest, which is most likely the right one."""
    judged = list(_judged(old, new, contracts))
    return min(judged, key=lambda both: len(both[0]) + len(both[1])) if judged else ((), ())


def _judged(
    old: Any, new: Any, contracts: Sequence[Contract]
) -> Iterator[tuple[tuple[Finding, ...], tuple[Finding, ...]]]:
    for contract in contracts:
        yield contract.check(old).errors, contract.check(new).errors
