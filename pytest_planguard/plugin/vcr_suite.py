"""Judge existing suites: the answers that pytest-recording or pytest-vcr replays under `@pytest.mark.vcr`.

Tests and cassettes stay as they are. planguard reads a test's answers from the other plugin's open cassette. The plugin
compares no bodies and serves old answers to new prompts; `--planguard-drift` says how such requests differ.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import pytest

from ..contract import Contract
from ..errors import ContractFailed
from ..printable import one_line, visible
from ..replay.files.reader import RawInteraction, request_message, response_message
from ..replay.matching.cassette_index import CassetteIndex
from ..replay.matching.drift import drift
from ..replay.matching.semantic import Meanings
from ..retry.judging.judge import judge
from ..retry.judging.judging_options import JudgeOptions
from ..retry.judging.request_contracts import AutoContracts
from ..retry.outcomes import CheckStatus
from ..runs.judge_cases import conversation_row
from ..runs.model.codec import row_text
from ..runs.model.run import CaseRow
from ..wire.decode import decode
from ..wire.exchange import Message
from .options import settings_of
from .results.sections import DRIFTED
from .results.terminal import UNJUDGED

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ..retry.results import Convergence
    from ..wire.exchange import Exchange
    from .options import Settings


@dataclass(frozen=True, slots=True)
class Replayed:
    """The exchanges of one test, and their judgement."""

    exchanges: tuple[Exchange, ...]
    conversations: tuple[Convergence, ...]
    contracts: tuple[tuple[str, str], ...]
    """Name and digest of each contract that judged."""
    drifts: tuple[str, ...] = ()
    """How requests differ from the recorded ones, one line each, with `--planguard-drift`."""

    @property
    def bad(self) -> list[Convergence]:
        """The conversations that fail."""
        return [found for found in self.conversations if not found.ok]


AGAIN = (
    "next: fix the app, then record the cassette again (pytest-recording: --record-mode=rewrite); "
    "planguard judged its recorded requests"
)
JUDGES: pytest.StashKey[tuple[tuple[Contract, ...], AutoContracts]] = pytest.StashKey()
"""The contracts of `planguard_vcr_contracts`; without any, the others take their schema from each request."""
REPLAYED: pytest.StashKey[Replayed] = pytest.StashKey()


def check_extra(settings: Settings) -> None:
    """Raise pytest.UsageError if nothing can judge, before `report` would fail tests because of it."""
    if not settings.vcr_contracts and find_spec("jsonschema_rs") is None:
        raise pytest.UsageError(
            "planguard_vcr judges by the schemas in the requests, which needs the extra: "
            "pip install 'pytest-planguard[jsonschema]'. Or name a contract in planguard_vcr_contracts."
        )


def around(item: pytest.Item) -> Generator[None, object, object]:
    """Wrap a test function, and judge its answers when it is done.

    A failure of the test function itself stays as it is.

    Raises:
        ContractFailed: the test function passed, `planguard_vcr` is `fail`, and an answer or a retry is bad.
    """
    __tracebackhide__ = True
    before = {id(cassette): len(cassette) for cassette in _cassettes(item)}
    settings = settings_of(item.config)
    watching: AbstractContextManager[list[str]] = watched(_cassettes(item)) if settings.drift else nullcontext([])
    with watching as drifts:
        result = yield
    exchanges = [found for cassette in _cassettes(item) for found in _used(cassette, before.get(id(cassette), 0))]
    judged = Replayed((), (), ()) if settings.vcr == "off" else _judge(item.config, exchanges)
    replayed = item.stash[REPLAYED] = replace(judged, drifts=tuple(drifts))
    if replayed.bad and settings.vcr == "fail":
        raise ContractFailed(_failure(replayed))
    return result


def complete(report: pytest.TestReport, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Add the judgement to a test's reports: its text to the call report, its row to the teardown report."""
    replayed = item.stash.get(REPLAYED, None)
    if replayed is None:
        return
    if report.when == "call" and replayed.bad:
        if call.excinfo is None:
            report.sections.append(("planguard", visible(_failure(replayed))))
        elif isinstance(call.excinfo.value, ContractFailed):
            from .results.reporting import failure_repr

            report.longrepr = failure_repr(item, call.excinfo.value, str(call.excinfo.value))
    # A test that got only errors of the API, such as a 401 in a test of error handling, has no answer to judge.
    asked = replayed.conversations or any(each.is_generation and each.status < 400 for each in replayed.exchanges)
    if report.when == "teardown" and (asked or replayed.drifts):
        report.planguard_row = row_text(_row(item, replayed))  # type: ignore[attr-defined]


def _cassettes(item: pytest.Item) -> list[Any]:
    """Return the vcrpy cassettes that a test's fixtures have opened: `vcr`, or `vcr_cassette` of pytest-vcr."""
    module = sys.modules.get("vcr.cassette")
    if module is None:
        return []
    found = [value for value in getattr(item, "funcargs", {}).values() if isinstance(value, module.Cassette)]
    return list({id(cassette): cassette for cassette in found}.values())


def _used(cassette: Any, before: int) -> list[Exchange]:
    """Return the exchanges that a test replayed from a cassette, or recorded after the first `before` ones."""
    found: list[Exchange] = []
    for place, (request, response) in enumerate(cassette.data):
        if cassette.play_counts[place] or place >= before:
            half = {"method": request.method, "uri": request.uri, "headers": request.headers, "body": request.body}
            found.append(decode(len(found) + 1, request_message(half), response_message(response)))
    return found


def _judge(config: pytest.Config, exchanges: Sequence[Exchange]) -> Replayed:
    settings = settings_of(config)
    if JUDGES not in config.stash:  # made once per session
        config.stash[JUDGES] = (tuple(map(_contract, settings.vcr_contracts)), AutoContracts())
    given, auto = config.stash[JUDGES]
    contracts = given or auto.of(exchanges)
    options = JudgeOptions(
        max_attempts=settings.max_attempts,
        unclear=CheckStatus.FAIL if settings.unclear == "fail" else CheckStatus.WARN,
        partial=not given,
    )
    found = judge(exchanges, contracts, options=options).conversations
    used = {conversation.contract for conversation in found}
    digests = tuple(sorted((each.name, each.digest) for each in contracts if each.name in used))
    return Replayed(tuple(exchanges), found, digests)


def _contract(name: str) -> Contract:
    try:
        found = resolve_name(name)
        return found if isinstance(found, Contract) else Contract(found, extract="embedded")
    except Exception as error:  # anything that an import of the project raises
        why = f"{type(error).__name__}: {one_line(str(error), 200)}"
    # Outside of the block above: pytest would also show the error of the import, which the message names.
    message = f"planguard_vcr_contracts: {name} is not a contract as module:NAME ({why}). Correct the ini value."
    pytest.fail(message, pytrace=False)


def _failure(replayed: Replayed) -> str:
    from ..report.conversation import failure_reason, render_conversation

    first, more = replayed.bad[0], len(replayed.bad) - 1
    others = f" (and {more} more {'conversation' if more == 1 else 'conversations'})" if more else ""
    head = f"planguard: {one_line(first.contract, 60)}: {failure_reason(first)}{others}"
    return "\n\n".join([head, *map(render_conversation, replayed.bad), AGAIN])


def _row(item: pytest.Item, replayed: Replayed) -> CaseRow:
    digests = dict(replayed.contracts)
    judged = tuple(conversation_row(found, digests) for found in replayed.conversations)
    bad = [found.outcome.value for found in replayed.bad]
    failed = settings_of(item.config).vcr == "fail" and bool(bad)
    # A bad case of a passing test has no result: `judged` shows that it is bad, but no test failed.
    result = "failed" if failed else None if bad or not judged else "passed"
    unjudged = UNJUDGED if replayed.exchanges else "stale"
    outcome = bad[0] if bad else judged[0].outcome if judged else unjudged
    return CaseRow(
        key=item.nodeid,
        test=item.nodeid,
        line=(item.location[1] or 0) + 1,
        model=", ".join(sorted({each.model for each in replayed.exchanges if each.model})) or None,
        result=result,
        outcome=outcome,
        stale=replayed.drifts,
        judged=judged,
        contracts=replayed.contracts,
    )


@contextmanager
def watched(cassettes: Collection[Any]) -> Iterator[list[str]]:
    """Yield a list that gets a line for each request that differs from the recorded one, in a `with` block."""
    found: list[str] = []
    for cassette in cassettes:
        cassette.play_response = _watching(cassette, found)
    try:
        yield found
    finally:
        for cassette in cassettes:
            del cassette.play_response


def _watching(cassette: Any, found: list[str]) -> object:
    play = cassette.play_response

    def play_response(request: Any) -> Any:
        before = dict(cassette.play_counts)
        answer = play(request)
        place = next(i for i, count in cassette.play_counts.items() if count != before.get(i, 0))
        sent = cassette._before_record_request(request)  # noqa: SLF001 - vcrpy filters here, too
        found.extend(_change(place + 1, cassette.data[place][0], sent))
        return answer

    return play_response


def _change(position: int, recorded: Any, sent: Any) -> Iterator[str]:
    """Yield how the meaning of a request differs, if it does."""
    meaning = Meanings()
    (entry,) = CassetteIndex([RawInteraction(_message(recorded), Message(), {})], meaning).entries
    now = meaning(_message(sent))
    if entry.semantic.hash != now.hash:
        yield f"{DRIFTED}{drift(replace(entry, position=position), now)}"


def _message(request: Any) -> Message:
    half = {"method": request.method, "uri": request.uri, "headers": request.headers, "body": request.body}
    return request_message(half)
