"""The mouth of the command line: our colours pass, and no other order does."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.text import Text

from pytest_planguard.cli.output import agreed, console, say, say_warnings
from pytest_planguard.errors import PlanguardWarning
from pytest_planguard.report.plain_text import Style

from ..support.cassettes import BAD, RESPONSE_FORMAT, conversation, write
from ..support.commands import run

HOSTILE = "a\x1b]0;t\x07b\x1b[8mc\x1b[0Kd\re\u202e\n::error::f ##[g]\tz"
SHOWN = r"a\x1b]0;t\x07b\x1b[8mc\x1b[0Kd\re\u202e" + "\n" + r"\x3a:error::f ##\x5bg]" + "\tz"
COLOR = re.compile(r"\x1b\[(?:0|1|2|31|32|33)m")


@pytest.fixture
def colored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A terminal that shows colours."""
    for module in ("output", "cassette.show_command", "check.check_command", "diff.diff_formats"):
        monkeypatch.setattr(f"pytest_planguard.cli.{module}.in_color", lambda: True)
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    return


def test_what_a_file_says_is_no_order(capsys: pytest.CaptureFixture[str]) -> None:
    """On both streams."""
    say(HOSTILE)
    say(HOSTILE, err=True, nl=False)
    assert capsys.readouterr() == (f"{SHOWN}\n", SHOWN)


@pytest.mark.usefixtures("colored")
def test_our_colours_pass_where_a_text_is_painted(capsys: pytest.CaptureFixture[str]) -> None:
    """All that `Style` paints with, and nothing else that begins with an escape; elsewhere not even that."""
    style = Style(True)
    ours = "".join(paint("x") for paint in (style.bad, style.good, style.warn, style.dim, style.strong))
    say(ours + HOSTILE, painted=True)
    assert capsys.readouterr().out == f"{ours}{SHOWN}\n"
    say(ours)
    assert "\x1b" not in capsys.readouterr().out


def test_nothing_is_painted_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A colour that is there all the same is a file's."""
    say("\x1b[31mred", painted=True)
    assert capsys.readouterr().out == "\\x1b[31mred\n"


def test_a_text_of_commands_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The form for a build log is made of them."""
    say("::error file=a::b\x1b", commands=True)
    assert capsys.readouterr().out == "::error file=a::b\\x1b\n"


def test_a_question_is_no_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the file that is asked about."""
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: "y")
    assert agreed(HOSTILE)
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr("click.confirm", lambda question, **_: question == SHOWN)
    assert agreed(HOSTILE)


def test_panels_and_bars_say_no_order(capsys: pytest.CaptureFixture[str]) -> None:
    """Rich writes what it is given; what moves the cursor is its own."""
    console(err=True).print(Text(HOSTILE), soft_wrap=True)
    without = SHOWN.replace(r"\x07", "").replace(r"\r", "")  # rich drops these itself
    assert capsys.readouterr().err.split() == without.split()


def test_a_warning_says_no_order(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever warns: Python prints the text as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        say_warnings()
        warnings.warn(HOSTILE, UserWarning, stacklevel=1)
        warnings.warn(PlanguardWarning(HOSTILE), stacklevel=1)
    told = capsys.readouterr().err
    assert told.count(SHOWN) == 2
    assert "\x1b" not in told


@pytest.mark.usefixtures("colored", "here")
def test_colours_are_ours_alone(here: Path) -> None:
    """Without our colours the text is that of a run without colours: no file has one of its own."""
    red = "\x1b[31mred\x1b[0m"
    talk = conversation(BAD, red, response_format={**RESPONSE_FORMAT, "json_schema": {"name": red, "schema": {}}})
    write(here / f"a{red}.yaml", talk)
    write(here / "b.yaml", conversation(BAD, f'{{"name": "{red}", "age": "{red}"}}'))
    for words in (
        ("show", f"a{red}.yaml", "-c", "models.py:Person"),
        ("check", ".", "-c", "models.py:Person", "-v"),
        ("show", "b.yaml", "-c", "models.py:Person"),
    ):
        shown = run(*words, color=True).stdout
        plain = COLOR.sub("", shown)
        assert shown != plain
        assert "\x1b" not in plain
        assert "\\x1b[31mred" in plain
