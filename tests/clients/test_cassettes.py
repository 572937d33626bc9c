"""What programs of other languages recorded through the endpoint (`make clients`), replayed by Python and curl."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_planguard.testing.example import Run
from tools.clients.environment import PROGRAMS, clients
from tools.clients.project import WAYS, client_project, with_cassettes
from tools.clients.run import CASSETTES, MISSING

from ..support.nightly import drawn
from ..support.warm import WarmExample

NAMES = [client.name for client in clients()]
ONE_OF_EACH = ["go", "node-anthropic"]
"""A client of each dialect: what a blind program of another language is told depends on nothing else."""


def replayed(names: list[str], command: Callable[[str], list[str]], **env: str) -> tuple[Run, int]:
    """Replay the cassettes of clients by another program, with no upstream anywhere; a file of tests for each.

    Returns:
        the run and the number of its tests: by day, every other client streams.
    """
    files: dict[str, str] = {}
    tests: list[str] = []
    for row, name in enumerate(names):
        tests += [f"test_{name.replace('-', '_')}.py::test_client[{way}]" for way in drawn(WAYS, 2, row)]
        own = dict(with_cassettes(client_project(name, command(name), {}), name, CASSETTES).files)
        files |= {f"test_{name.replace('-', '_')}.py": own.pop("test_client.py"), **own}
    return WarmExample(files).run_pytest(*tests, env=env, plugins=("planguard",)), len(tests)


def by_python(name: str) -> list[str]:
    """The command of the Python program that sends what a client sent."""
    return [sys.executable, "-IS", str(PROGRAMS / "agent.py"), *(["anthropic"] if "anthropic" in name else [])]


@pytest.mark.slow
def test_a_recording_of_another_language_replays() -> None:
    """It converges for a client that feeds back, and fails one that does not, naming both findings."""
    good, tests = replayed(NAMES, by_python)
    assert dict(good.outcomes) == {"passed": tests}, good.output
    blind, tests = replayed(ONE_OF_EACH, by_python, BLIND="1")
    assert dict(blind.outcomes) == {"failed": tests}
    for words in MISSING:
        assert blind.stdout.count(words) == tests


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_a_shell_script_replays_it_too() -> None:
    """By curl and sed alone."""
    names = [name for name in NAMES if "anthropic" not in name]

    def by_shell(name: str) -> list[str]:
        return ["sh", str(PROGRAMS / "agent.sh")]

    good, tests = replayed(names, by_shell)
    assert dict(good.outcomes) == {"passed": tests}, good.output
    blind, tests = replayed(names[:1], by_shell, BLIND="1")
    assert dict(blind.outcomes) == {"failed": tests}


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_shows_no_trace_of_the_endpoint(name: str) -> None:
    """Its addresses are those of the upstream, behind no prefix; the version of its client is kept."""
    path = "/v1/messages" if "anthropic" in name else "/v1/chat/completions"
    for how in WAYS:
        text = Path(CASSETTES / f"{name}-{how}.yaml").read_text(encoding="utf-8")
        addresses = [line.split('"')[1] for line in text.splitlines() if line.startswith("    uri:")]
        assert len(addresses) == 2
        assert {urlsplit(address).path for address in addresses} == {path}
    assert json.loads((CASSETTES / "versions.json").read_text())[name] != "unknown"
