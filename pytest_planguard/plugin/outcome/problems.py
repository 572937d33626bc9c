"""The possible problems at the end of a marked test: each with a reason, evidence and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...errors import ContractFailed
from ...printable import one_line
from .failure import Problem, conversation_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...retry.results import Convergence
    from ...runs.model.run import LiveCheckRow
    from ...wire.exchange import Exchange
    from ..case import Case


_NAMED = "The test is marked with a contract, but no answer reached it."
_UNNAMED = "The marker names no contract, and no call of the test gave one with contract=."
FINDINGS_SHOWN = 3
"""Findings of a rejected answer that are named in a miss."""
NOTHING = "nothing was judged"
"""The result of a live check whose endpoint gave no answer. An outage says nothing about the model."""


def misses(case: Case) -> Iterator[Problem]:
    """Yield requests without a recorded answer. They fail the test even if the app handled the error."""
    if not case.recording.misses:
        return  # most tests; they load nothing of runs

    from ...runs.model.run import ASKS_MORE

    for text in case.recording.misses:
        first, _, rest = text.partition("\n")
        why = _rejected_ends(case) if first.startswith(ASKS_MORE) else ()
        yield Problem(first, "\n".join((*why, rest)))  # its text ends with the command


def _rejected_ends(case: Case) -> Iterator[str]:
    """Yield what is wrong with recorded last answers, which explains why the app asks once more.

    This names a stricter contract as the cause, instead of the request that follows from it.
    """
    from ...report.finding_text import place

    for found in case.conversations:
        if found.attempts and failed_checks(found) == {"valid"}:
            last = found.attempts[-1]
            for finding in last.verdict.errors[:FINDINGS_SHOWN]:
                yield f"  rejected:  recorded answer {last.number}: {place(finding)}: {one_line(finding.message, 200)}"


def refused_commands(case: Case) -> Iterator[Problem]:
    """Yield commands that were refused for a reason other than a miss."""
    for text in () if case.commands is None else dict.fromkeys(case.commands.problems):
        yield Problem(f"a command was refused: {text}")


def bad_conversations(case: Case) -> Iterator[Problem]:
    """Yield conversations that did not end as the contract or the test wants, unless another failure reports them."""
    if not case.conversations:
        return
    driven = {c.conversation: c for c in case.driven}
    for found in case.conversations:
        known = driven.get(found.conversation)
        if known is not None and not known.ok and failed_checks(found) <= failed_checks(known):
            continue  # `converge` raised, and the requests show nothing that the loop did not know
        if not found.ok and not expected(case, found) and not _cut_short(case, found):
            yield conversation_problem(case, found)


def expected(case: Case, found: Convergence) -> bool:
    """Return True if the test declared this outcome. Its requests must still feed back the findings."""
    return case.expected.get(found.conversation) is found.outcome and failed_checks(found) <= {"valid"}


def _cut_short(case: Case, found: Convergence) -> bool:
    """Return True if only the end is bad, and proves nothing because a retry got no answer.

    If all requests of a stale cassette were answered, it keeps its verdict: an edit of the request fixes no answer.
    """
    return bool(case.recording.misses) and failed_checks(found) <= {"valid"}


def failed_checks(found: Convergence) -> set[str]:
    """Return the names of the failed checks."""
    from ...retry.outcomes import CheckStatus

    return {c.name for c in found.checks if c.status is CheckStatus.FAIL}


def secrets(case: Case) -> Iterator[Problem]:
    """Yield the secrets that were not written to disk."""
    for line in case.recording.secrets:
        yield Problem(f"a secret was kept out of the cassette: {line}", advice="take it out of the prompt")


def leftovers(case: Case) -> Iterator[Problem]:
    """Yield recorded answers that the test never requested, if nothing else explains them."""
    unplayed = case.recording.unplayed
    if unplayed:
        lines = "\n".join(f"  exchange {exchange.number}: {_excerpt(exchange)}" for exchange in unplayed)
        number = len(unplayed)
        reason = f"{number} recorded {'answer was' if number == 1 else 'answers were'} never requested"
        yield Problem(reason, lines, case.record_command("all"))


def _excerpt(exchange: Exchange) -> str:
    host = urlsplit(exchange.url).hostname
    if not exchange.is_generation and host:
        return one_line(f"{exchange.note}; if it is not a model: planguard_allowed_hosts = {host}", 200)
    return one_line(exchange.answer_text or exchange.raw_response, 100)


def nothing_judged(case: Case) -> list[Problem]:
    """Return a problem if nothing was judged, or if the mode's promise was not kept: such a test proves nothing."""
    if case.spec.mode == "driven" and not case.driven:
        advice = 'call planguard.converge in the test, or remove mode="driven" if the app asks by itself'
        return [Problem('mode="driven", but planguard.converge was never called', advice=advice)]
    checked = case.checked and case.spec.mode != "observed"
    if case.conversations or case.searches or case.parts or case.measured or checked:
        return []
    asks = case.spec.mode != "check" and not case.asked
    # A cassette would not help: any request without one is a miss, and reported as such.
    advice = _ask_here(case) if asks else _name_tool(case.recording.called_tools) or _again(case)
    return [
        Problem(
            f"nothing was judged: {_summary(case)}",
            f"  {_NAMED if case.spec.contracts else _UNNAMED}",
            advice,
        )
    ]


def _name_tool(tools: Sequence[str]) -> str:
    """Return advice to name a tool if the answers call any, since the contract may be about its arguments."""
    if not tools:
        return ""
    named = f'judged="{tools[-1]}"'
    return (
        f"name the tool whose arguments are the answer: Contract(..., {named}); "
        f'if one argument holds it: Contract(..., {named}, argument="...")'
    )


def _again(case: Case) -> str:
    """Return advice to record again if the provider refused every request."""
    plays = case.recording.plays
    refused = bool(plays) and all(play.exchange.status >= 400 for play in plays)
    return f"record again when the model answers: {case.record_command('all')}" if refused else ""


def _summary(case: Case) -> str:
    """Return a summary that does not claim that no request was sent if there are untracked senders."""
    summary = "no answer was checked" if case.spec.mode == "check" else case.recording.summary
    return summary.replace("no request was sent", "no request was seen") if case.untracked else summary


def _ask_here(case: Case) -> str:
    if case.untracked:
        return f"ask the model from this process by a client that is replayed; not seen here: {case.untracked[0]}"
    here = "call the code that asks the model inside the test"
    if case.session is None:
        return f"{here}; if a mock of HTTP answers it, record that: {case.record_command('missing')}"
    return f"{here}; a stubbed client sends nothing"


# `--planguard-record=verify`: compare live answers with recorded ones, and write nothing.


def live_check(
    recorded: Sequence[Convergence], live: Sequence[Convergence], good: Callable[[Convergence], bool]
) -> LiveCheckRow:
    """Compare the conversations of a cassette with the live ones. `good` accepts the outcomes that a test wants."""
    from ...runs.model.run import LiveCheckRow

    before, now = _words(recorded), _words(live)
    bad_before, bad_now = (sum(not good(c) for c in found) for found in (recorded, live))
    missing = len(recorded) - len(live)
    if recorded and not live:
        return LiveCheckRow(before, now, "unanswered")
    if bad_now > bad_before or missing > 0:
        return LiveCheckRow(before, now, "worse")
    if bad_now < bad_before:
        return LiveCheckRow(before, now, "better")
    return LiveCheckRow(before, now, "same" if before == now else "changed")


def worse_than_recorded(case: Case) -> Iterator[Problem]:
    """Yield a problem for a worse or missing verdict, in addition to any other problem."""
    check = case.live_check
    if check is None or check.change not in ("worse", "unanswered"):
        return
    if check.change == "unanswered":
        evidence = f"  recorded: {check.recorded}\n  live:     {case.recording.summary}"
        yield Problem("the live endpoint gave no answer to judge; the cassette stays as it is", evidence)
    else:
        yield Problem(
            "the live answers are worse than the recorded ones",
            f"  recorded: {check.recorded}\n  live:     {check.live}",
            f"keep the cassette, or record the new state: {case.record_command('all')}",
        )


def _words(conversations: Sequence[Convergence]) -> str:
    return ", ".join(_end_of(c) for c in conversations) or NOTHING


def _end_of(found: Convergence) -> str:
    number = len(found.attempts)
    word = found.outcome.value.replace("_", " ")
    return f"{word} after {number} {'attempt' if number == 1 else 'attempts'}"


def child_processes(case: Case) -> Iterator[Problem]:
    """Yield the children of a test, if the project does not allow untracked ones."""
    if case.settings.processes == "fail" and case.children:
        lines = "\n".join(f"  {child}" for child in case.children)
        yield Problem(
            "a child process ran: what it sends is not replayed or refused",
            lines,
            "ask the model from this process, or let children run: planguard_processes = note",
        )


def credentials(case: Case, error: BaseException) -> list[Problem]:
    """Return advice about keys: SDKs want one before they send anything, even in a replay."""
    if isinstance(error, ContractFailed):
        return []  # ours: no SDK raised it, and its text is rendered only on demand
    # "The api_key client option must be set" of openai, "Unable to locate credentials" of boto3.
    words = str(error).lower()
    unanswered = case.spec.mode != "check" and not case.recording.recorded and not case.conversations
    if not unanswered or case.settings.record != "none" or not any(word in words for word in ("api_key", "credential")):
        return []
    reason = f"no request was {'seen' if case.untracked else 'sent'}: the client wants a key to be set"
    return [Problem(reason, advice="set any value for the replay, which uses none: for example OPENAI_API_KEY=unused")]
