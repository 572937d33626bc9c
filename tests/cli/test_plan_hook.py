"""`planguard plan hook` with the events of three coding agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ..support.commands import run
from ..support.plans import text_of

GOOD = text_of("spec-kit-tasks")[1]
BAD = GOOD.replace("(depends on T003-T004)", "(depends on T003, T040)")
LINE = next(line for line in BAD.split("\n") if "T040" in line)
FIXED = next(line for line in GOOD.split("\n") if "(depends on T003-T004)" in line)
COMMON = {"session_id": "s", "transcript_path": "/t.jsonl", "permission_mode": "default"}
PATCH = "*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan that depends on what is not there."""
    path = tmp_path / "specs" / "001-login" / "tasks.md"
    path.parent.mkdir(parents=True)
    path.write_text(BAD, encoding="utf-8")
    return path


def answer(event: object, *words: str) -> Any:
    """Return what the agent reads."""
    done = run("plan", "hook", *words, stdin=json.dumps(event))
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def claude(name: str, path: Path, **tool_input: object) -> dict[str, object]:
    """Return an event of Claude Code."""
    given = {"file_path": str(path), **tool_input}
    tool = "Write" if "content" in tool_input else "Edit"
    return {**COMMON, "hook_event_name": name, "cwd": str(path.parent), "tool_name": tool, "tool_input": given}


def codex(path: Path, patch: str) -> dict[str, object]:
    """Return an event of Codex before a patch."""
    given = {"command": patch}
    event = {"hook_event_name": "PreToolUse", "cwd": str(path.parent), "tool_name": "apply_patch", "tool_input": given}
    return {**event, "session_id": "s", "turn_id": "t", "model": "m"}


def cursor(name: str, path: Path, **more: object) -> dict[str, object]:
    """Return an event of Cursor."""
    ids = {"conversation_id": "c", "generation_id": "g", "workspace_roots": [str(path.parents[2])]}
    return {**ids, "hook_event_name": name, **more}


def test_claude_code_reads_findings_as_context(plan: Path) -> None:
    """After the file was written; the place and the rule are named."""
    said = answer(claude("PostToolUse", plan))["hookSpecificOutput"]
    assert said["hookEventName"] == "PostToolUse"
    assert "T040" in said["additionalContext"]
    assert "[dep-exists]" in said["additionalContext"]


def test_claude_code_is_denied_by_option(plan: Path) -> None:
    """Before the write with the new text, after it as a block; a good plan passes without a word."""
    before = answer(claude("PreToolUse", plan, content=BAD), "--deny")["hookSpecificOutput"]
    assert before["permissionDecision"] == "deny"
    assert "T040" in before["permissionDecisionReason"]
    assert answer(claude("PostToolUse", plan), "--deny")["decision"] == "block"
    assert answer(claude("PreToolUse", plan, content=GOOD), "--deny") == {}


def test_edits_are_judged_as_they_will_be(plan: Path) -> None:
    """An edit that repairs the plan is good before it is written."""
    edit = {"old_string": LINE, "new_string": FIXED}
    assert answer(claude("PreToolUse", plan, **edit), "--deny") == {}
    assert answer(claude("PreToolUse", plan, old_string="# Tasks", new_string="# Tasks"), "--deny") != {}
    assert answer(claude("PreToolUse", plan, edits=[edit]), "--deny") == {}


def test_codex_patches_are_judged_as_they_will_be(plan: Path) -> None:
    """A repair is good; a new file is judged whole; what does not apply is left to Codex."""
    assert answer(codex(plan, PATCH.format(path=plan.name, old=LINE, new=FIXED)), "--deny") == {}
    worse = PATCH.format(path=plan.name, old=LINE, new=LINE.replace("T040", "T041"))
    assert "T041" in answer(codex(plan, worse), "--deny")["hookSpecificOutput"]["permissionDecisionReason"]
    added = "".join(f"+{line}\n" for line in BAD.split("\n"))
    new = f"*** Begin Patch\n*** Add File: ../002-new/tasks.md\n{added}*** End Patch\n"
    assert "T040" in answer(codex(plan, new))["hookSpecificOutput"]["additionalContext"]
    assert answer(codex(plan, PATCH.format(path=plan.name, old="no such line", new="x"))) == {}


def test_codex_renames_a_plan_and_leaves_lines_empty(plan: Path) -> None:
    """The new path is judged with the old text and the patch; an empty line of a patch is one of the file."""
    before, empty = BAD[: BAD.index(LINE)].rstrip("\n").rpartition("\n")[2], "\n" if f"\n\n{LINE}" in BAD else ""
    hunk = f"@@ ## Phase\n {before}\n{empty}-{LINE}\n+{LINE.replace('T040', 'T041')}\n"
    patch = f"*** Begin Patch\n*** Update File: {plan.name}\n*** Move to: new/tasks.md\n{hunk}*** End Patch\n"
    said = answer(codex(plan, patch))["hookSpecificOutput"]["additionalContext"]
    assert "new/tasks.md" in said
    assert "T041" in said
    event = {**codex(plan, ""), "tool_name": "shell", "tool_input": {"command": ["apply_patch", patch]}}
    assert "T041" in json.dumps(answer(event))


@pytest.mark.parametrize("name", ["PreToolUse", "PermissionRequest"])
def test_a_plan_is_judged_when_claude_code_leaves_its_plan_mode(tmp_path: Path, name: str) -> None:
    """The text is in the event, with the file's path in later versions; a denial has the form of the event."""
    good = text_of("claude-plan")[1]
    text = good.replace("after step 1", "after step 9")
    path = tmp_path / ".claude" / "plans" / "login.md"
    for given in ({"plan": text}, {"plan": text, "planFilePath": str(path)}):
        event = {**COMMON, "hook_event_name": name, "cwd": str(tmp_path), "tool_name": "ExitPlanMode"}
        said = answer({**event, "tool_input": given}, "--deny")["hookSpecificOutput"]
        assert said["hookEventName"] == name
        refused = (said.get("permissionDecision"), said.get("decision", {}).get("behavior"))
        assert refused == (("deny", None) if name == "PreToolUse" else (None, "deny"))
        assert "[dep-exists]" in json.dumps(said)
        assert "[dep-exists]" in json.dumps(answer({**event, "tool_input": given}))
        assert answer({**event, "tool_input": {**given, "plan": good}}, "--deny") == {}


def test_cursor_reads_and_is_denied_in_its_own_fields(plan: Path) -> None:
    """After an edit as context; before a write with a permission."""
    said = answer(cursor("afterFileEdit", plan, file_path=str(plan), edits=[]), "--deny")
    assert "T040" in said["additional_context"]
    write = cursor("preToolUse", plan, tool_name="Write", tool_input={"file_path": str(plan), "content": BAD})
    assert set(answer(write)) == {"agent_message"}
    assert answer(write, "--deny")["permission"] == "deny"


def test_nothing_is_said_of_what_is_no_plan(plan: Path) -> None:
    """Notes, code, and tools that write no file."""
    assert answer(claude("PreToolUse", plan.parent / "notes.md", content="# Notes\n"), "--deny") == {}
    assert answer(claude("PreToolUse", plan.parent / "app.py", content="x = 1\n"), "--deny") == {}
    assert (
        answer({**COMMON, "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}) == {}
    )


def test_the_spec_beside_is_read(plan: Path) -> None:
    """A requirement that the spec does not have is found in the tasks, before they are written."""
    plan.with_name("spec.md").write_text(text_of("spec-kit-spec")[1], encoding="utf-8")
    cites = f"{GOOD}\n- [ ] T090 [US1] Serve FR-999 in src/other.py\n"
    assert "FR-999" in json.dumps(answer(claude("PreToolUse", plan, content=cites), "--rules", "spec-kit"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "the input of a hook is JSON; got "),
        ("not json", "the input of a hook is JSON; got "),
        *(
            (given, "the input names no hook_event_name; pipe the agent's event into this command")
            for given in ("[]", "{}", '{"hook_event_name": 1}')
        ),
    ],
)
def test_an_input_that_is_no_event_lets_the_agent_go_on(given: str, said: str) -> None:
    """Exit code 2 would stop it."""
    done = run("plan", "hook", "--deny", stdin=given)
    assert (done.exit_code, done.stdout) == (3, "")
    assert said in done.stderr


def test_a_wrong_option_lets_the_agent_go_on(plan: Path) -> None:
    """An unknown format is said, and stops nobody."""
    done = run("plan", "hook", "--rules", "spekkit", stdin=json.dumps(claude("PostToolUse", plan)))
    assert done.exit_code == 3
    assert "spekkit" in done.stderr


@pytest.mark.parametrize(
    ("number", "rest"), [(30, []), (31, ["- and 1 more finding"]), (32, ["- and 2 more findings"])]
)
def test_thirty_findings_are_shown(number: int, rest: list[str], plan: Path) -> None:
    """An agent repairs no more at once; the others are counted."""
    tasks = "".join(f"- [ ] T{at:03} Write a{at}.py (depends on T9{at:03})\n" for at in range(1, number + 1))
    plan.write_text(f"# Tasks: x\n\n{tasks}", encoding="utf-8")
    said = answer(claude("PostToolUse", plan))
    head, *shown = said["hookSpecificOutput"]["additionalContext"].split("\n")
    assert head == f"{plan}: not a valid spec-kit-tasks plan: {number} findings"
    assert len(shown) == 30 + len(rest)
    assert shown[30:] == rest
