"""Single keys, with and without POSIX terminals. `test_review_command` types on a real one."""

import importlib.util
import os
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


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        (b"aR", ["a", "r", ""]),
        (b"\x1b[A", ["\x1b[a", ""]),
        (b"\xffa", ["\ufffd", "a", ""]),
        ("é".encode(), ["é", ""]),
        (b"", [""]),
        (b"\x03a", ["", "a"]),
        (b"\x04a", ["", "a"]),
        (b"\x1aa", ["", "a"]),
    ],
)
def test_bytes_become_keys(typed: bytes, keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A sequence is one key, broken bytes are a key without a meaning, and Ctrl-C, Ctrl-D and Ctrl-Z leave."""
    reading, writing = os.pipe()
    os.write(writing, typed)
    os.close(writing)
    with os.fdopen(reading) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        board = review_screen.Keyboard(posix=True)
        assert [board.key() for _ in keys] == keys
