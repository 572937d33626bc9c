"""Find the faults of a retry loop from its requests, the answers, and the result that it returned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

from ...contract.failure_kinds import FailureKind, Reask
from ...document.path import to_dotted
from ...printable import one_line
from ...retry.linking.sameness import last_user
from ...retry.outcomes import DROPPED, Grade, ReasonCode
from ...retry.proof import Proof, by_proof
from ...retry.results import FedBack
from .played import PlayedConversation, PlayedTurn, in_doubt

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.verdict import Verdict

SHOWN = 160
"""Maximum number of characters of a request or an answer in a message."""
SHORTEST_LINE = 8
"""Minimum length of a line of feedback to look for. A shorter line may occur in another task's request by chance."""


@dataclass(slots=True)
class LoopRun:
    """One run of a loop on one task, which may not have ended yet."""

    task: str
    """Words that occur in all requests for this task, and in no request for another task."""
    played: PlayedConversation
    max_attempts: int
    """Maximum number of requests for the task, including the first."""
    coverage: Literal["all", "first", "any"]
    """Which findings of an answer the next request must feed back."""
    others: list[LoopRun] = field(default_factory=list)
    """The other runs of the same test, in the order of their start."""
    ended: bool = False
    result: Any = None
    """The loop's result as plain data; None if it gave up."""
    error: BaseException | None = None
    """The exception that the loop raised."""
    proofs: tuple[Proof, ...] = ()
    """Results of experiments, for findings that reading the requests could not decide. Set at the end of the run."""

    @property
    def turns(self) -> list[PlayedTurn]:
        """Requests and answers so far."""
        return self.played.turns

    @property
    def gave_up(self) -> bool:
        """True if it ended without an answer."""
        return self.ended and self.result is None


def faults_of(run: LoopRun) -> Iterator[str]:
    """Yield the loop's faults so far, the most informative first, each followed by the conversation."""
    for check in (_mixes_up, _drops_feedback, _goes_on, _accepts, _gives_up):
        for fault in check(run):
            yield "\n".join([f"the loop {fault}", *_transcript(run)])


def _mixes_up(run: LoopRun) -> Iterator[str]:
    for number, turn in enumerate(run.turns, 1):
        text = _request_text(turn)
        for other in run.others:
            if _has_words(text, other.task):
                yield f"mixes up two tasks: request {number} of {run.task!r} has the words of {other.task!r}"
            elif number == 1 and (line := _foreign_line(text, other)):
                yield f"mixes up two tasks: request 1 of {run.task!r} has feedback on {other.task!r}: {line}"
    returned = run.ended and run.result is not None and _last_is_valid(run) and not _is_own(run)
    for other in run.others if returned else ():
        if any(turn.verdict.ok and _is_answer(turn.verdict, run.result) for turn in other.turns):
            yield f"mixes up two tasks: it returns the answer to {other.task!r} for {run.task!r}"
    if run.turns and not _has_words(_request_text(run.turns[0]), run.task):
        yield f"loses its task: request 1 does not have the words {run.task!r}, which run_loop gets"


def _drops_feedback(run: LoopRun) -> Iterator[str]:
    """Yield retries that leave out a finding. After a truncated answer, resending the same request may be correct."""
    for number, last in enumerate(run.turns[:-1], 1):
        gradings = _settled(run, number) if last.verdict.reask is Reask.YES else ()
        missing = [graded for graded in gradings if graded.grade in DROPPED]
        if _may_lose(run.coverage, gradings, missing):
            continue
        where = ", ".join(to_dotted(graded.finding.path) for graded in missing)
        partly = "feedback" if len(missing) == len(gradings) else "some of the feedback"
        why = "".join(f"\n  because {reason}" for reason in dict.fromkeys(graded.reason for graded in missing))
        yield f"drops {partly}: request {number + 1} of {run.task!r} says nothing of what was wrong at {where}{why}"


def _settled(run: LoopRun, number: int) -> list[FedBack]:
    """Return how the next request treats the findings that it had to feed back, if known."""
    read_so = run.turns[number].fed_back
    gradings = by_proof(read_so, number, run.proofs)
    return [after for before, after in zip(read_so, gradings, strict=True) if _is_known(run, before, after)]


def _is_known(run: LoopRun, before: FedBack, after: FedBack) -> bool:
    """Return True if a grade is certain. Without an experiment, the words of the request decide.

    For a finding about the whole answer, an error may be the message of the app's validator.
    """
    if after.grade is Grade.NOT_JUDGED:
        return False
    if after is not before or not in_doubt(before):
        return True
    return run.ended and (bool(before.finding.path) or before.reason_code is ReasonCode.NOTHING_NAMED)


def _may_lose(
    coverage: Literal["all", "first", "any"], gradings: Sequence[FedBack], missing: Sequence[FedBack]
) -> bool:
    """Return True if a retry may leave out these findings."""
    if coverage == "all" or not missing:
        return not missing
    return gradings[0] not in missing if coverage == "first" else len(missing) < len(gradings)


def _goes_on(run: LoopRun) -> Iterator[str]:
    good = next((number for number, turn in enumerate(run.turns[:-1], 1) if turn.verdict.ok), None)
    if good is not None:
        yield f"asks again after a valid answer: request {good + 1} of {run.task!r}"
    if len(run.turns) > run.max_attempts:
        yield f"never stops: it sent request {len(run.turns)} of {run.task!r}; max_attempts is {run.max_attempts}"


def _accepts(run: LoopRun) -> Iterator[str]:
    if not run.ended or run.result is None:
        return
    if not run.turns:
        yield f"never asks: it returned {one_line(repr(run.result), SHOWN)} without a request"
    elif not run.turns[-1].verdict.ok:
        kind = run.turns[-1].verdict.kind
        what = "a truncated answer" if kind is FailureKind.TRUNCATED else f"an answer that is not valid ({kind})"
        yield f"accepts {what}: it returned {one_line(repr(run.result), SHOWN)} for {run.task!r}"
    elif not _is_own(run):
        yield (
            f"returns something other than the valid answer: {one_line(repr(run.result), SHOWN)}; where it is the same "
            "in another form, override as_data"
        )


def _gives_up(run: LoopRun) -> Iterator[str]:
    if not run.gave_up or not run.turns:
        return
    why = f"raised {type(run.error).__name__}: {one_line(str(run.error), SHOWN)}" if run.error else "returned None"
    last = run.turns[-1].verdict
    if last.ok:
        yield f"refuses a valid answer: it {why} for {run.task!r}"
    elif run.played.script.behaviour == "fixes" and len(run.turns) < run.max_attempts and last.reask is Reask.YES:
        yield f"gives up after {len(run.turns)} of {run.max_attempts} attempts, while the answers get better: it {why}"


# The returned result, compared with the answers


def plain(contract: Contract, result: Any) -> Any:
    """Return a loop's result as plain data: parse a text, and convert a model or a dataclass to a dict."""
    if isinstance(result, str):
        verdict = contract.check(result)
        return verdict.data if verdict.ok else result
    dump = getattr(result, "model_dump", None)
    if callable(dump):
        return dump(mode="json", by_alias=True)
    return asdict(result) if is_dataclass(result) and not isinstance(result, type) else result


def _is_own(run: LoopRun) -> bool:
    """Return True if a run returned its last answer, and that answer is valid."""
    return _last_is_valid(run) and _is_answer(run.turns[-1].verdict, run.result)


def _last_is_valid(run: LoopRun) -> bool:
    return bool(run.turns) and run.turns[-1].verdict.ok


def _is_answer(verdict: Verdict, result: object) -> bool:
    dump = getattr(verdict.value, "model_dump", None)
    validated = dump(mode="json", by_alias=True) if callable(dump) else verdict.value
    return bool(result == verdict.data or result == validated or result == verdict.text)


# The words of requests


def _request_text(turn: PlayedTurn) -> str:
    return "\n".join(item.text for item in turn.exchange.request)


def _has_words(text: str, task: str) -> bool:
    """Return True if the words occur as whole words: 'Task 1' is not in 'Task 12'."""
    return re.search(rf"(?<!\w){re.escape(task)}(?!\w)", text) is not None


def _foreign_line(text: str, other: LoopRun) -> str | None:
    """Return a line of the text that is in another task's feedback, but not in that task's first request."""
    first = _request_text(other.turns[0]).splitlines() if other.turns else []
    lines = {line.strip() for turn in other.turns[1:] for line in turn.heard.words.splitlines()} - {
        s.strip() for s in first
    }
    own = (line.strip() for line in text.splitlines())
    return next((one_line(line, SHOWN) for line in own if len(line) >= SHORTEST_LINE and line in lines), None)


# The conversation for a message


def _transcript(run: LoopRun) -> Iterator[str]:
    for number, turn in enumerate(run.turns, 1):
        asked = last_user(turn.exchange)
        words = turn.heard.words if number > 1 else asked.text if asked else ""
        yield f"  request {number}: {one_line(words, SHOWN) or '(nothing new)'}"
        yield f"  answer {number}:  {one_line(turn.verdict.text, SHOWN) or '(empty)'}"
        for finding in turn.verdict.errors:
            yield f"             {to_dotted(finding.path)}: {one_line(finding.message, SHOWN)}"
    if run.ended:
        came: Callable[[Any], str] = repr if run.error is None else lambda _: f"{type(run.error).__name__}: {run.error}"
        yield f"  {'returned' if run.error is None else 'raised'}:  {one_line(came(run.result), SHOWN)}"
