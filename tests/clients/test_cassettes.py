"""What programs of other languages recorded through the endpoint (`make clients`), replayed by Python and curl."""

import json
import shutil
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_planguard.testing import Run
from tools.clients.environment import PROGRAMS, clients
from tools.clients.project import WAYS, client_project, with_cassettes
from tools.clients.run import CASSETTES, MISSING

from ..support.warm import WarmExample

NAMES = [client.name for client in clients()]


def replayed(name: str, command: list[str], **env: str) -> Run:
    """Replay the cassettes of a client by another program, with no upstream anywhere."""
    example = with_cassettes(client_project(name, command, {}), name, CASSETTES)
    return WarmExample(example.files).run_pytest(env=env, plugins=("planguard",))


def by_python(name: str) -> list[str]:
    """The command of the Python program that sends what a client sent."""
    return [sys.executable, str(PROGRAMS / "agent.py"), *(["anthropic"] if "anthropic" in name else [])]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_recording_of_another_language_replays(name: str) -> None:
    """It converges for a client that feeds back, and fails one that does not, naming both findings."""
    good = replayed(name, by_python(name))
    assert dict(good.outcomes) == {"passed": len(WAYS)}, good.output
    blind = replayed(name, by_python(name), BLIND="1")
    assert dict(blind.outcomes) == {"failed": len(WAYS)}
    for words in MISSING:
        assert blind.stdout.count(words) == len(WAYS)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
@pytest.mark.parametrize("name", [name for name in NAMES if "anthropic" not in name])
def test_a_shell_script_replays_it_too(name: str) -> None:
    """By curl and sed alone."""
    command = ["sh", str(PROGRAMS / "agent.sh")]
    assert dict(replayed(name, command).outcomes) == {"passed": len(WAYS)}
    assert dict(replayed(name, command, BLIND="1").outcomes) == {"failed": len(WAYS)}


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
