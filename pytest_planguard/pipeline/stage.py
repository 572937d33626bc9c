"""One stage: a command runs until its file, or what it prints, keeps the contract; each new prompt has the errors."""

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
from ..retry.driving.loop import run
from ..retry.driving.loop_state import Loop, Messages
from ..retry.judging.attempt_answers import Applied, unwritten, verdict_of, with_call_findings
from ..wire.agent_run import AgentRun, read_agent_run
from ..wire.dialects.commands_and_calls import COMMAND_LINE
from ..wire.exchange import Exchange, Item, ItemKind, Role
from .agent_command import StageFailed, StageOutcome

if TYPE_CHECKING:
    from ..retry.driving.budget import Budget
    from ..retry.judging.judging_options import JudgeOptions
    from ..retry.results import Convergence
    from .agent_command import AgentCommand


# The answer that a command prints: its final words, or an argument of a tool call among its events.


class PrintedAnswer(Contract[Any]):
    """A contract on what a command prints."""

    def __init__(self, contract: Contract[Any]) -> None:
        self.__dict__.update(contract.__dict__)
        self._applied = Applied.of(contract)
        self.judged, self.calls = "text", ()  # the loop is handed the text; rules are held against the events
        self._runs: list[Exchange] = []

    @property
    def subject(self) -> str:
        """What messages call the answer."""
        tool, argument = self._applied.tool, self._applied.argument
        if tool is None:
            return "the answer"
        return f"the argument {argument} of {tool}" if argument else f"the call of {tool}"

    def begin(self) -> None:
        """Nothing is there before a run."""

    def end(self, output: str) -> str:
        """Read what a run printed, and return the part that is judged; "" where it is not there."""
        self._runs.append(exchange_of(output, read_agent_run(output)))
        verdict = verdict_of(self._runs[-1], self._applied)
        return verdict.text if verdict is not None else ""

    def check(self, answer: Any, **how: Any) -> Verdict[Any]:
        """Return the verdict on the last run, and on the calls of all runs."""
        *earlier, last = self._runs or [Exchange(1, COMMAND_LINE)]
        verdict = verdict_of(last, self._applied, how.get("context"), earlier)
        return verdict if verdict is not None else Contract.check(self, answer)

    def outcome_of(self, verdict: Verdict[Any] | None) -> StageOutcome:
        """Return how the stage ends whose last verdict this is."""
        if verdict is None or verdict.ok:
            return StageOutcome.CONVERGED if verdict is not None else StageOutcome.EMPTY
        if any(finding.code == "no_tool_call" for finding in verdict.findings):
            return StageOutcome.MISSING
        kinds = {FailureKind.EMPTY: StageOutcome.EMPTY, FailureKind.TRUNCATED: StageOutcome.HALF_WRITTEN}
        return kinds.get(verdict.kind, StageOutcome.INVALID) if verdict.kind else StageOutcome.INVALID


def exchange_of(output: str, run: AgentRun | None) -> Exchange:
    """Return a run of a command as its cassette would have it, without files."""
    if run is not None:
        return Exchange(1, COMMAND_LINE, answer=run.answer, finish=run.finish, usage=run.usage, error=run.error)
    said = (Item(ItemKind.TEXT, Role.ASSISTANT, output),) if output else ()
    return Exchange(1, COMMAND_LINE, answer=said)


# The file that a stage is about: what became of it in one run, and the verdict on it.


def _seen(path: Path) -> tuple[bytes | None, int]:
    """Return the content of a file, and when it was last written in nanoseconds; None where it is not there."""
    try:
        return path.read_bytes(), path.stat().st_mtime_ns
    except OSError:
        return None, 0


class ArtifactContract(Contract[Any]):
    """A contract on a file, which also knows whether the last run has written it."""

    def __init__(self, contract: Contract[Any], path: Path) -> None:
        self.__dict__.update(contract.__dict__)
        self.judged = "text"  # the loop is handed the file's text
        self.calls = ()  # no file tells it: rules are held against what the command printed
        self._rules = contract.calls
        self._runs: list[Exchange] = []
        self._file = contract.tool or path.name
        self._path = path
        self._before: tuple[bytes | None, int] = (None, 0)
        self._text = ""
        self.outcome: StageOutcome | None = None
        """What is wrong with the file as such; None where it was written and has words."""

    def begin(self) -> None:
        """Look at the file before a run."""
        self._before = _seen(self._path)

    @property
    def subject(self) -> str:
        """What messages call the file."""
        return self._file

    def end(self, output: str) -> str:
        """Look at the file after a run, which printed `output`. Return its text; "" where it was not written."""
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
        """Return the verdict of the contract, or that the file was not written."""
        if self.outcome in (StageOutcome.MISSING, StageOutcome.UNTOUCHED):
            return unwritten(self.name, self._file)
        return with_call_findings(super().check(answer, **how), self._rules, self._runs)

    def outcome_of(self, verdict: Verdict[Any] | None) -> StageOutcome:
        """Return how the stage ends whose last verdict this is."""
        if verdict is not None and verdict.ok:
            return StageOutcome.CONVERGED
        if self.outcome is not None:
            return self.outcome
        truncated = verdict is not None and verdict.kind is FailureKind.TRUNCATED
        # Markdown has no syntax to break: a file of it is half written where it leaves something open at its end.
        stops_inside = format_of(self._path) == "markdown" and open_at_end(self._text) is not None
        return StageOutcome.HALF_WRITTEN if truncated or stops_inside else StageOutcome.INVALID


# The stage.


@dataclass(frozen=True, slots=True)
class StageResult:
    """What came of a stage whose command ended well each time."""

    outcome: StageOutcome
    convergence: Convergence
    """Its attempts: an attempt is one run, its answer the text of the file, its feedback in the prompt of the next."""
    subject: str = "the file"
    """What messages call the answer: `plan.md`, `the argument content of write_file`."""


def run_stage(
    command: AgentCommand,
    prompt: str,
    contract: Contract[Any],
    *,
    budget: Budget,
    conversation: str = "1",
    options: JudgeOptions | None = None,
    has_no_end: Callable[[], bool] = lambda: False,
    refusal: Callable[[], str | None] = lambda: None,
    count: Callable[[int], None] = lambda _: None,
) -> StageResult:
    """Run a command until the file that its contract names is good, or the budget is spent.

    The errors go in front of the prompt, or where it names `$RETRY_INFO` and `$VALIDATION_ERRORS`.

    Args:
        command: what is run, and where.
        prompt: of the first run.
        contract: what the file must be; `judged` is its path.
        budget: limits the runs.
        conversation: the name of this conversation.
        options: how strictly it is judged.
        has_no_end: tells that the cassette of a run was cut off.
        refusal: tells why a run was refused, where it was.
        count: is called with the number of bad answers so far: before each run, and at the end of a stage that failed.

    Raises:
        StageFailed: a run did not end well: that is no wrong answer, and no reason to ask again.
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


def _judge_of(contract: Contract[Any], command: AgentCommand) -> ArtifactContract | PrintedAnswer:
    """Return what judges a run: its file, or what it prints. Raises UsageError where the contract says neither."""
    if contract.part in ("text", "tool"):
        return PrintedAnswer(contract)
    if contract.tool is None:
        raise UsageError(f"{contract.name} names no file: got judged={contract.judged!r}; write judged='plan.md'")
    return ArtifactContract(contract, command.cwd / contract.tool)


def _refuse(reason: str | None) -> None:
    if reason is not None:
        raise StageFailed(StageOutcome.REFUSED, reason)


def message_of(result: StageResult, command: str) -> str:
    """Return what is wrong with the answer of a stage, in one line."""
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
