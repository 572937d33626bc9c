"""`planguard plan hook`: judge the plan file that a coding agent writes, and answer in the agent's format."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...contract.finding import Severity
from ...errors import UsageError
from ...runs.load.contracts import load_extensions
from ..check.plan_files import SUFFIXES
from ..check.plan_options import RULES, PlanArguments
from ..check.pytest_settings import plan_settings
from ..framework.output import say
from ..framework.shared_options import EXTENSIONS, epilog
from ..inputs.agent_event import read_event
from ..main import UnjudgedError

if TYPE_CHECKING:
    from ...plans.judging.judge_files import PlanReport
    from ...plans.judging.policy import PlanPolicy

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
    from ...contract.feedback.command_style import bullet
    from ...printable import one_line
    from ...report.answer.plan_text import plan_headline, worst_first

    found = worst_first(finding for finding in report.findings if finding.severity is not Severity.INFO)
    lines = [f"- {one_line(bullet(finding), 600)}" for finding in found[:MOST]]
    more = [f"- and {len(found) - MOST:,} more findings"] if len(found) > MOST else []
    return "\n".join([f"{one_line(str(report.path), 300)}: {plan_headline(report)}", *lines, *more]) if found else ""
