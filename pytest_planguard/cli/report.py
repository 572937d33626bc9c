"""`planguard report`: the kept runs, or one run in figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ..errors import RunError
from .contracts import load_contracts, load_extension
from .main import WrongUseError

if TYPE_CHECKING:
    from ..document.answer import Extract
    from ..runs.load import LoadOptions

EXAMPLES = """
\b
Examples:
  planguard report                                     the kept runs
  planguard report last                                the last run: outcomes, rules, model by failure kind
  planguard report cassettes/ -c app/contracts.py:TICKET -o report.txt
"""
NO_RUNS = (
    "no run is kept in {folder}. A test session with planguard tests keeps its last run; --planguard-save names it."
)


@click.command(epilog=EXAMPLES)
@click.argument("run", required=False)
@click.option("-o", "--output", "target", type=click.Path(path_type=Path, dir_okay=False), help="Write to this file.")
@click.option("-c", "--contract", "specs", multiple=True, metavar="WHERE", help="module:NAME or file.py:NAME.")
@click.option("--extract", type=click.Choice(["whole", "embedded"]), help="How the document stands in an answer.")
@click.option("--max-attempts", type=click.IntRange(1), default=3, show_default=True, help="Attempts in all.")
@click.option("--field", metavar="NAME", help="Field of a JSON line that holds the answer; dots reach deeper.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-p", "extensions", multiple=True, metavar="MODULE", help="Import a module that registers extensions.")
def report(
    run: str | None,
    target: Path | None,
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    field: str | None,
    output: Literal["text", "json"],
    extensions: tuple[str, ...],
) -> None:
    """Print the kept runs, or one RUN: how its cases ended, which rules break, and which model fails in which way.

    A RUN is whatever `planguard diff` compares: a kept run, a file, a folder, a variant.
    """
    from ..runs.load import LoadOptions
    from .auto import AutoContracts

    for module in extensions:
        load_extension(module)
    schemas = AutoContracts(extract or "embedded").of
    options = LoadOptions(load_contracts(specs, extract), schemas, field, max_attempts=max_attempts)
    try:
        text = kept_runs(Path(), output) if run is None else one_run(run, options, output)
        if target is not None:
            from ..runs.files import write_whole

            write_whole(target, [f"{text}\n"], "the report")
            return
    except RunError as error:
        raise WrongUseError(str(error)) from error
    click.echo(text)


def kept_runs(root: Path, output: str) -> str:
    """The runs that are kept, with their share of good cases."""
    from ..report.run_text import render_runs
    from ..runs.failures import figures_of_run
    from ..runs.store import Store

    store = Store(root)
    runs = [store.load(name) for name in store.names()]
    if output == "json":
        from ..report.run_data import run_data

        return json.dumps([run_data(run, figures_of_run(run)) for run in runs], indent=2)
    if not runs:
        return NO_RUNS.format(folder=store.folder)
    return render_runs((run.header, figures_of_run(run).cases) for run in runs)


def one_run(source: str, options: LoadOptions, output: str) -> str:
    """One run in figures."""
    from ..report.run_data import run_data
    from ..report.run_text import render_run
    from ..runs.failures import figures_of_run
    from ..runs.load import load_run

    run = load_run(source, options)
    figures = figures_of_run(run)
    return json.dumps(run_data(run, figures), indent=2) if output == "json" else render_run(run, figures)
