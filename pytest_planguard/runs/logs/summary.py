"""Summarise logs in counts that can be added, no matter how the logs were partitioned or ordered."""

from __future__ import annotations

import hashlib
import shutil
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ..store.project_files import write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import TypeAdapter

AXES = ("model", "prompt", "contract", "day")
"""The axes by which the counts are grouped."""
NANO = 10**9
"""Costs are whole billionths, because integer sums do not depend on the order."""


Order = tuple[int, int, str]


class Listed(NamedTuple):
    """A conversation's row for a run, with a sort key that puts the worst conversations first."""

    order: Order
    row: str


@dataclass(slots=True)
class Figures:
    """Counts of the conversations with one model, prompt, contract or day."""

    conversations: int = 0
    ok: int = 0
    first_ok: int = 0
    """Conversations whose first answer is valid. Conversations that begin late are left out."""
    attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_nano: int = 0
    unpriced: int = 0
    """Answers without a price or a token count."""

    def add(self, other: Figures) -> None:
        """Add the counts of `other` to this summary's."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


Counts = Counter[str]


@dataclass(slots=True)
class LogSummary:
    """The content of logs in numbers, and how their conversations ended. Summaries can be added: `one + other`."""

    records: int = 0
    calls: int = 0
    """Distinct model calls."""
    older: int = 0
    """Number of calls before --since, which are left out."""
    undated: int = 0
    """Number of calls without a readable time, which --since leaves in."""
    formats: Counts = field(default_factory=Counter)
    """Number of records in each format."""
    fidelity: Counts = field(default_factory=Counter)
    """Number of calls by fidelity: how much of the original traffic the record has."""
    unjudgeable: Counts = field(default_factory=Counter)
    """Number of calls that cannot be judged, by what is missing and how to get it."""
    unread: Counts = field(default_factory=Counter)
    """Number of records that could not be read, by reason."""
    not_judged: Counts = field(default_factory=Counter)
    """Number of calls that no contract judges, by reason."""
    unanswered: Counts = field(default_factory=Counter)
    groups: int = 0
    conversations: int = 0
    ok: int = 0
    begin_late: int = 0
    """Number of conversations whose first request already contains an answer that the logs lack."""
    outcomes: Counts = field(default_factory=Counter)
    kinds: Counts = field(default_factory=Counter)
    checks_failed: Counts = field(default_factory=Counter)
    checks_warned: Counts = field(default_factory=Counter)
    grades: Counts = field(default_factory=Counter)
    """Number of findings that a retry should feed back, by grade. The grades come from reading the requests."""
    valid_at: Counter[int] = field(default_factory=Counter)
    """Number of conversations by the position of their first valid attempt."""
    retries: int = 0
    broken: Counts = field(default_factory=Counter)
    """Number of conversations that break each rule."""
    by: dict[str, Figures] = field(default_factory=dict)
    """Counts for each "axis:value"."""
    listed: list[Listed] = field(default_factory=list)
    """The rows of some conversations, at most `most`."""
    waiting: list[tuple[Order, Callable[[], str]]] = field(default_factory=list)
    """Rows to create later."""
    most: int = 1_000

    def __add__(self, other: LogSummary) -> LogSummary:
        """Return the sum of both summaries. The order does not matter."""
        return summed((self, other), max(self.most, other.most))

    @property
    def bad(self) -> int:
        """Number of bad conversations."""
        return self.conversations - self.ok

    @property
    def judgeable(self) -> int:
        """Number of calls that the log describes well enough to judge."""
        return self.calls - self.unjudgeable.total()

    def list_row(self, order: Order, row: Callable[[], str]) -> None:
        """Keep a row if it is among the first `most`."""
        # By the order alone: two functions cannot be compared.
        insort(self.waiting, (order, row), key=itemgetter(0))
        del self.waiting[self.most :]

    def close(self) -> None:
        """Create the rows that were kept. Call this after all conversations are counted."""
        self.listed = [Listed(order, row()) for order, row in self.waiting]
        self.waiting = []

    def values(self) -> dict[str, Any]:
        """Return the counts as sorted plain data, without the rows. The same logs always give the same JSON bytes."""
        found: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, Counter):
                found[one.name] = {str(key): value[key] for key in sorted(value, key=str)}
            elif isinstance(value, int):
                found[one.name] = value
        del found["most"]
        tables = {axis: {} for axis in AXES}  # type: dict[str, dict[str, Any]]
        for key in sorted(self.by):
            axis, _, name = key.partition(":")
            each = self.by[key]
            counted = {one.name: getattr(each, one.name) for one in fields(each)}
            nano = counted.pop("cost_nano")
            tables[axis][name] = counted | {"cost": nano / NANO if each.unpriced < each.attempts else None}
        return {**found, "by": tables}


def summed(summaries: Iterable[LogSummary], most: int = 1_000) -> LogSummary:
    """Return the summaries as one."""
    whole = LogSummary(most=most)
    for summary in summaries:
        for one in fields(summary):
            value = getattr(summary, one.name)
            if isinstance(value, Counter):
                getattr(whole, one.name).update(value)
            elif isinstance(value, int) and one.name != "most":
                setattr(whole, one.name, getattr(whole, one.name) + value)
        for key, figures in summary.by.items():
            whole.by.setdefault(key, Figures()).add(figures)
        whole.listed = [*islice(merge(whole.listed, summary.listed), most)]
    return whole


# Summaries on disk, so that a stopped command doesn't judge its partitions again.


@dataclass(frozen=True, slots=True)
class KeptPartitions:
    """A folder of summaries, each named by a digest of what was judged and how. A changed log or contract has none."""

    folder: Path
    how: str
    """Everything apart from the logs that the verdicts depend on: contracts, options, prices."""

    def split(self, files: Iterable[Path]) -> tuple[list[Path], list[LogSummary]]:
        """Return the partitions that are not judged yet, renamed to their digests, and the summaries of the others."""
        left: list[Path] = []
        done: list[LogSummary] = []
        for file in files:
            named = file.rename(file.with_name(self._digest(file)))
            try:
                done.append(_codec().validate_json((self.folder / named.name).read_bytes()))
            except (OSError, ValueError):
                left.append(named)
        return left, done

    def keep(self, file: Path, found: LogSummary) -> None:
        """Write the summary of a partition. Raises RunError if it cannot be written."""
        try:
            text = _codec().dump_json(found).decode()
        except ValueError:  # a lone surrogate in the name of a model: the partition is judged again
            return
        write_whole(self.folder / file.name, [text], "the summary of a partition")

    def discard(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _digest(self, file: Path) -> str:
        digest = hashlib.sha256(self.how.encode())
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
        return digest.hexdigest()


@cache
def _codec() -> TypeAdapter[LogSummary]:
    from pydantic import TypeAdapter

    return TypeAdapter(LogSummary)
