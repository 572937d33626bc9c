"""A function whose calls are recorded and replayed, without a test session around it."""

import asyncio
import functools
import http.client
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract, Step, StepContext, tape
from pytest_planguard.errors import CassetteError, NoRecordedAnswer, UsageError
from pytest_planguard.plan_search.loop import search
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.taped_call import taped

PLAIN = "only text, messages and plain data can be recorded; to leave an argument out, name it in ignore="
TYPED = "annotate the return type, pass it as returns=, or return the text"


class Reply(BaseModel):
    """A response as SDKs have them."""

    words: str
    tokens: int = 0


@dataclass
class Pair:
    """A plain value of an app."""

    left: str
    right: list[int]


def silent_twin(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that looks the same and fails the test if it is called, as a replay never should."""

    @functools.wraps(ask)
    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("called in a replay")

    return never


def recorded_then(file: Path, ask: Callable[..., Any], *calls: Any) -> list[Any]:
    """Make calls while recording, and return what a replay answers to the same."""
    with open_cassette(file, mode="all"):
        live = [taped(ask, name="ask")(call) for call in calls]
    with open_cassette(file):
        silent = taped(silent_twin(ask), name="ask")
        again = [silent(call) for call in calls]
    assert again == live
    return again


def test_the_decorator_passes_on_what_it_is_given(tmp_path: Path) -> None:
    """Its own name in the cassette, the type of its answer, and arguments that bear no meaning."""

    @tape(name="my ask", returns=Reply, ignore=["client"])
    def ask(prompt: str, client: object) -> Any:
        return Reply(words=f"{prompt} {client is None}")

    file = tmp_path / "a.yaml"
    with open_cassette(file, mode="all"):
        assert ask("a", object()) == Reply(words="a False")
    with open_cassette(file) as session:
        assert ask("a", None) == Reply(words="a False")
        assert session.urls == ("call://python/my%20ask",)


def test_values_come_back_as_their_type(tmp_path: Path) -> None:
    """By the annotation of the function."""

    def reply(prompt: str) -> Reply:
        return Reply(words=prompt, tokens=3)

    def pair(prompt: str) -> Pair:
        return Pair(prompt, [1])

    assert recorded_then(tmp_path / "a.yaml", reply, "x", "y") == [
        Reply(words="x", tokens=3),
        Reply(words="y", tokens=3),
    ]
    assert recorded_then(tmp_path / "b.yaml", pair, "x") == [Pair("x", [1])]
    assert recorded_then(tmp_path / "c.yaml", lambda prompt: {"a": [prompt, None]}, "x") == [{"a": ["x", None]}]


def test_an_object_that_is_called_has_the_type_of_its_method(tmp_path: Path) -> None:
    """The annotation is that of `__call__`."""

    class Asker:
        asked = 0

        def __call__(self, prompt: str) -> Pair:
            self.asked += 1
            return Pair(prompt, [self.asked])

    asker, answers = Asker(), []
    for mode in ("all", "none"):
        with open_cassette(tmp_path / "a.yaml", mode=mode):  # type: ignore[arg-type]
            answers.append(taped(asker)("x"))
    assert (answers, asker.asked) == ([Pair("x", [1])] * 2, 1)


def test_a_request_is_read_as_messages_and_words(tmp_path: Path) -> None:
    """Messages as they are, other words behind them; the model and settings are no words."""
    turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "A ticket."}]

    tools = [{"type": "function", "function": {"name": "save", "parameters": {"type": "object"}}}]

    def ask(tools: Any, messages: list[dict[str, str]], errors: list[str], model: str, temperature: float) -> str:
        return "{}"

    with open_cassette(tmp_path / "a.yaml", mode="all"):
        taped(ask)(tools, turns, ["steps: missing"], "m1", temperature=0.5)
    (exchange,) = read_cassette(tmp_path / "a.yaml").exchanges
    assert [(item.role.value, item.text) for item in exchange.request] == [
        ("system", "Be brief."),
        ("user", "A ticket."),
        ("user", '["steps: missing"]'),
    ]
    assert (exchange.dialect, exchange.model, exchange.url) == ("call", "m1", "call://python/ask")
    assert list(exchange.tools) == ["save"]


def test_what_holds_a_coroutine_function_stays_awaitable(tmp_path: Path) -> None:
    """A partial of one, and an object that is called, stay awaitable."""

    async def ask(client: object, prompt: str) -> str:
        return prompt.upper()

    class Asker:
        async def __call__(self, prompt: str) -> str:
            return prompt.upper()

    for number, function in enumerate((functools.partial(ask, object()), Asker())):
        file = tmp_path / f"{number}.yaml"
        for mode in ("all", "none"):
            with open_cassette(file, mode=mode):  # type: ignore[arg-type]
                assert asyncio.run(taped(function, ignore=["client"])("x")) == "X"


def test_a_call_that_is_cancelled_at_once_is_replayed_as_that(tmp_path: Path) -> None:
    """No answer is recorded for it, so a replay must not look for one."""

    async def ask(prompt: str) -> str:
        await asyncio.sleep(0)
        return prompt.upper()

    async def both() -> tuple[bool, str]:
        first = asyncio.create_task(taped(ask)("first"))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        return first.cancelled(), await taped(ask)("second")

    for mode in ("all", "none"):
        with open_cassette(tmp_path / "a.yaml", mode=mode) as session:  # type: ignore[arg-type]
            assert asyncio.run(both()) == (True, "SECOND")
        assert (len(session.exchanges), session.misses, session.unplayed) == (1, [], ())


def test_what_a_call_sends_itself_is_not_recorded_again(tmp_path: Path, server: tuple[str, int]) -> None:
    """Its answer is that of the call; a host that was reached so is no way around the cassette."""

    def ask(prompt: str) -> str:
        connection = http.client.HTTPConnection(*server)
        connection.request("POST", "/v1/completions", json.dumps({"prompt": prompt}))
        return connection.getresponse().read().decode()

    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        assert taped(ask)("x") == "{}"
    assert [play.request.url for play in session.recorded] == ["call://python/ask"]
    assert session.bypasses == ()


def test_without_a_cassette_only_the_decorator_calls_the_function(tmp_path: Path) -> None:
    """The form of the fixture refuses instead, because the test that it belongs to must not ask a model."""

    @tape
    def ask(prompt: str) -> str:
        return prompt

    assert ask("x") == "x"
    assert ask.__name__ == "ask"
    with pytest.raises(CassetteError) as refused:
        taped(ask, only_within=lambda: True)("x")
    assert str(refused.value) == ("ask was called without an open cassette; call it in the body of the test")


def test_a_search_gets_each_answer_at_its_place(tmp_path: Path) -> None:
    """By step, prefix, feedback and index: no answer of another path is served."""
    contract: Contract[Any] = Contract(Reply)
    made = []

    @tape(name="model")
    def ask(context: StepContext) -> str:
        made.append(context.key)
        return '{"words": "yes"}' if context.own else "{}"

    steps = [Step("spec", ask, contract), Step("plan", ask, contract)]
    with open_cassette(tmp_path / "a.yaml", mode="all"):
        live = search(steps)
    with open_cassette(tmp_path / "a.yaml") as session:
        again = search(steps)
    assert len(made) == 4
    assert live.tree == again.tree
    assert [play.request.url.count("/") for play in session.played] == [7] * 4
    with open_cassette(tmp_path / "a.yaml") as session:
        other = search([Step("other", ask, contract)])
    assert not other.succeeded
    assert "sent:      the function model, step other" in session.misses[0].message


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda prompt: object(),
            f"the return value of ask cannot be recorded: got object; {PLAIN}",
        ),
        (
            lambda prompt: Reply(words="x"),
            f"the return value of ask cannot be replayed: got Reply; {TYPED}",
        ),
        (
            lambda prompt: {"reply": Reply(words="x")},
            f"the return value of ask.reply cannot be replayed: got Reply; {TYPED}",
        ),
        (
            lambda prompt: (letter for letter in prompt),
            "ask cannot be recorded: got a stream (generator); return its parts joined",
        ),
    ],
)
def test_answers_that_cannot_be_replayed_are_refused(tmp_path: Path, ask: Callable[..., Any], message: str) -> None:
    """While recording, so that no replay differs from the run before."""
    with open_cassette(tmp_path / "a.yaml", mode="all"), pytest.raises(UsageError) as refused:
        taped(ask)("x")
    assert str(refused.value) == message


def test_a_function_that_returns_a_coroutine_must_be_async(tmp_path: Path) -> None:
    """Without `async def`, a replay cannot know that the app awaits the answer."""

    async def later() -> str:
        return "x"

    with open_cassette(tmp_path / "a.yaml", mode="all"), pytest.raises(UsageError) as refused:
        taped(lambda: later())()
    assert str(refused.value) == "ask cannot be recorded: got coroutine; define it with `async def`"


def test_an_answer_that_no_longer_has_the_return_type_is_refused(tmp_path: Path) -> None:
    """The message says what to do."""
    file = tmp_path / "a.yaml"
    with open_cassette(file, mode="all"):
        taped(lambda prompt: {"other": 1}, name="ask")("x")
    with open_cassette(file), pytest.raises(CassetteError) as refused:
        taped(lambda prompt: {}, name="ask", returns=Reply)("x")
    assert str(refused.value) == (
        "the recorded answer of ask does not match its return type: got 1 validation error for Reply; "
        "record the test again"
    )


def test_a_miss_is_raised_and_kept(tmp_path: Path) -> None:
    """What the app does with the error does not matter."""
    file = tmp_path / "a.yaml"
    recorded_then(file, lambda prompt: "x", "one")
    with open_cassette(file, match="strict") as session:
        with pytest.raises(NoRecordedAnswer, match="the function ask"):
            taped(silent_twin(str), name="ask")("quite another matter")
        with pytest.raises(NoRecordedAnswer, match="the function other"):
            taped(silent_twin(str), name="other")("one")
    assert len(session.misses) == 2


def test_only_a_function_can_be_recorded() -> None:
    """The message says what was given."""
    with pytest.raises(UsageError) as refused:
        taped("ask")  # type: ignore[type-var]
    assert str(refused.value) == "a call tape needs a function: got str; pass the one that asks the model"


@pytest.fixture
def server() -> Iterator[tuple[str, int]]:
    """A server that answers {} to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield ("127.0.0.1", running.server_port)
        running.shutdown()
