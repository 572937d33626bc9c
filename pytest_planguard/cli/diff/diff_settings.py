"""The meaning of `planguard diff`'s options: comparing fields, failing, known failures, costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError, nearest, offer

if TYPE_CHECKING:
    from datetime import date

    from ...runs.compare.run_diff import RunDiff
    from ...runs.gate.gate import Budgets, FailOn
    from ...runs.gate.known_failures import Baseline
    from ...runs.gate.weakening import Weakening
    from ...runs.model.run import CaseRow, Run


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """The named baseline, and what to do with it."""

    path: Path | None
    update: bool = False
    prune: bool = False

    def read(self) -> Baseline | None:
        """Read the baseline; None if none is named. With --baseline-update it need not exist yet."""
        if self.path is None:
            if self.update or self.prune:
                raise UsageError("--baseline-update and --baseline-prune need --baseline FILE")
            return None
        from ...runs.gate.known_failures import Baseline, read_baseline

        return Baseline() if self.update and not self.path.exists() else read_baseline(self.path)

    def write(
        self,
        baseline: Baseline,
        base: Sequence[CaseRow],
        candidate: Sequence[CaseRow],
        today: date,
        weakened: Sequence[Weakening] = (),
    ) -> str | None:
        """Update the baseline with the candidate. Return a line that reports it, or None if nothing was requested."""
        from ...runs.gate.known_failures import pruned, updated, write_baseline
        from ...runs.gate.weakening import with_weakenings, without_spent

        if self.path is None or not (self.update or self.prune):
            return None
        found = with_weakenings(updated(baseline, candidate, today), weakened, today) if self.update else baseline
        found = without_spent(pruned(found, candidate, today, base), weakened) if self.prune else found
        write_baseline(self.path, found)
        before, after = ({entry.identity for entry in listed.entries} for listed in (baseline, found))
        return f"{self.path}: {len(after - before)} added, {len(before - after)} removed, {len(after)} listed"


def fail_on(words: Sequence[str]) -> tuple[FailOn, ...]:
    """Return what fails the comparison, from "new,stale" or several options.

    Raises UsageError for an unknown word.
    """
    from ...runs.gate.gate import FailOn

    given = [part.strip() for word in words for part in word.split(",") if part.strip()]
    for word in given:
        if word not in list(FailOn):
            known = [what.value for what in FailOn]
            raise UsageError(f"--fail-on {word!r} is unknown{offer(nearest(word, known), known, listed='Valid')}")
    return tuple(FailOn(word) for word in given) or (FailOn.NEW,)


def budgets(cost: str | None, tokens: str | None, latency: str | None, length: str | None = None) -> Budgets:
    """Return the budgets, from values such as "10%" or "0.1". Raises UsageError."""
    from ...runs.gate.gate import Budgets

    named = {"cost-increase": cost, "tokens-increase": tokens, "latency-increase": latency, "length-change": length}
    return Budgets(*(_share(name, text) for name, text in named.items()))


def today() -> date:
    """Return the day in UTC, so that it is the same on a laptop and in CI."""
    return datetime.now(UTC).date()


def _share(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        share = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        share = float("nan")
    if not 0 <= share < float("inf"):
        raise UsageError(f"--max-{name} {text!r}: expected a share like 10% or 0.1")
    return share


def with_costs(runs: Sequence[Run], file: Path | None) -> Sequence[Run]:
    """Return the runs with costs: their own, or else those of planguard's table.

    If the user names a table, it prices all cases.

    Raises RunError for a file that is not a table of prices.
    """
    from ...runs.prices import priced, read_prices

    prices = read_prices(file)
    return tuple(priced(run, prices, again=file is not None) for run in runs)


def cost_notes(runs: Sequence[Run], file: Path | None, found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield the dates of the prices if a cost is shown, and the gaps in the data for a budget if one was set."""
    from ...runs.prices import read_prices, unpriced_models

    if any(row.cost is not None and row.input_tokens is not None for run in runs for row in run.rows):
        sources = ", ".join(map(str, read_prices(file).sources))
        yield f"costs that no run recorded are by list prices: {sources}; name others with --prices FILE"
    if (limits.cost is not None or file is not None) and (unknown := unpriced_models(runs)):
        yield f"no price is known for {', '.join(unknown)}: their cases have no cost; add one with --prices FILE"
    yield from _partial(found, limits)


def _partial(found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield a note for each budget that covers only a part of the cases."""
    from ...runs.gate.gate import FIGURES

    compared = sum(case.comparable for case in found.cases)
    for kind, names in FIGURES.items():
        known = [figure.cases for figure in found.figures if figure.name in names]
        if getattr(limits, kind) is not None and known and min(known) < compared:
            yield f"the budget for {kind} looked at {min(known):,} of {compared:,} cases: the others lack it in a run"
