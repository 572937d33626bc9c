"""From a production log to a red test, which turns green when the app is fixed."""

from __future__ import annotations

import gzip
import json
import re
import sys
from typing import TYPE_CHECKING

import pytest

from ..security.rule_shapes import drawn
from ..support.commands import run as run_command
from ..support.warm import WarmExample
from ..wire.logs.forms import FORMS

if TYPE_CHECKING:
    from pathlib import Path

APP = """
import json, urllib.request
from typing import Literal
from pydantic import BaseModel, Field, ValidationError
from pytest_planguard import Contract

MENDED = False

class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)

TICKET = Contract(Ticket)

def ask(messages):
    body = json.dumps({"model": "gpt-5-mini", "messages": messages}).encode()
    url = "https://api.openai.com/v1/chat/completions"
    request = urllib.request.Request(url, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]

def create_ticket(text):
    messages = [{"role": "system", "content": "Write a ticket."}, {"role": "user", "content": text}]
    for _ in range(2):
        answer = ask(messages)
        try:
            return Ticket.model_validate_json(answer)
        except ValidationError as error:
            said = "; ".join(f"{one['loc'][0]}: {one['msg']}" for one in error.errors()) if MENDED else "try again"
            messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": said}]
"""
FIVE = (
    "litellm payload 2026",
    "gen_ai 1.37 attributes",
    "openinference 2026",
    "langfuse trace 2025",
    "langsmith runs 2026",
)
FEEDBACK = "priority: Input should be 'low', 'medium' or 'high'; steps: List should have at least 2 items"


def logged(form: str, feedback: str) -> str:
    """Return the lines of a log."""
    return "".join(f"{json.dumps(record)}\n" for record in FORMS[form][0](feedback))


def run(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of the command."""
    done = run_command(*arguments)
    return done.exit_code, done.stdout + done.stderr


@pytest.mark.slow
def test_ten_conversations_of_five_formats_are_red_and_five_turn_green(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing feedback turns green with the app; a wrong answer stays red because of its contract.

    Each feedback text holds six secrets that a seed drew from scanners' rules, and no file does.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    shapes, printed = drawn(), []
    for number, form in enumerate(FIVE):
        for also, (name, feedback) in enumerate((("lost", "try again"), ("wrong", FEEDBACK))):
            planted = "\n".join(one.text for one in shapes[2 * number + also :: 10])
            text = logged(form, f"{feedback}\n\nLook:\n{planted}\nThanks.")
            text = re.sub(r'(priority\\*": \\*")high', r"\1asap", text) if name == "wrong" else text
            (tmp_path / "log.jsonl").write_text(text)
            more = ("-c", "app.py:TICKET", "--call", "app:create_ticket", "-o", f"{name}/f{number}")
            command = ("cassette", "reproduce", "log.jsonl", "--worst", "1", *more)
            assert run(*command)[0] == 1
            code, said = run(*command, "--redacted")
            assert code == 0, said
            assert ("let the app pass on" in said) == (name == "lost")
            printed.append(said)
    found = [file for file in tmp_path.rglob("f*/**/*") if file.is_file()]
    files = {file.relative_to(tmp_path).as_posix(): file.read_text() for file in found}
    lines = [line for one in shapes for line in re.split(r"\\n|\n", one.secret) if line and line[:5] != "-----"]
    left = [line for line in lines for text in (*files.values(), *printed) if line in text]
    assert (len(found), left) == (20, [])
    files |= {"app.py": APP, "pytest.ini": "[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n"}
    example = WarmExample(files)
    red = example.run_pytest("lost")
    assert red.outcomes == {"failed": 5}, red.output
    assert "missing on the way to attempt 2" in red.output
    mended = example.replaced("MENDED = False", "MENDED = True")
    green = mended.run_pytest("lost")
    assert green.outcomes == {"passed": 5}, green.output
    wrong_ones = mended.run_pytest("wrong")
    assert wrong_ones.outcomes == {"failed": 5}, wrong_ones.output
    assert "missing on the way" not in wrong_ones.output


def test_a_secret_in_a_log_never_reaches_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written until the user removes the secrets."""
    monkeypatch.chdir(tmp_path)
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "log.jsonl").write_text(logged(FIVE[0], f"try again with {key}"))
    command = ("cassette", "reproduce", "log.jsonl", "--trace", "task-1", "-c", "app.py:TICKET", "-o", "out")
    code, said = run(*command)
    assert (code, (tmp_path / "out").exists()) == (1, False)
    assert "request body messages[3].content" in said
    assert key not in said
    code, said = run(*command, "--redacted")
    assert code == 0, said
    assert all(key not in file.read_text() for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert json.loads((tmp_path / "out" / "cases.jsonl").read_text())["input"] == "the printer is on fire"
    assert "def test_log_task_1" in said


@pytest.mark.parametrize(
    ("options", "got"), [((), "none of them"), (("--worst", "2", "--one-of-each"), "--worst and --one-of-each")]
)
def test_conversations_are_chosen_in_one_way(options: tuple[str, ...], got: str, tmp_path: Path) -> None:
    """The message says which options were there."""
    (tmp_path / "log.jsonl").write_text(logged(FIVE[0], "try again"))
    code, said = run("cassette", "reproduce", str(tmp_path / "log.jsonl"), "-c", "app.py:TICKET", *options)
    assert code == 2
    assert f"with one of --trace ID, --worst N and --one-of-each: got {got}" in " ".join(said.split())


@pytest.mark.parametrize("edited", ["test_log_task_1.py", "cassettes/log_task_1.yaml"])
def test_an_edited_reproduction_is_kept(edited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second run changes nothing, not even the other file. Equal files are no obstacle."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "log.jsonl").write_text(logged(FIVE[0], "try again"))
    command = ("cassette", "reproduce", "log.jsonl", "--trace", "task-1", "-c", "app.py:TICKET", "--call", "app:create")
    assert [run(*command, "-o", "out")[0] for _ in range(2)] == [0, 0]
    files = sorted(file for file in (tmp_path / "out").rglob("*") if file.is_file())
    for file in files:
        file.write_text(file.read_text() + ("# edited\n" if file.match(edited) else ""))
    before = [(file.read_text(), file.stat().st_mtime_ns) for file in files]
    code, said = run(*command, "-o", "out")
    assert code == 2
    why = "it has other content. Delete it, or name another folder with -o"
    assert said == f"planguard: {(tmp_path / 'out' / edited).relative_to(tmp_path)} was kept: {why}\n"
    assert [(file.read_text(), file.stat().st_mtime_ns) for file in files] == before


@pytest.mark.parametrize("call", [(), ("--call", "app:create")])
def test_a_reproduction_is_not_edited_because_its_log_has_moved(
    call: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recording and the test name the new place, and the case is there once. Another edit is still kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    log = tmp_path / "log.jsonl"
    log.write_text(logged(FIVE[0], "try again"))
    command = ("--trace", "task-1", "-c", "app.py:TICKET", "-o", "out", *call)
    assert run("cassette", "reproduce", "log.jsonl", *command)[0] == 0
    (tmp_path / "logs of May").mkdir()
    log.rename(tmp_path / "logs of May" / "a.jsonl")
    assert run("cassette", "reproduce", "logs of May/a.jsonl", *command)[0] == 0
    cassette = tmp_path / "out" / "cassettes" / "log_task_1.yaml"
    assert "logs of May/a.jsonl:" in cassette.read_text()
    if call:
        assert "logs of May/a.jsonl:" in (tmp_path / "out" / "test_log_task_1.py").read_text().partition("\n")[0]
    else:
        assert len((tmp_path / "out" / "cases.jsonl").read_text().splitlines()) == 1
    cassette.write_text(cassette.read_text().replace("printer", "scanner"))
    code, said = run("cassette", "reproduce", "logs of May/a.jsonl", *command)
    assert (code, "log_task_1.yaml was kept" in said) == (2, True)


def test_an_edited_reproduction_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next conversation is written, and the message names the kept file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    log = logged(FIVE[0], "try again")
    (tmp_path / "log.jsonl").write_text(f"{log}\n{log.replace('task-1', 'task-2')}\n")
    command = ("cassette", "reproduce", "log.jsonl", "-c", "app.py:TICKET", "--call", "app:create", "-o", "out")
    traces = ("--trace", "task-1", "--trace", "task-2")
    assert run(*command, *traces[:2])[0] == 0
    (tmp_path / "out" / "test_log_task_1.py").write_text("# edited")
    code, said = run(*command, *traces)
    assert (code, "test_log_task_1.py was kept" in said) == (2, True), said
    assert (tmp_path / "out" / "test_log_task_2.py").is_file()


@pytest.mark.parametrize(
    ("at", "option", "says"),
    [
        (
            "runs.logs.judging.LogJudge.group",
            (),
            "planguard: stopped after 100 % of reading the logs. With --resume it can go on from there.\n",
        ),
        (
            "runs.logs.judging.LogJudge.group",
            ("--resume",),
            "planguard: stopped after 100 % of reading the logs. The same command goes on from there.\n",
        ),
        ("cli.check.check_command._found", (), "planguard: stopped"),
    ],
)
def test_ctrl_c_says_how_to_go_on(
    at: str, option: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On standard error, without a traceback."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(f"pytest_planguard.{at}", stopped)
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "log.jsonl").write_text(logged(FIVE[0], "try again"))
    done = run_command("check", "log.jsonl", "-c", "app.py:TICKET", *option)
    assert (done.exit_code, done.stdout, says in done.stderr) == (130, "", True)
    assert "Traceback" not in done.stderr


def test_check_reads_a_folder_of_logs_and_saves_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formats mix; options choose what is judged; the rows are a run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "logs").mkdir()
    for number, form in enumerate(FIVE):
        (tmp_path / "logs" / f"{number}.jsonl").write_text(logged(form, "try again").replace("root", f"root{number}"))
    code, said = run("check", "logs", "-c", "app.py:TICKET", "--save", "tuesday", "-j", "2", "--resume")
    assert code == 1, said
    assert "by reading alone" in said
    assert "reading misses 1 of 100" in said
    assert not list((tmp_path / ".planguard" / "logs").iterdir())
    again = ("check", "logs", "-c", "app.py:TICKET", "--save", "tuesday", "--fail-on", "new-failures")
    code, said = run(*again, "--group-by", "trace_id")
    assert (code, "new failures" in said) == (0, True), said
    code, said = run("report", "tuesday")
    assert code == 0, said
    code, said = run("check", "logs", "-c", "app.py:TICKET", "--since", "1h")
    assert (code, "with 0 calls" in said) == (3, True), said
    assert re.search(r"older +\d+ calls before --since, left out", said), said
    assert "exclude each other" in run(*again[:4], "--resume", "--engine", "dask://local")[1]
    assert "--fail-on new-failures works only together with --save" in run(*again[:4], "--fail-on", "new-failures")[1]
    assert run("check", "app.py", "-c", "app.py:TICKET", "--sample", "5%")[0] == 2
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "logs" / "9.parquet").write_bytes(b"PAR1")
    assert run("check", "logs/*.jsonl", "-c", "app.py:TICKET")[0] == 1
    assert "[logs]" in run("check", "logs/*", "-c", "app.py:TICKET")[1]
    skipped = run_command("check", "logs", "-c", "app.py:TICKET")
    assert skipped.exit_code == 1
    assert skipped.stderr == (
        "note: logs/9.parquet was skipped: a .parquet file needs the extra: pip install 'pytest-planguard[logs]'\n"
    )


def test_logs_in_a_store_are_read_as_files_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are found by pattern, folder or name, packed or not; a missing reader for the store is reported."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(APP)
    lines = gzip.compress(logged(FIVE[0], "try again").encode())
    (tmp_path / "a.jsonl.gz").write_bytes(lines)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "fsspec.core", None)
        code, said = run("check", "s3://bucket/logs", "-c", "app.py:TICKET")
        assert (code, "pytest-planguard[logs]" in said) == (2, True), said
    memory = pytest.importorskip("upath").UPath("memory://bucket/logs/a.jsonl.gz")
    memory.parent.mkdir(parents=True)
    memory.write_bytes(lines)
    wanted = run("check", "a.jsonl.gz", "-c", "app.py:TICKET")
    for address in ("memory://bucket/logs/*.gz", "memory://bucket/logs", "memory://bucket/logs/a.jsonl.gz"):
        code, said = run("check", address, "-c", "app.py:TICKET")
        assert (code, said.replace("memory://bucket/logs/", "")) == wanted, said
    assert run("check", "memory://bucket/none", "-c", "app.py:TICKET")[0] == 2
