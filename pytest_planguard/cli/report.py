"""`planguard report` and `planguard explain`: runs in figures, and the words of reports."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import RunError
from ..printable import visible
from ..runs.load.contracts import load_contracts, load_extensions
from .commands import (
    CONTRACT,
    EXTENSIONS,
    EXTRACT,
    MAX_ATTEMPTS,
    epilog,
    field_option,
    format_option,
    keep_inputs,
    needs,
)
from .diff.diff_formats import add_to_summary, form_of
from .main import WrongUseError
from .output import say

if TYPE_CHECKING:
    from ..document.answer import Extract
    from ..runs.load.source import LoadOptions


EXAMPLES = """
  planguard report                                     the kept runs
  planguard report last                                the last run: outcomes, rules, model by failure kind
  planguard report last -o last.html                   the same as a page, with every conversation
  planguard report --matrix run/model_attempts.jsonl   which model fails at which task
  planguard report --matrix cassettes/ -o matrix.html  the same of a folder of cassettes or runs, as a heat map
  planguard report last --tasks                        which tasks feed back what was wrong
  planguard report cassettes/ -c app/contracts.py:TICKET -o report.md
"""
EXIT_CODES = {
    0: "the report was printed or written; a report never fails because of the run",
    2: "the command itself is wrong, or the run cannot be read",
}
FORMATS = ("text", "markdown", "html", "json")
NO_RUNS = (
    "no run is kept in {folder}. A test session with planguard tests keeps its last run; --planguard-save names it."
)


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("run", metavar="[RUN]", required=False)
@CONTRACT
@EXTRACT
@MAX_ATTEMPTS
@field_option("found by the content")
@format_option(FORMATS)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file: .md, .html or .json in that form, any other as --format says.",
)
@click.option(
    "--matrix",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="Instead: models by task, of a history of attempts or a run record (.jsonl), a cassette, logged errors "
    "(.json), a model_task_matrix.json, or a folder of these.",
)
@click.option(
    "--tasks",
    is_flag=True,
    help="Instead: the tasks of a RUN (by default the last): which ones feed back what was wrong, and who fails them.",
)
@EXTENSIONS
def report(
    run: str | None,
    matrix: Path | None,
    tasks: bool,
    target: Path | None,
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    field: str | None,
    output: str,
    extensions: tuple[str, ...],
) -> None:
    """Print the kept runs, or one RUN: how its cases ended, which rules break, and which model fails in which way.

    A RUN is anything that `planguard diff` compares: a kept run ("last" is the last one), a file of answers, a folder
    of cassettes, a variant.
    """
    from ..retry.judging.request_contracts import AutoContracts
    from ..runs.load.source import LoadOptions

    for option, given in (("--contract", specs), ("--extract", extract), ("--field", field)):
        needs(option, given, "a RUN", run or matrix)
    if run is not None and matrix is not None:
        raise click.UsageError("--matrix is a separate report: leave RUN out.")
    keep_inputs(target)
    if tasks and matrix is not None:
        raise click.UsageError("--tasks and --matrix are two reports: ask for one.")
    load_extensions(extensions)
    schemas = AutoContracts(extract or "embedded").of
    options = LoadOptions(load_contracts(specs, extract), schemas, max_attempts, field)
    form = output if target is None else form_of(target, output)
    if form not in FORMATS:
        raise click.UsageError(f"{target}: a report of runs has the forms {', '.join(FORMATS)}.")
    try:
        if tasks:
            text = run_by_task(run or "last", options, form)
        elif matrix is not None:
            text = models_by_task(matrix, options, form)
        else:
            text = kept_runs(Path(), form) if run is None else one_run(run, options, form)
        if target is not None:
            from ..runs.store.project_files import write_whole

            write_whole(target, [f"{text}\n"], "the report")
            return
    except RunError as error:
        raise WrongUseError(str(error)) from error
    say(text)


def kept_runs(root: Path, form: str) -> str:
    """Return the kept runs with their share of good cases."""
    from ..report.forms import draw
    from ..report.pages.run import run_data, runs_page
    from ..report.plain_text import json_text
    from ..runs.figures import figures_of_run
    from ..runs.store.store import Store

    store = Store(root)
    runs, unread = [], []
    for name in store.names():
        try:
            runs.append(store.load(name))
        except RunError as error:  # one run of another version must not hide the others
            unread.append(str(error))
    if form == "json":
        for problem in unread:
            say(f"planguard: {visible(problem, keep='')}", err=True)
        return json_text([run_data(run, figures_of_run(run)) for run in runs])
    notes = unread if runs or unread else [NO_RUNS.format(folder=store.folder)]
    return draw(runs_page([(run.header, figures_of_run(run)) for run in runs], notes), form)


def one_run(source: str, options: LoadOptions, form: str) -> str:
    """Return the figures of one run. The summary of a CI job gets them as Markdown too."""
    from ..report.forms import draw
    from ..report.pages.run import run_data, run_page
    from ..report.plain_text import json_text
    from ..runs.figures import figures_of_run
    from ..runs.load.load import load_run
    from ..runs.store.store import Store, kept_history

    run = load_run(source, options)
    figures = figures_of_run(run)
    page = run_page(run, figures, datetime.now(UTC), kept_history(Store(Path())))
    add_to_summary(lambda: f"{draw(page, 'markdown')}\n")
    return json_text(run_data(run, figures)) if form == "json" else draw(page, form)


def run_by_task(source: str, options: LoadOptions, form: str) -> str:
    """Return a run's tasks: the feedback of their retries, their defaults, and the failures of each model."""
    from ..report.forms import draw
    from ..report.pages.tasks import tasks_data, tasks_page
    from ..report.plain_text import json_text
    from ..runs.figures import figures_of_tasks
    from ..runs.load.load import load_run

    tasks = figures_of_tasks(load_run(source, options))
    return json_text(tasks_data(tasks)) if form == "json" else draw(tasks_page(tasks), form)


def models_by_task(path: Path, options: LoadOptions, form: str) -> str:
    """Return the results of each model at each task. Print what could not be read or judged."""
    from ..pipeline.matrix import matrix_data
    from ..report.forms import draw
    from ..report.pages.tasks import matrix_page
    from ..report.plain_text import json_text
    from .inputs.attempt_files import matrix_at

    attempts = matrix_at(path, options)
    for problem in attempts.problems:
        say(f"planguard: {visible(problem, keep='')}", err=True)
    matrix = attempts.matrix
    return json_text(matrix_data(matrix)) if form == "json" else draw(matrix_page(matrix), form)


EXPLAIN_EXAMPLES = """
  planguard explain                     every word
  planguard explain truncated
  planguard explain check:feedback dep-cycle int_parsing
"""
EXPLAIN_CODES = {0: "it was explained", 2: "the command itself is wrong: an unknown word"}


@click.command(epilog=epilog(EXPLAIN_EXAMPLES, EXPLAIN_CODES))
@click.argument("words", metavar="WORD…", nargs=-1)
@format_option(("text", "json"))
@EXTENSIONS
def explain(words: tuple[str, ...], output: str, extensions: tuple[str, ...]) -> None:
    """Explain a word of a report: its meaning, why it matters, and what to do. Without a WORD, list all of them.

    A WORD is a finding's code, a failure kind, a check, an outcome, a grade, a constraint, a plan rule, a result of a
    comparison or a gate, or a code of pydantic or JSON Schema.
    """
    from ..report.explain import catalogue, explained_word, render_explanations, render_list

    load_extensions(extensions)
    entries = [entry for word in words for entry in explained_word(word)] if words else list(catalogue())
    if output == "json":
        data = {"version": 1, "explanations": [asdict(entry) for entry in entries]}
        say(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        say(render_explanations(entries) if words else render_list(entries), nl=False)
