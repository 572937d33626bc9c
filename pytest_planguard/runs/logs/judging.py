"""Judge one group of logged calls: a trace, a session, or the calls that share the user's key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ...retry.judging.judge import judge
from ...retry.judging.judging_options import JudgeOptions
from ...retry.outcomes import CheckStatus, Grade
from ...wire.exchange import Role
from ...wire.logs.calls import calls_of
from ...wire.logs.logged import Fidelity, Logged, quick_json, worst
from ..judge_cases import conversation_row
from ..model.broken_rules import broken_by
from ..model.codec import row_text
from ..model.judged_answers import first_request, prompt_digest
from ..model.run import CaseRow
from .grouping import Grouping, checked_key, parts_of
from .records import Broken
from .summary import NANO, Counts, Figures, LogSummary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract import Contract
    from ...retry.results import Convergence, FedBack
    from ...wire.exchange import Exchange
    from ...wire.logs.calls import Call
    from ..prices import Prices

MOST_CALLS = 400
"""Maximum number of calls of one group to judge together, in time order. The cost of linking grows with their number.
"""
END_UNKNOWN = "a later call of its group was not logged whole, so how its conversation ended is not known"
BY_REQUEST = ("feedback", "fresh", "addressed", "clean", "task_kept", "accounted", "copied")
"""Checks that depend on the words of requests."""
NEVER_SENT = "the log has the framework's own messages, not the words that were sent"


@dataclass(frozen=True, slots=True)
class LogJudge:
    """How logged conversations are judged."""

    contracts: tuple[Contract, ...] = ()
    """If (), `schemas` takes the schema from each request."""
    options: JudgeOptions = field(default_factory=JudgeOptions)
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    prices: Prices | None = None
    rows: str = "bad"
    """Conversations to list as rows: "bad", "all" or "none"."""
    most: int = 1_000

    def group(self, key: str, parts: Iterable[Logged], into: LogSummary) -> None:
        """Judge one group and count the result."""
        calls = calls_of(parts)
        into.groups += 1
        into.calls += len(calls)
        for call in calls:
            into.fidelity[call.logged.fidelity.value] += 1
            if not call.judgeable:
                into.unjudgeable[call.logged.why or "not captured"] += 1
        judged = [call for call in calls if call.judgeable]
        lost = max((_when(call) for call in calls if not call.judgeable), default=("", -1))
        for start in range(0, len(judged), MOST_CALLS):
            self._judge(key, judged[start : start + MOST_CALLS], lost, into)

    def _judge(self, key: str, calls: list[Call], lost: tuple[str, int], into: LogSummary) -> None:
        exchanges = [
            call.exchange if call.exchange.number == at else replace(call.exchange, number=at)
            for at, call in enumerate(calls, 1)
        ]
        contracts = self.contracts or (self.schemas(exchanges) if self.schemas else ())
        judgement = judge(exchanges, contracts, options=self.options)
        _tally(into.not_judged, judgement.reasons.values())
        _tally(into.unanswered, (kind.value for kind in judgement.unanswered.values()))
        for convergence in judgement.conversations:
            used = [calls[attempt.exchange.number - 1] for attempt in convergence.attempts]
            if not convergence.ok and lost >= _when(used[-1]):  # its end may be in a call that was not fully logged
                into.unjudgeable[END_UNKNOWN] += len(used)
                continue
            fidelity = worst(call.logged.fidelity for call in used)
            found = _unsent(convergence) if fidelity is Fidelity.DERIVED else convergence
            self._count(key, found, used, fidelity, _begins_late(found, contracts), into)

    def _count(
        self, key: str, found: Convergence, used: list[Call], fidelity: Fidelity, late: bool, into: LogSummary
    ) -> None:
        ok = found.ok
        into.conversations += 1
        into.ok += ok
        into.begin_late += late
        into.outcomes[found.outcome.value] += 1
        into.retries += len(found.attempts) - 1
        first = next((attempt.number for attempt in found.attempts if attempt.verdict.ok), None)
        if first is not None and not late:
            into.valid_at[first] += 1
        _tally(into.kinds, (kind.value for a in found.attempts if (kind := a.verdict.kind) is not None))
        for check in found.checks:
            if check.status is CheckStatus.FAIL:
                into.checks_failed[check.name] += 1
            elif check.status is CheckStatus.WARN:
                into.checks_warned[check.name] += 1
        _tally(into.grades, (fed.label for attempt in found.attempts[:-1] for fed in attempt.fed_back))
        prompt = prompt_digest(attempt.exchange for attempt in found.attempts) or ""
        day = _day(used[0].logged.at)
        model = used[-1].exchange.model or used[-1].logged.model or "(unknown)"
        figures = self._figures(found, used, first == 1 and not late)
        for axis, name in (("model", model), ("prompt", prompt), ("contract", found.contract), ("day", day)):
            if (key_of := f"{axis}:{name}") not in into.by:
                into.by[key_of] = Figures()
            into.by[key_of].add(figures)
        if not ok:
            last = found.attempts[-1].verdict
            _tally(into.broken, map(str, {*broken_by(last.findings, found.checks, found.outcome.value)}))
        if self.rows != "none" and (self.rows == "all" or not ok):
            order = (*_badness(found), f"{key}:{used[0].logged.call}")
            into.list_row(order, lambda: row_text(self._row(key, found, used, fidelity, prompt)))

    def _figures(self, found: Convergence, used: Sequence[Call], first_ok: bool) -> Figures:
        figures = Figures(1, found.ok, first_ok, len(used))
        for call in used:
            usage = call.exchange.usage
            figures.input_tokens += usage.input_tokens or 0
            figures.output_tokens += usage.output_tokens or 0
            model = call.exchange.model or call.logged.model
            cost = self.prices.answer_cost(model, usage.input_tokens, usage.output_tokens) if self.prices else None
            figures.cost_nano += round(cost * NANO) if cost is not None else 0
            figures.unpriced += cost is None
        return figures

    def _row(self, key: str, found: Convergence, used: Sequence[Call], fidelity: Fidelity, prompt: str) -> CaseRow:
        first = used[0]
        digests = {contract.name: contract.digest for contract in self.contracts}
        judged = replace(conversation_row(found, digests), name=key)
        asked = first_request([first.exchange])
        return CaseRow(
            f"{found.contract}/{prompt or 'log'}",
            first.logged.place or f"log:{key}",
            model=used[-1].exchange.model or used[-1].logged.model or None,
            prompt=prompt or None,
            judged=(judged,),
            contracts=((judged.contract, judged.digest),) if judged.digest else (),
            latency_s=found.latency_s,
            asked=asked,
            fidelity=fidelity.value,
        )


def _tally(counts: Counts, names: Iterable[str]) -> None:
    """Count names. `Counter.update` takes five times as long for a few."""
    for name in names:
        counts[name] += 1


def _badness(found: Convergence) -> tuple[int, int]:
    """Return the sort key of conversations, worst first: lost feedback, then findings."""
    lost = sum(fed.grade in (Grade.MISSING, Grade.WRONG) for a in found.attempts for fed in a.fed_back)
    errors = sum(len(attempt.verdict.errors) for attempt in found.attempts)
    # 100: one lost finding outweighs the errors of an ordinary conversation, since the app could have passed it on.
    return int(found.ok), -(100 * lost + errors)


def _when(call: Call) -> tuple[str, int]:
    return call.logged.order, call.logged.at


def _begins_late(found: Convergence, contracts: Sequence[Contract]) -> bool:
    """Return True if the first request quotes a rejected answer that the logs lack.

    Then an earlier attempt is missing from the sample or the export. A good answer is a worked example instead.
    """
    said = [item for item in found.attempts[0].exchange.request if item.role is Role.ASSISTANT and item.text]
    contract = next((one for one in contracts if one.name == found.contract), None)
    if not said or contract is None:
        return False
    verdict = contract.check(said[-1].text)
    return verdict.data is not None and not verdict.ok


def _unsent(found: Convergence) -> Convergence:
    """Return the judgement without anything read from requests, since these words were never sent."""

    def unread(fed: FedBack) -> FedBack:
        return replace(fed, grade=Grade.NOT_JUDGED, how=None, evidence=None, reason=NEVER_SENT, reason_code=None)

    attempts = tuple(replace(a, fed_back=tuple(map(unread, a.fed_back))) for a in found.attempts)
    checks = tuple(
        replace(check, status=CheckStatus.NOT_JUDGED, message=NEVER_SENT, evidence=())
        if check.name in BY_REQUEST and check.status in (CheckStatus.PASS, CheckStatus.WARN, CheckStatus.FAIL)
        else check
        for check in found.checks
    )
    return replace(found, attempts=attempts, checks=checks)


def _day(at: int) -> str:
    # 4 * 10**18 ns is the year 2096: a larger number is no time, or is in another unit.
    return datetime.fromtimestamp(at // 10**9, UTC).date().isoformat() if 0 < at < 4 * 10**18 else "(unknown)"


# Lines in memory, in one call. It is pure, so a data engine can run it on many machines.


def judge_logs(
    lines: Iterable[str | bytes], *, contracts: str | Iterable[str] | Iterable[Contract], group_by: str = "trace"
) -> LogSummary:
    """Judge the calls in lines of logs. Each line is a JSON record in a known format.

    Judge parts separately and add the summaries: `judge_logs(a) + judge_logs(b)`. All lines of a group must be in the
    same part. The order of lines and parts doesn't matter.

    Arguments:
        lines: JSON records, with all calls of each group.
        contracts: one or more contracts, or names such as "module:NAME" or "file.py:NAME". Use names if
            other machines do the work.
        group_by: "trace", "session", or a dotted name in the record.

    Raises:
        UsageError: a contract cannot be loaded.
    """
    judge = LogJudge(_loaded(contracts))
    found, groups = LogSummary(), dict[str, list[Logged]]()
    for key, logged in parts_of(_records(lines), "lines", Grouping(checked_key(group_by)), found):
        groups.setdefault(key, []).append(logged)
    for key in sorted(groups):
        judge.group(key, groups[key], found)
    found.close()
    return found


def _records(lines: Iterable[str | bytes]) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield number, quick_json(line)
            except ValueError as error:
                yield number, Broken(f"it is not valid JSON: {error}")


def _loaded(contracts: str | Iterable[str] | Iterable[Contract]) -> tuple[Contract, ...]:
    from ...contract import Contract
    from ..load.contracts import load_contracts

    named = (contracts,) if isinstance(contracts, str) else tuple(contracts)
    return tuple(one if isinstance(one, Contract) else load_contracts([str(one)])[0] for one in named)
