"""`planguard plan hook`: judge the plan file that a coding agent writes, and answer in the agent's format.

Claude Code and Codex share one dialect of events; Cursor has another. Before a file is written, its new text is in the
event. Afterwards it is on disk.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..contract.finding import Severity
from ..errors import UsageError
from ..runs.load.contracts import load_extensions
from .check.plan_files import SUFFIXES
from .check.plan_options import RULES, PlanArguments, plan_settings
from .commands import EXTENSIONS, epilog
from .main import UnjudgedError
from .output import say

if TYPE_CHECKING:
    from ..plans.judging.judge_files import PlanReport
    from ..plans.judging.policy import PlanPolicy


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
    # "PreToolUse" of Claude Code and Codex, "preToolUse" of Cursor.
    before = name.lower().startswith(("pre", "before")) or name == PERMISSION
    # Cursor: "afterFileEdit"; the others begin with a capital.
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


NEIGHBOURS, SIZE = 40, 400_000
"""Maximum number of other files of the same folder to read, and of bytes in each. Tasks are compared with their
spec."""
MOST = 30
"""Maximum number of findings of a file to show to an agent."""
EXAMPLES = """
  planguard plan hook < event.json          what the agent would read
  planguard plan hook --deny                refuse a plan that breaks its rules
"""


EXIT_CODES = {
    0: "the answer is printed",
    2: "the command itself is wrong; the agent is held up",
    3: "the input is not an event: the agent goes on",
}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.option("--deny", is_flag=True, help="Refuse a plan with findings of severity retry or fail.")
@RULES
@EXTENSIONS
def hook(deny: bool, rules: tuple[str, ...], extensions: tuple[str, ...]) -> None:
    """Judge the plan file of a hook's event on standard input, of Claude Code, Codex or Cursor.

    Before the file is written, its new text is judged; afterwards, the file itself. The agent reads the findings. Other
    files get no answer.
    """
    event = read_event(sys.stdin.buffer.read().decode("utf-8-sig", "replace"))
    try:
        load_extensions(extensions)
        reports = [_judged(path, text, rules, before=event.before) for path, text in event.texts.items()]
    except UsageError as error:  # a UsageError's exit code would stop the agent
        raise UnjudgedError(str(error)) from error
    read = [report for report in reports if report is not None]
    refused = deny and any(not report.ok for report in read)
    say(json.dumps(event.answer("\n".join(filter(None, map(_words, read))), deny=refused)))


def _judged(path: Path, text: str | None, rules: tuple[str, ...], *, before: bool) -> PlanReport | None:
    """Return the report of a file among its neighbours; None if its text is unknown or not a plan."""
    if path.suffix.lower() not in SUFFIXES or (before and text is None):
        return None
    policy: PlanPolicy = PlanArguments(rules, settings=plan_settings((path,))).policy()
    texts: dict[str, str | bytes] = {name.as_posix(): content for name, content in _beside(path).items()}
    if text is not None:
        texts[path.as_posix()] = text
    if path.as_posix() not in texts:
        return None
    report = policy.judge(texts)[path.as_posix()]
    return report if report.plan is not None else None


def _beside(path: Path) -> dict[Path, bytes]:
    """Return the contents of the files in a folder that may be plans, the given file first."""
    try:
        files = [one for one in sorted(path.parent.iterdir()) if one.suffix.lower() in SUFFIXES and one.is_file()]
    except OSError:
        return {}
    found = {}
    for file in [path, *(one for one in files if one != path)][: NEIGHBOURS + 1]:
        try:
            if file.stat().st_size <= SIZE or file == path:
                found[file] = file.read_bytes()
        except OSError:  # the file itself may not exist yet
            continue
    return found


def _words(report: PlanReport) -> str:
    """Return the findings above remarks, worst first: the headline, then one line each."""
    from ..contract.feedback.command_style import bullet
    from ..printable import one_line
    from ..report.plain_text import count
    from ..report.plan_text import plan_headline, worst_first

    found = worst_first(finding for finding in report.findings if finding.severity is not Severity.INFO)
    lines = [f"- {one_line(bullet(finding), 600)}" for finding in found[:MOST]]
    more = [f"- and {count(len(found) - MOST, 'more finding')}"] if len(found) > MOST else []
    return "\n".join([f"{one_line(str(report.path), 300)}: {plan_headline(report)}", *lines, *more]) if found else ""
