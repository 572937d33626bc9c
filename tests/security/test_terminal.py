"""No word of a file, of its name or of the command line is an order to the terminal, whatever command says it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import Result

from pytest_planguard.cli.commands import every_command
from pytest_planguard.cli.main import planguard
from pytest_planguard.errors import CassetteError, PlanguardWarning, UsageError
from pytest_planguard.replay.files.cassette_text import render

from ..support.commands import run
from ..support.exchanges import assistant, chat, unfinished, user
from ..support.nightly import drawn
from ..support.orders import HOSTILE, orders
from ..support.runs import bad, good, run_lines
from ..support.runs import run as run_of

N = HOSTILE
SHORT = "\x1b[2J\u202ex"
KNOWN = {"case": N, "rule": N, "place": N, "reason": N, "owner": N, N: N}
EXIT_CODES = (0, 1, 2, 3)
OUR_COMMANDS = re.compile(r"(?m)^::(error|warning|notice) (?:[a-zA-Z]+=[^,:]*,?)+::")
"""What the form for GitHub is made of; what a file says in it stays in one value."""
SCHEMA = {"type": "object", "properties": {"a": {"enum": [N]}}, "required": ["a", N]}
FORMAT = {"type": "json_schema", "json_schema": {"name": N, "schema": SCHEMA}}


def obeys_nothing(result: Result) -> None:
    """Neither stream has an order, and the command ended as it may."""
    assert orders(result.stdout) == []
    assert orders(result.stderr) == []
    assert "is a defect" not in result.stderr
    assert result.exit_code in EXIT_CODES


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Every option and argument of every command."""
    for name, command in every_command(planguard):
        for one in command.params:
            yield name, one


FIRST = {
    "gate abort": ["--run-dir", "gone"],
    "ci": ["github"],
    "demo": ["--into", "full"],
    "diff": ["a.jsonl", "b.jsonl"],
    "explain": ["stale"],
    "init": ["--from", "gone"],
    "gate resume": ["--run-dir", "gone"],
    "review": [],
    "search": ["gone", "gone"],
    "cassette serve": ["full", "gone"],
    "gate status": ["--run-dir", "gone"],
    "strength": ["gone", "-c", "gone:X"],
}
"""What each command needs beside one option to get as far as that; "gone" is no file, and nothing may be served."""


@cache
def hostile_files() -> dict[str, str]:
    """Return files of every kind in which all is hostile: their names, their keys, what they say."""
    rejected = json.dumps({"a": N, N: N})
    first = [{"role": "system", "content": N}, user(N)]
    retry = [*first, assistant(rejected), user(f"{N}: {N}")]
    talk = [chat(first, rejected, response_format=FORMAT), chat(retry, N, response_format=FORMAT), chat([user(N)], N)]
    return {
        "talk.yaml": render(talk),
        f"{N}.yaml": render(talk),
        "keys.yaml": json.dumps({N: 1, SHORT: 2}),
        "keys.json": json.dumps({N: 1, SHORT: 2}),
        "cut.yaml": render(talk)[:-50],
        "edited.yaml": render(talk).replace("POST", "PUT"),
        "broken.yaml": "interactions: [*\u202ealias]\n",
        "broken2.yaml": f'interactions: [!!timestamp "{SHORT.encode("unicode_escape").decode()}"]\n',
        "no-answer.yaml": 'interactions:\n- "\\e[2J\\u202e": 1\n',
        "parsed.yaml": 'interactions:\n- request: {parsed_body: {"\\e[2J": !!binary ""}}\n  response: {status: 200}\n',
        "expected.yaml": json.dumps({"planguard": "expected", "fails": {N: [N]}}),
        f"{N}.yaml.0badcafe.part": unfinished(*talk),
        "dead.yaml.0badcafe.part": N,
        "a.jsonl": "".join(run_lines(run_of(N, [good(N, json.dumps({"v": N}), model=N), bad(f"{N}2", N)]))),
        "b.jsonl": "".join(run_lines(run_of(f"{N}b", [bad(N, json.dumps({"v": SHORT}), code=N), good(f"{N}3")]))),
        "rows.jsonl": json.dumps({"schema": N, N: N}) + "\n" + N + "\n",
        "answers.jsonl": json.dumps({"text": N, N: 1}) + "\n" + json.dumps(N) + "\n[\n",
        "plan.md": f"# Plan {N}\n\n- [ ] T001 {N}\n- [ ] T001 needs T009 {N}\n",
        f"tasks{N}.md": f"# Tasks: {N}\n\n## Phase 1: {N}\n\n- [ ] T001 [US1] {N} in src/{SHORT}.py\n- [ ] T001 x\n",
        "plan.yaml": json.dumps({"tasks": [{"id": N, "title": N, "dependencies": [SHORT]}], N: N}),
        "tasks.json": json.dumps({"tasks": [{"id": 1, "title": N, "status": N, "dependencies": [7], N: N}]}),
        "answer.json": json.dumps({"a": SHORT, N: [N]}),
        "prompt.md": f"{{{{ {N} }}}} {N}",
        f"{N}.j2": "{% if x %}" + N,
        "planguard-baseline.json": json.dumps({"planguard": "baseline", "format": 1, "failures": [KNOWN]}),
        "baseline.json": json.dumps({N: N}),
        "matrix.json": json.dumps([{"model": N, "task": N, "error": N}]),
        "contracts.py": f"from pytest_planguard import Contract\nC = Contract({SCHEMA!r}, name={N!r})\n",
        "raises.py": f"raise ValueError({N!r})\n",
        "steps.py": f"def steps():\n    raise RuntimeError({N!r})\n",
        "run/pause.json": json.dumps({"task": N, "condition": N, "value": N, "paused_at": N, "findings": [{N: N}]}),
        "run/decision.json": N,
        "run2/pause.json": N,
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with these files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / N).touch()
    for name, text in hostile_files().items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("command", "parameter"), list(parameters()), ids=lambda one: getattr(one, "name", one))
def test_what_the_command_line_says_is_shown(command: str, parameter: click.Parameter) -> None:
    """The value of every option and argument: what is refused is quoted in the refusal."""
    if isinstance(parameter, click.Argument):
        obeys_nothing(run(*command.split(), *(["--"] if command == "demo" else []), N))
        return
    before = [word for word in FIRST.get(command, ["gone"]) if word not in parameter.opts]
    value = [] if getattr(parameter, "is_flag", False) else [N]
    obeys_nothing(run(*command.split(), *before, parameter.opts[-1], *value))


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", sorted({command for command, _ in parameters()}))
def test_an_unknown_option_is_quoted(command: str) -> None:
    """By every command."""
    obeys_nothing(run(*command.split(), *FIRST.get(command, ["gone"]), f"--{N}"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("words", [(N,), (f"--{N}",), ("check", f"-{SHORT}"), ("--debug", "show", "keys.yaml")])
def test_a_wrong_command_is_quoted(words: tuple[str, ...]) -> None:
    """Commands and options that do not exist."""
    obeys_nothing(run(*words))


def test_a_traceback_is_shown_without_orders(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--debug` prints what a defect says, and a defect may quote a file."""

    def defective(*_: object) -> None:
        raise KeyError(N)

    def saying(*_: object) -> None:
        raise RuntimeError(N)

    for wrong in (defective, saying):
        monkeypatch.setattr("pytest_planguard.replay.files.reader.read_cassette", wrong)
        result = run("--debug", "show", "talk.yaml")
        assert result.exit_code == 3
        assert "Traceback" in result.stderr
        assert orders(result.stdout + result.stderr) == []


FILES = (
    "talk.yaml", f"{N}.yaml", "keys.yaml", "keys.json", "cut.yaml", "edited.yaml", "broken.yaml", "broken2.yaml",
    "no-answer.yaml", "parsed.yaml", "expected.yaml", f"{N}.yaml.0badcafe.part", "dead.yaml.0badcafe.part", "a.jsonl",
    "rows.jsonl", "answers.jsonl", "plan.md", f"tasks{N}.md", "plan.yaml", "tasks.json", "answer.json", "prompt.md",
    f"{N}.j2", "planguard-baseline.json", "baseline.json", "matrix.json", "raises.py", "run", "run2", "full", ".",
)  # fmt: skip
CALLS: dict[str, list[list[str]]] = {
    "gate abort": [["--run-dir", "{}"]],
    "check": [
        ["{}"], ["{}", "-v"], ["{}", "-c", "contracts.py:C", "--field", "text"],
        ["{}", "--rules", "spec-kit"], ["{}", "--rules", "{}"], ["{}", "--format", "errors"],
        ["{}", "--format", "json"],
        ["{}", "--format", "github"], ["{}", "--format", "junit"], ["{}", "--format", "sarif"], ["{}", "-c", "{}:X"],
        ["{}", "--baseline", "{}"], ["{}", "--baseline", "planguard-baseline.json"],
    ],
    "cassette secrets": [["{}"], ["{}", "--format", "json"]],
    "ci": [["github", "-c", "{}:X"]],
    "diff": [
        ["{}", "a.jsonl"], ["b.jsonl", "{}", "--format", "markdown"], ["b.jsonl", "{}", "--format", "github"],
        ["a.jsonl", "b.jsonl", "--baseline", "{}"],
        ["a.jsonl", "b.jsonl", "{}"], ["a.jsonl", "{}", "--format", "json"], ["{}", "b.jsonl", "-c", "contracts.py:C"],
        ["a.jsonl", "b.jsonl", "--task", "{}"], ["--git", "{}"], ["{}", "b.jsonl", "--format", "junit"],
    ],
    "explain": [["{}"]],
    "init": [["--from", "{}"], ["--from", "{}", "--to", "{}"]],
    "lint": [["{}"], ["{}", "--retry-context"]],
    "cassette recover": [["{}"]],
    "cassette reproduce": [["{}", "-c", "contracts.py:ANY"]],
    "plan check": [["{}"], ["{}", "--schema"], ["{}", "--rules", "{}"]],
    "plan fix": [["{}"]],
    "plan graph": [["{}"], ["{}", "--format", "mermaid"]],
    "plan rules": [["{}"]],
    "report": [["{}"], ["{}", "--tasks"], ["--matrix", "{}"], ["{}", "--format", "markdown"], ["{}", "-o", "{}"]],
    "cassette restore": [["{}"]],
    "gate resume": [["--run-dir", "{}", "--note", N]],
    "review": [["--baseline", "{}"]],
    "search": [["steps.py:steps", "{}"], ["{}:X", "{}"]],
    "show": [["{}"], ["{}", "--whole"], ["{}", "--rekey"], ["{}", "-c", "contracts.py:C"], ["{}", "-c", "{}:X"]],
    "gate status": [["--run-dir", "{}"]],
    "strength": [["{}", "-c", "contracts.py:C"], ["{}", "-c", "raises.py:C"], ["answer.json", "-c", "{}:C"]],
}  # fmt: skip
"""Calls of each command with a file; {} is the file. `serve` and `demo` run until they are ended."""


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", CALLS)
def test_what_files_say_is_shown(command: str) -> None:
    """Every hostile file, given to every command in every place that takes a file.

    A command of three calls and more takes a third of the files in each, and each file in a third of the calls.
    """
    calls = CALLS[command]
    for number, words in enumerate(calls):
        for file in drawn(FILES, 3, number) if len(calls) > 2 else FILES:
            arguments = [word.replace("{}", file) for word in words]
            result = run(*command.split(), *arguments)
            stdout = OUR_COMMANDS.sub("", result.stdout) if "github" in arguments else result.stdout
            assert (arguments, orders(stdout), orders(result.stderr)) == (arguments, [], [])
            assert result.exit_code in EXIT_CODES


PACKAGE = Path(__file__).parents[2] / "pytest_planguard"
PRINTERS = {
    "cli": (
        {"print", "echo", "secho", "echo_via_pager", "confirm", "prompt", "progressbar", "Console"},
        ("output.py",),
    ),
    "plugin": (
        {"print", "write_line", "write_sep", "echo", "Console"},
        ("terminal.py", "further_runs.py", "recording.py"),
    ),
}
"""By front door: what prints, and the modules that may. Further runs hand what a test printed on to pytest, and
an interrupted recording says at once where it is."""


@pytest.mark.slow
@pytest.mark.parametrize("door", PRINTERS)
def test_nothing_goes_around_the_mouth(door: str) -> None:
    """One module of each front door prints; all others ask it to."""
    printers, mouths = PRINTERS[door]
    around = [
        f"{path.relative_to(PACKAGE)}:{call.lineno}"
        for path in (PACKAGE / door).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and path.name not in mouths and _prints(call.func, printers)
    ]
    assert around == []


def _prints(called: ast.expr, printers: set[str]) -> bool:
    """`print(…)`, `click.echo(…)`, `reporter.write_line(…)`, `sys.stdout.write(…)`."""
    if isinstance(called, ast.Name):
        return called.id in printers and called.id != "write_line"  # ours, of the mouth
    if not isinstance(called, ast.Attribute):
        return False
    stream = called.attr == "write" and ast.unparse(called.value) in ("sys.stdout", "sys.stderr")
    return stream or (called.attr in printers - {"print"})


def test_every_command_is_called() -> None:
    """A new command must be added above."""
    assert CALLS.keys() | {"cassette serve", "demo", "plan hook"} == dict(every_command(planguard)).keys()


@pytest.mark.parametrize("kind", [CassetteError, UsageError, PlanguardWarning])
def test_what_is_raised_says_no_order(kind: type[Exception]) -> None:
    """Whoever prints an error of planguard, pytest or a script: its text is made safe where it becomes one."""
    assert orders(str(kind(N))) == []
    assert str(kind("line\n\tand é")) == "line\n\tand é"
    assert kind(N).args == (N,)
