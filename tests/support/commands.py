"""Run the planguard command in this process, with its output and its error output kept apart."""

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
    """Return the result of a call: `stdout` and `stderr` apart, and `exit_code`.

    An exception that escapes fails the test. With `color`, click prints colours, as on a terminal.
    """
    return CliRunner(**APART).invoke(command, arguments, input=stdin, color=color, catch_exceptions=False)


def typing(keys: str) -> AbstractContextManager[Any]:
    """Provide a terminal on which these keys are typed while the block runs."""
    return CliRunner(**APART).isolation(input=keys)
