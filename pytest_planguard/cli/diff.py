"""`planguard diff`: two runs, variants, folders or git revisions compared, and a gate over the comparison."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import RunError
from .contracts import load_contracts, load_extensions
from .diff_formats import FORMATS, deliver, report_of
from .diff_settings import Known, budgets, fail_on, field_options, today
from .main import UNJUDGED, WrongUseError
from .pricing import cost_notes, with_costs
from .sides import HEAD, load_revisions, load_sides, sides_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.answer import Extract
    from ..runs.compare import CompareOptions
    from ..runs.gate import GateResult
    from ..runs.load import LoadOptions
    from ..runs.run import Run
    from ..runs.run_diff import RunDiff

EXAMPLES = """
\b
Examples:
  planguard diff main candidate                           two kept runs (pytest --planguard-save NAME)
  planguard diff main.jsonl last --fail-on new,stale      a file against the last run
  planguard diff gpt-4 gpt-5 -c app/contracts.py:TICKET   two variants of the recordings, judged by your contract
  planguard diff out_a.jsonl out_b.jsonl -c app:REVIEW    two files with an answer a line
  planguard diff --run-a run/v1 --run-b run/v2 --task PreProjectAssessmentTask
  planguard diff blind=rec/blind feedback=rec/feedback inject=rec/inject -c app:TICKET
  planguard diff --git origin/main -c app:TICKET          committed recordings: origin/main against HEAD
  planguard diff main last --max-cost-increase 10%        by list prices; your own with --prices FILE
"""
EXIT_CODES = """
\b
Exit code:
  0  the gate passes
  1  it does not: see --fail-on
  2  the command itself is wrong, or a run cannot be read
  3  nothing can be compared, or a part of a run could not be read or judged
"""


@click.command(epilog=EXAMPLES + EXIT_CODES)
@click.argument("runs", nargs=-1, metavar="[NAME=]RUN…")
@click.option("--run-a", metavar="RUN", help="The base, in place of the first RUN.")
@click.option("--run-b", metavar="RUN", help="The candidate, in place of the second RUN.")
@click.option("--git", "revision", metavar="REV", help="Compare recordings committed at REV with those at HEAD or RUN.")
@click.option("--task", metavar="NAME", help="Only this case; its fields are shown one below the other.")
@click.option("-c", "--contract", "specs", multiple=True, metavar="WHERE", help="module:NAME or file.py:NAME.")
@click.option("--extract", type=click.Choice(["whole", "embedded"]), help="How the document stands in an answer.")
@click.option("--max-attempts", type=click.IntRange(1), default=3, show_default=True, help="Attempts in all.")
@click.option("--field", metavar="NAME", help="Field of a JSON line that holds the answer; dots reach deeper.")
@click.option("--case", metavar="NAME", help="Field of a JSON line that is the case's key.")
@click.option("--key", "keys", multiple=True, metavar="[LIST=]KEY", help="Key by which items of lists are matched.")
@click.option("--ignore", multiple=True, metavar="PATH", help="A path, or a normaliser: uuid, timestamp, call_id, …")
@click.option("--verdict", "verdicts", multiple=True, metavar="PATH", help="A field that is the answer's conclusion.")
@click.option("--digits", type=click.IntRange(0), help="Digits after the point to which numbers are compared.")
@click.option("--metrics", is_flag=True, help="Compare by metrics instead of field by field.")
@click.option(
    "--fail-on", "fail", multiple=True, metavar="WORD", help="new (default), worse, changed, stale, any, none."
)
@click.option("--baseline", type=click.Path(path_type=Path, dir_okay=False), help="The list of known failures.")
@click.option("--baseline-update", is_flag=True, help="Add the candidate's failures to it; the result stays.")
@click.option("--baseline-prune", is_flag=True, help="Take out of it what the candidate no longer fails.")
@click.option("--max-cost-increase", metavar="SHARE", help="For example 10%.")
@click.option("--max-tokens-increase", metavar="SHARE", help="For example 10%.")
@click.option("--max-latency-increase", metavar="SHARE", help="Of recorded latency; the time of a replay never counts.")
@click.option(
    "--prices",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A table of prices, added to planguard's own; both runs are then priced by it.",
)
@click.option("--format", "output", type=click.Choice(FORMATS), default="text", show_default=True)
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
@click.option("-p", "extensions", multiple=True, metavar="MODULE", help="Import a module that registers extensions.")
def diff(
    runs: tuple[str, ...],
    run_a: str | None,
    run_b: str | None,
    revision: str | None,
    task: str | None,
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    field: str | None,
    case: str | None,
    keys: tuple[str, ...],
    ignore: tuple[str, ...],
    verdicts: tuple[str, ...],
    digits: int | None,
    metrics: bool,
    fail: tuple[str, ...],
    baseline: Path | None,
    baseline_update: bool,
    baseline_prune: bool,
    max_cost_increase: str | None,
    max_tokens_increase: str | None,
    max_latency_increase: str | None,
    prices: Path | None,
    output: str,
    files: tuple[Path, ...],
    rows: bool,
    verbose: bool,
    extensions: tuple[str, ...],
) -> None:
    """Compare two runs: what is new, fixed, changed, and whether the candidate is better or worse, rule by rule.

    A RUN is a kept run ("last" is the last one), a run record, a file of answers (.jsonl, one a line), a recording, a
    folder of recordings or JSON outputs, or a variant of this project's recordings. Three and more runs are compared
    two by two, without a gate.
    """
    from ..runs.compare import CompareOptions
    from ..runs.gate import gate
    from ..runs.load import LoadOptions
    from .auto import AutoContracts

    load_extensions(extensions)
    contracts = load_contracts(specs, extract)
    load = LoadOptions(contracts, AutoContracts(extract or "embedded").of, field, case, max_attempts)
    options = CompareOptions(field_options(keys, ignore, verdicts, digits), contracts, metrics)
    words, limits = fail_on(fail), budgets(max_cost_increase, max_tokens_increase, max_latency_increase)
    known = Known(baseline, baseline_update, baseline_prune)
    try:
        listed = known.read()
        loaded = with_costs(_loaded(runs, run_a, run_b, revision, load, task), prices)
        if len(loaded) > 2:
            if files or output not in ("text", "json"):
                raise click.UsageError("Three and more runs have the forms text and json, on the terminal.")
            raise SystemExit(_several(loaded, options, output))
        found, day = _compared(loaded, options), today()
        found = replace(found, notes=(*found.notes, *cost_notes(loaded, prices, found, limits)))
        result = gate(found, words, day, baseline=listed, budgets=limits)
        report = report_of(found, result, listed, path=baseline, at_root=revision is not None)
        deliver(output, files, _text(found, result, task, verbose), report, rows=rows)
        *_, candidate = loaded
        written = known.write(listed, candidate, day) if listed is not None else None
    except RunError as error:
        raise WrongUseError(str(error)) from error
    if written is not None:
        click.echo(written, err=True)
    raise SystemExit(exit_code(found, result))


def exit_code(found: RunDiff, result: GateResult) -> int:
    """1 where the gate fails, else 3 where something could not be compared at all, else 0."""
    if not result.ok:
        return 1
    return UNJUDGED if found.unread or not any(case.comparable for case in found.cases) else 0


def _loaded(
    runs: Sequence[str], run_a: str | None, run_b: str | None, revision: str | None, load: LoadOptions, task: str | None
) -> Sequence[Run]:
    if revision is None:
        return load_sides(sides_of(runs, run_a, run_b), load, task)
    if len(runs) > 1 or run_a or run_b:
        raise click.UsageError("--git takes one revision to compare with; it is HEAD where none is given.")
    return load_revisions(revision, runs[0] if runs else HEAD, load, task)


def _compared(loaded: Sequence[Run], options: CompareOptions) -> RunDiff:
    from ..runs.compare import compare

    return compare(loaded[0], loaded[1], options)


def _several(loaded: Sequence[Run], options: CompareOptions, output: str) -> int:
    from .diff_several import several_json, several_text

    click.echo(several_json(loaded, options) if output == "json" else several_text(loaded, options))
    return UNJUDGED if any(run.problems for run in loaded) else 0


def _text(found: RunDiff, result: GateResult, task: str | None, verbose: bool) -> str:
    from ..report.diff_text import render_diff, render_task

    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if task is not None and len(found.cases) == 1 and not found.judged:
        return render_task(found.cases[0], task, color=color)
    parts = [render_task(found.cases[0], task, color=color), ""] if task is not None and len(found.cases) == 1 else []
    return "\n".join([*parts, render_diff(found, result, color=color, verbose=verbose)])
