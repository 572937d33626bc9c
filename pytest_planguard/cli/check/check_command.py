"""`planguard check`: judge cassettes, answers and documents without running the app."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ...errors import CassetteError
from ...runs.load.contracts import load_contracts, load_extensions
from ..commands import (
    CONTRACT,
    ESCALATES,
    EXTENSIONS,
    EXTRACT,
    MAX_ATTEMPTS,
    BaselineFile,
    Options,
    baseline_options,
    epilog,
    excludes,
    field_option,
    format_option,
    needs,
    picked,
)
from ..inputs.sources import MARKDOWN_SUFFIXES, SUFFIXES, ExistingPath, find_sources, hidden_plan_folders
from ..main import UNJUDGED
from ..output import in_color, say, with_progress
from .log_options import LISTED, LogArguments, log_options
from .plan_options import RULES, PlanArguments, with_plans

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...document.answer import Extract
    from ...retry.judging.judging_options import JudgeOptions
    from ..inputs.answers import Listing
    from ..inputs.sources import Source
    from .check_logs import Logs
    from .check_output import Output
    from .file_report import FileReport
    from .judge_file import Judge
    from .plan_files import PlanFiles
    from .tally import Tally

EXAMPLES = """
  planguard check cassettes/                               schema from each request
  planguard check cassettes/ -c app/contracts.py:TICKET    your contract
  planguard check cassettes/ -c app.models:Ticket --extract whole --max-attempts 4
  planguard check answers.jsonl -c app.models:Ticket --field text
  planguard check traces.jsonl -c app.models:Ticket        logged calls: OTLP, Langfuse, LangSmith, LiteLLM, batches
  planguard check plan.json -c app.models:Plan --format json
  planguard check specs/ docs/plans/                       plans: their format is detected from their content
  planguard check tasks.md --rules spec-kit                plans of this format; planguard plan check has more
"""
EXIT_CODES = {
    0: "everything that was judged holds",
    1: "a conversation does not converge or fails a check, an answer or a plan breaks its rules",
    2: "the command itself is wrong: an option, a path, a contract",
    3: "nothing is bad, but a file could not be read or judged, or nothing could be judged at all",
}


FORMS = ("github", "sarif", "junit")
"""Output forms that `planguard diff` also has. Each failure becomes a case in them."""
PATH = ExistingPath(allow_dash=True, patterns=True)
LOG_SUFFIXES = (
    ".pb",
    ".binpb",
    ".parquet",
    *(f"{name}{packed}" for name in (".jsonl", ".ndjson", ".json") for packed in (".gz", ".zst")),
)
"""Suffixes of log files in a folder, in addition to those of answers and cassettes."""


@dataclass(frozen=True, slots=True)
class JudgeArguments:
    """The options for judging answers and conversations, as the user typed them."""

    specs: tuple[str, ...] = ()
    extract: Extract | None = None
    max_attempts: int = 3
    coverage: Literal["all", "first", "any"] = "all"
    must_feed_back: Literal["app", "contract"] = "app"
    fail_on_unclear: bool = False
    escalates: tuple[str, ...] = ()
    field: str | None = None

    def options(self, *, partial: bool) -> JudgeOptions:
        """Return the options for `judge`. `partial` is True if no contract is named."""
        from ...retry.judging.judging_options import JudgeOptions
        from ...retry.outcomes import CheckStatus

        return JudgeOptions(
            max_attempts=self.max_attempts,
            coverage=self.coverage,
            must_feed_back=self.must_feed_back,
            unclear=CheckStatus.FAIL if self.fail_on_unclear else CheckStatus.WARN,
            escalates=self.escalates,
            partial=partial,
        )


@dataclass(frozen=True, slots=True)
class OutputArguments(BaselineFile):
    """The options for what is printed, what fails, and how long a file may take, as the user typed them."""

    output: str
    fail_on: Literal["fail", "warn", "new-failures"]
    time_limit: float
    quiet: bool
    verbose: bool

    def listing(self) -> Listing:
        """Return the choice of lines to keep from files with one answer per line."""
        from ..inputs.answers import BAD_ONLY, EVERYTHING, HELD, NOTHING

        whole = self.verbose or self.output == "json"
        listing = EVERYTHING if whole else NOTHING if self.quiet else BAD_ONLY
        listing = HELD if self.output in FORMS or self.baseline is not None else listing
        return listing._replace(warned=self.fail_on == "warn")

    def printed(self, paths: tuple[Path, ...], specs: tuple[str, ...], *, partial: bool) -> Output:
        """Return the printer of the reports, which also compares them with the baseline."""
        from .check_output import NORMAL, QUIET, VERBOSE, ErrorsOutput, JsonOutput, TextOutput

        level = QUIET if self.quiet else VERBOSE if self.verbose else NORMAL
        form = ErrorsOutput if self.output == "errors" else TextOutput
        text = form(level, () if partial else specs, partial=partial, color=in_color())
        shown = JsonOutput() if self.output == "json" else text
        if self.output not in FORMS and not (self.baseline or self.baseline_update or self.baseline_prune):
            return shown
        from .check_rows import GatedOutput

        self.read()  # report its errors before judging anything
        alone = len(paths) == 1 and paths[0].is_file()
        return GatedOutput(self.output, self, None if self.output in FORMS else shown, alone=alone)


judge_options = Options(
    CONTRACT,
    EXTRACT,
    MAX_ATTEMPTS,
    click.option(
        "--coverage",
        type=click.Choice(["all", "first", "any"]),
        default="all",
        show_default=True,
        help="How many of an attempt's findings the next request must feed back.",
    ),
    click.option(
        "--must-feed-back",
        type=click.Choice(["app", "contract"]),
        default="app",
        show_default=True,
        help="Which findings it must feed back: those that the app could know (one phase at a time), or every one.",
    ),
    click.option(
        "--fail-on-unclear",
        is_flag=True,
        help="Fail if the next request may feed back a finding but its wording isn't recognised. Without this option "
        "it warns.",
    ),
    ESCALATES,
    field_option("found by the content"),
)
output_options = Options(
    format_option(("text", "json", "errors", *FORMS)),
    click.option(
        "--fail-on",
        type=click.Choice(["fail", "warn", "new-failures"]),
        default="fail",
        show_default=True,
        help="What fails the run: findings and checks that fail; those that warn as well; or, in logs, only rules "
        "that the previous --save run did not break.",
    ),
    baseline_options,
    click.option(
        "--time-limit",
        type=click.FloatRange(min=1),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Time limit for judging one file, plus one second for each 100 kB. Exceeding it is an error.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print only the summary."),
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        help="Show whole conversations, good ones included, and what was left out and why.",
    ),
)
"""The options that this command shares with `planguard plan check`."""


@click.command(epilog=f"\b\nOptions for logs of production:\n{LISTED}\n\n{epilog(EXAMPLES, EXIT_CODES)}")
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=PATH)
@judge_options
@RULES
@output_options
@EXTENSIONS
@log_options
def check(paths: tuple[Path, ...], rules: tuple[str, ...], extensions: tuple[str, ...], **given: Any) -> None:
    """Judge recorded conversations, answers and plan files, offline, without running the app.

    A PATH is a cassette (.yaml, or .json with interactions), a file with one answer per line (.jsonl), a log of
    calls (OTLP, Langfuse, LangSmith, LiteLLM, batches), a file that is one plan or, with a contract, one answer
    (.md, .json, .yaml), a folder with any of them, or - for standard input, which may have lines, too. Plan files
    of one folder are checked against each other: what tasks cite must be in the spec.
    """
    from .plan_options import plan_settings

    load_extensions(extensions)
    plans = PlanArguments(rules, settings=plan_settings(paths))
    logged = picked(LogArguments, given)
    how, shown = picked(JudgeArguments, given), picked(OutputArguments, given)
    raise SystemExit(judge_paths(paths, how, shown, plans, logs=logged, extensions=extensions))


def judge_paths(
    paths: tuple[Path, ...],
    how: JudgeArguments,
    shown: OutputArguments,
    words: PlanArguments,
    before: Callable[[PlanFiles | None], None] = lambda _: None,
    *,
    logs: LogArguments | None = None,
    extensions: tuple[str, ...] = (),
) -> int:
    """Judge everything as requested, print it, and return the exit code.

    `before` is called with the judge of plan files before anything is judged.
    """
    from ...retry.judging.request_contracts import AutoContracts
    from .judge_file import Judge

    excludes("--quiet", shown.quiet, "--verbose", shown.verbose)
    contracts, plans = with_plans(words, load_contracts(how.specs, how.extract), how.extract)
    options, auto = how.options(partial=not contracts), AutoContracts(how.extract or "embedded")
    judge = Judge(contracts, options, auto, how.field, plans, shown.listing())
    before(plans)
    judging = None
    if logs is not None:
        from .check_logs import Logs
        from .log_options import NamedJudge, options_data

        named = NamedJudge(how.specs, how.extract, options_data(options), extensions)
        every, new_only = shown.output == "json" or shown.verbose, shown.fail_on == "new-failures"
        needs("--fail-on new-failures", new_only, "--save", logs.save)
        judging = Logs(logs, named, every_row=every, new_only=new_only, field=how.field)
    return run(paths, judge, shown.printed(paths, how.specs, partial=not contracts), shown.time_limit, judging)


def run(paths: tuple[Path, ...], judge: Judge, output: Output, time_limit: float, logs: Logs | None = None) -> int:
    """Judge everything, print it, and return the exit code."""
    from ...printable import one_line
    from ...runs.store.kept_proofs import ProofsOfRuns
    from .file_report import Expectations
    from .judge_file import reports
    from .own_process import Watch, watched
    from .tally import Tally

    logged, sources = _found(paths, judge, logs)
    if judge.plans is not None:
        judge.plans.sources = sources
    tally, expectations, proofs = Tally(), Expectations(), ProofsOfRuns(judge.contracts)
    judged_ones = expectations.without_own(sources)
    watch = watched(judged_ones, time_limit) if judged_ones or logged is None else Watch()
    if judge.plans is not None:
        judge.plans.watch = watch
    for judged in reports(judge, with_progress(judged_ones, "judging"), watch):
        report = judged
        if report.conversations:
            found = proofs.of(report.path, report.conversations)
            report = replace(expectations.held_against(report), proofs=found)
        tally.add(report)
        output.add(report)
    watch.done(len(judged_ones))
    if logged is not None:
        tally.add(logged)
        output.add(logged)
    for note in proofs.notes():
        say(f"note: {one_line(note, 300)}", err=True)
    say(output.end(tally), painted=True, commands=output.commands)
    return exit_code(tally, fails=output.fails(tally))


def exit_code(tally: Tally, *, fails: bool) -> int:
    """Return the exit code, by `EXIT_CODES`. Something bad counts more than something that could not be judged."""
    return 1 if fails else UNJUDGED if tally.unreadable or not tally.judged else 0


def _found(paths: tuple[Path, ...], judge: Judge, logs: Logs | None) -> tuple[FileReport | None, tuple[Source, ...]]:
    """Return the report on all logs (None without logs), and the other files.

    Raises CassetteError if there is no file.
    """
    from ...printable import one_line
    from .file_report import FileReport

    suffixes = SUFFIXES if judge.plans is None else (*SUFFIXES, *MARKDOWN_SUFFIXES)
    sources = find_sources(paths, suffixes if logs is None else (*suffixes, *LOG_SUFFIXES))
    logged: FileReport | None = None
    if logs is not None:
        found, sources = logs.judged(sources, suffixes)
        logged = FileReport(found[0], logs=found[1], new_rules=logs.new_rules) if found is not None else None
    for folder in () if judge.plans is None else hidden_plan_folders(paths, suffixes):
        name = one_line(str(folder), 200)
        say(f"note: {name} is hidden and was skipped; to check it: planguard check {name}", err=True)
    if not sources and logged is None:
        what = "no cassette and no answers" if judge.plans is None else "no cassette, no answers and no plan"
        raise CassetteError(f"{', '.join(map(str, paths))}: {what}; looked for {', '.join(suffixes)}")
    return logged, sources
