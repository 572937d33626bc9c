"""The words for a comparison, the same in every form of the report, and legends for the heads of its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from ..printable import one_line
from ..runs.compare.run_diff import Bucket
from ..statistics import ALPHA, Evidence, pass_all, pass_at
from .page import Foreign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..replay.session.rerecord import RerecordHint
    from ..runs.compare.run_diff import Axis, CaseDiff, Figure, RunDiff
    from ..runs.gate.gate import GateResult
    from ..runs.gate.known_failures import BaselineReport, Identity, KnownFailure
    from ..runs.gate.schema_changes import SchemaChange
    from ..runs.gate.tree_facts import ContractChange
    from ..runs.store.store import RunPoint
    from ..statistics import Paired, Rate
    from .page import Words


TITLES = {
    Bucket.NEW_FAILURE: "new failures",
    Bucket.FIXED: "fixed",
    Bucket.STILL_FAILING: "still failing",
    Bucket.CHANGED_VALID: "changed but valid",
    Bucket.UNCHANGED: "unchanged",
    Bucket.STALE: "stale",
    Bucket.UNSTABLE: "unstable",
    Bucket.ADDED: "added",
    Bucket.REMOVED: "removed",
    Bucket.NOT_COMPARABLE: "not comparable",
}
"""Every bucket in words, for more than one case."""
COMMAND_LIMIT = 300
"""Characters of a command."""
TRIES = (2, 5, 10)
"""Numbers of tries to show the chances for, in a sampled case."""
TINY = 0.0001
"""Smallest p-value that is shown as a number. A smaller one is shown as "p < 0.0001"."""


def title(bucket: Bucket, number: int, *, judged: bool = True) -> str:
    """Return the bucket in words: "new failure" for one case.

    A valid change is just "changed" if no values were judged.
    """
    if bucket is Bucket.CHANGED_VALID and not judged:
        return "changed"
    return "new failure" if bucket is Bucket.NEW_FAILURE and number == 1 else TITLES[bucket]


def case_title(case: CaseDiff) -> str:
    """Return the bucket of one case in words. A failing case has a different word if there is no base run."""
    if case.bucket is Bucket.NEW_FAILURE and not case.base:
        return "failure"
    return "added and failing" if added_mark(case) else title(case.bucket, 1)


def added_mark(case: CaseDiff) -> str:
    """Return the mark for an added case that fails; "" for any other case. A gate treats it as a new failure."""
    return " (fails: a new failure)" if case.bucket is Bucket.ADDED and case.fails else ""


def headline(diff: RunDiff) -> str:
    """Return text such as '2 new failures, 1 fixed, 3 added (1 of them fails)'.

    It lists the buckets that have cases, in the order of a report.
    """
    counted = [f"{n:,} {title(bucket, n, judged=diff.judged)}" for bucket, n in diff.counts.items() if n]
    failing = sum(map(bool, map(added_mark, diff.of(Bucket.ADDED))))
    added = f"{diff.counts[Bucket.ADDED]:,} {TITLES[Bucket.ADDED]}"
    failing_added = f"{added} ({failing:,} of them {'fails' if failing == 1 else 'fail'})"
    return ", ".join(failing_added if failing and part == added else part for part in counted) or "no cases"


def rate_text(rate: Rate) -> str:
    """Return text such as '15 of 20 (75 %, 95 % interval 53 to 89 %)', or "none" for an empty rate."""
    if rate.share is None:
        return "none"
    low, high = rate.interval
    interval = f"95 % interval {100 * low:.0f} to {100 * high:.0f} %"
    return f"{rate.hits:,} of {rate.total:,} ({100 * rate.share:.0f} %, {interval})"


def samples_text(rate: Rate) -> str:
    """Return '3 of 5 (60 %, …) good; pass@2 0.90, pass^2 0.30', or only the share if all or none are good.

    pass@k is the chance that one of k tries is good, pass^k that all are. A k that leaves nothing to estimate is left
    out.
    """
    tries = [k for k in TRIES if 0 < rate.hits < rate.total and k < rate.total]
    chances = (
        f"; pass@{k} {pass_at(k, rate.hits, rate.total):.2f}, pass^{k} {pass_all(k, rate.hits, rate.total):.2f}"
        for k in tries
    )
    return f"{rate_text(rate)} good{''.join(chances)}"


def evidence_text(paired: Paired) -> str:
    """Return 'no evidence of a change (better in 3, worse in 0 of 20 cases, p = 0.25; about 18 more … may decide)'."""
    more, split = paired.more_pairs, f"better in {paired.better:,}, worse in {paired.worse:,} of {paired.pairs:,} cases"
    word = "no evidence of a change" if paired.evidence is Evidence.NONE else paired.evidence.value
    decides = (
        "" if more is None else f"; about {more:,} more {'case' if more == 1 else 'cases'} like these would decide"
    )
    return f"{word} ({split}, {p_text(paired.p)}{decides})"


def rerecord_text(rerecord: RerecordHint) -> str:
    """Return 're-record: pytest test_app.py::test_ticket --planguard-record=stale # about 2 calls, 340 tokens'."""
    return f"re-record: {one_line(str(rerecord), COMMAND_LIMIT)}"


def p_text(p: float) -> str:
    """Return text such as 'p = 0.012'. A very small value is given as a bound."""
    return f"p < {TINY}" if p < TINY else f"p = {p:.2g}"


def figure_cells(figure: Figure) -> tuple[Words, ...]:
    """Return name, before, now and change: in points for a share, relative for anything else."""
    share, before, after = figure.unit == "share", figure.before, figure.after
    name = Foreign(f"{figure.name} (s)" if figure.unit == "s" else figure.name, 120)
    if before is None or after is None:
        return name, _number(before, share), _number(after, share), ""
    relative = f"{100 * (after - before) / before:+.1f} %" if before else ""
    change = f"{100 * (after - before):+.0f} points" if share else relative
    return name, _number(before, share), _number(after, share), change


def _number(value: float | None, share: bool) -> str:
    if value is None:
        return "-"
    if share:
        return f"{100 * value:.0f} %"
    if abs(value) < 1 and not float(value).is_integer():
        # Three significant digits in full for money below a cent: "0.0000312", never "3.12e-05".
        return f"{Decimal(f'{value:.3g}'):f}"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


# Legends for the words in the heads of a comparison's tables.

Legend = tuple[tuple[str, str], ...]
"""Words with their meaning, in the order in which they appear."""

_CHANCE = f"two-sided p-value (exact McNemar test); at most {ALPHA:g} counts as evidence"
STRATEGIES: Legend = (
    ("valid by N", "tasks with a valid answer after at most N attempts"),
    ("rescued", "of the tasks whose first answer was not valid, those whose last answer is"),
    ("stuck", "tasks that ended with an answer they had given before, still not valid"),
    ("false convergence", "tasks whose last answer is valid, but a copy of the prompt, an example or the feedback"),
)
"""The table of three or more runs."""
PAIRS: Legend = (("only", "tasks that this run alone gets valid"), ("p", _CHANCE))
"""The table of their pairs."""
RULES: Legend = (
    ("better, worse", "cases that break the rule only before, only now"),
    ("p", _CHANCE),
)
"""The table of rules."""
_DIGESTS = {
    "contract": "contract (name and a digest of its rules)",
    "match": "match (how requests find their cassette)",
}


def axis_name(axis: Axis) -> str:
    """Return the name of an axis, with an explanation of its values if they need one."""
    return _DIGESTS.get(axis.name, axis.name)


@dataclass(frozen=True)
class DiffReport:
    """A comparison with all the context that a reader needs."""

    diff: RunDiff
    gate: GateResult | None = None
    """None if there was no gate. Then the report neither passes nor fails."""
    baseline_path: str = ""
    now: datetime | None = None
    """The time of the report, with a zone. If None, ages are left out."""
    history: tuple[RunPoint, ...] = ()
    """Good cases in the kept runs, oldest first; () if not requested."""
    prefix: str = ""
    """Path of the tests' root below the repository's root, "" or "services/api", for links into files."""
    judged: str = ""
    """How much of a single run was judged: '3 of 10 answers are bad'; "" if two runs are compared."""
    unjudged: tuple[tuple[str, str], ...] = ()
    """What could not be read or judged in a single run: file and reason, "rows.jsonl" and "line 2: …"."""
    contracts: tuple[ContractChange, ...] = ()
    """Contracts of the base that differ in the candidate."""
    shown: tuple[tuple[str, SchemaChange], ...] = ()
    """Changes in the schemas that requests show the model, with the owner of the schema: "tool book"."""

    @property
    def fails(self) -> bool:
        """True if the gate fails."""
        return self.gate is not None and not self.gate.ok

    @property
    def held(self) -> BaselineReport | None:
        """The candidate compared with the list of known failures; None without a list."""
        return self.gate.baseline if self.gate is not None else None

    @property
    def command(self) -> str:
        """The command that makes such a report."""
        return "planguard check" if self.judged else "planguard diff"

    @property
    def counts(self) -> str:
        """The cases of each bucket in one line. Known failures are counted separately."""
        known = len(self.gate.known) if self.gate is not None else 0
        listed = f" ({known:,} of the new failures {'is' if known == 1 else 'are'} known)" if known else ""
        return f"{self.judged or headline(self.diff)}{listed}"

    @property
    def verdict_line(self) -> str:
        """The gate's conclusion, then the counts: 'FAIL: 2 new failures, 1 fixed'. Without a gate, only the counts."""
        return self.counts if self.gate is None else f"{self.gate.conclusion.upper()}: {self.counts}"

    def is_known(self, case: CaseDiff) -> bool:
        """Return True if it is a new failure that the list of known failures covers."""
        return id(case) in self._known

    @cached_property
    def _known(self) -> frozenset[int]:
        """The identities of the known failures. A large suite asks for each of its cases, in every form."""
        return frozenset(map(id, self.gate.known)) if self.gate is not None else frozenset()

    def entries_of(self, identities: Iterable[Identity]) -> list[KnownFailure]:
        """Return the entries of the list that excuse these failures, in the order of the list."""
        found = sorted(self._numbers[one] for one in set(identities) if one in self._numbers)
        return [self.held.known[number] for number in found] if self.held is not None else []

    @cached_property
    def _numbers(self) -> dict[Identity, int]:
        """The positions of the entries that excuse a failure: each known failure looks for its own."""
        return {one.identity: number for number, one in enumerate(self.held.known)} if self.held is not None else {}


def age_days(when: str | None, now: datetime | None) -> int | None:
    """Return the whole days since an ISO 8601 day or time, never less than 0; None if either is unknown."""
    if when is None or now is None:
        return None
    try:
        day = date.fromisoformat(when[:10])
    except ValueError:
        return None
    return max(0, (now.date() - day).days)
