"""How tests of an existing suite under `@pytest.mark.vcr` are judged, reported and told of drift."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.errors import ContractFailed
from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.vcr_suite import REPLAYED, Replayed, _contract, _failure, check_extra, complete, watched
from pytest_planguard.retry.outcomes import Outcome
from pytest_planguard.retry.results import Convergence
from pytest_planguard.runs.model.codec import read_row
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.wire.exchange import Exchange

from ..support.verdicts import BAD, PRIORITY, attempt, verdict

GOOD = Convergence("1", "Ticket", Outcome.CONVERGED, (attempt(1, verdict()),), ())
STUCK = Convergence("2", "Ticket", Outcome.STUCK, (attempt(2, verdict(BAD, PRIORITY)),), ())
ANSWER = Exchange(1, "openai.chat", model="m-2")
OTHER = Exchange(2, "openai.chat", model="m-1")


@pytest.mark.parametrize("vcr", ["report", "fail"])
def test_without_the_extra_a_contract_is_needed(monkeypatch: pytest.MonkeyPatch, vcr: str) -> None:
    """The schemas of requests cannot judge then."""
    check_extra(Settings(vcr=vcr))
    monkeypatch.setattr(
        "pytest_planguard.plugin.vcr_suite.find_spec", lambda name: None if name == "jsonschema_rs" else 1
    )
    check_extra(Settings(vcr=vcr, vcr_contracts=("app:TICKET",)))
    with pytest.raises(pytest.UsageError) as error:
        check_extra(Settings(vcr=vcr))
    assert str(error.value) == (
        "planguard_vcr judges by the schemas in the requests, which needs the extra: "
        "pip install 'pytest-planguard[jsonschema]'. Or name a contract in planguard_vcr_contracts."
    )


def test_a_contract_is_named_by_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model makes one, which looks for a document within the answer; what is neither ends the test."""
    module = ModuleType("app_of_ours")
    vars(module).update(TICKET=Contract(int, extract="whole"), Model=int, WRONG=object(), long="x")
    monkeypatch.setitem(sys.modules, "app_of_ours", module)
    assert _contract("app_of_ours:TICKET") is vars(module)["TICKET"]
    assert _contract("app_of_ours:Model").extract == "embedded"
    with pytest.raises(pytest.fail.Exception) as error:
        _contract("app_of_ours:nothing")
    assert str(error.value) == (
        "planguard_vcr_contracts: app_of_ours:nothing is not a contract as module:NAME "
        "(AttributeError: module 'app_of_ours' has no attribute 'nothing'). Correct the ini value."
    )
    assert not error.value.pytrace
    vars(module)["__getattr__"] = _fail
    with pytest.raises(pytest.fail.Exception, match=r"\(RuntimeError: x{198} …\)\. ") as error:
        _contract("app_of_ours:broken")
    assert "x" * 200 not in str(error.value)


def _fail(name: str) -> object:
    raise RuntimeError("x" * 300)


def test_the_failure_shows_each_bad_conversation() -> None:
    """The first line counts the others, and the last one says what to do."""
    another = Convergence("3", "Ticket", Outcome.STUCK, STUCK.attempts, ())
    for bad, counted in (
        ((STUCK,), ""),
        ((STUCK, another), " (and 1 more conversation)"),
        ((STUCK, another, another), " (and 2 more conversations)"),
    ):
        first, *rest = _failure(Replayed((), (GOOD, *bad), ())).split("\n\n")
        assert first.startswith("planguard: Ticket: ")
        assert first.endswith(counted)
        assert ("more conversation" in first) is bool(counted)
        assert sum(part.startswith("Ticket, conversation") for part in rest) == len(bad)
        assert rest[-1] == (
            "next: fix the app, then record the cassette again (pytest-recording: --record-mode=rewrite); "
            "planguard judged its recorded requests"
        )


@pytest.fixture
def item(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.Item]:
    """The running test, as one of a suite whose bad answers fail."""
    monkeypatch.setitem(request.config.stash, SETTINGS, Settings(vcr="fail"))  # type: ignore[arg-type]
    yield request.node
    del request.node.stash[REPLAYED]


def row_of(item: pytest.Item, replayed: Replayed) -> CaseRow | None:
    """Return the row that a test leaves, if any."""
    item.stash[REPLAYED] = replayed
    report: Any = SimpleNamespace(when="teardown")
    complete(report, item, SimpleNamespace(excinfo=None))  # type: ignore[arg-type]
    text = getattr(report, "planguard_row", None)
    return None if text is None else read_row(CaseRow, text)


@pytest.mark.parametrize(
    ("replayed", "result", "outcome"),
    [
        (Replayed((ANSWER,), (GOOD,), (("Ticket", "0123"),)), "passed", "converged"),
        (Replayed((ANSWER,), (GOOD, STUCK), ()), "failed", "stuck"),
        (Replayed((ANSWER,), (), ()), None, "unjudged"),
        (Replayed((), (), (), ("a request changed",)), None, "stale"),
    ],
)
def test_a_row_of_the_suite(
    item: pytest.Item, monkeypatch: pytest.MonkeyPatch, replayed: Replayed, result: str | None, outcome: str
) -> None:
    """A bad answer of a passing test has no result, since no test failed."""
    row = row_of(item, replayed)
    assert row is not None
    assert (row.result, row.outcome, row.contracts) == (result, outcome, replayed.contracts)
    assert (row.key, row.test, row.line) == (item.nodeid, item.nodeid, item.location[1] + 1)  # type: ignore[operator]
    assert (row.stale, row.model) == (replayed.drifts, "m-2" if replayed.exchanges else None)
    monkeypatch.setitem(item.config.stash, SETTINGS, Settings(vcr="report"))  # type: ignore[arg-type]
    reported = row_of(item, replayed)
    assert reported is not None
    assert reported.result == (None if result == "failed" else result)


def test_only_answers_make_a_row(item: pytest.Item) -> None:
    """Not a refused request, or one that no model answers; the models are named in order."""
    refused = Exchange(1, "openai.chat", status=401)
    other = Exchange(1, "raw", note="not a model")
    assert row_of(item, Replayed((refused, other), (), ())) is None
    assert row_of(item, Replayed((Exchange(1, "openai.chat", status=400),), (), ())) is None
    both = row_of(item, Replayed((ANSWER, OTHER, ANSWER), (), ()))
    assert both is not None
    assert both.model == "m-1, m-2"


def test_the_report_of_a_call_shows_what_is_bad(item: pytest.Item) -> None:
    """As a section if the test passed, in place of the traceback if that is why it failed."""
    bad = item.stash[REPLAYED] = Replayed((ANSWER,), (STUCK,), ())

    def told(error: Exception | None) -> Any:
        report: Any = SimpleNamespace(when="call", sections=[], longrepr="pytest's own")
        caught = None if error is None else SimpleNamespace(value=error)
        complete(report, item, SimpleNamespace(excinfo=caught))  # type: ignore[arg-type]
        return report

    assert told(None).sections == [("planguard", _failure(bad))]
    own = told(ValueError("no"))
    assert (own.sections, own.longrepr) == ([], "pytest's own")
    ours = told(ContractFailed("planguard: no\n  here"))
    assert ours.longrepr.reprcrash.message == "planguard: no"
    item.stash[REPLAYED] = Replayed((ANSWER,), (GOOD,), ())
    assert told(None).sections == []


class Cassette:
    """A cassette of vcrpy with two answers, which gives the first one that was not given yet."""

    def __init__(self, *bodies: str) -> None:
        self.data = [(request(body), "answer") for body in bodies]
        self.play_counts: dict[int, int] = {}

    def play_response(self, sent: object) -> str:
        """Return the next answer."""
        place = sum(self.play_counts.values())
        self.play_counts[place] = 1
        return self.data[place][1]

    def _before_record_request(self, sent: Any) -> Any:
        return sent


def request(text: str) -> Any:
    """Return a request with this text, as vcrpy has it."""
    body = f'{{"model": "m", "messages": [{{"role": "user", "content": "{text}"}}]}}'.encode()
    url = "https://api.openai.com/v1/chat/completions"
    return SimpleNamespace(method="POST", uri=url, headers={"content-type": "application/json"}, body=body)


def test_requests_that_drifted_are_told() -> None:
    """With the position of the recorded one; afterwards the cassette is as it was."""
    one = Cassette("Write a ticket", "Write a plan")
    with watched([one]) as drifts:
        for text in ("Write a ticket", "Write one plan"):
            assert one.play_response(request(text)) == "answer"
    assert drifts == ["a request differs from recorded interaction 2 in messages[0].content: Write [-a-]{+one+} plan"]
    assert vars(one).keys() == {"data", "play_counts"}
