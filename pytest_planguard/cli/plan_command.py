"""`planguard plan`: judge and fix plan files, and show the rules of their formats."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..errors import UsageError
from ..printable import visible
from ..replay.paths import replace_file
from ..report.plain_text import count
from ..runs.load.contracts import load_extensions
from .check.check_command import (
    EXIT_CODES,
    PATH,
    JudgeArguments,
    OutputArguments,
    judge_options,
    judge_paths,
    output_options,
)
from .check.plan_files import SUFFIXES, PlanFiles
from .check.plan_options import RULES, PlanArguments, plan_options, plan_settings
from .commands import EXTENSIONS, LazyGroup, epilog, format_option, picked
from .inputs.sources import STDIN, Source, find_sources
from .output import agreed, say

if TYPE_CHECKING:
    from ..plans.judging.fix import Fix


COMMANDS = {
    "check": ("plan_command:check", "Judge plan files by the rules of their format."),
    "fix": ("plan_command:fix", "Show what can be fixed in plan files, and write it after confirmation."),
    "graph": ("plan_command:graph", "Draw the tasks of a plan: waves, critical path, cycles."),
    "hook": ("plan_hook:hook", "Judge the plan file that a coding agent writes, for its hooks."),
    "rules": ("plan_command:rules", "List the rules, or explain one, with an example and a fix."),
}
COPY = "copy"
"""In place of a rule's code: print the description of a format."""
CHECK_EXAMPLES = """
  planguard plan check specs/ docs/plans/                      their format is detected from their content
  planguard plan check tasks.md --rules spec-kit --severity parallel-safe=retry
  planguard plan check runbooks/ --rules planguard-plan.yaml   a format of your own, described in a file
"""
FIX_EXAMPLES = """
  planguard plan fix docs/plans/          shows a diff, and asks
  planguard plan fix tasks.md --yes       writes without asking
"""
RULES_EXAMPLES = """
  planguard plan rules                    all of them
  planguard plan rules dep-cycle          what this one checks, and how to fix it
  planguard plan rules -p house_rules     with those of your own
  planguard plan rules copy task-master   how a built-in format is described, for a file of your own
"""


GRAPH_EXAMPLES = """
  planguard plan graph tasks.md                                waves, critical path, what never begins
  planguard plan graph tasks.json --format svg > plan.svg      a picture; mermaid and dot are text for one
"""


@click.group(cls=LazyGroup, table=COMMANDS)
def plan() -> None:
    """Judge and fix plan files by the rules of their format."""


@click.command(epilog=epilog(CHECK_EXAMPLES, EXIT_CODES))
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=PATH)
@plan_options
@judge_options
@output_options
@EXTENSIONS
def check(paths: tuple[Path, ...], extensions: tuple[str, ...], **given: Any) -> None:
    """Judge plan files like planguard check, with more options for formats and rules."""
    raise SystemExit(_judged(paths, extensions, given, None))


@click.command(epilog=epilog(FIX_EXAMPLES, EXIT_CODES))
@click.argument("paths", nargs=-1, required=True, metavar="PATH…", type=PATH)
@click.option("-y", "--yes", is_flag=True, help="Write without asking.")
@plan_options
@judge_options
@output_options
@EXTENSIONS
def fix(paths: tuple[Path, ...], extensions: tuple[str, ...], yes: bool, **given: object) -> None:
    """Show what can be fixed in plan files as a diff, write it after confirmation, and judge them."""
    raise SystemExit(_judged(paths, extensions, given, yes))


@click.command(
    epilog=epilog(RULES_EXAMPLES, {0: "it is said", 2: "the command itself is wrong: there is no such rule"})
)
@click.argument("code", required=False)
@click.argument("format_name", metavar="[FORMAT]", required=False)
@RULES
@format_option(("text", "json"))
@EXTENSIONS
def rules(
    code: str | None,
    format_name: str | None,
    rules: tuple[str, ...],
    output: Literal["text", "json"],
    extensions: tuple[str, ...],
) -> None:
    """List the rules of plans, those of -p and --rules too; of CODE say what it checks and how to fix it.

    `copy FORMAT` prints the description of a built-in format.
    """
    from ..plans.rules.judge_plan import rule_of
    from ..report.plan_text import rule_list, rule_text, rule_values

    if code == COPY and format_name is not None:
        from ..plans.declared.described import format_text

        say(format_text(format_name), nl=False)
        return
    if code == COPY or format_name is not None:
        got = " ".join(filter(None, (code, format_name)))
        raise UsageError(f"a format is copied by its name: got {got}; write copy task-master")
    load_extensions(extensions)
    every = PlanArguments(rules, settings=plan_settings(())).policy().rules
    chosen = every if code is None else (rule_of(code, every),)
    if output == "json":
        say(json.dumps({"version": 1, "rules": [rule_values(rule) for rule in chosen]}, indent=1))
    else:
        say(rule_list(chosen) if code is None else rule_text(chosen[0]), nl=False)


@click.command(
    epilog=epilog(GRAPH_EXAMPLES, {0: "it is drawn", 2: "the command itself is wrong, or the file is not a plan"})
)
@click.argument("path", metavar="FILE", type=PATH)
@RULES
@format_option(("text", "mermaid", "dot", "svg"))
@EXTENSIONS
def graph(path: Path, rules: tuple[str, ...], output: str, extensions: tuple[str, ...]) -> None:
    """Draw the tasks of a plan file: waves, the critical path, cycles in red, and files of parallel tasks.

    A Markdown plan that marks parallel tasks, or states no dependency, is worked through in the order of its list. A
    picture leaves out arrows that others imply.
    """
    from ..plans.plan_graph import graph_of
    from ..report.plan_picture import draw_graph

    load_extensions(extensions)
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name one plan file")
    words = PlanArguments(rules, settings=plan_settings((path,)))
    source = Source(path, named=True)
    files = PlanFiles(words.policy, asked_for=True, sources=(source,))
    report = files.report(source, source.content())
    if report.plan is None:
        why = "; ".join(finding.message for finding in report.findings)
        raise UsageError(f"{path} has no graph: {why}; a format is named by --rules FORMAT")
    say(draw_graph(graph_of(report.plan), output), nl=False)


def _judged(paths: tuple[Path, ...], extensions: tuple[str, ...], given: dict[str, Any], yes: bool | None) -> int:
    """Fix the files first if `yes` is given, then judge them. Return the exit code."""
    load_extensions(extensions)
    shown, words = picked(OutputArguments, given), PlanArguments(**_plan_words(given), settings=plan_settings(paths))

    def before(plans: PlanFiles | None) -> None:

        if plans is None:
            raise UsageError("plans are fixed, and with --contract documents are answers; add --rules FORMAT.")
        fix_files(find_sources(paths, SUFFIXES), plans, yes=bool(yes), apart=shown.output != "text")

    how = picked(JudgeArguments, given)
    return judge_paths(paths, how, shown, words) if yes is None else judge_paths(paths, how, shown, words, before)


def _plan_words(given: dict[str, Any]) -> dict[str, Any]:
    names = PlanArguments.__slots__
    return {name: given[name] for name in names if name in given}


_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that can be fixed."""

    path: Path
    before: bytes
    after: bytes
    fix: Fix


def fix_files(sources: tuple[Source, ...], plans: PlanFiles, *, yes: bool, apart: bool) -> None:
    """Print a diff of every plan file that can be fixed. Write all of them after confirmation.

    Args:
        sources: the files of the command.
        plans: how plans are judged.
        yes: write without asking. Otherwise a person at a terminal is asked, and without a terminal nothing is written.
        apart: True to print to standard error, because standard output is for a program.

    Raises:
        UsageError: the files include standard input, which can't be written to.
    """
    if any(source.path == STDIN for source in sources):
        raise UsageError("files are written, got standard input; name a file.")
    fixed = list(_fixed_files(sources, plans))
    for one in fixed:
        say(visible(one.fix.diff(one.path.as_posix())), err=apart)
    files = count(len(fixed), "file")
    if not fixed:
        say("nothing to fix\n", err=apart)
    elif yes or (os.isatty(0) and agreed(f"Write {files}?", err=apart)):
        notes = [note for one in fixed if (note := _write(one)) is not None]
        say("\n".join([*notes, f"fixed {count(len(fixed) - len(notes), 'file')}", ""]), err=apart)
    else:
        say(f"{files} can be fixed; nothing was written. Add --yes to write.\n", err=apart)


def _fixed_files(sources: tuple[Source, ...], plans: PlanFiles) -> Iterator[FixedFile]:
    from ..plans.judging.fix import fix_plan

    for source in sources:
        content = plans.plan_content(source)
        if content is None:
            continue
        # The byte order mark of a file is no part of the plan, and stays.
        mark = _MARK if content.startswith(_MARK) else b""

        judge = partial(plans.judged, source)
        fix = fix_plan(judge(content), judge, schema=plans.fixes_schema)
        for line in fix.proposed:
            say(f"{source.path}: proposed, not written: {line}; count the tasks yourself", err=True)
        # Text that was decoded with a loss, as of bytes that are not UTF-8, is not written back.
        if fix.changes and mark + fix.before.encode() == content:
            yield FixedFile(source.path, content, mark + fix.after.encode(), fix)


def _write(fixed: FixedFile) -> str | None:
    """Replace a file atomically. Return a note if it was not written."""
    path = fixed.path
    if path.is_symlink() or not path.is_file():
        return f"{path}: not written: it is not a regular file"
    try:
        if path.read_bytes() != fixed.before:
            return f"{path}: not written: it has changed meanwhile"
        replace_file(path, fixed.after, keep_mode=True)
    except OSError as error:
        return f"{path}: not written: {error.strerror or type(error).__name__}"
    return None
