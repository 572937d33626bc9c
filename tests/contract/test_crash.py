"""Whose code raised: the user's own, planguard's, or that of a library which reads documents for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pytest_planguard
from pytest_planguard.contract.crash import CRASHED, FRAMES, MESSAGE_LIMIT, crash_finding, fed_back, raised_outside
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.severity import Severity

PACKAGE = Path(pytest_planguard.__file__).parent
SITE = Path(pytest.__file__).parent.parent
"""Where libraries are installed."""


def raised(*files: Path | str) -> Exception:
    """Return an exception that went through a function in each of some files, the last of which raised it."""
    call: Any = None
    for file in reversed(files):
        names: dict[str, Any] = {"call": call}
        body = "call()" if call else "raise ValueError('x' * 300)"
        exec(compile(f"def run():\n    {body}\n", str(file), "exec"), names)
        call = names["run"]
    with pytest.raises(ValueError, match="x") as caught:
        call()
    return caught.value


@pytest.mark.parametrize("library", ["markdown_it", "yaml", "pydantic"])
def test_a_library_that_reads_documents_is_no_users_code(library: str) -> None:
    """An error raised by one of them below planguard is not of a check of the user."""
    assert not raised_outside(raised(PACKAGE / "document" / "x.py", SITE / library / "y.py"))
    assert raised_outside(raised(PACKAGE / "document" / "x.py", SITE / f"{library}s" / "y.py"))


def test_frames_before_planguard_do_not_count() -> None:
    """They are of whoever called it; its own, the standard library's and those of no file do not count either."""
    assert not raised_outside(raised("/app/main.py", PACKAGE / "x.py"))
    assert not raised_outside(raised(PACKAGE / "x.py", Path(__import__("json").__file__)))
    assert not raised_outside(raised(PACKAGE / "x.py", "<string>"))
    assert raised_outside(raised("/app/main.py", PACKAGE / "x.py", "/app/rules.py"))
    assert raised_outside(raised(PACKAGE / "x.py", "/app/rules.py", PACKAGE / "y.py"))


def test_the_finding_of_a_check_that_raised() -> None:
    """200 characters of its message, and the three innermost frames that are not planguard's."""
    files = [f"/app/{name}.py" for name in "abcd"]
    found = crash_finding("the rule adds_up", raised(*files), ("a",))
    assert (found.code, found.path, found.kind, found.severity) == (CRASHED, ("a",), FailureKind.RULE, Severity.FAIL)
    assert found.message == "the rule adds_up itself raised ValueError: " + "x" * 200
    assert (MESSAGE_LIMIT, FRAMES) == (200, 3)
    assert found.hint is not None
    assert [part.split(" ")[0] for part in found.hint.removeprefix("raised in ").split(", called in ")] == [
        "d.py:2",
        "c.py:2",
        "b.py:2",
    ]
    own = crash_finding("the rule", raised("/app/a.py", PACKAGE / "x.py"))
    assert own.hint is not None
    assert "x.py" not in own.hint
    assert "a.py:2 run" in own.hint


def test_what_no_answer_can_fix_is_not_fed_back() -> None:
    """Nor is what is not bad."""
    bad = Finding("rule", (), "no", FailureKind.RULE)
    warned = Finding("rule", (), "no", FailureKind.RULE, Severity.WARN)
    crashed = crash_finding("the rule", ValueError("no"))
    assert fed_back([warned, bad, crashed]) == [bad]
