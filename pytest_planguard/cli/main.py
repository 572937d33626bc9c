"""The command `planguard`: a group whose commands load on first use, so that `--help` is quick.

Nothing leaves it as a traceback: what planguard knows becomes one clear message, anything else one line and `--debug`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import IO, Any

import click

from .. import __version__
from ..errors import PlanguardError, UsageError
from .output import printable_errors, say, say_traceback, say_warnings
from .shared_options import epilog

OWN_PROCESS = "own process"
"""The object of click's context where the command is the whole program, so that it may fork and end itself."""
UNJUDGED = 3
"""Exit code where something could not be judged: an unreadable file, nothing to judge, a defect of planguard."""

COMMANDS = {
    "abort": ("gates:abort", "Stop a pipeline that waits at a gate."),
    "check": ("check.check_command:check", "Judge cassettes, answers and documents without running the app."),
    "ci": ("project.ci:ci", "Write the files that gate pull requests: GitHub, GitLab, pre-commit."),
    "demo": ("project.demo:demo", "Show a test turn red, then green: no key, no network."),
    "diff": ("diff.diff_command:diff", "Compare two runs, variants or revisions, and gate the comparison."),
    "explain": ("explain:explain", "Say what a word of a report means, and what to do about it."),
    "init": ("project.init:init", "Write what a first contract test needs."),
    "lint": ("lint:lint", "Say what keeps prompt templates from passing feedback on."),
    "recover": ("project.recover:recover", "Make a cassette of what an interrupted one left behind."),
    "report": ("report:report", "List the kept runs, or one run in figures: outcomes, rules, models."),
    "restore": ("project.restore:restore", "Put back a cassette that a newer one has replaced."),
    "resume": ("gates:resume", "Let a pipeline go on that waits at a gate."),
    "review": ("review.review_command:review", "Decide about snapshots and known failures, one by one."),
    "search": ("search:search", "Compare search policies over recorded plan searches."),
    "serve": ("serve:serve", "Answer requests of any client from cassettes, on the loopback address."),
    "show": ("show.show_command:show", "Print the conversations of a cassette for a person."),
    "status": ("gates:status", "Say whether a pipeline waits at a gate, and why."),
    "strength": ("strength:strength", "Say which bad answers a contract would accept, and what rejects them."),
}
"""Command name to (module:function, one line of help): the group's help needs no command's imports."""


class UnjudgedError(click.ClickException):
    """Something could not be judged: one clear message, exit code 3."""

    exit_code = UNJUDGED

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - click may name another file, and does not
        """Print the message to stderr."""
        say(f"planguard: {self.format_message()}", err=True)


class WrongUseError(UnjudgedError):
    """The command itself is wrong: one clear message, exit code 2."""

    exit_code = 2


class LazyGroup(click.Group):
    """A group that imports a command's module when the command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it by position
        """Return names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Return the command of that name; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(import_module(f".{module}", __package__), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{attribute} is no click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown name is answered with the nearest one and all names."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            offer = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {args[0]!r}. {offer}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same
        """The command list, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the options; what is wrong with them is quoted as it may be printed."""
        with printable_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; every error becomes one message, as it may be printed, and an exit code."""
        with printable_errors():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except PlanguardError as error:
            stop = WrongUseError if isinstance(error, UsageError) else UnjudgedError
            raise stop(str(error)) from error
        except Exception as error:
            raise UnjudgedError(defect(error)) from error


def defect(error: Exception) -> str:
    """Return one line about an error that planguard did not expect; with --debug the traceback goes to stderr."""
    if click.get_current_context().find_root().params.get("debug"):
        say_traceback(error)
    message = " ".join(str(error).split())[:200]
    return (
        f"this is a defect of planguard {__version__}: {type(error).__name__}: {message}. "
        "`planguard --debug …` prints where; please report it with the file that was read."
    )


EXAMPLES = """
  planguard check cassettes/                            every recorded conversation
  planguard check cassettes/ -c app/models.py:Ticket    the same, by your own contract
  planguard check answers.jsonl -c app.models:Ticket    answers, one by one
  planguard show cassettes/test_app/test_a.yaml         one cassette, for a person
  planguard report last                                 the last run of pytest in figures
  planguard diff main last                              what is new against a run that was kept as main
"""
EXIT_CODES = {
    0: "all is well, or it was done",
    1: "something is bad: a conversation, an answer, a plan, a gate",
    2: "the command itself is wrong: an option, a path, a contract",
    3: "something could not be read or judged; `planguard COMMAND --help` has the codes of each command",
}


@click.group(
    cls=LazyGroup, epilog=epilog(EXAMPLES, EXIT_CODES), context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "-V", "--version", message="planguard %(version)s")
@click.option("--debug", is_flag=True, help="Print the traceback of a defect.")
def planguard(debug: bool) -> None:
    """Judge what language models wrote, and whether their retries converge. Nothing is sent, no key is needed."""


def main() -> None:
    """Entry point of the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal without UTF-8 must not end a report in an encoding error
            reconfigure(errors="backslashreplace")
    say_warnings()
    planguard(prog_name="planguard", obj=OWN_PROCESS)
