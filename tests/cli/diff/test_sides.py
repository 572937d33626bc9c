"""Two revisions of a repository as the sides of `planguard diff`: which of them has cassettes, and where."""

import re
from pathlib import Path

import pytest

from pytest_planguard.replay.files.cassette_text import render

from ...support.commands import run
from ...support.exchanges import chat, user
from ...support.git import git

LACKING = "has no committed cassette: no YAML file below a cassettes/ folder"
CASSETTE = Path("tests/cassettes/test_app/default/test_a-1.yaml")


def commit(message: str) -> None:
    """Commit everything."""
    git(Path(), "add", "-A")
    git(Path(), "commit", "-q", "--allow-empty", "-m", message)


def put(path: Path) -> None:
    """Write a cassette."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render([chat([user("one")], "{}")]), encoding="utf-8")


@pytest.mark.slow
def test_a_revision_without_cassettes_says_where_some_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were never there, are gone, or are in a folder that no setting names."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    commit("none")
    put(CASSETTE)
    commit("some")
    CASSETTE.unlink()
    commit("gone")
    put(Path("other/a.yaml"))
    put(Path("other/b.yaml"))
    commit("elsewhere")
    sides = (("main~3", "main~2"), ("main~3", "main~1"), ("main~2", "main~1"), ("main~3", "main"))
    said = [run("diff", "--git", *named) for named in sides]
    nothing = f"planguard: main~3 {LACKING}: there is nothing to compare with"
    elsewhere = "2 cassettes in other folders, first 'other/a.yaml': name the folder in the settings of pytest, as "
    assert [re.sub(r" \([0-9a-f]{12}\)", "", done.stderr) for done in said] == [
        f"{nothing}; the tests judge the 1 cassette of main~2\n",
        f"{nothing}\n",
        f"planguard: main~1 {LACKING}, and main~2 has 1. Restore them, or record again\n",
        f"planguard: main~3 {LACKING}; {elsewhere}planguard_cassette_dir\n",
    ]
    assert {(done.exit_code, done.stdout) for done in said} == {(2, "")}
