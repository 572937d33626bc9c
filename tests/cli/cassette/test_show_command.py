"""`planguard show`: one cassette for a person."""

from pathlib import Path

import pytest
from click.testing import Result

from pytest_planguard.replay.files.cassette_text import render

from ...support.cassettes import BAD, GOOD, RESPONSE_FORMAT, conversation, write
from ...support.commands import run
from ...support.exchanges import chat, user


def show(*arguments: str) -> Result:
    """Run `planguard show`; an exception that escapes fails the test."""
    return run("show", *arguments)


def test_a_conversation_attempt_by_attempt(here: Path) -> None:
    """The first request whole, each later one by what is new, the answers, then the judgement."""
    write(here / "a.yaml", conversation(BAD, GOOD))
    result = show("a.yaml", "-c", "models.py:Person")
    assert result.exit_code == 0
    assert result.output.splitlines()[:14] == [
        "a.yaml: 2 exchanges, 1 conversation",
        "",
        "attempt 1: exchange 1, m, finish stop",
        "  system    Answer with a person as JSON.",
        "            Nothing else.",
        "  user      Who wrote the first program?",
        '  answer    {"name": "Ada"}',
        "attempt 2: exchange 2, m, finish stop",
        "            (2 messages as before)",
        '  assistant {"name": "Ada"}',
        "  user      age: Field required",
        '  answer    {"name": "Ada", "age": 36}',
        "",
        "Person, conversation 1: converged after 2 of 3 attempts (the last answer meets the contract)",
    ]


def test_exchanges_that_nothing_judges_are_shown_too(here: Path) -> None:
    """Without a contract and without a schema a cassette can still be read."""
    write(here / "a.yaml", conversation(GOOD))
    result = show("a.yaml")
    assert result.exit_code == 0
    assert result.output.startswith("a.yaml: 1 exchange, 0 conversations\n\nexchange 1, m, finish stop\n  system")
    said = "Nothing was judged: no request carries a schema. Name what the answers must be: -c module:NAME"
    assert result.output.endswith(f"  answer    {GOOD}\n\n{said}\n")


def test_the_schema_of_the_request_judges_and_that_is_said(here: Path) -> None:
    """Without a contract the reader is told that the judgement is partial."""
    write(here / "a.yaml", conversation(BAD, GOOD, response_format=RESPONSE_FORMAT))
    result = show("a.yaml")
    assert "Person, conversation 1: converged" in result.output
    assert result.output.endswith(
        "Judged by the schemas in the requests only; --contract module:NAME adds your own rules.\n"
    )


def test_hostile_text_is_shown_and_not_obeyed(here: Path) -> None:
    """What a model wrote cannot drive the terminal."""
    write(here / "a.yaml", conversation('{"name": "\x1b[2J\u202e\x07"}', GOOD))
    assert not set(show("a.yaml", "-c", "models.py:Person").output) & set("\x1b\x07\u202e")


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"interactions:\n- ["], ids=["empty", "binary", "broken"])
def test_a_broken_recording_is_one_clear_error(here: Path, content: bytes) -> None:
    """The message names the file; exit code 3; no traceback."""
    (here / "a.yaml").write_bytes(content)
    result = show("a.yaml")
    assert result.exit_code == 3
    assert result.stderr.startswith("planguard: a.yaml: ")
    assert (len(result.stderr.splitlines()), result.stdout) == (1, "")


def test_an_edited_recording_is_told(here: Path) -> None:
    """An answer that no model gave is not shown as one."""
    text = render([chat([user("Who?")], "Ada")]).replace("Ada", "Eve")
    (here / "a.yaml").write_text(text, encoding="utf-8")
    result = show("a.yaml")
    assert result.exit_code == 0
    assert result.output.splitlines()[1] == (
        "note: changed by hand after it was recorded: its end mark has another digest"
    )
