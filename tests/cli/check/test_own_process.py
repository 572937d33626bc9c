"""A file that ends the process, or never ends, is an error of its own; the others are judged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_planguard.cli.check.own_process import Watch

from ...support.commands import run
from ...support.warm import inner_environment, run_module

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")]

CONTRACT = '''
import os, threading
from pathlib import Path
from pytest_planguard import Contract


def ends(data, document):
    """Do to the process what the answer says."""
    if "abort" in data:
        os.abort()
    if "kill" in data:
        os.kill(os.getpid(), 9)
    if "wait" in data:
        Path("begun").write_text(str(os.getpid()))
        while True:
            pass
    return []


ANY = Contract(dict, rules=[ends])
'''
RULES = '''
import os
from pytest_planguard.contract.finding import Severity
from pytest_planguard.extend import Hit, Registrations, Rule


def deadly(plan, index):
    """End the process at a plan with that title."""
    if any("DEADLY" in task.title for task in plan.tasks):
        os.abort()
    yield from (Hit(task.place, "the title is " + task.title) for task in plan.tasks[:1])


DEADLY = Rule("deadly", deadly, Severity.WARN, "No plan is deadly.", "`DEADLY`", "Rename it.")
Registrations().plan_rule(DEADLY)
'''


def folder(tmp_path: Path, **answers: str) -> Path:
    """Return a project with a contract and a folder of answers."""
    (tmp_path / "contracts.py").write_text(CONTRACT)
    (tmp_path / "answers").mkdir()
    for name, text in answers.items():
        (tmp_path / "answers" / f"{name}.json").write_text(text)
    return tmp_path


def check(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that has its modules already."""
    done = run_module(["pytest_planguard", "check", *arguments], cwd, inner_environment())
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_a_folder_is_judged_but_for_what_ends_the_process(tmp_path: Path) -> None:
    """In order, each report once, the files named; the exit code is that of what is bad."""
    good, bad = '{"n": 1}', "[1]"
    answers = {"a": bad, "b": '{"abort": 1}', "c": bad, "d": '{"kill": 1}', "e": '{"wait": 1}', "f": bad, "g": good}
    result = check(folder(tmp_path, **answers), "answers", "-c", "contracts.py:ANY", "--time-limit", "1")
    named = [
        line.split(":")[0].rpartition("/")[2] for line in result.stdout.splitlines() if line.startswith("answers/")
    ]
    assert named == ["a.json", "b.json", "c.json", "d.json", "e.json", "f.json"]
    memory, others = ", as when memory runs out", "The other files are judged without it."
    for name, words in (
        ("b", f"was ended by SIGABRT{memory}. {others}"),
        ("d", f"was ended by SIGKILL{memory}. {others}"),
        ("e", "took more than 1 s. Raise --time-limit if that is right."),
    ):
        assert f"answers/{name}.json: error: cannot be judged: the process {words}\n" in result.stdout
    assert "4 answers, 3 could not be read or judged" in result.stdout
    assert result.returncode == 1


def test_after_many_ends_the_rest_is_not_judged(tmp_path: Path) -> None:
    """Here after one: the message names the last file, and nothing is printed as a result."""
    project = folder(tmp_path, a='{"abort": 1}', b='{"kill": 1}', c="[1]")
    few = "import pytest_planguard.cli.check.own_process as own\nown.MOST_ENDED = 1\n"
    (project / "contracts.py").write_text(CONTRACT + few)
    result = check(project, "answers", "-c", "contracts.py:ANY")
    how = "the process that judges was ended by SIGKILL, as when memory runs out at answers/b.json, after 1 other files"
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr == f"planguard: {how}: everything after that was not judged\n"


def test_the_exit_code_is_that_of_an_unreadable_file(tmp_path: Path) -> None:
    """Where nothing is bad."""
    project = folder(tmp_path, a='{"n": 1}', b='{"abort": 1}')
    assert check(project, "answers", "-c", "contracts.py:ANY").returncode == 3
    (project / "answers" / "b.json").write_text('{"abort": "' + "x" * 30_000 + '"}')
    alone = check(project, "answers/b.json", "-c", "contracts.py:ANY", "--format", "json")
    assert alone.returncode == 3
    assert "SIGABRT" in json.dumps(json.loads(alone.stdout))


def test_standard_input_is_there_for_every_process(tmp_path: Path) -> None:
    """Although the first one has read it."""
    project = folder(tmp_path, a='{"abort": 1}')
    command = [sys.executable, "-m", "pytest_planguard", "check", "-", "answers", "-c", "contracts.py:ANY"]
    result = subprocess.run(command, cwd=project, input="[1]", capture_output=True, text=True, timeout=60, check=False)
    assert "expected an object; got [1]" in result.stdout
    assert "1 could not be read or judged" in result.stdout


def test_the_plan_that_ends_the_process_is_named_among_those_judged_with_it(tmp_path: Path) -> None:
    """Plans of one folder are judged at once; `-p` holds in every process."""
    (tmp_path / "rules.py").write_text(RULES)
    for name, title in (("a", "Parser"), ("b", "DEADLY"), ("c", "Tests")):
        text = f"# Implementation Plan\n\n- [ ] 1. {title}\n  - _Requirements: 1.1_\n- [ ] 2. More\n"
        (tmp_path / f"{name}.md").write_text(text)
    result = check(tmp_path, ".", "-p", "rules", "--rules", "kiro-tasks", "-v")
    assert "b.md: error: cannot be judged: the process was ended by SIGABRT" in result.stdout, result
    assert "a.md" in result.stdout
    assert "c.md" in result.stdout
    assert "2 plans, 1 could not be read or judged" in result.stdout


def test_the_output_is_that_of_a_check_in_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte."""
    monkeypatch.chdir(folder(tmp_path, a="[1]", b='{"n": 1}', c="{"))
    for form in ("text", "json", "junit"):
        arguments = ("answers", "-c", "contracts.py:ANY", "--format", form)
        apart, here = check(tmp_path, *arguments), run("check", *arguments)
        assert (apart.stdout, apart.returncode) == (here.stdout, here.exit_code)


def test_a_module_with_a_thread_is_not_forked(tmp_path: Path) -> None:
    """A lock that the thread holds would be held for ever in a fork."""
    project = folder(tmp_path, a="[1]", b="[2]")
    thread = "import time\nthreading.Thread(target=time.sleep, args=(30,), daemon=True).start()\n"
    (project / "contracts.py").write_text(CONTRACT + thread)
    result = check(project, "answers", "-c", "contracts.py:ANY")
    assert "0 of 2 meet the contract" in result.stdout
    assert result.returncode == 1
    (project / "answers" / "a.json").write_text('{"abort": 1}')
    assert check(project, "answers", "-c", "contracts.py:ANY").returncode == -signal.SIGABRT


@pytest.mark.parametrize(("number", "code"), [(number, 128 + number) for number in (signal.SIGINT, signal.SIGTERM)])
def test_a_signal_ends_both(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """Ctrl-C goes to both, and another signal to the parent alone."""
    project = folder(tmp_path, a='{"wait": 1}', b="[1]")
    command = [sys.executable, "-m", "pytest_planguard", "check", "answers", "-c", "contracts.py:ANY"]
    with subprocess.Popen(command, cwd=project, stderr=subprocess.PIPE, start_new_session=True) as process:
        child = int(_content_of(project / "begun"))
        (os.killpg if number is signal.SIGINT else os.kill)(process.pid, number)
        assert process.wait(60) == code
        assert child != process.pid
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)


def _content_of(path: Path) -> str:
    """Return what a file holds, once it does."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if path.is_file() and (text := path.read_text()):
            return text
        time.sleep(0.02)
    raise AssertionError(f"{path} was not written")


def test_without_a_watcher_nothing_is_told() -> None:
    """And everything is printed."""
    watch = Watch()
    watch.begins(Path("a"))
    watch.together(3)
    watch.done(1)
    assert watch.ended == {}
