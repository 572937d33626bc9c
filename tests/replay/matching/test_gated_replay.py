"""Which recorded answer a request gets, in every mode."""

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.matching.cassette_index import CONVERSATION_HEADER
from pytest_planguard.replay.matching.refusal import MissKind
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette
from pytest_planguard.retry.judging.retry_listing import RetryFeedback

from ...support.exchanges import asend, assistant, chat, send, user, write
from .ticket_chat import BAD, CONTRACT, GOOD, TASK, TOLD, retry


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    """A recorded conversation of two attempts."""
    return write(tmp_path / "loop.yaml", chat([user(TASK)], BAD), chat(retry(TOLD), GOOD))


def test_host_envelope_and_spelling_do_not_matter(loop: Path) -> None:
    """Another host, metadata, a content of one text part: the same meaning, the same answer, no drift."""
    with open_cassette(loop, match="strict") as session:
        part = {"role": "user", "content": [{"type": "text", "text": TASK, "cache_control": {"type": "ephemeral"}}]}
        url = "http://localhost:1234/v1/chat/completions"
        extra = {"user": "u-1", "metadata": {"run": "7"}, "service_tier": "flex", "store": True, "include": ["usage"]}
        assert send([part], url, stream=False, seed=None, **extra) == BAD
    assert session.drifts == ()


OPENAI, AZURE = "https://api.openai.com/v1/chat/completions", "https://me.azure.test/openai/deployments"


@pytest.mark.parametrize(
    ("recorded", "sent"),
    [
        (OPENAI, "http://127.0.0.1:4000/proxy/openai/chat/completions"),
        ("https://api.anthropic.com/v1/messages", "https://gateway.test/eu/anthropic/v1/messages"),
        (f"{AZURE}/small/chat/completions?v=1", "http://127.0.0.1/deployments/small/chat/completions?v=1"),
        (
            "https://generativelanguage.googleapis.com/v1beta/models/g-2:generateContent",
            "https://eu.test/v1/projects/p/locations/eu/publishers/google/models/g-2:generateContent",
        ),
        ("https://bedrock.test/model/a.b-v1:0/converse", "https://gateway.test/aws/model/a.b-v1:0/converse"),
        ("http://127.0.0.1:11434/api/chat", "https://models.test/ollama/api/chat"),
    ],
)
def test_a_base_path_does_not_matter(recorded: str, sent: str, tmp_path: Path) -> None:
    """A recording through a gateway replays without it, and the other way round: the same meaning, no drift."""
    for one, other in ((recorded, sent), (sent, recorded)):
        path = write(tmp_path / "a.yaml", replace(chat([user(TASK)], GOOD), url=one))
        with open_cassette(path, match="strict") as session:
            assert send([user(TASK)], other) == GOOD
        assert (session.stale, session.drifts) == (False, ())


@pytest.mark.parametrize(
    ("recorded", "sent", "shown"),
    [
        (
            AZURE + "/a/chat/completions",
            AZURE + "/b/chat/completions",
            ["/deployments/a/chat/completions", "/deployments/b/"],
        ),
        (
            "https://a.test/model/a-1/converse",
            "https://a.test/model/b-1/converse",
            ["/model/a-1/converse", "/model/b-1/"],
        ),
        (
            "https://a.test/v1/threads/1/messages",
            "https://a.test/v1/threads/2/messages",
            ["/threads/1/messages", "/threads/2/"],
        ),
        (f"{OPENAI}?v=1", f"{OPENAI}?v=2", ["/chat/completions?v=1", "/chat/completions?v=2"]),
        ("https://a.test/one/rank", "https://a.test/two/rank", ["/one/rank", "/two/rank"]),
    ],
)
def test_what_an_address_says_of_the_request_counts(recorded: str, sent: str, shown: list[str], tmp_path: Path) -> None:
    """Model, deployment, thread and parameters; of an unknown endpoint the whole path. Both sides are shown."""
    path = write(tmp_path / "a.yaml", replace(chat([user(TASK)], GOOD), url=recorded))
    with open_cassette(path) as session, pytest.raises(CassetteMiss) as missed:
        send([user(TASK)], sent)
    assert [m.kind for m in session.misses] == [MissKind.CHANGED]
    assert f"POST [-{shown[0]}-]{{+{shown[1]}" in str(missed.value)


def test_a_host_breaks_a_tie(tmp_path: Path) -> None:
    """Of equal requests the one that went to the same address comes first; where none did, the first of all."""
    urls = {region: f"https://{region}.test/v1/chat/completions" for region in ("eu", "us")}
    path = write(tmp_path / "a.yaml", *(replace(chat([user(TASK)], r), url=url) for r, url in urls.items()))
    with open_cassette(path):
        assert [send([user(TASK)], urls[region]) for region in ("us", "eu")] == ["us", "eu"]
    with open_cassette(path):
        assert [send([user(TASK)], OPENAI) for _ in urls] == ["eu", "us"]


@pytest.mark.parametrize(
    ("sent", "extra", "path", "window"),
    [
        (
            TASK.replace("broken", "jammed"),
            {},
            "messages[0].content",
            "Write a ticket for the [-broken-]{+jammed+} printer in the second floor office …",
        ),
        (TASK, {"temperature": 0.5}, "temperature", "{+0.5+}"),
    ],
    ids=["wording", "envelope"],
)
def test_a_changed_first_attempt_is_served_and_stale(
    loop: Path, sent: str, extra: dict[str, Any], path: str, window: str
) -> None:
    """Wording and sampling may change: the answer is served, the case is stale, the change is named."""
    with open_cassette(loop, contracts=[CONTRACT]) as session:
        assert send([user(sent)], **extra) == BAD
    assert session.stale
    assert session.drifts[0].changes[0].path == path
    assert window in session.drifts[0].changes[0].window


def test_another_task_is_not_the_recorded_one(loop: Path) -> None:
    """Where more words are new than kept nothing is served: the cassette is stale, and says how to record again."""
    with pytest.raises(CassetteMiss, match=r"^stale cassette"), open_cassette(loop) as session:
        send([user("Classify this mail: hello dear customer, we have an offer for you today")])
    assert [m.kind for m in session.misses] == [MissKind.CHANGED]


def test_half_of_the_words_make_it_the_same_task(loop: Path) -> None:
    """Seven of fourteen words kept: the recorded task in other words. Six of fourteen: another task."""
    kept = TASK.split()
    assert len(kept) == 14
    other = ["summarise", "our", "quarterly", "figures", "into", "three", "short", "slides", "please"]
    with open_cassette(loop) as session:
        assert send([user(" ".join([*kept[:7], *other[:7]]))]) == BAD
    with pytest.raises(CassetteMiss), open_cassette(loop) as session:
        send([user(" ".join([*kept[:6], *other[:8]]))])
    assert [m.kind for m in session.misses] == [MissKind.CHANGED]


@pytest.mark.parametrize("contracts", [[CONTRACT], []], ids=["contract", "no contract"])
@pytest.mark.parametrize(
    "request_",
    [
        [user(TASK)],
        [user(TASK), assistant(BAD), user("Please try again.")],
        [user(TASK), assistant(BAD), user("steps: expected at least 2 items; got 1")],
    ],
    ids=["blind", "generic words", "another finding"],
)
def test_a_retry_that_lost_the_finding_gets_no_answer(loop: Path, request_: Any, contracts: list[Contract]) -> None:
    """A retry without the attempt's findings is refused, and the finding that it dropped is named."""
    with open_cassette(loop, contracts=contracts) as session:
        send([user(TASK)])
        with pytest.raises(CassetteMiss, match=r"missing: +title: "):
            send(request_)
    assert [m.kind for m in session.misses] == [MissKind.MISSING]
    assert len(session.unplayed) == 1


@pytest.mark.parametrize(
    "told",
    [
        "1 validation error for Ticket\n  Invalid JSON: expected value at line 1 column 1 [type=json_invalid]",
        "Parsing failed: no valid JSON object was found",
    ],
)
def test_an_error_without_a_place_is_lost_as_well(told: str, tmp_path: Path) -> None:
    """Without a contract the recorded retry tells that the answer was no JSON."""
    path = write(tmp_path / "prose.yaml", chat([user(TASK)], "Sure!"), chat(retry(told, bad="Sure!"), GOOD))
    with open_cassette(path) as session:
        send([user(TASK)])
        with pytest.raises(CassetteMiss, match=r"missing: +\(whole answer\): "):
            send(retry("Please try again.", bad="Sure!"))
    assert [m.kind for m in session.misses] == [MissKind.MISSING]


@pytest.mark.parametrize(
    ("words", "contracts"),
    [
        ("Es wurde keine Zahl erwartet, sondern ein Text.", [CONTRACT]),
        ("Die Überschrift muss eine Zeichenkette sein.", [CONTRACT]),
        ("Es wurde keine Zahl erwartet, sondern ein Text.", []),
    ],
)
def test_words_that_nobody_can_read_show_no_loss(loop: Path, words: str, contracts: list[Contract]) -> None:
    """A retry that may feed back the finding is answered, and the cassette is stale."""
    with open_cassette(loop, contracts=contracts) as session:
        send([user(TASK)])
        assert send(retry(words)) == GOOD
    assert (session.misses, session.stale) == ([], True)


@pytest.mark.parametrize(
    ("evidence", "is_lost"),
    [
        (RetryFeedback((), ("title",)), True),
        (RetryFeedback(("steps",), ("title",)), False),
        (RetryFeedback((), ("title",), ("steps",)), False),
        (RetryFeedback((), (), ("steps",)), False),
        (RetryFeedback(), False),
    ],
)
def test_one_finding_that_may_be_fed_back_is_enough(evidence: RetryFeedback, is_lost: bool) -> None:
    """Only a retry that surely drops every known finding gets no answer."""
    assert evidence.all_missing is is_lost


def test_the_gate_reads_a_retry_as_the_judge_does(tmp_path: Path) -> None:
    """By the titles of the schema's fields, and with what an app cannot know that parses the whole answer."""
    titled = Contract(
        {
            "type": "object",
            "properties": {"t": {"type": "string", "title": "Heading"}, "steps": {"type": "array"}},
            "required": ["t", "steps"],
        }
    )
    bad = 'Sure! {"t": 1, "steps": []}'
    path = write(tmp_path / "loop.yaml", chat([user(TASK)], bad), chat(retry("t: no text", bad=bad), GOOD))
    for words in ("The heading must be a string.", "Expecting value: line 1 column 1 (char 0)"):
        with open_cassette(path, contracts=[titled]) as session:
            send([user(TASK)])
            assert send(retry(words, bad=bad)) == GOOD
        assert (session.misses, session.stale) == ([], True)


def test_feedback_in_other_words_is_served_and_stale(loop: Path) -> None:
    """A retry may word its feedback again as long as it names a finding of the attempt before it."""
    with open_cassette(loop, contracts=[CONTRACT]) as session:
        send([user(TASK)])
        assert send(retry("Fix this please.\n- `title`: Input should be a valid string")) == GOOD
    assert session.misses == []
    assert session.stale


@pytest.mark.parametrize(("match", "outgrown"), [("gated", True), ("ordered", False), ("lenient", False)])
def test_other_words_outgrow_a_cassette_that_is_recorded_again_when_stale(
    match: Any, loop: Path, *, outgrown: bool
) -> None:
    """In mode gated, in which they leave convergence unproven; in the others any words are served."""
    for told, other in ((TOLD, False), ("Fix this please.\n- `title`: Input should be a valid string", True)):
        with open_cassette(loop, mode="stale", match=match, contracts=[CONTRACT]) as session:
            assert send([user(TASK)]) == BAD
            assert not session.outgrown
            assert send(retry(told)) == GOOD
        assert session.outgrown == (outgrown and other)


def test_a_tool_step_between_attempts_is_replayed(tmp_path: Path) -> None:
    """A request that reacts to a tool call is no retry; its result may differ in wording."""
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    step = chat([user(TASK)], "")
    body = json.loads(step.response_body)
    body["choices"][0]["message"] = asked
    step = type(step)(*[getattr(step, n) for n in step.__slots__[:-1]], json.dumps(body).encode())
    result = {"role": "tool", "tool_call_id": "call_1", "content": "the printer is a Zed 9 and out of paper"}
    path = write(tmp_path / "tool.yaml", step, chat([user(TASK), asked, result], GOOD))
    with open_cassette(path, contracts=[CONTRACT]) as session:
        send([user(TASK)])
        now = {**result, "content": "the printer is a Zed 9 and out of toner"}
        assert send([user(TASK), asked, now]) == GOOD
    assert [d.changes[0].path for d in session.drifts] == ["messages[2].content"]


def test_strict_refuses_any_drift(loop: Path) -> None:
    """In mode strict the smallest change of wording is a miss."""
    with open_cassette(loop, match="strict") as session, pytest.raises(CassetteMiss):
        send([user(TASK.replace("broken", "jammed"))])
    assert not session.stale


def test_ordered_serves_by_position_and_reports(loop: Path) -> None:
    """In mode ordered position decides: a blind retry is served too, and the drift is reported."""
    with open_cassette(loop, match="ordered", contracts=[CONTRACT]) as session:
        assert [send([user(TASK)]), send([user(TASK)])] == [BAD, GOOD]
        with pytest.raises(CassetteMiss, match=r"^unexpected request"):
            send([user(TASK)])
    assert [d.position for d in session.drifts] == [2]
    assert not session.stale


def test_ordered_does_not_answer_another_endpoint(loop: Path) -> None:
    """Even by position an answer for another endpoint, or one that is no stream, helps nobody."""
    with open_cassette(loop, match="ordered"), pytest.raises(CassetteMiss, match="method, path"):
        send([user(TASK)], "https://api.example.com/v1/other")
    with open_cassette(loop, match="ordered"), pytest.raises(CassetteMiss, match="stream"):
        send([user(TASK)], stream=True)


def test_lenient_serves_the_nearest_of_the_endpoint(tmp_path: Path) -> None:
    """In mode lenient the most similar unplayed recording answers, however far it is, and the drift is reported."""
    path = write(
        tmp_path / "two.yaml", chat([user("about cats and dogs")], "cats"), chat([user("about red cars")], "cars")
    )
    with open_cassette(path, match="lenient") as session:
        assert send([user("a story of blue cars")]) == "cars"
        assert send([user("nothing alike")]) == "cats"
    assert [d.position for d in session.drifts] == [2, 1]
    assert not session.stale


def test_equally_near_recordings_are_not_guessed(tmp_path: Path) -> None:
    """A reworded prompt that two cassettes fit equally well is ambiguous, not the first of them."""
    path = write(tmp_path / "two.yaml", chat([user("sum up page one")], "one"), chat([user("sum up page two")], "two"))
    with open_cassette(path), pytest.raises(CassetteMiss, match="answers differ"):
        send([user("sum up page three")])
    path = write(tmp_path / "same.yaml", *(chat([user(f"sum up page {one}")], "same") for one in ("one", "two")))
    with open_cassette(path):
        assert send([user("sum up page three")]) == "same"


def test_a_repeated_retry_in_other_words_gets_each_answer_once(tmp_path: Path) -> None:
    """Two answers to one recorded retry are no rivals: retries in other words get them in order."""
    path = write(tmp_path / "three.yaml", chat([user(TASK)], BAD), *(chat(retry(TOLD), said) for said in ("1", "2")))
    with open_cassette(path, contracts=[CONTRACT]) as session:
        send([user(TASK)])
        assert [send(retry("`title`: Input should be a valid string")) for _ in range(2)] == ["1", "2"]
    assert session.stale


def test_a_repeated_request_gets_each_answer_once(tmp_path: Path) -> None:
    """The same request sent again gets the next recorded answer, never the first one twice."""
    path = write(tmp_path / "same.yaml", chat([user(TASK)], "one"), chat([user(TASK)], "two"))
    with open_cassette(path) as session:
        assert [send([user(TASK)]), send([user(TASK)])] == ["one", "two"]
        with pytest.raises(CassetteMiss):
            send([user(TASK)])
    assert session.unplayed == ()


def test_a_failed_send_and_its_repetition_replay_without_waiting(loop: Path, tmp_path: Path) -> None:
    """Source row 1: a recorded 429 and its repetition both replay, and no SDK sleeps for the recorded hour."""
    import openai

    failed = chat([user(TASK)], "slow down", status=429)
    failed = type(failed)(*[getattr(failed, n) for n in failed.__slots__[:-2]], (("Retry-After", ("3600",)),), b"{}")
    path = write(tmp_path / "busy.yaml", failed, chat([user(TASK)], GOOD))
    with open_cassette(path) as session, openai.OpenAI(base_url="http://nowhere.test/v1", api_key="k") as client:
        client.chat.completions.create(model="m", messages=[user(TASK)])  # type: ignore[list-item]
    assert [p.exchange.status for p in session.played] == [429, 200]
    assert session.played[0].response.headers["retry-after"] == "3600"


def test_parallel_tasks_with_own_prompts_replay_in_any_order(tmp_path: Path) -> None:
    """Distinct prompts that run at once find their own conversation, whatever order the tasks take."""
    tasks = [f"{TASK}, number {n}" for n in range(6)]
    recorded = [chat([user(t)], BAD) for t in tasks] + [
        chat(retry(TOLD, t), GOOD.replace("Printer", t)) for t in reversed(tasks)
    ]
    path = write(tmp_path / "many.yaml", *recorded)

    async def run(task: str, turns: int) -> str:
        for _ in range(turns):
            await asyncio.sleep(0)
        await asend([user(task)])
        return await asend(retry(TOLD, task))

    for order in (1, -1):
        with open_cassette(path) as session:

            async def everything(order: int = order) -> list[str]:
                return await asyncio.gather(*(run(t, n * order % 5) for n, t in enumerate(tasks)))

            answers = asyncio.run(everything())
        assert [json.loads(a)["title"] for a in answers] == tasks
        assert (session.unplayed, session.drifts) == ((), ())


def identical(tmp_path: Path) -> Path:
    """Two conversations with the same prompt and different answers."""
    one, two = BAD.replace("unplug it", "first way"), BAD.replace("unplug it", "second way")
    return write(
        tmp_path / "twins.yaml",
        chat([user(TASK)], one),
        chat([user(TASK)], two),
        chat(retry(TOLD, bad=two), "two"),
        chat(retry(TOLD, bad=one), "one"),
    )


async def _twins(named: Any = None) -> list[str]:
    async def run(name: str) -> str:
        if named is not None:
            named.set(name)
        bad = await asend([user(TASK)])
        await asyncio.sleep(0.01)
        return bad + await asend(retry(TOLD, bad=bad))

    return await asyncio.gather(run("a"), run("b"))


def test_identical_parallel_prompts_are_exchangeable(tmp_path: Path) -> None:
    """Two live tasks with one prompt get its answers as they ask, and each goes on from the answer that it got."""
    with open_cassette(identical(tmp_path), contracts=[CONTRACT]) as session:
        answers = asyncio.run(_twins())
    assert sorted(a[-3:] for a in answers) == ["one", "two"]
    assert all(("first" in a) == a.endswith("one") for a in answers)
    assert (session.unplayed, session.misses, session.drifts) == ((), [], ())


def test_a_retry_that_lost_its_findings_is_told_among_identical_prompts(tmp_path: Path) -> None:
    """It is known by the answer that it sends back, whichever task was served first."""
    for lossy in ("first way", "second way"):
        with open_cassette(identical(tmp_path), contracts=[CONTRACT]) as session:
            served = [send([user(TASK)]) for _ in range(2)]
            for bad in reversed(served):
                if lossy not in bad:
                    assert send(retry(TOLD, bad=bad)) in ("one", "two")
                    continue
                with pytest.raises(CassetteMiss, match=r"missing: +title: "):
                    send(retry("Please try again.", bad=bad))
        assert [m.kind for m in session.misses] == [MissKind.MISSING]


def test_ids_follow_the_answer_that_had_them(tmp_path: Path) -> None:
    """Results of calls mean the same under any id, and each gets what was recorded behind its own."""

    def asked(id_: str) -> Any:
        call = {"id": id_, "type": "function", "function": {"name": "look", "arguments": "{}"}}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def told(id_: str) -> Any:
        return [user(TASK), asked(id_), {"role": "tool", "tool_call_id": id_, "content": "out of paper"}]

    path = write(tmp_path / "ids.yaml", *(chat(told(f"call_{n}"), f"after {n}") for n in range(3)))
    with open_cassette(path) as session:
        assert [send(told(f"call_{n}")) for n in (2, 0, 1)] == ["after 2", "after 0", "after 1"]
    assert session.drifts == ()
    with open_cassette(path):
        assert [send(told(f"call_{n}")) for n in (7, 8, 9)] == ["after 0", "after 1", "after 2"]


def test_identical_parallel_prompts_replay_with_names(tmp_path: Path) -> None:
    """With a name for each conversation identical prompts replay, each its own way."""
    import contextvars

    name: contextvars.ContextVar[str | None] = contextvars.ContextVar("name", default=None)
    with open_cassette(identical(tmp_path), conversation_id=name.get) as session:
        answers = asyncio.run(_twins(name))
    assert sorted(a[-3:] for a in answers) == ["one", "two"]
    assert all(("first" in a) == a.endswith("one") for a in answers)
    assert (session.unplayed, session.misses) == ((), [])


def test_names_in_the_recording_tell_identical_prompts_apart_every_time(tmp_path: Path) -> None:
    """Where the cassette knows the conversations, each sends one prompt as often as it likes: nothing is ambiguous."""
    recorded = [named(name, chat([user(TASK)], f"{name}{turn}")) for turn in (1, 2) for name in "ab"]
    asking = iter("baab")
    with open_cassette(write(tmp_path / "named.yaml", *recorded), conversation_id=lambda: next(asking)) as session:
        assert [send([user(TASK)]) for _ in range(4)] == ["b1", "a1", "a2", "b2"]
    assert (session.unplayed, session.misses) == ((), [])


def named(conversation: str, recorded: Interaction) -> Interaction:
    """An exchange as it is recorded inside a named conversation."""
    header = (CONVERSATION_HEADER, (conversation,))
    return replace(recorded, request_headers=(*recorded.request_headers, header))


def test_identical_prompts_one_after_the_other_need_no_names(tmp_path: Path) -> None:
    """Sampling the same prompt in sequence, a new thread or task each time, is not ambiguous."""
    path = write(tmp_path / "same.yaml", chat([user(TASK)], "one"), chat([user(TASK)], "two"), chat([user(TASK)], "3"))
    answers: list[str] = []
    with open_cassette(path):
        for _ in range(2):
            thread = threading.Thread(target=lambda: answers.append(send([user(TASK)])))
            thread.start()
            thread.join()
        answers.append(asyncio.run(asend([user(TASK)])))
    assert answers == ["one", "two", "3"]


def test_nothing_recorded_is_said_so(tmp_path: Path) -> None:
    """Without a file the miss says that nothing is recorded yet, and what to type."""
    with (
        pytest.raises(
            CassetteMiss, match=r"(?s)^nothing is recorded .* to record: pytest t\.py --planguard-record=all$"
        ),
        open_cassette(tmp_path / "none.yaml", command="pytest t.py --planguard-record=all"),
    ):
        send([user(TASK)])
    assert list(tmp_path.iterdir()) == []
