"""Help that a newcomer can trust, and options that mean nothing alone are refused."""

import re
import shlex
from copy import copy
from pathlib import Path

import click
import pytest

from pytest_planguard.cli.commands import every_command
from pytest_planguard.cli.main import planguard

from ..support.commands import run
from ..support.one_item import in_one_item

EXAMPLE = re.compile(r"(?m)^ +planguard ((?:cassette |gate |plan )?\w+)(.*?)(?:  .*)?$")


COMMANDS = dict(every_command(planguard))


def command(name: str) -> click.Command:
    """The command of that name, with the name of its group."""
    return COMMANDS[name]


@in_one_item
@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_examples_and_exit_codes(name: str) -> None:
    """The same in every command, in this order; each knows success and a wrong use."""
    shown = run(*name.split(), "--help").stdout
    examples, _, codes = shown.partition("\n\n  Exit code:\n")
    assert "\n\n  Examples:\n    planguard " in examples
    assert [line[4] for line in codes.splitlines()][:1] == ["0"]
    assert "    2  the command itself is wrong" in codes


@in_one_item
@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    """No option without words, no type of the parser's own in the place of what to write."""
    shown = run(*name.split(), "--help").stdout
    assert not re.search(r"\b(INTEGER|TEXT|FLOAT|RANGE|DIRECTORY)\b", shown)
    assert all(option.help for option in command(name).params if isinstance(option, click.Option))


@in_one_item
@pytest.mark.parametrize(
    "line",
    [(found[1], found[2]) for name in COMMANDS for found in EXAMPLE.finditer(command(name).epilog or "")]
    + [(found[1], found[2]) for found in EXAMPLE.finditer(planguard.epilog or "")],
    ids=" ".join,
)
def test_the_examples_are_real(line: tuple[str, str]) -> None:
    """Every option of an example exists and takes what is written there."""
    name, rest = line
    words = shlex.split(re.split("[|<>]", rest, maxsplit=1)[0])
    own = copy(command(name))
    own.params = [_without_files(copy(param)) for param in own.params]
    with own.make_context(name, words) as context:
        assert context.params


def _without_files(param: click.Parameter) -> click.Parameter:
    """A parameter that takes a path whether there is one or not."""
    if isinstance(param.type, click.Path):
        param.type = click.Path()
    return param


REFUSED = {
    "check . -q -v": "--quiet and --verbose exclude each other: leave out one of them.",
    "show a.yaml -y": "--yes works only together with --rekey: add --rekey, or leave out --yes.",
    "show a.yaml --rekey --whole": "--whole and --rekey exclude each other: leave out one of them.",
    "show a.yaml --rekey -c a:B": "--contract and --rekey exclude each other: leave out one of them.",
    "report --field x": "--field works only together with a RUN: add a RUN, or leave out --field.",
    "diff a b --rows": "--rows works only together with --format json or -o FILE.json: add --format json or -o",
    "diff a.jsonl b.jsonl a.jsonl": "two sides are called 'a.jsonl'; give each its own name",
    "diff x=a.jsonl y=a.jsonl z=a.jsonl --fail-on new": "--fail-on gates a comparison of two runs, and three or",
    "diff x=a.jsonl y=a.jsonl z=a.jsonl --max-cost-increase 1%": "--max-…-increase gates a comparison of two runs, and",
}


@pytest.mark.parametrize("words", REFUSED)
def test_an_option_that_means_nothing_alone_is_refused(
    words: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong use with the way out, before anything is read or written: nothing is accepted and then ignored."""
    folder = tmp_path_factory.mktemp("refused")
    (folder / "a.yaml").write_text("interactions: []\nversion: 1\n")
    (folder / "a.jsonl").write_text('{"case": "x", "answer": "y"}\n')
    monkeypatch.chdir(folder)
    result = run(*words.split())
    assert result.exit_code == 2, result.output
    assert REFUSED[words] in " ".join(result.stderr.split())


OVERWRITING = {
    "diff a.jsonl b.jsonl -c c.py:ANY -o ./a.jsonl": "a.jsonl",
    "diff base=a.jsonl new=b.jsonl -c c.py:ANY -o page.html -o b.jsonl": "b.jsonl",
    "report a.jsonl -c c.py:ANY -o c.py": "c.py",
    "report . -c c.py:ANY -o ./a.jsonl": "a.jsonl",
    "diff base=. new=b.jsonl -c c.py:ANY -o a.jsonl -o page.html": "a.jsonl",
    "report --matrix history.jsonl -o history.jsonl": "history.jsonl",
    "strength a.jsonl -c c.py:ANY -o a.jsonl": "a.jsonl",
    "search c.py:STEPS tape.json --html c.py": "c.py",
    "search c.py:STEPS tape.json --curve tape.json": "tape.json",
}


@pytest.mark.parametrize("words", OVERWRITING)
def test_an_output_never_replaces_an_input(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers and contracts survive a typing error in -o; another name of the same file is found too."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.jsonl", "b.jsonl", "c.py", "history.jsonl", "tape.json"):
        (tmp_path / name).write_text("kept")
    result = run(*words.split())
    assert result.exit_code == 2, result.output
    assert f"{OVERWRITING[words]} is read by this command" in " ".join(result.stderr.split())
    assert {path.read_text() for path in tmp_path.iterdir()} == {"kept"}


def test_an_earlier_output_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that was there before is no input, not even in the folder of the answers, where no page is one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text('{"id": "x", "answer": "y"}\n')
    for source, page in (("a.jsonl", "a.md"), (".", "page.html")):
        (tmp_path / page).write_text("an earlier page")
        assert run("report", source, "-o", page).exit_code == 0
        assert "an earlier page" not in (tmp_path / page).read_text()
