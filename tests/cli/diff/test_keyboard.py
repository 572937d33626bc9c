"""Single keys where there are no POSIX terminals, as on Windows. With one, `test_review` types on a real one."""

import importlib.util
import sys

import pytest

from pytest_planguard.cli.diff import review_screen

from ...support.commands import typing


@pytest.fixture
def without_termios(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system whose Python has neither `termios` nor `tty`."""
    missing = ("termios", "tty")
    find = importlib.util.find_spec
    monkeypatch.setattr(review_screen, "find_spec", lambda name: None if name in missing else find(name))
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)  # importing it raises


@pytest.mark.usefixtures("without_termios")
def test_keys_are_read_without_posix_terminals() -> None:
    """One by one, in lower case; a special key means nothing; Ctrl-C and the end of the input leave."""
    with typing("aR\x03"), review_screen.keyboard() as keys:
        assert [keys.key() for _ in range(4)] == ["a", "r", "", ""]
