"""A further run of an app, with one answer changed: what it sends is told apart from what it sent before."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import httpx2
import pytest
from pydantic import BaseModel, Field

from pytest_planguard import Contract, excludes
from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette, serving
from pytest_planguard.replay.session.playback import Play
from pytest_planguard.replay.session.rerun import Replayed, Rerun
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.retry.proving.experiment import NO_ROOM, Change, Experiment
from pytest_planguard.retry.proving.planning import ALONE, trials
from pytest_planguard.retry.proving.repair import Repaired
from pytest_planguard.retry.proving.request_diff import Difference
from pytest_planguard.retry.proving.trial import Changes
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import asend, assistant, chat, send, user, write
from ...support.one_item import in_one_item


class Ticket(BaseModel):
    """What is asked for."""

    priority: Literal["low", "high"]
    steps: list[str] = Field(min_length=1)


TICKET = Contract(Ticket)
BAD = '{"priority": "hi", "steps": []}'
GOOD = '{"priority": "high", "steps": ["look"]}'
Messages = list[dict[str, Any]]
Ask = Callable[[Messages], str]
App = Callable[[Ask], object]


def wrong(text: str) -> list[str]:
    """The fields that are wrong."""
    return [str(f.path[0]) for f in TICKET.check(text).errors]


def loop(said: Callable[[str], str], task: str = "Ticket, please.") -> App:
    """An app whose feedback `said` words."""

    def app(ask: Ask) -> str:
        messages = [user(task)]
        for _ in range(3):
            text = ask(messages)
            if not wrong(text):
                return text
            messages = [*messages, assistant(text), user(said(text))]
        return "given up"

    return app


def played(app: App, answers: Callable[[Messages], str] | None = None) -> list[Replayed]:
    """The first run: answered badly, then well, or as `answers` says."""
    found: list[Replayed] = []

    def ask(messages: Messages) -> str:
        text = answers(messages) if answers else (GOOD if found else BAD)
        one = chat(messages, text)
        raw = RawInteraction(one.request, one.response, {"response": {}})
        found.append((Play(len(found) + 1, one.request, one.response, None, len(found) + 1), raw))
        return text

    app(ask)
    return found


def tried(exchanges: list[Replayed]) -> dict[str, Experiment | Proof]:
    """What there is to try, by field."""
    options = JudgeOptions()
    found = judge([play.exchange for play, _ in exchanges], [TICKET], options=options).conversations
    return {str(t.finding.path[0]): t for t in trials(found, [TICKET], options)}


def run(app: App, exchanges: list[Replayed], trial: Experiment | None = None, change: Change | None = None) -> Rerun:
    """One further run through a real client."""
    rerun = Rerun(exchanges, trial, change)
    with serving(rerun):
        try:
            app(send)
        except CassetteMiss:
            assert rerun.trouble or trial is not None
    return rerun


def concluded(app: App, exchanges: list[Replayed], trial: Experiment) -> Proof:
    """What the trial comes to: its changes are tried in order until one decides."""
    control, tried_so_far, proof = run(app, exchanges), [], None
    while proof is None:
        change = trial.change_after(tried_so_far)
        tried_so_far.append(run(app, exchanges, trial, change).tried(control))
        proof = trial.concluded(tried_so_far)
    return proof


def gradings(app: App, exchanges: list[Replayed]) -> dict[str, tuple[ProofResult, str]]:
    """Fate and reason by field."""
    found = {}
    for field, planned in tried(exchanges).items():
        proof = planned if isinstance(planned, Proof) else concluded(app, exchanges, planned)
        found[field] = (proof.result, proof.reason)
    return found


AGAIN = "planguard changed the answer and ran the app again"


def test_words_that_go_show_a_reaction_and_what_stays_is_not_carried() -> None:
    """The feedback speaks of one of two fields, in words that nobody knows."""
    app = loop(lambda text: "Prioritaet?" if "priority" in wrong(text) else "hm")
    assert gradings(app, played(app)) == {
        "priority": (ProofResult.REACTS, '"hi" became "high", and request 2 no longer said "Prioritaet?"'),
        "steps": (
            ProofResult.MISSING,
            f'{AGAIN}: [] became ["look"], and request 2 stayed the same. It ends with "Prioritaet?"',
        ),
    }


QUOTES = [
    lambda t: f"You said {t}. Again.",
    lambda t: f"You said {json.dumps(json.loads(t), indent=4)}. Again.",
    lambda t: f"You said {json.loads(t)!r}. Again.",
    lambda t: json.dumps({"answer": t, "said": "again"}),
    lambda t: json.dumps({"answer": json.loads(t), "said": "again"}),
    lambda t: f"1 error\n  whatever [input_value={json.loads(t)!r:.20}...', input_type=dict]",
    lambda t: f"priority: {json.loads(t)['priority']} / steps: {json.loads(t)['steps']}",
]


@pytest.mark.parametrize("said", QUOTES, ids=range(len(QUOTES)))
def test_a_quoted_answer_is_no_change(said: Callable[[str], str]) -> None:
    """An app may print the bad answer in any layout, or in pydantic's cut form: that does not say what is wrong."""
    app = loop(said)
    assert {graded for graded, _ in gradings(app, played(app)).values()} == {ProofResult.MISSING}


@pytest.mark.slow
@pytest.mark.parametrize("said", QUOTES, ids=range(len(QUOTES)))
def test_words_beside_a_quoted_answer_are_a_change(said: Callable[[str], str]) -> None:
    """The same quotations with a word for each field that is wrong."""
    app = loop(lambda text: f"{said(text)} -> {' '.join(wrong(text))}")
    assert {graded for graded, _ in gradings(app, played(app)).values()} == {ProofResult.PROVEN}


def test_a_count_proves_nothing() -> None:
    """'2 errors' becomes '1 errors': that something is wrong does not say what."""
    app = loop(lambda text: f"{len(wrong(text))} errors, again")
    reason = f'{AGAIN}: "hi" became "high", and request 2 differs only in a count. It ends with "2 errors, again"'
    assert gradings(app, played(app))["priority"] == (ProofResult.MISSING, reason)


def test_a_call_between_that_was_never_recorded_is_unproven() -> None:
    """A model that translates the errors is asked something else then; that is no failure of the app."""

    def app(ask: Ask) -> str:
        said = loop(lambda text: ask([user("Translate: " + " ".join(wrong(text)))]))
        return str(said(ask))

    def answers(messages: Messages) -> str:
        if "Translate" in messages[0]["content"]:
            return "Bitte Stufe und Schritte."
        return GOOD if len(messages) > 1 else BAD

    for graded, reason in gradings(app, played(app, answers)).values():
        assert graded is ProofResult.UNPROVEN
        assert "makes a call that has no cassette" in reason


def test_what_the_app_asks_afterwards_is_no_excuse() -> None:
    """The request that was waited for stayed the same; a later one that has no cassette takes nothing back."""

    def app(ask: Ask) -> object:
        asked = [user("Ticket")]
        first = ask(asked)
        ask([*asked, assistant(first), user("again")])
        return ask([user(f"Log: {first}")]) if "priority" not in wrong(first) else None

    graded, reason = gradings(app, played(app))["priority"]
    assert graded is ProofResult.MISSING, reason


def test_an_app_that_accepts_too_early_is_unproven() -> None:
    """It looks at one field only: with that fixed it does not ask again, so there is no request to look at."""

    def app(ask: Ask) -> str:
        text = ask([user("Ticket")])
        return ask([user("Ticket"), assistant(text), user("no")]) if "priority" in wrong(text) else text

    found = gradings(app, played(app))
    assert found["priority"] == (ProofResult.UNPROVEN, '"hi" became "high", and the app ended before it asked again')
    assert found["steps"][0] is ProofResult.MISSING


ONLY = {"priority": '{"priority": "hi", "steps": ["look"]}', "steps": '{"priority": "low", "steps": []}'}
BOTH = {"priority": ProofResult.PROVEN, "steps": ProofResult.PROVEN}
REACTS = {"priority": ProofResult.REACTS, "steps": ProofResult.REACTS}
NEITHER = {"priority": ProofResult.MISSING, "steps": ProofResult.MISSING}
WORDINGS: list[tuple[Callable[[str], str], dict[str, ProofResult]]] = [
    (lambda t: " ".join(wrong(t)), BOTH),
    (lambda t: f"優先度と手順: {'優先度' if 'priority' in wrong(t) else '手順'}が違います", REACTS),
    (lambda _: "Wrong, again.", NEITHER),
    (lambda _: "priority must be low or high, and steps needs an item.", NEITHER),
    (lambda t: wrong(t)[0], BOTH),
    (
        lambda t: "steps" if "steps" in wrong(t) else "hm",
        {"priority": ProofResult.MISSING, "steps": ProofResult.PROVEN},
    ),
    (lambda t: f"Fix: {'steps' if 'steps' in wrong(t) else ''}", {**BOTH, "priority": ProofResult.MISSING}),
    (lambda t: f"Error {21 if 'steps' in wrong(t) else 34}", dict.fromkeys(BOTH, ProofResult.UNPROVEN)),
    (lambda t: "; ".join(f"{v} is not right" for v in json.loads(t).values() if v in ("hi", [])), BOTH),
]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("field", ONLY)
@pytest.mark.parametrize(
    ("said", "expected"),
    WORDINGS,
    ids=["all", "japanese", "none", "constant", "first", "steps or hm", "steps", "number", "values"],
)
def test_an_only_finding_is_swapped_for_another_error(said: Any, expected: Any, field: str) -> None:
    """Repaired alone it leaves nothing to ask for; with another error in its place, what was said of it must go."""
    app = loop(said)
    exchanges = played(app, lambda messages: GOOD if len(messages) > 1 else ONLY[field])
    graded, reason = gradings(app, exchanges)[field]
    assert graded is expected[field], reason
    assert "another error in its place" in reason


def test_an_only_finding_with_no_other_place_is_unproven() -> None:
    """The only field can be wrong in another way; an app that names the field alone says the same then."""

    class Number(BaseModel):
        number: int

    contract = Contract(Number)

    def app(ask: Ask) -> str:
        return ask([user("n"), assistant(ask([user("n")])), user("number?")])

    exchanges = played(app, _numbers)
    found = judge([play.exchange for play, _ in exchanges], [contract]).conversations
    (trial,) = trials(found, [contract], JudgeOptions())
    assert isinstance(trial, Experiment)
    proof = concluded(app, exchanges, trial)
    assert proof.result is ProofResult.UNPROVEN
    assert proof.reason.endswith(NO_ROOM)


def test_an_only_finding_with_no_room_for_another_is_unproven() -> None:
    """Repaired, the answer is valid, and nobody has to ask again; no other member can be made wrong."""
    contract = Contract(dict[str, Any], constraints=[excludes("title", "secret", language="en")])

    def answers(messages: Messages) -> str:
        return json.dumps({"title": "a secret" if len(messages) == 1 else "Printer", "free": 1})

    exchanges = played(lambda ask: ask([user("n"), assistant(ask([user("n")])), user("title?")]), answers)
    found = judge([play.exchange for play, _ in exchanges], [contract]).conversations
    (proof,) = trials(found, [contract], JudgeOptions())
    assert isinstance(proof, Proof)
    assert (proof.result, proof.reason) == (ProofResult.UNPROVEN, ALONE)


def _numbers(messages: Messages) -> str:
    return '{"number": "x"}' if len(messages) == 1 else '{"number": 1}'


def test_an_app_that_changes_by_itself_is_noticed() -> None:
    """A run without any change must be the first run again; else every difference would be taken for proof."""
    turns = iter("abcdef")

    def app(ask: Ask) -> object:
        return loop(lambda text: f"{next(turns)} {wrong(text)}", "Ticket")(ask)

    exchanges = played(app)
    control = run(app, exchanges)
    assert control.trouble is not None
    assert control.trouble.startswith("run again, the app sends other requests, which changed in messages[2].content")
    assert not control.passed_on


def test_what_follows_is_served_until_the_app_ends() -> None:
    """Three attempts: the changed answer goes on being quoted, and the later answers come all the same."""
    half = '{"priority": "high", "steps": []}'

    def answers(messages: Messages) -> str:
        return (BAD, half, GOOD)[len(messages) // 2]

    app = loop(lambda text: " und ".join(wrong(text)))
    exchanges = played(app, answers)
    planned = tried(exchanges)["priority"]
    assert isinstance(planned, Experiment)
    rerun = run(app, exchanges, planned)
    seen = rerun.differences(run(app, exchanges))
    assert {number: (one.difference, one.gone) for number, one in seen.items()} == {
        2: (Difference.WORDS, "priority und")
    }
    assert set(rerun.answered) == {1, 2, 3}


def test_conversations_side_by_side_are_told_apart() -> None:
    """Another task runs at the same time; its requests are neither the retry nor a trouble."""
    german, other = loop(lambda t: " ".join(wrong(t)), "Drucker"), loop(lambda _: "again", "Tomate")

    def app(ask: Ask) -> None:
        threads = [threading.Thread(target=one, args=(ask,)) for one in (german, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    exchanges = played(lambda ask: (german(ask), other(ask)), lambda m: GOOD if len(m) > 1 else BAD)
    options = JudgeOptions()
    found = judge([play.exchange for play, _ in exchanges], [TICKET], options=options).conversations
    told = []
    for planned in trials(found, [TICKET], options):
        assert isinstance(planned, Experiment)
        told.append((planned.exchange, concluded(app, exchanges, planned).result))
    assert told == [(1, ProofResult.PROVEN)] * 2 + [(3, ProofResult.MISSING)] * 2


def test_tasks_that_are_fed_back_in_the_same_words_are_told_apart() -> None:
    """With more errors planted a retry is more like another task's than like its own: what it answers decides."""

    def said(text: str) -> str:
        return "Wrong: " + " ".join(f"{field} is not as it has to be" for field in wrong(text))

    def app(ask: Ask) -> None:
        first = [ask([user(task)]) for task in "AB"]
        for task, text in zip("BA", reversed(first), strict=True):
            ask([user(task), assistant(text), user(said(text))])

    def answers(messages: Messages) -> str:
        task = messages[0]["content"]
        return GOOD if len(messages) > 1 else BAD if task == "B" else '{"priority": "low", "steps": []}'

    exchanges = played(app, answers)
    found = judge([play.exchange for play, _ in exchanges], [TICKET], options=JudgeOptions()).conversations
    for planned in trials(found, [TICKET], JudgeOptions()):
        assert isinstance(planned, Experiment)
        for change in planned.changes:
            rerun = run(app, exchanges, planned, change)
            assert rerun.trouble is None
            assert set(planned.targets) <= set(rerun.answered)


def test_a_run_inside_an_open_recording_leaves_it_alone(tmp_path: Any) -> None:
    """The cassette that a test has open neither serves nor sees the further run."""
    app = loop(lambda text: " ".join(wrong(text)))
    exchanges = played(app)
    messages = [user("Ticket, please.")]
    file = write(tmp_path / "a.yaml", chat(messages, BAD))
    with open_cassette(file) as session:
        assert send(messages) == BAD
        run(app, exchanges)
        assert (len(session.played), session.misses, session.bypasses) == (1, [], ())


def test_a_further_run_can_be_asked_without_being_changed() -> None:
    """What there is, where it went, and what would be served; a run that never came to the answer says so."""
    app = loop(lambda text: " ".join(wrong(text)))
    exchanges = played(app)
    rerun = Rerun(exchanges)
    first, second = (play.request for play, _ in exchanges)
    assert rerun.urls == (first.url, second.url)
    entry = rerun.peek(second)
    assert entry is not None
    assert (entry.position, rerun.peek(Message({}, b"{}", "POST", first.url))) == (2, None)
    assert (rerun.answered, rerun.trouble, rerun.passed_on, rerun.differences(rerun)) == (set(), None, False, {})
    planned = tried(exchanges)["steps"]
    assert isinstance(planned, Experiment)
    assert Rerun(exchanges, None, planned.changes.at(0)).differences(rerun) == {}
    trial = Rerun(exchanges, planned).tried(rerun)
    assert (trial.change, trial.seen, trial.passed_on) == (planned.changes.at(0), {}, False)
    assert trial.trouble == "on the second run, the app does not reach this answer"


def test_coroutines_are_served_too() -> None:
    """An async client goes through the same patches."""
    messages = [user("Ticket, please.")]
    rerun = Rerun(played(lambda ask: ask(messages)))
    with serving(rerun):
        assert asyncio.run(asend(messages)) == BAD
    assert set(rerun.answered) == {1}


def test_a_mock_from_between_two_reruns_stays_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patches of the first rerun would replace it. A rerun answers what the mock would."""
    exchanges = played(lambda ask: ask([user("Ticket, please.")]))
    request = exchanges[0][0].request
    asked = httpx2.Request("POST", request.url, content=request.body, headers=request.headers)

    def answered() -> int:
        with serving(Rerun(exchanges)), httpx2.Client() as client:
            return client.send(asked).status_code

    assert answered() == 200
    with monkeypatch.context() as mocked:
        mock = lambda _, request: httpx2.Response(418, request=request)  # noqa: E731
        mocked.setattr(httpx2.HTTPTransport, "handle_request", mock)
        assert answered() == 200
        assert httpx2.HTTPTransport.handle_request is mock
    assert answered() == 200


def test_a_form_that_cannot_be_written_is_said_to_be_one() -> None:
    """An answer that is not found in its own response is not tried."""
    app = loop(lambda text: " ".join(wrong(text)))
    exchanges = played(app)
    planned = tried(exchanges)["steps"]
    assert isinstance(planned, Experiment)
    assert [*Rerun(exchanges).changeable(planned).changes] == [*planned.changes]
    assert not Rerun(exchanges).changeable(replace(planned, answer="something else")).changes


@pytest.mark.parametrize(("text", "can_be_written"), [("", True), ("x", True), ("a\r\nb", True), (" ", False)])
def test_a_change_that_would_be_read_as_another_is_not_tried(text: str, can_be_written: bool) -> None:
    """Of an answer of blanks, nothing would be left."""
    exchanges = played(loop(lambda text: " ".join(wrong(text))))
    planned = tried(exchanges)["steps"]
    assert isinstance(planned, Experiment)
    first = planned.changes.at(0)
    assert isinstance(first, Repaired)
    changed = replace(planned, changes=Changes([replace(first, text=text)]))
    assert bool(Rerun(exchanges).changeable(changed).changes) == can_be_written
