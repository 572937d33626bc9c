"""`planguard strength`: which mutants of good answers a contract rejects, and what would reject the others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import UsageError
from .commands import EXTENSIONS, EXTRACT, epilog, field_option, format_option, keep_inputs
from .inputs.sources import ExistingPath
from .output import say

if TYPE_CHECKING:
    from ..contract.constraints.scene import CheckContext
    from ..document.answer import Extract

EXAMPLES = """
  planguard strength answers.jsonl -c app.models:TICKET
  planguard strength cassettes/ -c app/models.py:TICKET --at-least 0.9
  planguard strength answers.jsonl -c app.models:TICKET --prompt prompts/ticket.md -o strength.html --format html
"""
EXIT_CODES = {
    0: "the contract is strong enough, or --at-least was not given",
    1: "it kills a smaller share of the mutants than --at-least",
    2: "the command itself is wrong, or there is no answer that the contract accepts",
    3: "a file cannot be read",
}
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.argument("paths", metavar="ANSWERS…", nargs=-1, required=True, type=ExistingPath())
@click.option("-c", "--contract", "spec", metavar="WHERE", required=True, help="module:NAME or file.py:NAME.")
@EXTRACT
@field_option("found by the content")
@click.option("--prompt", "prompts", type=FILE, metavar="FILE", multiple=True, help="A prompt; repeatable.")
@click.option(
    "--example",
    "examples",
    type=FILE,
    metavar="FILE",
    multiple=True,
    help="An example answer of the prompt; repeatable.",
)
@click.option(
    "--equivalent", type=FILE, metavar="FILE", help="Mutants that are good answers, too: OPERATOR PLACE -- reason."
)
@click.option("--seed", type=int, metavar="N", default=0, show_default=True, help="Which values are mutated.")
@click.option("--at-least", type=click.FloatRange(0, 1), metavar="SHARE", help="Fail below this share of kills.")
@format_option(("text", "markdown", "html", "json"))
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write to this file.")
@EXTENSIONS
def strength(
    paths: tuple[Path, ...],
    spec: str,
    extract: Extract | None,
    field: str | None,
    prompts: tuple[Path, ...],
    examples: tuple[Path, ...],
    equivalent: Path | None,
    seed: int,
    at_least: float | None,
    output: str,
    target: Path | None,
    extensions: tuple[str, ...],
) -> None:
    """Make mutants of good ANSWERS, count those that a contract kills, and say what would kill the others.

    ANSWERS are files with one answer a line, documents, cassettes, or folders of them.
    """
    from ..contract.strength.measure import measure, read_equivalents
    from ..report.forms import draw
    from ..report.pages.strength import strength_data, strength_page
    from ..report.plain_text import json_text
    from ..runs.load.contracts import load_contracts, load_extensions
    from .inputs.recorded_answers import recorded_answers

    keep_inputs(target)
    load_extensions(extensions)
    contracts = load_contracts((spec,), extract)
    if not contracts:
        raise UsageError("--contract auto has no contract to measure; name one: module:NAME or file.py:NAME")
    context = _context(prompts, examples)
    answers = recorded_answers(paths, contracts[0], field)
    answers = answers if context is None else [replace(answer, context=context) for answer in answers]
    known = read_equivalents(_text(equivalent), str(equivalent)) if equivalent else ()
    result = measure(contracts[0], answers, equivalents=known, seed=seed)
    text = json_text(strength_data(result)) if output == "json" else draw(strength_page(result), output)
    if target is None:
        say(text)
    else:
        from ..runs.store.project_files import write_whole

        write_whole(target, [f"{text}\n"], "the report")
    click.get_current_context().exit(1 if at_least is not None and result.share < at_least else 0)


def _context(prompts: tuple[Path, ...], examples: tuple[Path, ...]) -> CheckContext | None:
    """Return the texts that the answers may have been copied from. None leaves it to the cassettes."""
    from ..contract.constraints.scene import CheckContext

    if not prompts and not examples:
        return None
    return CheckContext(tuple(map(_text, prompts)), tuple(map(_text, examples)))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
