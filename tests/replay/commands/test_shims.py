"""The folder of shims: first on PATH while a test runs, and gone from it afterwards."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from pytest_planguard.replay.commands.command_server import child_variables, shims, with_shims
from pytest_planguard.replay.commands.shim import CHILD, identity


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/usr/bin:/bin", "/shims:/usr/bin:/bin"),
        ("/shims:/bin", "/shims:/bin"),
        ("/bin:/shims", "/shims:/bin:/shims"),
        ("", "/shims:"),
        (None, f"/shims:{os.defpath}"),
    ],
)
def test_shims_come_first(path: str | None, expected: str) -> None:
    """Once, whoever made the environment of a child."""
    assert with_shims(Path("/shims"), path) == expected
    own = {"LANG": "C"} if path is None else {"PATH": path}
    assert child_variables(Path("/shims"), "name", own) == {"PATH": expected, CHILD: "name"}


@pytest.mark.parametrize("before", ["/usr/bin:/bin", "", None])
def test_what_the_test_did_to_path_stays(before: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder alone is taken out; a PATH that was not there is gone again."""
    monkeypatch.delenv("PATH") if before is None else monkeypatch.setenv("PATH", before)
    with shims((), 1, "token") as folder:
        assert os.environ["PATH"] == with_shims(folder, before)
        if before:
            os.environ["PATH"] = f"/own:{os.environ['PATH']}"
    after = os.environ.get("PATH")
    assert after == (f"/own:{before}" if before else before)
    assert not folder.exists()


def test_no_path_at_all_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the test takes PATH away, it stays away."""
    monkeypatch.delenv("PATH")
    with shims((), 1, "token"):
        del os.environ["PATH"]
    assert "PATH" not in os.environ


def test_a_shim_is_a_script_with_all_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its owner may run it: it has the token of the test."""
    monkeypatch.setenv("PATH", "/bin")
    with shims(("my agent",), 4711, "token", iter(("LANG", "A"))) as folder:
        script = folder / "my agent"
        first, second = script.read_text(encoding="utf-8").splitlines()
        assert (first, script.stat().st_mode & 0o777) == ("#!/bin/sh", 0o700)
        words = shlex.split(second)
        assert words[:4] == ["exec", sys.executable, "-I", "-S"]
        assert Path(words[4]).name == "shim.py"
        assert words[5:] == ["4711", "token", identity(), "LANG,A", str(folder), "my agent", "$@"]
