"""The planguard command run in this process, its output and its complaints kept apart."""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager
from typing import Any

from click import Command
from click.testing import CliRunner, Result  # noqa: TID251 - this is the one place

from pytest_planguard.cli.main import planguard

APART: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
"""Click 8.1 mixes the two streams unless told not to; later ones have no such option."""


def run(*arguments: str, command: Command = planguard, stdin: str | bytes | None = None, color: bool = False) -> Result:
    """The result of a call: `stdout` and `stderr` apart, `exit_code`. An exception that escapes fails the test.

    With `color` click leaves colours in what is printed, as on a terminal.
    """
    return CliRunner(**APART).invoke(command, arguments, input=stdin, color=color, catch_exceptions=False)


def typing(keys: str) -> AbstractContextManager[Any]:
    """A terminal on which these keys are typed, for as long as the block runs."""
    return CliRunner(**APART).isolation(input=keys)
