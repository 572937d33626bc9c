"""What is said of a request without an answer: each reason, each place, and what to do about it."""

from __future__ import annotations

import pytest

from pytest_planguard.replay.matching.cassette_index import Sent
from pytest_planguard.replay.matching.drift import Change, Drift
from pytest_planguard.replay.matching.refusal import Miss, MissKind, Refusal, explain, explain_stop, local_place
from pytest_planguard.replay.matching.semantic import SemanticRequest
from pytest_planguard.replay.session.cassette import CassetteMiss
from pytest_planguard.wire.exchange import Message

from ...support.one_item import in_one_item


def sent(url: str = "https://a.test/v1/chat", method: str = "POST", conversation: str | None = None) -> Sent:
    """A request as it is sent now."""
    path = url.partition("://")[2].partition("/")[2]
    return Sent(Message(url=url, method=method), SemanticRequest(method, f"/{path}", "", ""), conversation)


def told(
    refusal: Refusal, request: Sent | None = None, notes: tuple[str, ...] = (), *, tried: bool = False
) -> list[str]:
    """The lines that explain a refusal."""
    return explain(request or sent(), refusal, "a.yaml", "pytest --again", notes, tried=tried).splitlines()


SENT = "  sent:      POST /v1/chat"
FILE = "  recording: a.yaml"
AGAIN = "  to record: pytest --again"
NONE_FITS = "No recorded answer fits this request."


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (MissKind.UNRECORDED, [f"nothing is recorded for this test yet. {NONE_FITS}", SENT, FILE, AGAIN]),
        (
            MissKind.CHANGED,
            [f"stale cassette: the request has changed since it was recorded. {NONE_FITS}", SENT, FILE, AGAIN],
        ),
        (
            MissKind.EXTRA,
            [
                f"unexpected request: all matching recorded answers have already been used. {NONE_FITS}",
                *(SENT, FILE, AGAIN),
            ],
        ),
        (MissKind.CAPPED, [f"recording has stopped. {NONE_FITS}", SENT, FILE, AGAIN]),
        (
            MissKind.AMBIGUOUS,
            [
                f"the same request belongs to several tasks and their recorded answers differ. {NONE_FITS}",
                *(SENT, FILE),
                "  to do:     put `with planguard.conversation(id):` around each task, then record again",
            ],
        ),
        (
            MissKind.MISSING,
            [
                "missing feedback: the retry feeds back no finding of the attempt before it",
                "  why:       the recorded answer would prove nothing, so planguard does not serve it",
                *(SENT, FILE),
                "  to do:     put what was wrong into the retry's prompt",
            ],
        ),
    ],
)
def test_each_reason_has_its_advice(kind: MissKind, lines: list[str]) -> None:
    """The reason first, since pytest's summary is cut off; recording again is advised only where it helps."""
    assert told(Refusal(kind)) == lines


def test_a_refusal_tells_all_that_is_known_of_it() -> None:
    """Lost findings, the conversation, the nearest exchange with its changes, and notes, in this order."""
    near = Drift(7, (Change("messages[0].content", "[-a-]{+b+}"), Change("model", "[-m-]{+n+}")), 0.666)
    request = sent(conversation="it's")
    assert told(Refusal(MissKind.MISSING, near, ("title: 1", "steps: 2")), request, ("one", "two"), tried=True) == [
        "missing feedback: the retry feeds back no finding of the attempt before it",
        "  missing:   title: 1",
        "  missing:   steps: 2",
        "  why:       running the app again did not show that any of them is fed back",
        """  sent:      POST /v1/chat (conversation "it's")""",
        "  recording: a.yaml",
        "  nearest:   interaction 7, not played yet (67% of the words agree)",
        "  changed:   messages[0].content: [-a-]{+b+}",
        "  changed:   model: [-m-]{+n+}",
        "  note:      one",
        "  note:      two",
        "  to do:     put what was wrong into the retry's prompt",
    ]


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        (sent("https://a.test/v1", "POST"), []),
        (sent("https://a.test:80/v1", "get"), [
            "             or, if a.test is not a model: planguard_allowed_hosts = a.test"
        ]),
        (sent("call://python/ask", "POST"), []),
        (sent("/v1", "GET"), []),
    ],
)  # fmt: skip
def test_a_download_may_be_allowed(asked: Sent, lines: list[str]) -> None:
    """Only a request that reads, and of a host that can be named."""
    assert told(Refusal(MissKind.CHANGED), asked)[4:] == lines


@in_one_item
@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("command://claude", "the command claude"),
        ("command://my%20agent%2F2", "the command my agent/2"),
        ("call://python/ask", "the function ask"),
        ("call://python/ask%2Fit", "the function ask/it"),
        ("call://python/ask/plan%201", "the function ask, step plan 1"),
        ("call://python/ask/plan/1f0e/none/0", "the function ask, step plan"),
        ("https://a.test/call", None),
        ("", None),
    ],
)
def test_a_place_without_a_host_is_named(url: str, place: str | None) -> None:
    """A command and a function by their names; of a search, the step."""
    assert local_place(url) == place
    if place:
        assert told(Refusal(MissKind.CHANGED), sent(url))[1] == f"  sent:      {place}"


def test_a_stop_tells_what_was_not_sent() -> None:
    """The reason, the request, where the answers so far are, and the command to go on."""
    text = explain_stop(sent(conversation="a"), "the cap of 1 call is reached", "a.yaml", "raise it", "pytest --again")
    assert text.splitlines() == [
        "Recording has stopped: the cap of 1 call is reached.",
        "  sent:      nothing; the request was POST /v1/chat (conversation 'a')",
        "  recording: a.yaml stays as it was; new exchanges of this test are kept in a .part file beside it",
        "  to do:     raise it, and record again:",
        "             pytest --again",
    ]


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        (MissKind.UNRECORDED, "unrecorded", "cassette_not_found"),
        (MissKind.CHANGED, "changed", "no_match"),
        (MissKind.MISSING, "missing", "no_match"),
        (MissKind.EXTRA, "extra", "already_played"),
        (MissKind.CAPPED, "capped", "cassette_not_found"),
        (MissKind.UNANSWERED, "unanswered", "cassette_not_found"),
        (MissKind.AMBIGUOUS, "ambiguous", "no_match"),
    ],
)
def test_each_kind_has_a_name_and_a_reason_of_vcrpy(kind: MissKind, name: str, reason: str) -> None:
    """Handlers of vcrpy's error read the reason."""
    assert kind == name
    error = CassetteMiss(None, None, Miss(sent(), Refusal(kind), "why"))
    assert (str(error), error.reason, error.similar_requests, error.miss.count) == ("why", reason, [], 1)
