"""One stage: run a command until its file or its output satisfies the contract; each new prompt contains the errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..contract.contract import Contract
from ..contract.failure_kinds import FailureKind
from ..contract.verdict import Verdict
from ..document.answer import format_of
from ..document.wrapper import open_at_end
from ..errors import UsageError
from ..retry.judging.attempts import Applied, unwritten, verdict_of, with_call_findings
from ..retry.loop import run
from ..retry.loop_state import Loop, Messages
from ..wire.agent_run import AgentRun, read_agent_run
from ..wire.dialects.commands_and_calls import COMMAND_LINE
from ..wire.exchange import Exchange, Item, ItemKind, Role
from .agent_pipeline import StageFailed, StageOutcome

if TYPE_CHECKING:
    from ..retry.budget import Budget
    from ..retry.judging.judging_options import JudgeOptions
    from ..retry.results import Convergence
    from .agent_pipeline import AgentCommand


# The answer that a command prints: its final text, or an argument of a tool call among its events.


class PrintedAnswer(Contract[Any]):
    """A contract on the output of a command."""

    def __init__(self, contract: Contract[Any]) -> None:
        self.__dict__.update(contract.__dict__)
        self._applied = Applied.of(contract)
        self.judged, self.calls = "text", ()  # the loop gets the text; rules apply to the events
        self._runs: list[Exchange] = []

    @property
    def subject(self) -> str:
        """The answer's name in messages."""
        tool, argument = self._applied.tool, self._applied.argument
        if tool is None:
            return "the answer"
        return f"the argument {argument} of {tool}" if argument else f"the call of {tool}"

    def begin(self) -> None:
        """Do nothing: there is no output before a run."""

    def end(self, output: str) -> str:
        """Read the output of a run, and return the judged part; "" if it is missing."""
        self._runs.append(exchange_of(output, read_agent_run(output)))
        verdict = verdict_of(self._runs[-1], self._applied)
        return verdict.text if verdict is not None else ""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict on the last run, and on the calls of all runs."""
        *earlier, last = self._runs or [Exchange(1, COMMAND_LINE)]
        verdict = verdict_of(last, self._applied, how.get("context"), earlier)
        return verdict if verdict is not None else Contract.check(self, answer)

    def outcome_of(self, verdict: Verdict[object] | None) -> StageOutcome:
        """Return the stage's outcome for its last verdict."""
        if verdict is None or verdict.ok:
            return StageOutcome.CONVERGED if verdict is not None else StageOutcome.EMPTY
        if any(finding.code == "no_tool_call" for finding in verdict.findings):
            return StageOutcome.MISSING
        kinds = {FailureKind.EMPTY: StageOutcome.EMPTY, FailureKind.TRUNCATED: StageOutcome.HALF_WRITTEN}
        return kinds.get(verdict.kind, StageOutcome.INVALID) if verdict.kind else StageOutcome.INVALID


def exchange_of(output: str, run: AgentRun | None) -> Exchange:
    """Return a run of a command in the form of its cassette, without files."""
    if run is not None:
        return Exchange(1, COMMAND_LINE, answer=run.answer, finish=run.finish, usage=run.usage, error=run.error)
    said = (Item(ItemKind.TEXT, Role.ASSISTANT, output),) if output else ()
    return Exchange(1, COMMAND_LINE, answer=said)


# The file of a stage: its state after one run, and the verdict on it.


def _seen(path: Path) -> tuple[bytes | None, int]:
    """Return the content of a file, and its modification time in nanoseconds; (None, 0) without a file."""
    try:
        return path.read_bytes(), path.stat().st_mtime_ns
    except OSError:
        return None, 0


class ArtifactContract(Contract[Any]):
    """A contract on a file; it also knows if the last run has written the file."""

    def __init__(self, contract: Contract[Any], path: Path) -> None:
        self.__dict__.update(contract.__dict__)
        self.judged = "text"  # the loop gets the file's text
        self.calls = ()  # a file has no calls: rules apply to the command's output
        self._rules = contract.calls
        self._runs: list[Exchange] = []
        self._file = contract.tool or path.name
        self._path = path
        self._before: tuple[bytes | None, int] = (None, 0)
        self._text = ""
        self.outcome: StageOutcome | None = None
        """The fault of the file itself; None if it was written and is not empty."""

    def begin(self) -> None:
        """Record the file's state before a run."""
        self._before = _seen(self._path)

    @property
    def subject(self) -> str:
        """The file's name in messages."""
        return self._file

    def end(self, output: str) -> str:
        """Compare the file after a run that printed `output`. Return its text; "" if it was not written."""
        if self._rules:
            self._runs.append(exchange_of(output, read_agent_run(output)))
        content, _ = after = _seen(self._path)
        if content is None:
            self.outcome = StageOutcome.MISSING
        elif after == self._before:
            self.outcome = StageOutcome.UNTOUCHED
        else:
            self.outcome = None if content.strip() else StageOutcome.EMPTY
            self._text = content.decode("utf-8", "replace")
            return self._text
        return ""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict of the contract, or a finding that the file was not written."""
        if self.outcome in (StageOutcome.MISSING, StageOutcome.UNTOUCHED):
            return unwritten(self.name, self._file)
        return with_call_findings(super().check(answer, **how), self._rules, self._runs)

    def outcome_of(self, verdict: Verdict[object] | None) -> StageOutcome:
        """Return the stage's outcome for its last verdict."""
        if verdict is not None and verdict.ok:
            return StageOutcome.CONVERGED
        if self.outcome is not None:
            return self.outcome
        truncated = verdict is not None and verdict.kind is FailureKind.TRUNCATED
        # Markdown has no syntax to break: a file is half written if it leaves something open at its end.
        stops_inside = format_of(self._path) == "markdown" and open_at_end(self._text) is not None
        return StageOutcome.HALF_WRITTEN if truncated or stops_inside else StageOutcome.INVALID


@dataclass(frozen=True, slots=True)
class StageResult:
    """The result of a stage whose command succeeded each time."""

    outcome: StageOutcome
    convergence: Convergence
    """Its attempts. Each attempt is one run. Its answer is the text of the file, and the next prompt contains its
    feedback."""
    subject: str
    """The answer's name in messages: `plan.md`, `the argument content of write_file`."""


def run_stage(
    command: AgentCommand,
    prompt: str,
    contract: Contract[object],
    *,
    budget: Budget,
    conversation: str = "1",
    options: JudgeOptions | None = None,
    has_no_end: Callable[[], bool] = lambda: False,
    refusal: Callable[[], str | None] = lambda: None,
    count: Callable[[int], None] = lambda _: None,
) -> StageResult:
    """Run a command until the file that its contract names is good, or the budget is spent.

    The errors go before the prompt, or in place of its `$RETRY_INFO` and `$VALIDATION_ERRORS`.

    Args:
        command: the command and its working directory.
        prompt: the prompt of the first run.
        contract: the contract for the file; `judged` is its path.
        budget: limits the runs.
        conversation: the name of this conversation.
        options: how strictly to judge it.
        has_no_end: returns True if the cassette of a run was cut off.
        refusal: returns the reason for refusing a run, or None.
        count: called with the number of bad answers so far: before each run, and at the end of a stage that failed.

    Raises:
        StageFailed: a run did not succeed: that is not a wrong answer, and no reason to ask again.
        UsageError: the contract names no file.
    """
    judge = _judge_of(contract, command)

    runs: list[Messages] = []

    def ask(messages: Messages) -> str:
        count(len(runs))
        runs.append(messages)
        judge.begin()
        try:
            output = command.run(str(messages[-1]["content"]), has_no_end)
        except StageFailed:
            _refuse(refusal())
            raise
        _refuse(refusal())
        return judge.end(output)

    loop = Loop(ask, prompt, judge, budget=budget, placement="command", conversation=conversation, options=options)
    convergence = run(loop, ask)
    if convergence.verdict is None or not convergence.verdict.ok:
        count(len(runs))
    return StageResult(judge.outcome_of(convergence.verdict), convergence, judge.subject)


def _judge_of(contract: Contract[object], command: AgentCommand) -> ArtifactContract | PrintedAnswer:
    """Return the judge of a run: for its file, or for its output. Raises UsageError if the contract names neither."""
    if contract.part in ("text", "tool"):
        return PrintedAnswer(contract)
    if contract.tool is None:
        raise UsageError(f"{contract.name} names no file: got judged={contract.judged!r}; write judged='plan.md'")
    return ArtifactContract(contract, command.cwd / contract.tool)


def _refuse(reason: str | None) -> None:
    if reason is not None:
        raise StageFailed(StageOutcome.REFUSED, reason)


def message_of(result: StageResult, command: str) -> str:
    """Return a one-line message about the answer of a stage."""
    runs = len(result.convergence.attempts)
    after = f"after {runs} {'run' if runs == 1 else 'runs'} of {command}"
    return _MESSAGES[result.outcome].format(file=result.subject, after=after)


_MESSAGES = {
    StageOutcome.INVALID: "{file} breaks its contract {after}",
    StageOutcome.HALF_WRITTEN: "{file} is half written {after}: it stops inside the document",
    StageOutcome.EMPTY: "{file} is empty {after}",
    StageOutcome.MISSING: "{file} is missing {after}: no run wrote it",
    StageOutcome.UNTOUCHED: "{file} is untouched {after}: it was there before, and the last run did not write it",
}
