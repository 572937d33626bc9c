"""What a failure of our own set-up says: another plugin or the system refused what it needs."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import PurePath
from typing import NoReturn, TypeVar

import pytest

from ...errors import PlanguardError, SetupFailed

_Server = TypeVar("_Server")


def explain(error: Exception, what: str) -> NoReturn:
    """Raise an error of ours as it is, and for another one what could not be done, by whom it was refused, the way out.

    `what` follows "could not": "open the cassette of this test".

    Raises:
        SetupFailed: for an error that is not ours.
    """
    if isinstance(error, PlanguardError | pytest.UsageError):
        raise error
    raise SetupFailed(
        f"could not {what}; what was put in place for it is taken back\n"
        f"  raised: {type(error).__name__}: {error}\n"
        f"  in:     {_place(error)}\n"
        "  to do:  let this test go without what refuses that (a plugin, a fixture, a limit of the system);\n"
        "          --full-trace shows how it came there"
    ) from error


def started(server: Callable[[], _Server], of: str, way_out: str) -> _Server:
    """Start a server on a loopback port. `of` names what needs it, `way_out` how a test does without.

    Raises:
        SetupFailed: sockets are forbidden, or none is left.
    """
    try:
        return server()
    except Exception as error:
        raise SetupFailed(
            f"{of} needs a port of 127.0.0.1, and none can be opened: {type(error).__name__}: {error}\n"
            f"  to do: allow sockets at 127.0.0.1 (pytest-socket: --allow-hosts=127.0.0.1), or {way_out}"
        ) from error


def _place(error: BaseException) -> str:
    """Return 'pytest_socket.py:138': where an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
