"""Judge one partition of logs. The function is pure, so a data engine can run it on many machines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...wire.logs.logged import Logged, quick_json
from .grouping import Grouping, checked_key, parts_of
from .judging import LogJudge
from .records import Broken
from .summary import LogSummary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract import Contract


def judge_logs(
    lines: Iterable[str | bytes], *, contracts: str | Iterable[str] | Iterable[Contract], group_by: str = "trace"
) -> LogSummary:
    """Judge the calls in lines of logs. Each line is a JSON record in a known format.

    Judge parts separately and add the summaries: `judge_logs(a) + judge_logs(b)`. All lines of a group must be in the
    same part. The order of lines and parts doesn't matter.

    Arguments:
        lines: JSON records, with all calls of each group.
        contracts: one or more contracts, or names such as "module:NAME" or "file.py:NAME". Use names if
            other machines do the work.
        group_by: "trace", "session", or a dotted name in the record.

    Raises:
        UsageError: a contract cannot be loaded.
    """
    judge = LogJudge(_loaded(contracts))
    found, groups = LogSummary(), dict[str, list[Logged]]()
    for key, logged in parts_of(_records(lines), "lines", Grouping(checked_key(group_by)), found):
        groups.setdefault(key, []).append(logged)
    for key in sorted(groups):
        judge.group(key, groups[key], found)
    found.close()
    return found


def _records(lines: Iterable[str | bytes]) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, quick_json(line)
            except ValueError as error:
                yield number, Broken(f"it is not valid JSON: {error}")


def _loaded(contracts: str | Iterable[str] | Iterable[Contract]) -> tuple[Contract, ...]:
    from ...contract import Contract
    from ..load.contracts import load_contracts

    named = (contracts,) if isinstance(contracts, str) else tuple(contracts)
    return tuple(one if isinstance(one, Contract) else load_contracts([str(one)])[0] for one in named)
