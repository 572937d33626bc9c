"""One verdict: what an experiment of a kept run has shown stands beside what `check` and `show` read."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.runs.store import kept_proofs

from ...support.commands import run
from ...support.exchanges import chat
from ...support.git import git
from ...support.warm import inner_environment, run_module

APP = """
import json

import httpx2
from pydantic import BaseModel, Field, ValidationError
from pytest_planguard import Contract


class Booking(BaseModel):
    guest: str = Field(min_length=2)
    nights: int = Field(ge=1, le=14)


BOOKING = Contract(Booking)
WORDS = {"guest": "Wie heißt der Gast? So kann niemand heißen.", "nights": "So lange bleibt niemand, nur 14 Tage."}


def book(ask):
    messages = [{"role": "user", "content": "Write a booking as JSON."}]
    for _ in range(3):
        text = ask(messages)
        try:
            return Booking.model_validate_json(text)
        except ValidationError as error:
            said = " ".join(WORDS[e["loc"][0]] for e in error.errors())
            messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": said}]


def ask(messages):
    answered = httpx2.post("https://api.example.com/v1/chat/completions", json={"model": "m", "messages": messages})
    return answered.json()["choices"][0]["message"]["content"]
"""
TEST = """
import pytest
from app import BOOKING, ask, book


@pytest.mark.planguard(BOOKING, cassette="booking.yaml")
def test_book():
    assert book(ask)
"""
BAD = '{"guest": "", "nights": 40}'
GOOD = '{"guest": "Ada", "nights": 4}'
SETTLED = ("proven", "reacts")
"""What an experiment says of a right app, by whether its words can be read."""


def recorded(make: Callable[..., Any]) -> str:
    """The cassette of what the app sends, answered badly first and well then."""
    exchanges: list[Any] = []

    def ask(messages: list[dict[str, Any]]) -> str:
        exchanges.append(chat(messages, GOOD if exchanges else BAD))
        return GOOD if len(exchanges) > 1 else BAD

    make(ask)
    return render(exchanges)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose tests ran with experiments, the run kept."""
    folder = tmp_path_factory.mktemp("project")
    names: dict[str, Any] = {}
    exec(compile(APP, "app.py", "exec"), names)
    for name, content in {"app.py": APP, "test_app.py": TEST, "booking.yaml": recorded(names["book"])}.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "all")
    args = ["pytest", f"--rootdir={folder}", "-p", "planguard", "-p", "no:cacheprovider", "--planguard-prove"]
    done = run_module([*args, "--planguard-save=main"], folder, inner_environment())
    assert done.returncode == 0, done.stdout.decode()
    return folder


@pytest.fixture
def project(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, as the working folder."""
    for path in made.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            copy = tmp_path / path.relative_to(made)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(*arguments: str, contract: str = "app.py:BOOKING") -> Result:
    """`planguard check` of the project's recording."""
    return run("check", "booking.yaml", "-c", contract, *arguments)


def proofs(**given: str) -> list[dict[str, Any]]:
    """What `--format json` says of the proofs that kept runs have."""
    return list(json.loads(check("--format", "json", **given).stdout)["files"][0]["proofs"])


def gradings(project: Path) -> dict[str, str]:
    """The gradings of the kept run's proofs, by field."""
    rows = (project / ".planguard/runs/main.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return {proof["path"][0]: proof["result"] for proof in json.loads(rows[0])["proofs"]}


def test_reading_leaves_in_doubt_what_the_experiment_has_settled(project: Path) -> None:
    """The premise of all that follows: the test passed by its experiments, and reading alone is not sure."""
    assert set(gradings(project)) == {"guest", "nights"}
    assert set(gradings(project).values()) <= set(SETTLED)
    row = json.loads(check("--format", "json").stdout)["files"][0]["rows"][0]
    read = row["judged"][0]["attempts"][0]["fed_back"]
    assert {found["how"] or found["grade"] for found in read} <= {"missing", "unclear", "weak", "partial"}


def test_check_shows_the_proof_with_run_date_and_commit(project: Path, made: Path) -> None:
    """A line for each finding; the verdict by reading and the exit code are those without any run."""
    head = git(made, "rev-parse", "HEAD")
    header = json.loads((project / ".planguard/last.jsonl").read_text(encoding="utf-8").splitlines()[0])
    shown = check()
    where = f"experiment in the run of {header['created'][:10]}, commit {head[:7]}: "
    assert shown.stdout.count(where) == 2
    assert "booking.yaml:   attempt 1, guest [" in shown.stdout
    assert "judged            by reading alone: experiments run in tests" in shown.stdout
    (project / ".planguard").rename(project / "elsewhere")
    alone = check()
    assert alone.exit_code == shown.exit_code
    assert "experiment in" not in alone.stdout
    kept = [line for line in shown.stdout.splitlines() if where not in line]
    assert "\n".join(kept).strip() == alone.stdout.strip()


def test_json_has_the_proofs(project: Path, made: Path) -> None:
    """Fate, reason and run; the grade stays that of reading."""
    head = git(made, "rev-parse", "HEAD")
    expected = gradings(project)
    assert len(proofs()) == 2
    for found in proofs():
        assert found["result"] == expected[found["path"][0]]
        assert found["reason"]
        run_of = found["run"]
        assert (run_of["name"], run_of["commit"], run_of["dirty"]) in {("main", head, False), ("last", head, False)}


def test_show_has_it_below_the_finding(project: Path) -> None:
    """The line behind the one that says what reading found."""
    lines = run("show", "booking.yaml", "-c", "app.py:BOOKING").stdout.splitlines()
    fates_read = [number for number, line in enumerate(lines) if "-> request of attempt 2" in line]
    assert len(fates_read) == 2
    assert all("experiment in the run of 20" in lines[number + 1] for number in fates_read)
    assert lines[-1].startswith("Retries are judged by reading alone")
    assert project.is_dir()


def test_another_recording_has_no_proof(project: Path) -> None:
    """One byte of it differs: nobody has run the app on this one."""
    path = project / "booking.yaml"
    assert len(proofs()) == 2
    path.write_bytes(path.read_bytes() + b"\n")
    assert proofs() == []


def test_another_contract_has_no_proof(project: Path) -> None:
    """A bound has changed since; the model without a contract around it is the same contract.

    The file gets another size: Python takes its byte code for that of a file as old and as long.
    """
    path = project / "app.py"
    assert len(proofs(contract="app.py:Booking")) == 2
    path.write_text(path.read_text(encoding="utf-8").replace("le=14", "le=140"), encoding="utf-8")
    assert proofs() == []


def test_without_a_contract_there_is_no_proof(project: Path) -> None:
    """A schema of a request is no contract of a test: whether it is the same nobody can tell."""
    assert run("check", "booking.yaml").exit_code in (0, 3)
    assert "experiment in" not in run("check", "booking.yaml").stdout
    assert project.is_dir()


def test_a_broken_run_is_a_note(project: Path) -> None:
    """Whatever stands in it; the exit code and the verdict are those of reading, and other runs are still read."""
    before = check()
    for name, content in {
        "a b": b"\x00\xff\n",
        "cut": (project / ".planguard/last.jsonl").read_bytes()[:-40],
        "deep": b"[" * 100_000 + b"\n",
        "empty": b"",
        "later": b'{"planguard":"run","schema":99}\n',
    }.items():
        (project / f".planguard/runs/{name}.jsonl").write_bytes(content)
    (project / ".planguard/runs/folder.jsonl").mkdir()
    if hasattr(os, "mkfifo"):  # to open one would wait for ever
        os.mkfifo(project / ".planguard/runs/pipe.jsonl")
    after = check()
    assert (after.exit_code, after.stdout) == (before.exit_code, before.stdout)
    assert all(line.startswith("note: ") for line in after.stderr.splitlines())
    told = {line.split(":")[1].rpartition("/")[2].removesuffix(".jsonl") for line in after.stderr.splitlines()}
    assert told - {"pipe"} == {"a b", "deep", "empty", "folder", "later"}
    for path in (project / ".planguard").rglob("*.jsonl"):
        if path.is_file():
            path.write_bytes(path.read_bytes().replace(b'"attempts":', b'"attempts":7,"x":'))
    broken = check()
    assert broken.exit_code == before.exit_code
    assert "experiment in" not in broken.stdout
    assert "the kept run cannot be read: judged[0].attempts: input should be" in broken.stderr


def test_two_tests_that_disagree_prove_nothing(project: Path) -> None:
    """Two apps are tried on one cassette, and one of them loses a finding: which one is meant nobody can tell."""
    (project / ".planguard/last.jsonl").unlink()
    path = project / ".planguard/runs/main.jsonl"
    header, row = path.read_text(encoding="utf-8").splitlines()
    other = json.loads(row)
    missing = next(proof for proof in other["proofs"] if proof["path"] == ["guest"])
    missing["result"] = "missing"
    other["key"] += "-2"
    path.write_text("\n".join([header, row, json.dumps(other, separators=(",", ":")), ""]), encoding="utf-8")
    assert [found["path"] for found in proofs()] == [["nights"]]
    path.write_text("\n".join([header, json.dumps(other, separators=(",", ":")), ""]), encoding="utf-8")
    assert "guest [length]: missing, says an experiment in the run of 20" in check().stdout


def test_large_runs_are_looked_at_in_part(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is said, and is no error."""
    monkeypatch.setattr(kept_proofs, "MOST_BYTES", 200)
    shown = check()
    assert "experiment in" not in shown.stdout
    assert shown.stderr.startswith("note: ")
    assert "only a part was looked at: the runs have more than 200 bytes" in shown.stderr
    monkeypatch.undo()
    monkeypatch.chdir(project)
    monkeypatch.setattr(kept_proofs, "MOST_RUNS", 1)
    shown = check()
    assert shown.stdout.count("experiment in") == 2
    assert "only the newest 1 of 2 runs were looked at" in shown.stderr
