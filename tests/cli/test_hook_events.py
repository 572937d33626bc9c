"""The events of coding agents: which files they write, with which text, and in which form they are answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.cli.plan_hook import AgentEvent, read_event

OLD = "a\nb\na\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a file that may be edited."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.md").write_text(OLD, encoding="utf-8")
    return tmp_path


def texts(given: object, name: str = "PreToolUse", **more: Any) -> dict[str, str | None]:
    """Return path and new text of each file that an event writes."""
    event = read_event(json.dumps({"hook_event_name": name, "tool_input": given, **more}))
    return {path.as_posix(): text for path, text in event.texts.items()}


EDIT = {"file_path": "old.md", "old_string": "a", "new_string": "c"}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"file_path": "old.md", "content": "new"}, "new"),
        ({"path": "old.md", "contents": "new"}, "new"),
        ({"file_path": "old.md", "path": "other.md", "content": "new", "contents": "no"}, "new"),
        ({"file_path": 1, "path": "old.md", "content": None, "contents": "new"}, "new"),
        (EDIT, "c\nb\na\n"),
        ({**EDIT, "replace_all": False}, "c\nb\na\n"),
        ({**EDIT, "replace_all": "yes"}, "c\nb\na\n"),
        ({**EDIT, "replace_all": True}, "c\nb\nc\n"),
        ({"file_path": "old.md", "edits": [EDIT, {"old_string": "c", "new_string": "d"}]}, "d\nb\na\n"),
        ({"file_path": "old.md", "edits": []}, OLD),
        ({"file_path": "old.md", "edits": [EDIT, "x"]}, None),
        ({"file_path": "old.md", "edits": [{"old_string": "a"}]}, None),
        ({"file_path": "old.md", "edits": [{"new_string": "a"}]}, None),
        ({"file_path": "old.md"}, None),
    ],
)
def test_the_text_of_a_file_before_it_is_written(given: dict[str, Any], text: str | None) -> None:
    """The whole text, or the old one with the edits in their order; unknown if an edit is incomplete."""
    assert texts(given) == {"old.md": text}
    assert texts(given, "PostToolUse") == {"old.md": None}


def test_edits_of_a_file_that_cannot_be_read_are_unknown(here: Path) -> None:
    """It is missing, or no text."""
    (here / "odd.md").write_bytes(b"\xff")
    for name in ("gone.md", "odd.md"):
        assert texts({**EDIT, "file_path": name}) == {name: None}


def patch(*lines: str) -> str:
    """Return a patch of Codex with these lines."""
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch", ""])


UPDATE = "*** Update File: old.md"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((UPDATE, "@@", "-a", "+c"), {"old.md": "c\nb\na\n"}),
        ((UPDATE, "@@ b", "-b", "+c", "@@", " a", "+d"), {"old.md": "a\nd\nc\na\n"}),
        ((UPDATE, "@@", "+d"), {"old.md": "a\nb\na\nd\n"}),
        ((UPDATE, "@@", "-a", "+c", "*** End of File"), {"old.md": "c\nb\na\n"}),
        ((UPDATE, "@@", "-x", "+c"), {"old.md": None}),
        ((UPDATE, "*** Move to: new.md", "@@", "-b", "+c"), {"new.md": "a\nc\na\n"}),
        (("*** Update File: gone.md", "@@", "+d"), {"gone.md": None}),
        (("*** Add File: new.md", "+x", "+", "+y"), {"new.md": "x\n\ny\n"}),
        (("*** Add File: new.md", "+x", UPDATE, "@@", "-b"), {"new.md": "x\n", "old.md": "a\na\n"}),
        (("*** Delete File: old.md",), {}),
    ],
)
def test_the_files_of_a_patch(lines: tuple[str, ...], found: dict[str, str | None]) -> None:
    """Each with its text after the patch, under the key that the tool's input has."""
    for given in (
        *({key: patch(*lines)} for key in ("command", "input", "patch")),
        {"command": ["apply_patch", patch(*lines)]},
        patch(*lines),
    ):
        assert texts(given) == found
    assert texts({"command": patch(*lines)}, "PostToolUse") == dict.fromkeys(found)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"plan": "p"}, {".claude/plans/plan.md": "p"}),
        ({"plan": "p", "planFilePath": "own.md"}, {"own.md": "p"}),
        ({"plan": "p", "planFilePath": ""}, {".claude/plans/plan.md": "p"}),
        ({"plan": "p", "file_path": "other.md"}, {".claude/plans/plan.md": "p"}),
        ({"plan": 1}, {}),
        ({}, {}),
        ([], {}),
        (None, {}),
        ({"command": "ls"}, {}),
    ],
)
def test_plans_of_a_mode_and_tools_that_write_nothing(given: object, found: dict[str, str | None]) -> None:
    """A plan that Claude Code shows has its own path in later versions."""
    assert texts(given) == found


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({}, "old.md"),
        ({"cwd": "sub"}, "sub/old.md"),
        ({"cwd": "sub", "workspace_roots": ["root"]}, "sub/old.md"),
        ({"workspace_roots": ["root", "other"]}, "root/old.md"),
        ({"cwd": "", "workspace_roots": []}, "old.md"),
        ({"cwd": 1, "workspace_roots": "root"}, "old.md"),
        ({"workspace_roots": [1]}, "old.md"),
    ],
)
def test_paths_are_seen_from_the_folder_of_the_event(more: dict[str, Any], path: str) -> None:
    """Of the agent, or else from the first folder of its workspace."""
    assert texts({"file_path": "old.md", "content": "x"}, **more) == {path: "x"}


@pytest.mark.parametrize(
    ("name", "more", "before", "cursor"),
    [
        ("PreToolUse", {}, True, False),
        ("PostToolUse", {}, False, False),
        ("PermissionRequest", {}, True, False),
        ("PostToolUse", {"workspace_roots": []}, False, True),
        ("preToolUse", {}, True, True),
        ("beforeFileEdit", {}, True, True),
        ("afterFileEdit", {}, False, True),
        ("", {}, False, False),
    ],
)
def test_the_name_of_an_event_says_whose_it_is(name: str, more: dict[str, object], before: bool, cursor: bool) -> None:
    """Cursor's begin with a small letter, or have the folders of a workspace."""
    event = read_event(json.dumps({"hook_event_name": name, **more}))
    assert (event.name, event.before, event.cursor) == (name, before, cursor)


@pytest.mark.parametrize(
    ("name", "before", "cursor", "told", "denied"),
    [
        (
            "PreToolUse",
            True,
            False,
            {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "why"}},
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": "why",
                }
            },
        ),
        (
            "PostToolUse",
            False,
            False,
            {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "why"}},
            {"decision": "block", "reason": "why"},
        ),
        (
            "PermissionRequest",
            True,
            False,
            {"systemMessage": "why"},
            {
                "hookSpecificOutput": {
                    "hookEventName": "PermissionRequest",
                    "decision": {"behavior": "deny", "message": "why"},
                }
            },
        ),
        (
            "preToolUse",
            True,
            True,
            {"agent_message": "why"},
            {"permission": "deny", "user_message": "why", "agent_message": "why"},
        ),
        ("afterFileEdit", False, True, {"additional_context": "why"}, {"additional_context": "why"}),
    ],
)
def test_each_event_has_its_own_form_of_answer(
    name: str, before: bool, cursor: bool, told: dict[str, object], denied: dict[str, object]
) -> None:
    """As context, or as a denial; nothing at all where there is nothing to tell."""
    event = AgentEvent(name, before, cursor, {})
    assert event.answer("why", deny=False) == told
    assert event.answer("why", deny=True) == denied
    assert event.answer("", deny=True) == {}
