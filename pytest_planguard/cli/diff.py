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
from .diff_formats import FORMATS, deliver, form_of, report_of
from .diff_settings import Known, budgets, fail_on, field_options, today
from .diff_several import deliver_several, refuse
from .gate_options import gate_options
from .main import UNJUDGED, WrongUseError
from .options import CONTRACT, EXTENSIONS, EXTRACT, MAX_ATTEMPTS, epilog, field_option, format_option, needs
from .pricing import cost_notes, with_costs
from .sides import HEAD, load_revisions, load_sides, sides_of, tree_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.answer import Extract
    from ..runs.compare import CompareOptions
    from ..runs.gate import GateResult
    from ..runs.load import LoadOptions
    from ..runs.run import Run
    from ..runs.run_diff import RunDiff

EXAMPLES = """
  planguard diff main candidate                           two kept runs (pytest --planguard-save NAME)
  planguard diff main.jsonl last --fail-on new,stale      a file against the last run
  planguard diff gpt-4 gpt-5 -c app/contracts.py:TICKET   two variants of the recordings, judged by your contract
  planguard diff out_a.jsonl out_b.jsonl -c app:REVIEW    two files with an answer a line
  planguard diff --run-a run/v1 --run-b run/v2 --task PreProjectAssessmentTask
  planguard diff blind=rec/blind feedback=rec/feedback inject=rec/inject -c app:TICKET
  planguard diff --git origin/main -c app:TICKET          committed recordings: origin/main against HEAD
  planguard diff main last --max-cost-increase 10%        by list prices; your own with --prices FILE
"""
EXIT_CODES = {
    0: "the gate passes",
    1: "it does not: see --fail-on",
    2: "the command itself is wrong, or a run cannot be read",
    3: "nothing can be compared, or a part of a run could not be read or judged",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("runs", nargs=-1, metavar="[NAME=]RUN…")
@click.option("--run-a", metavar="RUN", help="The base, in place of the first RUN.")
@click.option("--run-b", metavar="RUN", help="The candidate, in place of the second RUN.")
@click.option(
    "--git", "revision", metavar="REV", help="Compare recordings committed at REV with those at HEAD, or at RUN."
)
@click.option("--task", metavar="NAME", help="Only this case; its fields are shown one below the other.")
@CONTRACT
@EXTRACT
@MAX_ATTEMPTS
@field_option("found")
@click.option("--case", metavar="NAME", help="Field of a JSON line that is the case's key.  [default: found]")
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="[LIST=]KEY",
    help="Key by which items of lists are matched, of one list or of all.  [default: found]",
)
@click.option(
    "--ignore", multiple=True, metavar="PATH", help="Leave out a path, or what a normaliser knows: uuid, timestamp, …"
)
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    metavar="PATH",
    help="A field that is the answer's conclusion: called out first.",
)
@click.option(
    "--digits", type=click.IntRange(0), metavar="N", help="Digits after the point to which numbers are compared."
)
@click.option("--metrics", is_flag=True, help="Compare by metrics instead of field by field.")
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
    from ..runs.gate import Budgets, gate
    from ..runs.load import LoadOptions
    from .auto import AutoContracts

    needs(
        "--rows", rows, "--format json or -o FILE.json", "json" in (output, *(form_of(file, output) for file in files))
    )
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
            gated = {"--fail-on": fail, "--baseline": baseline, "--max-…-increase": limits != Budgets()}
            refuse(files, output, [option for option, given in gated.items() if given])
            raise SystemExit(deliver_several(loaded, options, output, files, rows=rows))
        found, day = _compared(loaded, options), today()
        trees = tree_notes(runs[0] if runs else HEAD, load.root) if revision is not None and contracts else ()
        found = replace(found, notes=(*found.notes, *trees, *cost_notes(loaded, prices, found, limits)))
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
    """1 where the gate fails, else 3 where nothing or not all could be compared, else 0."""
    from ..runs.gate import Conclusion, conclusion

    codes = {Conclusion.PASS: 0, Conclusion.FAIL: 1, Conclusion.UNPROVEN: UNJUDGED}
    return codes[conclusion(found, result)[0]]


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


def _text(found: RunDiff, result: GateResult, task: str | None, verbose: bool) -> str:
    from ..report.diff_text import render_diff, render_task

    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if task is not None and len(found.cases) == 1 and not found.judged:
        return render_task(found.cases[0], task, color=color)
    parts = [render_task(found.cases[0], task, color=color), ""] if task is not None and len(found.cases) == 1 else []
    return "\n".join([*parts, render_diff(found, result, color=color, verbose=verbose)])
