"""One run, a test session, or the list of kept runs, as a page and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...printable import one_line
from ...runs.figures import figures_of_run, score_of_rows
from ...runs.model.broken_rules import broken_rules
from ...runs.model.codec import row_data
from ..case_words import about_run, ask, baseline_blocks, models_of, row_lines
from ..comparison_words import rate_text, rerecord_text, samples_text
from ..page import Case, Cases, Code, Facts, Foreign, Group, Listing, Page, Table, Verdict, joined
from ..plain_text import count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from ...contract.comparison.score import SuiteScore
    from ...runs.figures import ModelFailures, RunFigures
    from ...runs.gate.known_failures import BaselineReport
    from ...runs.model.run import CaseRow, Run, RunHeader
    from ...runs.store.store import RunPoint
    from ...statistics import Rate
    from ..page import Block, Words


FIELDS_SHOWN = 20
"""Maximum number of fields to list, the worst first. The rest are counted."""
CONFUSIONS_SHOWN = 10
"""Maximum number of confusions to list, most frequent first."""


def score_data(score: SuiteScore | None) -> dict[str, Any] | None:
    """Return the mean over the cases, the totals of each field, and the confusions; None without expected values."""
    if score is None:
        return None
    return {
        "cases": score.cases,
        "total": score.total,
        "fields": [
            {
                "name": field.name,
                "right": field.right,
                "expected": field.expected,
                "found": field.found,
                "precision": field.precision,
                "recall": field.recall,
            }
            for field in score.fields
        ],
        "confusions": [
            {"field": mistake.field, "expected": mistake.expected, "actual": mistake.actual, "times": number}
            for mistake, number in score.confusions
        ],
    }


def score_blocks(score: SuiteScore | None, bound: float | None = None) -> Iterator[Block]:
    """Yield the score of a run, its fields if any is ever wrong, and the confusions of short values.

    `bound` is the required score, or None.
    """
    if score is None:
        return
    cases = f"{score.cases:,} {'case' if score.cases == 1 else 'cases'}"
    needed = "" if bound is None else f", at least {bound:g} is needed"
    yield Facts((("expected values", f"score {score.total:.3f} over {cases}{needed}"),))
    if any(field.f1 < 1 for field in score.fields):
        yield _fields(score)
    if score.confusions:
        yield _confusions(score)


def _fields(score: SuiteScore) -> Table:
    fields = sorted(score.fields, key=lambda field: field.f1)
    rows = [
        (Foreign(f.name, 60), f"{f.right:g} of {f.expected:,}", f"{f.precision:.2f}", f"{f.recall:.2f}")
        for f in fields[:FIELDS_SHOWN]
    ]
    others = len(fields) - len(rows)
    more = [(f"and {others:,} more", "", "", "")] if others else []
    return Table(("field", "right", "precision", "recall"), (*rows, *more), right=frozenset({1, 2, 3}))


def _confusions(score: SuiteScore) -> Table:
    rows = tuple(
        (Foreign(mistake.field, 60), Foreign(mistake.expected), Foreign(mistake.actual), f"{number:,}")
        for mistake, number in score.confusions[:CONFUSIONS_SHOWN]
    )
    return Table(("field", "expected", "taken for", "times"), rows, right=frozenset({3}))


SCHEMA = 1
"""Version of the shape."""


def run_data(run: Run, figures: RunFigures) -> dict[str, Any]:
    """Return a run: good cases, outcomes, broken rules, models with their failure kinds."""
    return {
        "schema": SCHEMA,
        "name": run.name,
        "created": run.header.created,
        "commit": run.header.commit,
        "dirty": run.header.dirty,
        "good": _rate(figures.cases),
        "stale": figures.stale,
        "stale_cases": [_stale(row) for row in run.rows if row.stale],
        "outcomes": dict(figures.outcomes),
        "rules": dict(figures.rules),
        "expected": score_data(score_of_rows(run.rows)),
        "models": [
            {"model": m.model, "good": _rate(m.cases), "valid_answers": _rate(m.attempts), "kinds": dict(m.kinds)}
            for m in figures.models
        ],
        "notes": list(run.problems),
    }


def _stale(row: CaseRow) -> dict[str, object]:
    return {
        "case": row.key,
        "variant": row.variant,
        "reasons": list(row.stale),
        "rerecord": None if row.rerecord is None else row_data(row.rerecord),
    }


def _rate(rate: Rate) -> dict[str, int]:
    return {"hits": rate.hits, "total": rate.total}


KINDS = 8
"""Maximum number of failure kinds with a column. Rarer ones are counted together."""
KEPT_HEAD = ("run", "written", "commit", "good", "judged", "stale")
UNPROVEN = "unproven"
"""Shown as the share of good cases if every case is stale, since no cassette then proves anything."""


def runs_page(runs: Sequence[tuple[RunHeader, RunFigures]], notes: Sequence[str] = ()) -> Page:
    """Return the kept runs, one per row. Unknown values are "-"."""
    title = "No run is kept" if not runs else "1 kept run" if len(runs) == 1 else f"{len(runs):,} kept runs"
    table = Table(KEPT_HEAD, tuple(_kept(*each) for each in runs), right=frozenset({3, 4, 5}))
    return Page(title, blocks=(table,) if runs else (), notes=tuple(Foreign(note, 400) for note in notes))


def _kept(header: RunHeader, figures: RunFigures) -> tuple[Words, ...]:
    good = figures.cases
    unknown = UNPROVEN if figures.stale else "-"
    share = unknown if good.share is None else f"{100 * good.share:.0f} %"
    written = one_line(header.created[:16].replace("T", " "), 40) if header.created else "-"
    commit = one_line(header.commit[:12], 20) + (" with changes" if header.dirty else "") if header.commit else "-"
    stale = f"{figures.stale:,}" if figures.stale else "-"
    return Foreign(header.name, 120), Foreign(written), Foreign(commit), share, f"{good.total:,}", stale


def run_page(run: Run, figures: RunFigures, now: datetime | None = None, history: tuple[RunPoint, ...] = ()) -> Page:
    """Return a run: good cases, outcomes, broken rules, models by failure kind, and its cases with conversations.

    `history` has the kept runs, oldest first.
    """
    found: dict[str, list[Case]] = {"failing": [], "stale": [], "good": []}
    for row in run.rows:
        name = "stale" if row.stale else "good" if row.ok else "failing"
        found[name].append(case_of(row, name))
    groups = [
        Group(name, name, tuple(cases), folded=name != "failing", same=name == "good")
        for name, cases in found.items()
        if cases
    ]
    word = "FAIL" if found["failing"] else "PASS" if figures.cases.total else "UNPROVEN"
    about = about_run(run.header, now)
    facts: list[tuple[Words, Words]] = [("run", Foreign(about))] if about else []
    facts += [("outcomes", outcome_line(figures))] if figures.outcomes else []
    if figures.rules:
        facts.append(("broken", joined(", ", ((Foreign(rule, 60), f" in {n:,}") for rule, n in figures.rules))))
    blocks: list[Block] = [Facts(tuple(facts))] if facts else []
    blocks += score_blocks(score_of_rows(run.rows))
    blocks += [*model_table(figures), *([Cases(tuple(groups))] if groups else [])]
    notes = tuple(Foreign(problem, 400) for problem in run.problems)
    title = Foreign(run.name or "(no name)", 120)
    return Page(title, good_line(figures), Verdict(word), tuple(blocks), notes, history)


def case_of(row: CaseRow, group: str, why: Words = "") -> Case:
    """Return a row of one run as a page's case, with its broken rules and the messages of its findings."""
    parts: list[Words] = [why] if why else [Foreign(reason) for reason in row.stale[:1]]
    parts += [Foreign(rerecord_text(row.rerecord), 400)] if row.stale and row.rerecord is not None else []
    return Case(
        row.key,
        (" (", Foreign(row.model, 60), ")") if row.variant is not None and row.model else "",
        label=group,
        why=joined("; ", parts) if parts else "",
        rules=tuple(("breaks", rule) for rule in broken_rules([row])) if row.is_evidence else (),
        details=(*_samples(row), *map(Foreign, row_lines(row))),
        sides=(("", (row,)),),
        models=models_of([row]),
        fails=group == "failing",
        identity=(row.key, row.for_model or row.model or "", row.variant or ""),
    )


def _samples(row: CaseRow) -> Iterator[str]:
    if row.samples is not None:
        yield f"samples: {samples_text(row.samples.rate)}"


def good_line(figures: RunFigures) -> str:
    """Return text such as 'good: 14 of 20 (70 %, …); stale: 1'."""
    if figures.cases.total:
        return f"good: {rate_text(figures.cases)}" + (f"; stale: {figures.stale:,}" if figures.stale else "")
    if not figures.stale:
        return "good: nothing was judged"
    whole = "the only case is" if figures.stale == 1 else f"all {figures.stale:,} cases are"
    return f"good: none proven: {whole} stale"


def outcome_line(figures: RunFigures) -> Words:
    """Return text such as '12 converged, 3 stuck', or "none" if nothing was judged."""
    counts = ((f"{n:,} ", Foreign(name.replace("_", " "), 40)) for name, n in figures.outcomes)
    return joined(", ", counts) or "none"


def model_table(figures: RunFigures) -> Iterator[Table]:
    """Yield models by failure kind, with one column for the rarer kinds."""
    if figures.models:
        kinds, rest = figures.kinds[:KINDS], figures.kinds[KINDS:]
        head: tuple[Words, ...] = ("model", "good cases", "valid answers", *map(Foreign, kinds))
        head = (*head, *(["other"] if rest else []))
        rows = tuple(tuple(_model(model, kinds, rest)) for model in figures.models)
        yield Table(head, rows, right=frozenset(range(1, len(head))))


def _model(model: ModelFailures, kinds: Iterable[str], rest: Sequence[str]) -> Iterator[Words]:
    yield Foreign(model.model)
    yield from (f"{rate.hits:,}/{rate.total:,}" for rate in (model.cases, model.attempts))
    yield from (str(model.count(kind) or "-") for kind in kinds)
    if rest:
        yield str(sum(map(model.count, rest)))


UNRECORDED = "unrecorded"
"""The outcome of a case without a cassette."""
UPDATE, PRUNE = "--planguard-baseline-update", "--planguard-baseline-prune"


def session_page(
    run: Run,
    *,
    passed: bool,
    known: Collection[str] = (),
    baseline: BaselineReport | None = None,
    path: str = "",
    now: datetime | None = None,
    hints: Sequence[str] = (),
) -> Page:
    """Return a session.

    Args:
        run: its header and rows.
        passed: True if the session as a whole passed.
        known: ids of the tests that failed as the baseline lists.
        baseline: the run compared with the list of known failures; None without a list.
        path: path of the baseline.
        now: the time of the summary, with a zone. If None, ages are left out.
        hints: lines about stale or missing cassettes, and the commands that record them.
    """
    failing = [row for row in run.rows if row.result in ("failed", "error") and row.test not in known]
    figures = figures_of_run(run)
    blocks: list[Block] = [Facts((("outcomes", outcome_line(figures)),))]
    if baseline is not None:
        blocks += baseline_blocks(baseline, path, now)
        asked = tuple(ask(baseline, UPDATE, PRUNE))
        blocks += [Listing("to do about the baseline", asked)] if asked else []
    if failing:
        cases = tuple(case_of(row, "failing", _why(row)) for row in failing)
        blocks.append(Cases((Group("failing", "failing", cases),)))
    if hints:
        blocks.append(Code("Cassettes", "\n".join(hints).replace("`", "'")))
    blocks += model_table(figures)
    title = Foreign(about_run(run.header, now) or "unknown commit")
    return Page(title, _lead(run, failing, len(known)), Verdict("PASS" if passed else "FAIL"), tuple(blocks))


def _lead(run: Run, failing: Sequence[CaseRow], known: int) -> str:
    """Return text such as '2 of 20 cases fail, 3 known failures'."""
    parts = [f"{len(failing):,} of {count(len(run.rows), 'case')} {'fails' if len(failing) == 1 else 'fail'}"]
    parts += [count(known, "known failure")] if known else []
    stale = sum(bool(row.stale) for row in run.rows)
    return ", ".join([*parts, *([f"{stale:,} stale"] if stale else [])])


def _why(row: CaseRow) -> Words:
    """Return the problem with its cassette, or that no rule explains the failure; "" if the rules do."""
    if row.stale:
        return Foreign(f"stale cassette: {one_line(row.stale[0], 240)}", 400)
    if row.outcome == UNRECORDED:
        return "no cassette yet"
    return "" if row.is_evidence else "the test failed"
