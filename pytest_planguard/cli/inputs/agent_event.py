"""The event that a coding agent passes to a hook: the files it writes, and the form of the answer.

Claude Code and Codex share one dialect; Cursor has another. Before a file is written, its new text is in the event.
Afterwards it is on disk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..main import UnjudgedError

_PATCHED = re.compile(r"(?m)^\*\*\* (Add|Update) File: (.+)$(?:\n\*\*\* Move to: (.+)$)?")
"""The lines with which Codex names a file in a patch: "*** Update File: specs/tasks.md", perhaps with its new path."""
_END = re.compile(r"(?m)^\*\*\* (?!End of File)")
"""The line of a patch that ends the lines about a file."""
PERMISSION = "PermissionRequest"
"""Claude Code's question to the user before a tool runs, for example before a plan is executed."""
_HUNK = re.compile(r"(?m)^@@.*$\n?")
"""The first line of a part of a file: "@@ ## Phase 1"."""


@dataclass(frozen=True, slots=True)
class AgentEvent:
    """One event."""

    name: str
    before: bool
    """True if the files are not yet written."""
    cursor: bool
    """True if the event is Cursor's, whose answers have other fields."""
    texts: Mapping[Path, str | None]
    """The text of each file; None if it is already on disk or unknown."""

    def answer(self, told: str, *, deny: bool) -> dict[str, object]:
        """Return the answer for the agent: the findings as context, or as a denial. It is {} if `told` is ""."""
        if not told:
            return {}
        if self.cursor:
            if self.before:
                return (
                    {"permission": "deny", "user_message": told, "agent_message": told}
                    if deny
                    else {"agent_message": told}
                )
            return {"additional_context": told}
        own: dict[str, object] = {"hookEventName": self.name}
        if self.name == PERMISSION:
            refusal = {**own, "decision": {"behavior": "deny", "message": told}}
            return {"hookSpecificOutput": refusal} if deny else {"systemMessage": told}
        if not deny:
            return {"hookSpecificOutput": {**own, "additionalContext": told}}
        if self.before:
            return {"hookSpecificOutput": {**own, "permissionDecision": "deny", "permissionDecisionReason": told}}
        return {"decision": "block", "reason": told}


def read_event(text: str) -> AgentEvent:
    """Return the event in a hook's input. An event that writes no file has no texts.

    Raises:
        UnjudgedError: the input is not an event. Its exit code lets the agent continue, unlike 2.
    """
    try:
        event = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnjudgedError(f"the input of a hook is JSON; got {error}") from None
    name = event.get("hook_event_name") if isinstance(event, dict) else None
    if not isinstance(name, str):
        raise UnjudgedError("the input names no hook_event_name; pipe the agent's event into this command")
    before = name.lower().startswith(("pre", "before")) or name == PERMISSION
    cursor = name[:1].islower() or "workspace_roots" in event
    roots = event.get("workspace_roots")
    folder = event.get("cwd") or (roots[0] if isinstance(roots, list) and roots else "")
    base = Path(folder) if isinstance(folder, str) else Path()
    return AgentEvent(name, before, cursor, {base / path: new for path, new in _written(event, base, before=before)})


def _written(event: dict[str, object], base: Path, *, before: bool) -> Iterator[tuple[str, str | None]]:
    """Yield the path of each file, with its new text if that is not yet on disk."""
    given = event.get("tool_input", event)
    if isinstance(given, str):  # a tool whose input is free text
        given = {"command": given}
    if not isinstance(given, dict):
        return
    plan, path = _first(given, "plan"), _first(given, "file_path", "path")
    if plan is not None:  # Claude Code leaves its plan mode; it names the file in later versions
        yield _first(given, "planFilePath") or ".claude/plans/plan.md", plan
        return
    if path is not None:
        yield path, _edited(given, base / path) if before else None
        return
    command = given.get("command")
    patch = "\n".join(map(str, command)) if isinstance(command, list) else _first(given, "command", "input", "patch")
    for found in _PATCHED.finditer(patch or ""):
        yield (found[3] or found[2]).strip(), _patched(str(patch), found, base) if before else None


def _first(given: Mapping[str, object], *names: str) -> str | None:
    values = (given.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)


def _edited(given: Mapping[str, object], path: Path) -> str | None:
    """Return the whole new text, or the old text with the edits."""
    whole = _first(given, "content", "contents")
    if whole is not None:
        return whole
    listed = given.get("edits")
    text = _on_disk(path)
    for edit in listed if isinstance(listed, list) else [given]:
        old, new = (_first(edit, name) if isinstance(edit, dict) else None for name in ("old_string", "new_string"))
        if text is None or old is None or new is None:
            return None
        text = text.replace(old, new) if edit.get("replace_all") is True else text.replace(old, new, 1)
    return text


def _patched(patch: str, found: re.Match[str], base: Path) -> str | None:
    """Return the text of a file after a Codex patch. Lines begin with " ", "-" or "+"; a new file has only "+"."""
    end = _END.search(patch, found.end())
    lines = patch[found.end() + 1 : end.start() if end else None]
    if found[1] == "Add":
        return "".join(line[1:] for line in lines.splitlines(keepends=True))
    text = _on_disk(base / found[2].strip())
    for hunk in _HUNK.split(lines):
        # Codex treats an empty line as an empty line of the file.
        parts = [line if line.strip("\r\n") else f" {line}" for line in hunk.splitlines(keepends=True)]
        old = "".join(line[1:] for line in parts if line[:1] in (" ", "-"))
        new = "".join(line[1:] for line in parts if line[:1] in (" ", "+"))
        if text is None or (old and old not in text):
            return None
        text = text.replace(old, new, 1) if old else text + new
    return text


def _on_disk(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
