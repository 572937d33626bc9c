"""The command `planguard`, and the handling of its errors.

No error leaves it as a traceback. Errors that planguard knows become one clear message, all others one line and a hint
about `--debug`.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import IO, Any

import click

from .. import __version__
from ..errors import PlanguardError, UsageError
from .commands import LazyGroup, epilog
from .output import INTERRUPTED, printable_errors, say, say_traceback, say_warnings

OWN_PROCESS = "own process"
"""click's context object if the command is the whole program, and so may fork and exit."""
UNJUDGED = 3
"""Exit code if something could not be judged: an unreadable file, nothing to judge, a defect in planguard."""

COMMANDS = {
    "cassette": ("cassette.cassette_command:cassette", "Serve, recover, restore or search cassettes for secrets."),
    "check": ("check.check_command:check", "Judge cassettes, answers and documents without running the app."),
    "ci": ("project.ci:ci", "Write the files that gate pull requests: GitHub, GitLab, pre-commit."),
    "demo": ("project.demo:demo", "Show a test turn red, then green: no key, no network."),
    "diff": ("diff.diff_command:diff", "Compare two runs, variants or revisions, and gate the comparison."),
    "explain": ("report:explain", "Explain a word from a report, and what to do about it."),
    "gate": ("gate_command:gate", "Resume or stop a pipeline that waits for a decision."),
    "init": ("project.init:init", "Set up a project for its first contract test."),
    "lint": ("lint:lint", "Find what keeps prompt templates from passing feedback on."),
    "plan": ("plan_command:plan", "Judge and fix plan files by the rules of their format."),
    "report": ("report:report", "List the kept runs, or one run in figures: outcomes, rules, models."),
    "review": ("diff.review_command:review", "Decide about snapshots and known failures, one by one."),
    "search": ("search:search", "Compare search policies over recorded plan searches."),
    "show": ("cassette.show_command:show", "Print the conversations of a cassette in readable form."),
    "strength": ("strength:strength", "List bad answers that a contract accepts, and rules that reject them."),
}


class UnjudgedError(click.ClickException):
    """Something could not be judged: one clear message, exit code 3."""

    exit_code = UNJUDGED

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002 - click may pass another file, but does not
        """Print the message to stderr."""
        say(f"planguard: {self.format_message()}", err=True)


class WrongUseError(UnjudgedError):
    """The command itself is wrong: one clear message, exit code 2."""

    exit_code = 2


class Planguard(LazyGroup):
    """The whole program. Every error of a command becomes one printable message and an exit code."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the options. Errors quote them in printable form."""
        with printable_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. Every error becomes one printable message and an exit code."""
        with printable_errors():
            return self._invoke(ctx)

    def _invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        # click ends quietly if the reader of a pipe is gone: `planguard check … | head -1`.
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            say("planguard: stopped", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        except PlanguardError as error:
            stop = WrongUseError if isinstance(error, UsageError) else UnjudgedError
            raise stop(str(error)) from error
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):  # `planguard check > report.txt` on a full disk
                what = "the output" if error.filename is None else os.fspath(error.filename)
                raise UnjudgedError(f"{what} was not written: {error.strerror}. Free some space.") from error
            if error.filename is None:
                raise UnjudgedError(defect(error)) from error
            raise UnjudgedError(f"{os.fspath(error.filename)}: {error.strerror}") from error
        except Exception as error:
            raise UnjudgedError(defect(error)) from error


def defect(error: Exception) -> str:
    """Return one line about an unexpected error. With --debug, the traceback goes to stderr."""
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
    cls=Planguard,
    table=COMMANDS,
    epilog=epilog(EXAMPLES, EXIT_CODES),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="planguard %(version)s")
@click.option("--debug", is_flag=True, help="Print the traceback of a defect.")
def planguard(debug: bool) -> None:
    """Judge what language models wrote, and whether their retries converge. Nothing is sent, no key is needed."""


def main() -> None:
    """Entry point of the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a terminal without UTF-8 must not end a report with an encoding error
            reconfigure(errors="backslashreplace")
    say_warnings()
    planguard(prog_name="planguard", obj=OWN_PROCESS)
