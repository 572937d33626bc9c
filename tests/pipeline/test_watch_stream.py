"""A stream that is passed on, watched, and closed early: by real clients from a real server."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from pytest_planguard import Outcome, UsageError
from pytest_planguard.pipeline.stream_monitor import StreamLog
from pytest_planguard.pipeline.watch_stream import aconverge_stream, converge_stream, watch_stream

from .plans import PLAN, Plan, as_json, pieces, plan, prose
from .sse_server import StreamingServer, streaming_server

MESSAGES: Any = [{"role": "user", "content": "A plan as JSON"}]
ENDLESS = prose(11, 100_000)
WAIT_S = 20


@pytest.fixture
def server() -> Iterator[StreamingServer]:
    """Server."""
    with streaming_server() as started:
        yield started


def openai_stream(server: StreamingServer, messages: Any = MESSAGES) -> Any:
    """Openai stream."""
    client = openai.OpenAI(api_key="x", base_url=f"http://127.0.0.1:{server.port}/v1", max_retries=0)
    return client.chat.completions.create(model="m", messages=messages, stream=True)


def anthropic_stream(server: StreamingServer) -> Any:
    """Anthropic stream."""
    client = anthropic.Anthropic(api_key="x", base_url=f"http://127.0.0.1:{server.port}", max_retries=0)
    return client.messages.create(model="m", max_tokens=9, messages=MESSAGES, stream=True)


async def async_openai_stream(server: StreamingServer, messages: Any = MESSAGES) -> Any:
    """Async openai stream."""
    client = openai.AsyncOpenAI(api_key="x", base_url=f"http://127.0.0.1:{server.port}/v1", max_retries=0)
    return await client.chat.completions.create(model="m", messages=messages, stream=True)


async def async_anthropic_stream(server: StreamingServer) -> Any:
    """Async anthropic stream."""
    client = anthropic.AsyncAnthropic(api_key="x", base_url=f"http://127.0.0.1:{server.port}", max_retries=0)
    return await client.messages.create(model="m", max_tokens=9, messages=MESSAGES, stream=True)


@pytest.mark.slow
@pytest.mark.parametrize("opened", [openai_stream, anthropic_stream])
def test_an_abort_closes_the_connection(server: StreamingServer, opened: Any) -> None:
    """The server cannot write any more, long before the answer's end."""
    server.answers = [ENDLESS]
    stream = watch_stream(opened(server), PLAN)
    for _ in stream:
        pass
    assert stream.aborted is not None
    assert (stream.aborted.code, stream.aborted.character) == ("prose", 2_000)
    assert stream.text == ENDLESS[:2_000]
    assert server.closed.wait(WAIT_S)
    assert not server.ended.is_set()


@pytest.mark.slow
@pytest.mark.parametrize("opened", [async_openai_stream, async_anthropic_stream])
def test_an_abort_closes_the_connection_of_an_async_client(server: StreamingServer, opened: Any) -> None:
    """An abort closes the connection of an async client."""
    server.answers = [ENDLESS]

    async def read() -> Any:
        stream = watch_stream(await opened(server), PLAN)
        async for _ in stream:
            pass
        closed = await asyncio.to_thread(server.closed.wait, WAIT_S)  # while the event loop and the client live on
        return stream, closed

    stream, closed = asyncio.run(read())
    assert stream.aborted is not None
    assert stream.aborted.code == "prose"
    assert closed
    assert not server.ended.is_set()


@pytest.mark.parametrize("opened", [openai_stream, anthropic_stream])
def test_a_good_answer_is_read_to_its_end(server: StreamingServer, opened: Any) -> None:
    """A good answer is read to its end."""
    text = as_json(plan(20))
    server.answers = [text]
    stream = watch_stream(opened(server), PLAN, policy="abort")
    count = sum(1 for _ in stream)
    assert (stream.text, stream.findings, stream.aborted) == (text, (), None)
    assert count >= len(text) // 8
    assert server.ended.wait(WAIT_S)


def test_observing_closes_nothing() -> None:
    """Observing closes nothing."""
    stream = watch_stream(pieces(prose(12)), PLAN, policy="observe")
    assert "".join(stream) == prose(12)
    assert [found.code for found in stream.findings] == ["prose"]
    assert stream.aborted is None


def test_a_generator_is_closed_before_its_last_piece_is_passed_on() -> None:
    """A generator is closed before its last piece is passed on."""
    closed = []

    def stream() -> Iterator[str]:
        try:
            yield from pieces(ENDLESS)
        finally:
            closed.append(True)

    assert "".join(watch_stream(stream(), PLAN)) == ENDLESS[:2_000]
    assert closed == [True]


@pytest.mark.slow
def test_the_reason_of_an_abort_goes_into_the_next_request(server: StreamingServer) -> None:
    """Three attempts: prose, the schema, a plan. Each counts, with its own failure kind."""
    server.answers = [ENDLESS, as_json(Plan.model_json_schema()), as_json(plan())]
    found = converge_stream(lambda messages: openai_stream(server, messages), "A plan as JSON", PLAN)
    assert found.outcome is Outcome.CONVERGED
    assert [str(attempt.verdict.kind) for attempt in found.attempts] == ["prose", "schema_echo", "None"]
    second, third = (request["messages"] for request in server.requests[1:])
    assert "no JSON document in the first 500 tokens" in second[-1]["content"]
    assert second[-2]["content"] == ENDLESS[:2_000]
    assert "JSON Schema itself" in third[-1]["content"]
    assert found.check("feedback").status == "pass"


@pytest.mark.slow
def test_the_same_with_an_async_client(server: StreamingServer) -> None:
    """The same with an async client."""
    server.answers = [ENDLESS, as_json(plan())]

    async def ask(messages: Any) -> Any:
        return await async_openai_stream(server, messages)

    found = asyncio.run(aconverge_stream(ask, "A plan as JSON", PLAN))
    assert [str(attempt.verdict.kind) for attempt in found.attempts] == ["prose", "None"]
    assert found.ok


def test_an_abort_without_retry_ends_the_conversation() -> None:
    """An abort without retry ends the conversation."""
    asked = []

    def ask(messages: Any) -> Iterator[str]:
        asked.append(messages)
        return pieces(ENDLESS)

    found = converge_stream(ask, "A plan as JSON", PLAN, policy="abort")
    assert (found.outcome, len(asked)) == (Outcome.REJECTED, 1)


def test_an_unknown_policy_is_named() -> None:
    """An unknown policy is named."""
    message = r"^unknown policy: got 'stop'; give one of observe, abort, abort-and-retry$"
    with pytest.raises(UsageError, match=message):
        watch_stream([], PLAN, policy="stop")


@pytest.mark.parametrize("name", ["PLANGUARD_STREAM_LOG", "PLANEXE_STREAM_LOG"])
def test_the_log_grows_with_each_piece(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tail -f` shows a piece before the next one comes."""
    monkeypatch.setenv(name, "true")
    stream = watch_stream(pieces(as_json(plan())), PLAN, log=tmp_path / "run")
    path = tmp_path / "run" / "stream.log"
    text = ""
    for piece in stream:
        text += piece
        assert path.read_text("utf-8") == text
    assert text == as_json(plan())


@pytest.mark.parametrize("value", [None, "false", ""])
def test_without_the_variable_there_is_no_log(
    tmp_path: Path, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the variable there is no log."""
    monkeypatch.delenv("PLANGUARD_STREAM_LOG", raising=False)
    if value is not None:
        monkeypatch.setenv("PLANGUARD_STREAM_LOG", value)
    for _ in watch_stream(pieces(as_json(plan())), PLAN, log=tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_cannot_be_written_does_not_end_the_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that cannot be written does not end the stream."""
    (tmp_path / "run").write_text("a file where the folder should be", "utf-8")
    monkeypatch.setenv("PLANGUARD_STREAM_LOG", "true")
    assert "".join(watch_stream(pieces(as_json(plan())), PLAN, log=tmp_path / "run")) == as_json(plan())
    log = StreamLog(tmp_path / "run" / "stream.log")
    log.write("a")
    assert isinstance(log.problem, OSError)


@pytest.mark.parametrize("fails", [True, False])
def test_the_log_is_closed_where_no_last_item_comes(
    tmp_path: Path, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that fails, and a reader that stops early, leave no open file behind."""
    monkeypatch.setenv("PLANGUARD_STREAM_LOG", "true")

    def stream() -> Iterator[str]:
        yield '{"steps"'
        raise ConnectionError("reset by peer")

    def read() -> None:
        for _ in watch_stream(stream(), PLAN, log=tmp_path / "run"):
            if not fails:
                return

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", ResourceWarning)
        with pytest.raises(ConnectionError) if fails else nullcontext():
            read()
        gc.collect()
    assert [str(one.message) for one in seen] == []
    assert (tmp_path / "run" / "stream.log").read_text("utf-8") == '{"steps"'


def test_an_async_generator_is_closed() -> None:
    """An async generator is closed."""
    closed = []

    async def stream() -> AsyncIterator[str]:
        try:
            for piece in pieces(ENDLESS):
                yield piece
        finally:
            closed.append(True)

    async def read() -> str:
        return "".join([piece async for piece in watch_stream(stream(), PLAN)])

    assert asyncio.run(read()) == ENDLESS[:2_000]
    assert closed == [True]


class BothWays:
    """A stream as some SDKs wrap it: one object for both loops."""

    def __iter__(self) -> Iterator[str]:
        yield from ('{"title": ', '"sync"}')

    async def __aiter__(self) -> AsyncIterator[str]:
        for piece in ('{"title": ', '"async"}'):
            yield piece


def test_the_loop_decides_how_a_stream_is_read() -> None:
    """A stream that allows `for` and `async for` is read as the app reads it."""

    async def read() -> str:
        return "".join([piece async for piece in watch_stream(BothWays())])

    assert "".join(watch_stream(BothWays())) == '{"title": "sync"}'
    assert asyncio.run(read()) == '{"title": "async"}'
