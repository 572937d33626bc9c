"""The fixture planguard_snapshot in a project: written, compared, broken, unused."""

import json
from importlib import metadata

import pytest
from _pytest.outcomes import Failed

from pytest_planguard import plugin
from pytest_planguard.testing.example import Example, Run

from ..support.warm import WarmExample

PLUGINS = ("planguard", "syrupy")
TESTS = """
import uuid

import pytest
from contracts import TICKET
from syrupy.extensions.json import JSONSnapshotExtension

PRIORITY, TOOK_S = "high", 0.5


@pytest.mark.planguard(TICKET, mode="check", redact=["volatile", "took_s"])
def test_ticket(planguard, planguard_snapshot):
    ticket = {"id": str(uuid.uuid4()), "title": "Printer", "priority": PRIORITY, "steps": ["look"], "took_s": TOOK_S}
    planguard.check('{"title": "Printer", "priority": "high", "steps": ["look"]}')
    assert ticket == planguard_snapshot


def test_words(planguard_snapshot):
    assert planguard_snapshot == {"b", "a"}
    assert planguard_snapshot(name="lower") == ["c"]


def test_filtered(planguard_snapshot):
    filters = {"exclude": lambda prop, path: prop == "skip", "matcher": lambda data, path: "day" if path else data}
    assert planguard_snapshot(**filters) == {"skip": 1, "when": "2026"}


def test_of_another_extension(snapshot):
    assert snapshot.use_extension(JSONSnapshotExtension) == {"a": 1}
"""
SECRET = """
def test_answer(planguard_snapshot):
    note = "use sk-proj-" + "Zk3hV9qLx0TtB7wYp2RnA8cD5eF1gH6j"
    assert {"note": note, "id": "ticket-17-abc"} == planguard_snapshot
"""
CONTRACTS = """
from typing import Literal

from pydantic import BaseModel

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"]
    steps: list[str]


TICKET = Contract(Ticket)
"""
TICKET = "__snapshots__/test_app/test_ticket.pgsnap"
FILTERED = "__snapshots__/test_app/test_filtered.pgsnap"
WORDS = "__snapshots__/test_app/test_words.pgsnap"


def run(example: Example, *args: str, plugins: tuple[str, ...] = PLUGINS, **env: str) -> Run:
    """Run its tests with syrupy's plugin."""
    return example.run_pytest("-q", *args, env=env, plugins=plugins)


@pytest.fixture(scope="module")
def written() -> Run:
    """The project after its snapshots were written."""
    return run(WarmExample({"contracts.py": CONTRACTS, "test_app.py": TESTS}), "--snapshot-update")


@pytest.fixture(scope="module")
def broken(written: Run) -> Run:
    """The project after a change that breaks a rule, run by two workers."""
    changed = written.example.replaced('"high", 0.5', '"urgent", 7.5')
    return run(changed, "-n2", plugins=(*PLUGINS, "xdist"))


def test_update_writes_canonical_json_with_volatile_parts_redacted(written):
    """Keys are sorted, every run's id becomes one word, and the named field keeps its place without its value."""
    assert written.outcomes == {"passed": 4}, written.output
    assert json.loads(written.example.read(TICKET)) == {
        "id": "<uuid 1>",
        "priority": "high",
        "steps": ["look"],
        "title": "Printer",
        "took_s": "<redacted>",
    }
    assert written.example.read(WORDS) == '[\n  "a",\n  "b"\n]\n'
    assert json.loads(written.example.read(FILTERED)) == {"when": "day"}
    assert not written.example.paths("pending")


def test_a_snapshot_keeps_no_secret(written):
    """What looks like a key is replaced as in a cassette."""
    ran = run(written.example.with_files({"test_secret.py": SECRET}), "--snapshot-update", "test_secret.py")
    kept = ran.example.read("__snapshots__/test_secret/test_answer.pgsnap")
    assert json.loads(kept) == {"note": "use [redacted]", "id": "ticket-17-abc"}
    assert run(ran.example, "test_secret.py").outcomes == {"passed": 1}


def test_a_change_is_shown_as_field_rows_with_its_rule(broken):
    """A worker too shows the row, the broken rule and the command to accept it; a new duration is no change."""
    assert broken.outcomes == {"failed": 1, "passed": 3}, broken.output
    assert "1 field changed" in broken.stdout
    assert "priority: high → urgent (breaks enum)" in broken.stdout
    assert "pytest test_app.py::test_ticket --snapshot-update" in broken.stdout


def test_a_change_is_kept_for_review(broken):
    """The test's text and the change wait in the folder of the run."""
    (kept,) = [path for path in broken.example.paths(".json") if path.startswith(".planguard/pending/")]
    data = json.loads(broken.example.read(kept))
    assert (data["test"], data["path"]) == ("test_app.py::test_ticket", TICKET)
    assert json.loads(data["after"])["priority"] == "urgent"
    assert "breaks enum" in data["rows"]


def test_unused_snapshots_are_syrupys_and_a_pass_clears_what_waited(broken):
    """A snapshot of a removed test fails the run, extensions leave each other's files alone, and layout is free."""
    back = broken.example.replaced('"urgent", 7.5', '"high", 0.5').replaced("def test_words", "def words")
    found = run(back.with_files({FILTERED: '{"when":\r\n"day"}'}))
    assert found.outcomes == {"passed": 3}, found.output
    assert "2 snapshots unused" in found.stdout
    assert found.returncode == 1
    assert not [path for path in found.example.paths(".json") if "pending" in path]


def test_a_missing_snapshot_fails_and_ci_keeps_nothing(written):
    """A first run without --snapshot-update shows what it would write; in CI nothing waits for a review."""
    found = run(written.example.without(WORDS), "-k", "words", CI="1")
    assert found.outcomes["failed"] == 1
    assert "Snapshot 'test_words' does not exist!" in found.stdout
    assert not [path for path in found.example.paths(".json") if "pending" in path]


def test_without_syrupys_plugin_the_message_says_so(written):
    """A disabled plugin gets a different message from a missing one."""
    found = run(written.example, "-k", "words", plugins=("planguard",))
    assert "planguard_snapshot needs syrupy's plugin, and it is switched off" in found.stdout
    assert found.outcomes["error"] == 1


@pytest.mark.parametrize(
    ("version", "message"),
    [
        (None, 'planguard_snapshot needs syrupy, which is not installed: pip install "pytest-planguard[snapshot]"'),
        ("6.1.1", 'needs syrupy 7 or later, and 6.1.1 is here: pip install "pytest-planguard[snapshot]"'),
    ],
)
def test_without_the_extra_the_message_is_the_command(monkeypatch, version, message):
    """A missing or old syrupy is reported before any of it is imported."""

    def found(name: str) -> str:
        if version is None:
            raise metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(metadata, "version", found)
    with pytest.raises(Failed) as failed:
        plugin._require_syrupy()
    assert message in str(failed.value)
