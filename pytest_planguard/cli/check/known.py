"""What `planguard check` knows of a cassette beyond its conversations: retries, steps, arguments of ordinary tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...contract.finding import finding_data
from ...printable import one_line
from ...report.answer.answer_data import fed_back_data
from ...report.answer.finding_text import count, named
from ...retry.outcomes import Known

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...contract.finding import Finding
    from ...retry.judging.judge import Judgement
    from ...retry.judging.retry_listing import ListedRetry
    from ...wire.exchange import Exchange

LINE_LIMIT = 240
"""Characters of one error of a feedback."""
KNOWN_WORDS = {
    Known.FINDINGS: "a contract or the request's own schema rejects the answer",
    Known.ERRORS: "the feedback names a place and a validator's code",
    Known.WORDS: "the feedback is free text",
}
"""What it says of a rejected answer to be known so."""


@dataclass(frozen=True, slots=True)
class BadCall:
    """A call of an ordinary tool whose arguments break the schema that the request declares for it."""

    exchange: int
    """Number of the exchange whose answer makes the call."""
    tool: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class KnownOfFile:
    """What is known of one cassette."""

    retries: tuple[ListedRetry, ...] = ()
    steps: Counter[str] = field(default_factory=Counter)
    """Steps by their kind."""
    calls: int = 0
    """Calls of ordinary tools whose arguments were checked by the declared schema."""
    bad_calls: tuple[BadCall, ...] = ()


def known_of(
    exchanges: Sequence[Exchange],
    judgement: Judgement,
    schema_findings: Callable[[Exchange], Sequence[Finding]],
    why_unjudged: Callable[[Exchange], str],
    arguments: Callable[[Exchange], Iterator[tuple[str, Sequence[Finding]]]],
) -> KnownOfFile:
    """Return what is known of a judged cassette.

    `arguments` yields each call of an ordinary tool that a schema is declared for, with what its arguments break.
    """
    from ...retry.judging.retry_listing import list_retries

    checked = [(e.number, tool, tuple(findings)) for e in exchanges for tool, findings in arguments(e)]
    return KnownOfFile(
        list_retries(exchanges, judgement, schema_findings, why_unjudged),
        Counter(kind.value for kind in judgement.kinds if kind is not None),
        len(checked),
        tuple(BadCall(number, tool, findings) for number, tool, findings in checked if findings),
    )


def known_lines(path: str, known: KnownOfFile, *, judged_too: bool = True) -> Iterator[str]:
    """Yield a line for each retry, then one for each call whose arguments break their schema.

    A retry that a contract judges is part of its conversation; `judged_too` lists it all the same.
    """
    for retry in (r for r in known.retries if judged_too or not r.judged):
        said = "; ".join(one_line(line, LINE_LIMIT) for line in retry.said) or "nothing new"
        graded = "judged" if retry.why_not is None else f"not judged: {one_line(retry.why_not, LINE_LIMIT)}"
        yield f"{path} request {retry.request} rejects answer {retry.answer} ({graded}): {said}"
    for call in known.bad_calls:
        tool = one_line(call.tool, 60)
        yield f"{path} answer {call.exchange} calls {tool} with bad arguments: {named(call.findings)}"


def known_values(known: KnownOfFile) -> dict[str, Any]:
    """Return what is known of a file as plain values."""
    return {
        "retries": [
            {
                "request": retry.request,
                "answer": retry.answer,
                "known": retry.known.value,
                "says": list(retry.said),
                "judged": retry.judged,
                "why_not": retry.why_not,
                "findings": list(map(fed_back_data, retry.fed_back)),
            }
            for retry in known.retries
        ],
        "steps": dict(known.steps),
        "argument_findings": [
            {
                "answer": call.exchange,
                "tool": call.tool,
                "findings": list(map(finding_data, call.findings)),
            }
            for call in known.bad_calls
        ],
    }


@dataclass(slots=True)
class KnownTally:
    """Counts of what is known over all files."""

    retries: int = 0
    files: int = 0
    """Cassettes with a retry."""
    judged: int = 0
    """Retries that a conversation judges."""
    known: Counter[str] = field(default_factory=Counter)
    """Retries by what is known of the rejected answer."""
    steps: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    bad_calls: int = 0

    def add(self, known: KnownOfFile) -> None:
        """Count one file."""
        self.retries += len(known.retries)
        self.files += bool(known.retries)
        self.judged += sum(retry.judged for retry in known.retries)
        self.known.update(retry.known.value for retry in known.retries)
        self.steps.update(known.steps)
        self.calls += known.calls
        self.bad_calls += len(known.bad_calls)

    def values(self) -> dict[str, Any]:
        """Return the counts for `--format json`."""
        return {
            "retries_found": self.retries,
            "recordings_with_retries": self.files,
            "retries_judged": self.judged,
            "known_by": {known.value: self.known[known.value] for known in Known},
            "steps": dict(self.steps.most_common()),
            "calls_checked": self.calls,
            "calls_with_bad_arguments": self.bad_calls,
        }

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield (name, text) of each line of the figures."""
        if self.retries:
            where = count(self.files, "cassette")
            judged = f"{self.judged:,} judged, {self.retries - self.judged:,} not"
            yield "retries found", f"{self.retries:,} in {where}: {judged}"
            for known in Known:
                if self.known[known.value]:
                    yield "", f"{self.known[known.value]:>5,} {known.value}: {KNOWN_WORDS[known]}"
        if self.steps:
            yield "steps", ", ".join(f"{times:,} {name}" for name, times in self.steps.most_common())
        if self.calls:
            bad = f"{self.bad_calls:,} of {count(self.calls, 'call')} break the schema declared for them"
            yield "tool arguments", bad
