"""The gate against pull requests of an attacker, with real git: each is noticed, and honest ones pass."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_planguard.cli.diff import code_changes
from pytest_planguard.runs.gate.tree_facts import Question, TreeFacts

from ...support.commands import run
from ...support.git import git
from ...support.warm import run_module
from .pull_requests import ATTACKS, BASELINE, HONEST, PullRequest, base_files


def warm(asked: Path, answered: Path, tree: Path) -> str:
    """The same process, but for its start."""
    done = run_module(["pytest_planguard.plugin.probe", str(asked), str(answered)], tree, os.environ)
    return "" if done.returncode == 0 else "its process ended"


def forget(folder: Path, kept: set[str]) -> None:
    """Let this process know no module of a repository."""
    for name in {*sys.modules} - kept:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def put(folder: Path, pull_request: PullRequest) -> None:
    """Write the changes of a pull request."""
    for name, change in pull_request.files.items():
        path = folder / name
        if change is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(change if isinstance(change, str) else change(path.read_text("utf-8")), encoding="utf-8")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A repository with one commit, the base. Its code is asked about once; this process keeps none of it."""
    folder = tmp_path_factory.mktemp("repository")
    known: dict[tuple[tuple[str, ...], tuple[str, ...]], TreeFacts] = {}
    cold = code_changes.ask

    def ask(question: Question, tree: Path) -> TreeFacts:
        if question.base is not None:
            return cold(question, tree)
        key = (question.contracts, question.answers)
        if key not in known:
            known[key] = cold(question, tree)
        return known[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr(sys, "path", [*sys.path])
        patched.setattr(sys, "dont_write_bytecode", True)
        patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patched.setenv("PYTEST_PLUGINS", "pytest_planguard.plugin")
        patched.setattr(code_changes, "ask", ask)
        patched.setattr(code_changes, "run_probe", warm)
        put(folder, PullRequest(base_files(), ""))
        git(folder, "init", "-q", "-b", "main")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "base")
        yield folder


def judged(folder: Path, pull_request: PullRequest, fail_on: str) -> tuple[int, str]:
    """The gate's exit code and its output for a pull request."""
    git(folder, "checkout", "-q", "-f", "-B", "pull", "main")
    git(folder, "clean", "-q", "-f", "-d")
    put(folder, pull_request)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "pull request")
    path, modules = [*sys.path], {*sys.modules}
    try:
        words = ("--git", "main", "-c", "contracts.py:TICKET", "--baseline", BASELINE, "--fail-on", fail_on)
        result = run("diff", *words, "--format", "markdown")
    finally:
        sys.path[:] = path
        forget(folder, modules)
    return result.exit_code, result.stdout + result.stderr


def plain(text: str) -> str:
    """Markdown without its escapes and marks of code."""
    return text.replace("\\", "").replace("`", "")


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_noticed(repository: Path, name: str) -> None:
    """It is said, and fails by option."""
    attack = ATTACKS[name]
    code, output = judged(repository, attack, attack.fails_on)
    assert (code != 0, attack.said in plain(output)) == (True, True), f"{code}\n{output}"


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_pull_request_passes(repository: Path, name: str) -> None:
    """Nothing keeps it, and what it relaxes is listed."""
    code, output = judged(repository, HONEST[name], "new,weakened")
    assert (code, HONEST[name].said in plain(output)) == (0, True), f"{code}\n{output}"
