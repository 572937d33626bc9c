"""The ready gate: its script with a fake event and summary, its files as CI servers read them. No secret anywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.names import cassette_path
from pytest_planguard.replay.files.reader import read_cassette

from ...support.cassettes import BAD, GOOD, conversation, write, write_models
from ...support.git import git
from ...support.nightly import drawn
from ...support.paths import ROOT
from ...support.warm import planguard_on_path

CI = ROOT / "examples" / "ci"
# What is installed beside planguard takes most of the time of a session that the gate starts.
OUR_PLUGIN = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_planguard.plugin"}
RECORDING = Path("tests") / "cassettes" / "test_app" / "default" / "test_ask.yaml"
INSTALLED = Path(sys.executable).parent


@pytest.fixture(scope="module", autouse=True)
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The scripts find a command whose runs start warm: a comparison starts Python three times."""
    with planguard_on_path(tmp_path_factory.mktemp("bin")) as folder, pytest.MonkeyPatch.context() as patched:
        patched.setenv("PATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripts find the command that is installed."""
    monkeypatch.setenv("PATH", str(INSTALLED), prepend=os.pathsep)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a first commit without cassettes, one with a good cassette, and one with a bad one."""
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q", "-b", "main")
    write_models(folder)
    commit(folder, "empty")
    for tag, answers in (("good", (BAD, GOOD)), ("bad", (BAD, BAD))):
        write(folder / RECORDING, conversation(*answers))
        commit(folder, tag)
    return folder


@pytest.fixture
def project(repository: Path, tmp_path: Path) -> Path:
    """A copy of the repository, which the test may change."""
    return shutil.copytree(repository, tmp_path / "project")


def commit(folder: Path, tag: str) -> None:
    """Commit everything and name the commit."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", tag)
    git(folder, "tag", tag)


def gate(folder: Path, event: dict[str, Any], **settings: str) -> subprocess.CompletedProcess[str]:
    """The script as the action runs it: an event, a summary, and nothing else of the environment."""
    (folder.parent / "event.json").write_text(json.dumps(event), encoding="utf-8")
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder.parent),
        "GITHUB_EVENT_PATH": str(folder.parent / "event.json"),
        "GITHUB_STEP_SUMMARY": str(folder.parent / "summary.md"),
        "GITHUB_WORKSPACE": str(folder),
        "PLANGUARD_CONTRACT": "models.py:Person",
        **OUR_PLUGIN,
        **settings,
    }
    script = [sys.executable, str(CI / "github" / "gate.py")]
    return subprocess.run(script, cwd=folder, env=env, capture_output=True, text=True, check=False)


def pull_request(folder: Path, base: str) -> dict[str, Any]:
    """The event of a pull request from a fork."""
    sha = git(folder, "rev-parse", base)
    return {"pull_request": {"base": {"sha": sha}, "head": {"repo": {"fork": True}}}}


@pytest.mark.usefixtures("installed")
def test_a_new_failure_fails_the_pull_request(project: Path) -> None:
    """Annotated at the cassette, told in the summary, and all of it in the page; exit code 1."""
    done = gate(project, pull_request(project, "good"))
    assert done.returncode == 1, done.stderr
    errors = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert errors[0].startswith(f"::error file={RECORDING.as_posix()},title=planguard%3A new failure::")
    assert (
        (project.parent / "summary.md").read_text(encoding="utf-8").startswith("❌ **planguard: FAIL** 1 new failure")
    )
    for suffix in (".html", ".sarif", ".xml"):
        assert (project / f"planguard{suffix}").stat().st_size


def test_what_failed_before_does_not_fail_it_again(project: Path) -> None:
    """Only what is new counts."""
    (project / "note.txt").write_text("x")
    commit(project, "other")
    done = gate(project, pull_request(project, "bad"))
    assert (done.returncode, "::error" in done.stdout) == (0, False), done.stdout + done.stderr
    assert "✅ **planguard: PASS** 1 still failing" in (project.parent / "summary.md").read_text(encoding="utf-8")


def test_a_known_failure_passes(project: Path) -> None:
    """The list of known failures is read from the pull request itself; what the base lacks needs owner and reason."""
    listed = ["diff", "--git", "good", "-c", "models.py:Person", "--baseline", "known.json", "--baseline-update"]
    subprocess.run(
        ["planguard", *listed], cwd=project, env={**os.environ, **OUR_PLUGIN}, check=False, capture_output=True
    )
    known = (project / "known.json").read_text(encoding="utf-8")
    answered = known.replace('"owner": null', '"owner": "ann"').replace('"reason": null', '"reason": "a new model"')
    (project / "known.json").write_text(answered, encoding="utf-8")
    done = gate(project, pull_request(project, "good"), PLANGUARD_BASELINE="known.json")
    assert done.returncode == 0, done.stdout
    assert "::warning" in done.stdout


@pytest.mark.parametrize("own", ["TestAsk::test_ask", "test_ask[A ticket, please]"])
def test_a_known_failure_of_the_tests_passes(project: Path, own: str) -> None:
    """The tests list it by its id, which the path of its cassette doesn't give back."""
    name = cassette_path("", "test_app.py", "default", f"::{own}", own.rpartition("::")[2])
    write(project / "tests" / name, conversation(BAD, BAD))
    commit(project, "listed")
    entry = {"case": f"tests/test_app.py::{own}", "rule": "missing", "path": ["age"]}
    listed = {"planguard": "baseline", "format": 1, "failures": [entry]}
    (project / "known.json").write_text(json.dumps(listed), encoding="utf-8")
    for arguments, code in (((), 1), (("--baseline", "known.json"), 0)):
        command = ["planguard", "diff", "--git", "bad", "-c", "models.py:Person", *arguments]
        done = subprocess.run(command, cwd=project, env={**os.environ, **OUR_PLUGIN}, check=False, capture_output=True)
        assert done.returncode == code, done.stdout + done.stderr


def test_inputs_choose_the_base_and_what_fails(project: Path) -> None:
    """As the action's inputs say."""
    event = pull_request(project, "bad")
    assert gate(project, event, PLANGUARD_BASE="good").returncode == 1
    assert gate(project, event, PLANGUARD_BASE="good", PLANGUARD_FAIL_ON="none").returncode == 0
    done = gate(project, event, PLANGUARD_BASE="good", PLANGUARD_REPORT="out/report")
    assert (done.returncode, (project / "out" / "report.html").exists()) == (1, True)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({}, "this event names no commit to compare with"),
        ({"before": "0" * 40}, "this event names no commit to compare with"),
        ({"pull_request": {"base": {"sha": "empty"}}}, "the tests judge the 1 cassette of HEAD ("),
    ],
)
def test_without_anything_to_compare_with_it_says_so(project: Path, event: dict[str, Any], said: str) -> None:
    """A first push, a first cassette: a notice, no failure."""
    done = gate(project, event)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("::notice title=planguard::")
    assert said in done.stdout


def test_a_base_that_is_not_there_is_an_error_with_a_way_out(project: Path) -> None:
    """A shallow checkout without the base, and nowhere to fetch it from."""
    done = gate(project, {"pull_request": {"base": {"sha": "1" * 40}}})
    assert (done.returncode, "check out with fetch-depth 0" in done.stdout) == (2, True)


def test_a_hostile_event_is_no_command(project: Path) -> None:
    """What an event or an input holds is an argument, never a command."""
    evil = "$(touch hit); touch hit"
    gate(project, {"pull_request": {"base": {"sha": evil}}}, PLANGUARD_CONTRACT=evil, PLANGUARD_REPORT=evil)
    gate(project, pull_request(project, "good"), PLANGUARD_CONTRACT=evil, PLANGUARD_FAIL_ON=evil)
    assert not list(project.rglob("hit"))


def texts(value: Any) -> list[str]:
    """Every text in a YAML value."""
    if isinstance(value, dict):
        return [text for inner in (*value.keys(), *value.values()) for text in texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in texts(inner)]
    return [value] if isinstance(value, str) else []


FILES = sorted(path for path in CI.rglob("*") if path.suffix in (".yml", ".yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_asks_for_a_secret(path: Path) -> None:
    """Pull requests from forks have none."""
    found = " ".join(texts(yaml.safe_load(path.read_text(encoding="utf-8"))))
    assert not re.search(r"secrets\.|_TOKEN|pull_request_target|contents: write", found)


def test_the_workflow_has_no_rights_and_runs_the_gate_after_failing_tests() -> None:
    """Read only; the gate runs whatever the tests said; the inputs are those of the action."""
    workflow = yaml.safe_load((CI / "github" / "workflow.yml").read_text(encoding="utf-8"))
    action = yaml.safe_load((CI / "github" / "action.yml").read_text(encoding="utf-8"))
    assert "pull_request" in workflow[True]  # YAML 1.1 reads the word `on` so
    assert workflow["permissions"] == {"contents": "read"}
    step = next(s for s in workflow["jobs"]["contracts"]["steps"] if s.get("name") == "gate")
    assert step["if"] == "success() || failure()"
    assert step["with"].keys() <= action["inputs"].keys()


def test_the_action_runs_no_input_as_code() -> None:
    """Inputs stand in the environment; an expression inside of `run` would paste them into a script."""
    action = yaml.safe_load((CI / "github" / "action.yml").read_text(encoding="utf-8"))
    (step,) = action["runs"]["steps"]
    assert "${{" not in step["run"]
    script = (CI / "github" / "gate.py").read_text(encoding="utf-8")
    read = set(re.findall(r"PLANGUARD_[A-Z_]+", script))
    assert read == step["env"].keys() - {"PLANGUARD_ACTION"}


def gitlab(folder: Path, base: str, tests: int = 0) -> subprocess.CompletedProcess[str]:
    """The last step of the job as the runner's shell runs it, with tests that end so and the real comparison."""
    job = yaml.safe_load((CI / "gitlab" / "gitlab-ci.yml").read_text(encoding="utf-8"))["prompts"]
    script = job["script"][-1].replace("app/contracts.py:TICKET", "models.py:Person")
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")},
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": base,
        **OUR_PLUGIN,
    }
    double = f"pytest() {{ echo pytest; return {tests}; }}\n"
    return subprocess.run(
        ["bash", "-ec", double + script], cwd=folder, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("base", "tests", "expected", "said"),
    [
        ("bad", 0, 0, "1 still failing"),
        ("bad", 1, 1, "1 still failing"),
        ("good", 0, 1, "1 new failure"),
        ("empty", 0, 0, "the tests judge the 1 cassette of HEAD"),
        ("empty", 1, 1, "the tests judge the 1 cassette of HEAD"),
        ("nowhere", 0, 2, ""),
    ],
)
def test_the_gitlab_job_fails_by_tests_or_by_gate(
    project: Path, base: str, tests: int, expected: int, said: str
) -> None:
    """Its script, run by a shell: either failure is the job's, and both run."""
    done = gitlab(project, base, tests)
    assert done.returncode == expected, done.stdout + done.stderr
    assert done.stdout.splitlines()[0] == "pytest"
    assert said in done.stdout


# Whether the base and the pull request have cassettes: each says itself where it has them.

TAPES = Path("tests") / "tapes" / "test_app" / "default" / "test_ask.yaml"
INI = "[pytest]\nplanguard_cassette_dir = tapes\n"
HOMES = (("tapes", RECORDING, TAPES), ("both", TAPES, TAPES), ("back", TAPES, RECORDING))


def states(folder: Path, *states: tuple[Path | None, str]) -> None:
    """Commit states of a project, tagged "0", "1": where its cassette stands, if anywhere, and the last answer."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    write_models(folder)
    for tag, (home, answer) in enumerate(states):
        for old in (RECORDING, TAPES):
            (folder / old).unlink(missing_ok=True)
        (folder / "pytest.ini").write_text(INI if home == TAPES else "[pytest]\n", encoding="utf-8")
        if home is not None:
            write(folder / home, conversation(BAD, answer))
        (folder / "state.txt").write_text(str(tag), encoding="utf-8")
        commit(folder, str(tag))


def both(folder: Path) -> list[tuple[int, str]]:
    """Exit code and output of both services' gates, against the first state."""
    done = [gate(folder, pull_request(folder, "0")), gitlab(folder, "0")]
    return [(each.returncode, each.stdout + each.stderr) for each in done]


@pytest.mark.parametrize(("name", "before", "after"), drawn(HOMES, 2))
def test_recordings_are_compared_wherever_each_side_has_them(
    tmp_path: Path, name: str, before: Path, after: Path
) -> None:
    """A folder of the project's own, and one that the pull request renames: cases stay the same ones."""
    states(tmp_path / "good", (before, GOOD), (after, GOOD))
    assert [code for code, _ in both(tmp_path / "good")] == [0, 0]
    states(tmp_path / "bad", (before, GOOD), (after, BAD))
    bad = both(tmp_path / "bad")
    for code, output in bad:
        assert (code, "new failure" in output) == (1, True), output
    github = bad[0][1]
    assert f"::error file={after.as_posix()},title=planguard%3A new failure::" in github


@pytest.mark.parametrize("before", [RECORDING, TAPES])
def test_a_pull_request_that_removes_all_recordings_fails(tmp_path: Path, before: Path) -> None:
    """Whether it removes the files or the setting that tells where they are."""
    states(tmp_path / "removed", (before, GOOD), (None, GOOD))
    for code, output in both(tmp_path / "removed"):
        assert code == 2, output
        assert "HEAD (" in output
        assert "has no committed cassette: no YAML file below a cassettes/ folder, and " in output
    states(tmp_path / "setting", (TAPES, GOOD), (TAPES, GOOD))
    git(tmp_path / "setting", "rm", "-q", "pytest.ini")
    commit(tmp_path / "setting", "2")
    assert [code for code, _ in both(tmp_path / "setting")] == [2, 2]


def test_a_base_without_recordings_passes_with_a_word(tmp_path: Path) -> None:
    """The first pull request, with cassettes or still without."""
    for name, after in (("first", TAPES), ("none", None)):
        states(tmp_path / name, (None, GOOD), (after, GOOD))
        for code, output in both(tmp_path / name):
            assert (code, "there is nothing to compare with" in output) == (0, True), output
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("✅ **planguard: nothing was compared** ")
    assert summary.endswith(
        " has no committed cassette: no YAML file below a cassettes/ folder: there is nothing to compare with\n"
    )


def test_recordings_that_no_setting_names_are_no_first_pull_request(tmp_path: Path) -> None:
    """As where a command line names their folder: the gate would never see them."""
    folder = tmp_path / "project"
    states(folder, (None, GOOD))
    (folder / TAPES).parent.mkdir(parents=True, exist_ok=True)
    write(folder / TAPES, conversation(GOOD))
    recorded = read_cassette(folder / TAPES).interactions
    (folder / TAPES).write_text(render(raw.as_recorded for raw in recorded), encoding="utf-8")  # as planguard writes it
    commit(folder, "unnamed")
    for code, output in both(folder):
        asked = (
            f"1 cassette in other folders, first '{TAPES.as_posix()}': name the folder in the settings of pytest, as "
        )
        assert (code, asked in output) == (2, True), output
    git(folder, "tag", "-f", "0")
    (folder / "pytest.ini").write_text(INI, encoding="utf-8")
    commit(folder, "named")
    assert [code for code, _ in both(folder)] == [0, 0]


def test_the_hook_judges_the_recordings_of_a_commit(project: Path) -> None:
    """Its entry with a changed cassette: exit code 1 for a bad one, which is named, 0 for a good one."""
    (repo,) = yaml.safe_load((CI / "pre-commit" / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    (hook,) = repo["hooks"]
    assert re.search(hook["files"], RECORDING.as_posix())
    command = hook["entry"].replace("app/contracts.py:TICKET", "models.py:Person").split()
    command[0] = str(INSTALLED / command[0])
    for tag, expected in (("bad", 1), ("good", 0)):
        git(project, "checkout", "-q", tag)
        done = subprocess.run([*command, str(RECORDING)], cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == expected, done.stdout + done.stderr
        assert done.stdout.startswith(f"{RECORDING} [1] ") == bool(expected)
