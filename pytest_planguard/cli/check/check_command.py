"""`planguard check`: cassettes, answers and documents judged without running the app."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ...errors import CassetteError
from ..inputs.contracts import load_contracts, load_extensions
from ..inputs.paths import ExistingPath
from ..inputs.progress import with_progress
from ..inputs.sources import MARKDOWN_SUFFIXES, SUFFIXES, find_sources, hidden_plan_folders
from ..output import in_color, say
from ..shared_options import (
    CONTRACT,
    ESCALATES,
    EXTENSIONS,
    EXTRACT,
    MAX_ATTEMPTS,
    baseline_options,
    epilog,
    excludes,
    field_option,
    format_option,
    needs,
)
from .plan_options import EXAMPLES as PLAN_EXAMPLES
from .plan_options import PlanArguments, catalogue_text, fix_first, plan_options, with_plans

if TYPE_CHECKING:
    from ...document.answer import Extract
    from .check_output import Output
    from .judge_file import Judge

EXAMPLES = """
  planguard check cassettes/                               schema from each request
  planguard check cassettes/ -c app/contracts.py:TICKET    your contract
  planguard check cassettes/ -c app.models:Ticket --extract whole --max-attempts 4
  planguard check answers.jsonl -c app.models:Ticket --field text
  planguard check plan.json -c app.models:Plan --format json
  planguard check cassettes/ --secrets                     what redaction would take out of cassettes
"""
EXIT_CODES = {
    0: "everything that was judged holds",
    1: "a conversation does not converge or fails a check, an answer or a plan breaks its rules, a secret is recorded",
    2: "the command itself is wrong: an option, a path, a contract",
    3: "nothing is bad, but a file could not be read or judged, or nothing could be judged at all",
}


FORMS = ("github", "sarif", "junit")
"""Forms that `planguard diff` has, too: every failure in them is a case."""
PATH = ExistingPath(allow_dash=True)


@click.command(epilog=epilog(EXAMPLES.rstrip() + PLAN_EXAMPLES, EXIT_CODES))
@click.argument("paths", nargs=-1, metavar="PATH…", type=PATH)
@CONTRACT
@EXTRACT
@MAX_ATTEMPTS
@click.option(
    "--coverage",
    type=click.Choice(["all", "first", "any"]),
    default="all",
    show_default=True,
    help="How many of an attempt's findings the next request must feed back.",
)
@click.option(
    "--must-feed-back",
    type=click.Choice(["app", "contract"]),
    default="app",
    show_default=True,
    help="Which findings it must feed back: those that the app could know (one phase at a time), or every one.",
)
@click.option(
    "--fail-on-unclear",
    is_flag=True,
    help="Fail where the next request may feed back a finding, in words that nobody can read. Without it that warns.",
)
@ESCALATES
@field_option("found by the content")
@click.option(
    "--secrets",
    is_flag=True,
    help="Instead: list what redaction would take out of the cassettes, by place and kind. Nothing is written.",
)
@click.option(
    "--redact",
    "words",
    multiple=True,
    metavar="WORD",
    help="With --secrets: a name or a /pattern/ of your own, as in planguard_redact. May be given more than once.",
)
@plan_options
@format_option(("text", "json", "errors", *FORMS))
@click.option(
    "--fail-on",
    type=click.Choice(["fail", "warn"]),
    default="fail",
    show_default=True,
    help="What fails: findings and checks that fail, or those that warn as well.",
)
@baseline_options
@click.option(
    "--time-limit",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long judging one file may take, and a second more for each 100 kB. What takes longer is an error.",
)
@click.option("-q", "--quiet", is_flag=True, help="Only the figures at the end.")
@click.option(
    "-v", "--verbose", is_flag=True, help="Whole conversations, good ones included; what was left out, and why."
)
@EXTENSIONS
def check(
    paths: tuple[Path, ...],
    specs: tuple[str, ...],
    extract: Extract | None,
    max_attempts: int,
    coverage: Literal["all", "first", "any"],
    must_feed_back: Literal["app", "contract"],
    fail_on_unclear: bool,
    escalates: tuple[str, ...],
    field: str | None,
    secrets: bool,
    words: tuple[str, ...],
    output: str,
    fail_on: Literal["fail", "warn"],
    baseline: Path | None,
    baseline_update: bool,
    baseline_prune: bool,
    time_limit: float,
    quiet: bool,
    verbose: bool,
    extensions: tuple[str, ...],
    fix: bool,
    yes: bool,
    list_rules: bool,
    explain: str | None,
    **plan_words: Any,
) -> None:
    """Judge recorded conversations, answers and plan files, offline, without running the app.

    A PATH is a cassette (.yaml, or .json with interactions), a file with an answer a line (.jsonl), a file that is
    one plan or, with a contract, one answer (.md, .json, .yaml), a folder with any of them, or - for standard input.
    Plan files of one folder are checked against each other: what tasks cite must be in the spec.
    """
    from ...retry.judging.judging_options import JudgeOptions
    from ...retry.outcomes import CheckStatus
    from ..diff.diff_settings import BaselineFile
    from ..inputs.answer_stream import BAD_ONLY, EVERYTHING, HELD, NOTHING
    from ..inputs.auto_contracts import AutoContracts
    from .check_output import NORMAL, QUIET, VERBOSE, ErrorsOutput, JsonOutput, TextOutput
    from .judge_file import Judge
    from .pytest_settings import plan_settings

    needs("--yes", yes, "--fix", fix)
    excludes("--quiet", quiet, "--verbose", verbose)
    needs("--redact", words, "--secrets", secrets)
    excludes("--secrets", secrets, "--contract", specs)
    excludes("--secrets", secrets, "--fix", fix)
    if secrets:
        raise SystemExit(list_secrets(paths, words, "json" if output == "json" else "text"))
    load_extensions(extensions)
    plan_arguments = PlanArguments(**plan_words, settings=plan_settings(paths))
    if list_rules or explain is not None:
        say(catalogue_text(plan_arguments, explain, as_json=output == "json"), nl=False)
        return
    _require(paths)
    contracts, plans = with_plans(plan_arguments, load_contracts(specs, extract), extract)
    options = JudgeOptions(
        max_attempts=max_attempts,
        coverage=coverage,
        must_feed_back=must_feed_back,
        unclear=CheckStatus.FAIL if fail_on_unclear else CheckStatus.WARN,
        escalates=escalates,
        partial=not contracts,
    )
    level = QUIET if quiet else VERBOSE if verbose else NORMAL
    listing = EVERYTHING if verbose or output == "json" else NOTHING if quiet else BAD_ONLY
    listing = HELD if output in FORMS or baseline is not None else listing
    listing = listing._replace(warned=fail_on == "warn")
    judge = Judge(contracts, options, AutoContracts(extract or "embedded"), field, plans, listing)
    if fix:
        fix_first(paths, plans, yes=yes, apart=output != "text")
    form = ErrorsOutput if output == "errors" else TextOutput
    text = form(level, specs if contracts else (), partial=not contracts, color=in_color())
    list_file = BaselineFile(baseline, baseline_update, baseline_prune)
    if output in FORMS or list_file.read() is not None:
        from .gated_output import GatedOutput

        shown = None if output in FORMS else JsonOutput() if output == "json" else text
        raise SystemExit(run(paths, judge, GatedOutput(output, list_file, shown, alone=_one_file(paths)), time_limit))
    raise SystemExit(run(paths, judge, JsonOutput() if output == "json" else text, time_limit))


def _one_file(paths: tuple[Path, ...]) -> bool:
    return len(paths) == 1 and paths[0].is_file()


def _require(paths: tuple[Path, ...]) -> None:
    if not paths:
        raise click.MissingParameter(param_hint="'PATH…'", param_type="argument")


def list_secrets(paths: tuple[Path, ...], words: tuple[str, ...], output: Literal["text", "json"]) -> int:
    """Print what redaction would take out of the cassettes, and return the exit code."""
    from .secrets_check import check_secrets

    _require(paths)
    text, code = check_secrets(paths, words, output)
    say(text)
    return code


def run(paths: tuple[Path, ...], judge: Judge, output: Output, time_limit: float) -> int:
    """Judge everything, print it, and return the exit code."""
    from ...report.text import one_line
    from ..inputs.kept_proofs import ProofsOfRuns
    from .expected import Expectations
    from .many_files import reports
    from .own_process import watched
    from .tally import Tally

    suffixes = SUFFIXES if judge.plans is None else (*SUFFIXES, *MARKDOWN_SUFFIXES)
    sources = find_sources(paths, suffixes)
    for folder in () if judge.plans is None else hidden_plan_folders(paths, suffixes):
        name = one_line(str(folder), 200)
        say(f"note: {name} is hidden and was passed over: planguard check {name}", err=True)
    if not sources:
        what = "no cassette and no answers" if judge.plans is None else "no cassette, no answers and no plan"
        raise CassetteError(f"{', '.join(map(str, paths))}: {what}; looked for {', '.join(suffixes)}")
    if judge.plans is not None:
        judge.plans.sources = sources
    tally, expectations, proofs = Tally(), Expectations(), ProofsOfRuns(judge.contracts)
    judged_ones = expectations.without_own(sources)
    watch = watched(judged_ones, time_limit)
    if judge.plans is not None:
        judge.plans.watch = watch
    for number, judged in enumerate(reports(judge, with_progress(judged_ones, "judging"), watch)):
        report = expectations.held_against(judged)
        if report.conversations:
            report = replace(report, proofs=proofs.of(report.path, report.conversations))
        tally.add(report)
        with watch.printing(number):
            output.add(report)
        watch.told(number + 1)
    watch.done(len(judged_ones))
    for note in proofs.notes():
        say(f"note: {one_line(note, 300)}", err=True)
    say(output.end(tally), painted=True, commands=output.commands)
    return output.exit_code(tally)
