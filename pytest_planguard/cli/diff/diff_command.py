"""`planguard diff`: compare two or more runs, variants, folders or git revisions, and gate the comparison."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import PlanguardError, RunError
from ...report.comparison_words import DiffReport
from ...report.diff_data import strategies_data
from ...report.forms import draw
from ...report.pages.comparison import StrategyReport, comparison_page, strategies_page
from ...report.plain_text import json_text
from ...runs.compare.deltas import compare_strategies
from ...runs.compare.run_diff import Bucket
from ...runs.gate.known_failures import Baseline
from ...runs.load.contracts import AUTO, load_contracts, load_extensions
from ...runs.load.load import named_by_tests
from ...runs.store.revision import Revision
from ..commands import (
    CONTRACT,
    EXTENSIONS,
    EXTRACT,
    MAX_ATTEMPTS,
    epilog,
    field_option,
    format_option,
    keep_inputs,
    needs,
    picked,
)
from ..main import UNJUDGED, WrongUseError
from ..output import say
from .code_changes import CodeChanges, Sides, of_contracts, of_revisions, with_lost_feedback
from .diff_formats import FORMATS, Output, add_to_summary, prefix
from .diff_options import (
    CompareArguments,
    GateArguments,
    SideArguments,
    compare_options,
    cost_notes,
    gate_options,
    side_options,
    today,
    with_costs,
)
from .sides import NothingBefore, tree_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.answer import Extract
    from ...runs.compare.run_diff import CaseDiff, RunDiff
    from ...runs.gate.gate import GateResult
    from ...runs.load.source import LoadOptions
    from ...runs.model.run import Run
    from .diff_options import Compare


FORMS = ("text", "markdown", "html", "json")


def refuse(forms: Sequence[str], gated: Sequence[str]) -> None:
    """Reject what three or more runs do not have: a gate, and its forms.

    Raises:
        click.UsageError: one of these was requested.
    """
    for asked in forms:
        if asked not in FORMS:
            raise click.UsageError(
                f"{asked} shows what a gate found between two runs, and three or more were named: take "
                f"{', '.join(FORMS[:-1])} or {FORMS[-1]}, or name two."
            )
    if gated:
        raise click.UsageError(
            f"{gated[0]} gates a comparison of two runs, and three or more were named: leave it out, or name two."
        )


def deliver_several(runs: Sequence[Run], compare: Compare, output: Output) -> int:
    """Print the comparison, and write its files and the job's summary. Return the exit code."""
    judged = any(row.is_judged for run in runs for row in run.rows)
    comparisons = tuple(compare(one, other) for one, other in combinations(runs, 2))
    notes = dict.fromkeys(note for found in comparisons for note in found.notes)
    report = StrategyReport(compare_strategies(runs) if judged else None, comparisons, tuple(notes))
    output.write(lambda form, color: rendered_strategies(form, report, output, color=color))
    add_to_summary(lambda: f"{rendered_strategies('markdown', report, output)}\n")
    return UNJUDGED if any(run.problems for run in runs) else 0


def rendered_strategies(form: str, report: StrategyReport, output: Output, *, color: bool = False) -> str:
    """Return the comparison in one of `FORMS`. Verbose text includes the comparison of each pair."""
    if form == "json":
        return json_text(strategies_data(report, rows=output.rows))
    text = draw(strategies_page(report), form)
    if form != "text":
        return text
    if not output.verbose:
        some = any(case.bucket is not Bucket.UNCHANGED for found in report.comparisons for case in found.cases)
        return f"{text}\n\n--verbose shows which cases, and what changed in them" if some else text
    pages = (comparison_page(DiffReport(replace(found, notes=()))) for found in report.comparisons)
    return "\n\n".join([text, *(draw(page, form, color=color, verbose=True) for page in pages)])


EXAMPLES = """
  planguard diff main candidate                           two kept runs (pytest --planguard-save NAME)
  planguard diff main.jsonl last --fail-on new,stale      a file against the last run
  planguard diff gpt-4 gpt-5 -c app/contracts.py:TICKET   two variants of the cassettes, judged by your contract
  planguard diff out_a.jsonl out_b.jsonl -c app:REVIEW    two files with an answer a line
  planguard diff --run-a run/v1 --run-b run/v2 --task PreProjectAssessmentTask
  planguard diff blind=rec/blind feedback=rec/feedback inject=rec/inject -c app:TICKET
  planguard diff --git origin/main -c app:TICKET          committed cassettes: origin/main against HEAD
  planguard diff main last --max-cost-increase 10%        by list prices; your own with --prices FILE
"""
EXIT_CODES = {
    0: "it passes: nothing was found that --fail-on, the baseline or a budget forbids, or an empty base is allowed",
    1: "it fails: --fail-on, the baseline or a budget forbids something that was found",
    2: "the command itself is wrong, or a run cannot be read or has no cassettes",
    3: "nothing can be compared, or a part of a run could not be read or judged",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@side_options
@CONTRACT
@EXTRACT
@MAX_ATTEMPTS
@field_option("found by the content")
@click.option(
    "--case", metavar="NAME", help="Field of a JSON line that is the case's key.  [default: found by the content]"
)
@compare_options
@gate_options
@format_option(FORMATS)
@click.option(
    "-o",
    "--output",
    "files",
    multiple=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a file: .md, .html, .json, .sarif or .xml in that form, any other as --format says.",
)
@click.option("--rows", is_flag=True, help="With --format json: every case's rows, raw answers included.")
@click.option("-v", "--verbose", is_flag=True, help="Every case and every change.")
@EXTENSIONS
def diff(
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    field: str | None,
    case: str | None,
    extensions: tuple[str, ...],
    **given: Any,
) -> None:
    """Compare two runs: what is new, fixed, changed, and whether the candidate is better or worse, rule by rule.

    A RUN is a kept run ("last" is the last one), a run record, a file of answers (.jsonl, one per line), a cassette, a
    folder of cassettes or JSON outputs, or a variant of this project's cassettes. Three and more runs are compared two
    by two, without a gate.
    """
    from ...retry.judging.request_contracts import AutoContracts
    from ...runs.load.source import LoadOptions

    output = picked(Output, given)
    keep_inputs(*output.files)
    needs("--rows", output.rows, "--format json or -o FILE.json", "json" in output.forms)
    load_extensions(extensions)
    contracts = load_contracts(specs, extract)
    load = LoadOptions(contracts, AutoContracts(extract or "embedded").of, max_attempts, field, case)
    try:
        raise SystemExit(_compared(given, specs, load, picked(CompareArguments, given).comparison(contracts), output))
    except RunError as error:
        passes = isinstance(error, NothingBefore) and given["allow_empty_base"]
        output.say(str(error), passes=passes)
        if passes:
            return
        raise WrongUseError(str(error)) from error


def _compared(given: dict[str, Any], specs: Sequence[str], load: LoadOptions, compare: Compare, output: Output) -> int:
    """Load the runs, compare them, and deliver the result. Return the exit code."""
    sides, asked = picked(SideArguments, given), picked(GateArguments, given)
    words, limits, listed = asked.fail_on(given["verdicts"]), asked.budgets(), asked.read()
    named = _named(specs, sides)
    loaded = with_costs(sides.load(load), asked.prices)
    if len(loaded) > 2:
        refuse(output.forms, asked.given())
        return deliver_several(loaded, compare, output)
    from ...runs.gate.gate import gate
    from ...runs.store.store import Store, kept_history

    last = _last_run(load)
    ids = [entry.case for entry in listed.entries] if listed is not None else []
    ids += [row.key for row in last.rows] if last is not None else []
    loaded = tuple(replace(run, rows=named_by_tests(run.rows, ids)) for run in loaded)
    if sides.revision is not None:
        loaded = (loaded[0], with_lost_feedback(loaded[1], last))
    found = compare(loaded[0], loaded[1])
    if sides.tasks:
        found = replace(found, cases=tuple(_with_reason(case, loaded) for case in found.cases))
    judged_by_tree = sides.revision is not None and load.contracts
    notes = (
        *(tree_notes(sides.candidate_revision, load.root) if judged_by_tree else ()),
        *cost_notes(loaded, asked.prices, found, limits),
    )
    found, day = replace(found, notes=(*found.notes, *notes)), today()
    code = _code(sides, named, load.root, asked.baseline, found, loaded, listed or Baseline(), day.isoformat())
    result = gate(found, words, day, baseline=listed, budgets=limits, weakened=code.weakenings)
    history = kept_history(Store(load.root)) if "html" in output.forms else ()
    place = prefix() if sides.revision is None else ""  # paths of committed cassettes start at the repository's root
    report = DiffReport(
        found,
        result,
        str(asked.baseline or ""),
        datetime.now(UTC),
        history,
        place,
        contracts=code.contracts,
        shown=code.shown,
    )
    output.deliver(report, lambda color: _text(report, sides.tasks, output.verbose, color))
    written = None
    if listed is not None:
        written = asked.write(listed, loaded[0].rows, loaded[1].rows, day, code.weakenings)
    if written is not None:
        say(written, err=True)
    return exit_code(result)


def _named(specs: Sequence[str], sides: SideArguments) -> tuple[str, ...]:
    """Return the contracts of the candidate as typed; () if the requests determine them. Raises click.UsageError."""
    named = tuple(spec for spec in specs if spec != AUTO)
    if sides.base_contracts and len(sides.base_contracts) != len(named):
        raise click.UsageError(
            f"--base-contract says what each --contract was: {len(named)} of these were given, and "
            f"{len(sides.base_contracts)} of those. Name as many, in the same order."
        )
    return named


def _last_run(load: LoadOptions) -> Run | None:
    """Return the last run of the tests, or None if it doesn't exist or can't be read."""
    from ...runs.load.load import load_run
    from ...runs.store.store import LAST, Store

    try:
        return load_run(LAST, load) if Store(load.root).has(LAST) else None
    except PlanguardError:
        return None


def _code(
    sides: SideArguments,
    named: tuple[str, ...],
    root: Path,
    baseline: Path | None,
    found: RunDiff,
    runs: Sequence[Run],
    listed: Baseline,
    today: str,
) -> CodeChanges:
    """Compare the code of both sides if it is known: for two revisions, or for contracts that are named twice."""
    if sides.revision is None:
        return of_contracts(sides.base_contracts, named, runs) if sides.base_contracts else CodeChanges()
    base, candidate = Revision(root, sides.revision), Revision(root, sides.candidate_revision)
    asked = Sides(root, base, candidate, named, sides.base_contracts, baseline)
    return of_revisions(asked, found, runs, listed, today)


def exit_code(result: GateResult) -> int:
    """Return 1 if the gate fails, else 3 if some or all could not be compared, else 0."""
    return {"pass": 0, "fail": 1, "unproven": UNJUDGED}[result.conclusion.value]


def _with_reason(case: CaseDiff, runs: Sequence[Run]) -> CaseDiff:
    """Add which run lacks a task that only the other one has."""
    from ...runs.load.load import without_task

    lacking = {Bucket.ADDED: runs[0], Bucket.REMOVED: runs[1]}
    return replace(case, why=without_task(lacking[case.bucket])) if case.bucket in lacking else case


def _text(report: DiffReport, tasks: Sequence[str], verbose: bool, color: bool) -> str:
    from ...report.pages.comparison import render_task

    found = report.diff
    shown = [render_task(case, case.key, color=color) for case in found.cases] if tasks else []
    if shown and not found.judged and all(case.comparable for case in found.cases):
        return "\n\n".join(shown)
    return "\n\n".join([*shown, draw(comparison_page(report), "text", color=color, verbose=verbose)])
