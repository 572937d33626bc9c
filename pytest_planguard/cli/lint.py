"""`planguard lint`: check that prompt templates have a place for the errors of the last answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..printable import visible
from ..report.plain_text import count
from .commands import epilog
from .inputs.sources import ExistingPath
from .main import UNJUDGED, UnjudgedError
from .output import say

if TYPE_CHECKING:
    from .inputs.sources import Source

EXAMPLES = """
  planguard lint prompts/
  planguard lint prompts/plan.md prompts/ticket.yaml
  cat prompts/plan.md | planguard lint -
  planguard lint .claude/commands/ --retry-context     also the section that says what to do with errors
"""
EXIT_CODES = {
    0: "every template is good",
    1: "a template needs fixing",
    2: "the command itself is wrong",
    3: "no template needs fixing, but one could not be read, or there is none",
}
SUFFIXES = (".md", ".markdown", ".txt", ".prompt", ".j2", ".jinja", ".jinja2", ".tmpl", ".tpl", ".mustache", ".hbs")
"""Suffixes of prompt templates in a folder. A named file is always a template."""
PATHS = ExistingPath(allow_dash=True)


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", metavar="PATH…", nargs=-1, required=True, type=PATHS)
@click.option(
    "--retry-context",
    is_flag=True,
    help="Also ask for a section Retry Context that holds the variables and says what to do with the errors.",
)
def lint(paths: tuple[Path, ...], retry_context: bool) -> None:
    """Say what keeps prompt templates from passing feedback on: no or misspelt $RETRY_INFO and $VALIDATION_ERRORS.

    A PATH is a template, a folder with any of them, or - for one from standard input.
    """
    from .inputs.sources import find_sources

    sources = find_sources(paths, SUFFIXES)
    if not sources:
        ends = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise UnjudgedError(f"{', '.join(map(str, paths))}: no prompt template; in a folder one ends in {ends}")
    refused, faults = [], []
    for source in sources:
        try:
            faults.append(_linted(source, retry_context))
        except (OSError, UnicodeDecodeError) as error:
            refused.append(f"{source.path}: not read: {error}")
    if faults:
        bad = sum(map(bool, faults))
        say(f"{count(len(faults), 'prompt template')}: {len(faults) - bad} good, {bad} to fix")
    for line in refused:
        say(f"planguard: {visible(line, keep='')}", err=True)
    click.get_current_context().exit(1 if any(faults) else UNJUDGED if refused else 0)


def _linted(source: Source, retry_context: bool) -> int:
    """Print the faults of a template and return their number."""
    from ..contract.feedback.prompt_template import lint_prompt, lint_retry_context

    template = source.content().decode("utf-8-sig")
    faults = (*lint_prompt(template), *(lint_retry_context(template) if retry_context else ()))
    name = "standard input" if str(source.path) == "-" else visible(str(source.path), keep="")
    for fault in faults:
        where = name if fault.line is None else f"{name}:{fault.line}"
        say(f"{where}: {fault.message}")
    return len(faults)
