"""What is said when nothing may be asked, or when what planguard needs cannot start."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_planguard.errors import CassetteError, SetupFailed, UsageError
from pytest_planguard.plugin.case_parts.refusing_guard import (
    CalledTooLate,
    RefusingGuard,
    TeardownGuard,
    UnrecordedRequest,
    allow_advice,
    contact,
    raise_setup_failed,
    started,
)


def explain(place: str) -> str:
    """Return the message of a refusal."""
    return f"{contact(place)} too soon{allow_advice(place)}"


@pytest.fixture
def guard() -> Iterator[TeardownGuard]:
    """A guard that refuses all but one host."""
    made = TeardownGuard(["allowed.example.com"], explain, "refuse requests")
    made.begin()
    yield made
    RefusingGuard.end(made)


SAID = (
    "opened a connection to 10.0.0.1:443 too soon;\n"
    "             a host that is not a model, such as a database: planguard_allowed_hosts = 10.0.0.1:443"
)


def test_a_refusal_is_kept_after_the_app_has_swallowed_it(guard: TeardownGuard) -> None:
    """The message names the host and how to allow it, and the end of the guard raises it again."""
    assert guard.refused is None
    with socket.socket() as client, pytest.raises(UnrecordedRequest) as error:
        client.connect(("10.0.0.1", 443))
    assert str(error.value) == guard.refused == SAID
    with pytest.raises(CalledTooLate) as late:
        guard.end()
    assert str(late.value) == SAID


def test_a_guard_that_refused_nothing_ends_in_silence(guard: TeardownGuard) -> None:
    """An allowed host passes, and the next run has a guard of its own."""
    assert guard.lets_pass("https://allowed.example.com/v1")
    assert not guard.lets_pass("https://api.example.com/v1")
    with pytest.raises(UnrecordedRequest):
        guard.check("api.example.com", 443)
    other = guard.another()
    assert (other.refused, other.lets_pass("https://allowed.example.com/v1")) == (None, True)
    other.end()


def test_a_function_is_no_host() -> None:
    """A call tape has no address that could be allowed."""
    assert contact("the function ask") == "called the function ask"
    assert allow_advice("the function ask") == ""


def test_an_error_of_the_set_up_says_what_refused_it() -> None:
    """What failed, the error, the innermost place that raised it, and what to do."""
    names: dict[str, Any] = {}
    exec(compile("\ndef fails():\n    raise ValueError('no sockets here')\n", "/srv/limits.py", "exec"), names)
    with pytest.raises(ValueError, match="no sockets") as cause:
        names["fails"]()
    with pytest.raises(SetupFailed) as error:
        raise_setup_failed(cause.value, "open the cassette of this test")
    assert str(error.value) == (
        "could not open the cassette of this test; what was put in place for it is taken back\n"
        "  raised: ValueError: no sockets here\n"
        "  in:     limits.py:3\n"
        "  to do:  let this test go without what refuses that (a plugin, a fixture, a limit of the system);\n"
        "          --full-trace shows how it came there"
    )
    assert isinstance(error.value.__cause__, ValueError)
    with pytest.raises(SetupFailed, match="in:     an unknown place"):
        raise_setup_failed(ValueError(), "do this")


@pytest.mark.parametrize("own", [CassetteError("as it is"), UsageError("as it is"), pytest.UsageError("as it is")])
def test_our_own_errors_are_raised_as_they_are(own: Exception) -> None:
    """They say already what to do."""
    with pytest.raises(type(own)) as error:
        raise_setup_failed(own, "do this")
    assert error.value is own


def test_a_server_that_cannot_start_says_how_to_do_without() -> None:
    """Which part needs it, and the plugin that most often forbids it."""
    assert started(lambda: "a server", "the endpoint", "leave it out") == "a server"

    def refused() -> str:
        raise OSError("no port")

    with pytest.raises(SetupFailed) as error:
        started(refused, "the endpoint", "leave it out")
    assert str(error.value) == (
        "the endpoint needs a server at 127.0.0.1, and none can start: OSError: no port\n"
        "  to do: remove that cause (if pytest-socket: --allow-hosts=127.0.0.1), or leave it out"
    )
