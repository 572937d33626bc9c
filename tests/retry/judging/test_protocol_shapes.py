"""One loop in every shape of a protocol: the app that feeds its error back converges, the one that does not fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import Judgement, judge
from pytest_planguard.retry.outcomes import CheckStatus, Grade, Outcome
from pytest_planguard.wire.assistant_threads import QUEUED
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message

from ...support.one_item import in_one_item
from ...wire.talk import CHAT, MESSAGES, RESPONSES, sse


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]


TICKET = Contract(Ticket)
ASK = "Write a ticket as JSON with title and priority: the printer is on fire."
BAD, GOOD = '{"title": "Printer", "priority": "urgent"}', '{"title": "Printer", "priority": "high"}'
DECOY = '{"title": "Decoy", "priority": "low"}'
TOLD = "That was not valid: priority: Input should be 'low', 'medium' or 'high' [type=literal_error]"
DROPPED = "That was not valid, try again."
Sent = tuple[str, str, Any, Any]
"""Method, URL, request and response. A response may be (status, _body)."""
Loop = Callable[[str], list[Sent]]
"""The traffic of an app that says this of the first answer. The second answer is good only if it was fed back."""


def _second(say: str) -> str:
    return GOOD if say is TOLD else BAD


def _recorded(sent: list[Sent]) -> list[Exchange]:
    found = []
    for number, (method, url, asked, answered) in enumerate(sent, 1):
        status, reply = answered if isinstance(answered, tuple) else (200, answered)
        request, given = (b if isinstance(b, bytes) else json.dumps(b).encode() for b in (asked, reply))
        kind = {"content-type": "text/event-stream" if given.startswith(b"data:") else "application/json"}
        found.append(decode(number, Message({}, request, method, url), Message(kind, given, status=status)))
    return found


def _chat(ask: Any = ASK, **extra: Any) -> Callable[[Callable[[str], Any]], Loop]:
    """Chat completions whose answer `said` puts into a body; the app repeats the answer as its turn."""

    def of(said: Callable[[str], Any]) -> Loop:
        def loop(say: str) -> list[Sent]:
            first = [{"role": "user", "content": ask}]
            then = [*first, {"role": "assistant", "content": BAD}, {"role": "user", "content": say}]
            turns = ((first, BAD), (then, _second(say)))
            return [("POST", CHAT, {"model": "m", "messages": m, **extra}, said(text)) for m, text in turns]

        return loop

    return of


def _choice(text: Any, **message: Any) -> dict[str, Any]:
    return {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}


def _body(*choices: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c", "choices": [{**one, "index": n} for n, one in enumerate(choices)]}


def _plain(text: str) -> dict[str, Any]:
    return _body(_choice(text))


def _streamed_choices(text: str) -> bytes:
    pieces = [(n, {"content": part}) for n, whole in enumerate((BAD, text)) for part in (whole[:9], whole[9:])]
    return sse(*({"choices": [{"index": n, "delta": delta}]} for n, delta in pieces), "[DONE]")


def _failing_first(status: int) -> Loop:
    def loop(say: str) -> list[Sent]:
        sent = _chat()(_plain)(say)
        return [(*sent[0][:3], (status, {"error": {"message": "slow down"}})), *sent]

    return loop


def _beside(*others: Sent) -> Loop:
    return lambda say: [*others, *_chat()(_plain)(say)]


def _calls(*parallel: Mapping[str, str]) -> Loop:
    """Calls of tools in one turn; what `save_ticket` returns is the feedback, and the app ends with a sentence."""
    tools = [{"type": "function", "function": {"name": "save_ticket", "parameters": Ticket.model_json_schema()}},
             {"type": "function", "function": {"name": "lookup", "parameters": {"type": "object"}}}]  # fmt: skip

    def turn(number: int, made: list[tuple[str, str]]) -> dict[str, Any]:
        return {"role": "assistant", "content": None, "tool_calls": [
            {"id": f"t{number}{n}", "type": "function", "function": {"name": name, "arguments": written}}
            for n, (name, written) in enumerate(made)]}  # fmt: skip

    def loop(say: str) -> list[Sent]:
        history: list[dict[str, Any]] = [{"role": "user", "content": ASK}]
        sent: list[Sent] = []
        made = [[(name, BAD if text == "bad" else text) for call in parallel for name, text in call.items()],
                [("save_ticket", _second(say))]]  # fmt: skip
        for number, one in enumerate(made):
            answer = turn(number, one)
            asked = {"model": "m", "messages": [*history], "tools": tools}
            sent.append(("POST", CHAT, asked, {"choices": [{"finish_reason": "tool_calls", "message": answer}]}))
            history += [answer, *(
                {"role": "tool", "tool_call_id": f"t{number}{n}", "content": say if text == BAD else "stored"}
                for n, (_, text) in enumerate(one))]  # fmt: skip
        if say is TOLD:
            sent.append(("POST", CHAT, {"model": "m", "messages": history, "tools": tools}, _plain("I saved it.")))
        return sent

    return loop


def _anthropic(blocks: Callable[[str], list[Any]], begun: str = "", marked: bool = False) -> Loop:
    def user(text: str, mark: bool) -> Any:
        cache = {"cache_control": {"type": "ephemeral"}} if mark else {}
        return {"role": "user", "content": [{"type": "text", "text": text, **cache}] if marked else text}

    def loop(say: str) -> list[Sent]:
        end = [{"role": "assistant", "content": begun}] if begun else []
        said = {"role": "assistant", "content": BAD if begun else blocks(BAD)}
        turns = (([user(ASK, True)], BAD), ([user(ASK, False), said, user(say, True)], _second(say)))
        return [("POST", MESSAGES, {"model": "c", "max_tokens": 9, "messages": [*m, *end]},
                 {"type": "message", "role": "assistant", "content": blocks(text.removeprefix(begun)),
                  "stop_reason": "end_turn"}) for m, text in turns]  # fmt: skip

    return loop


def _text_block(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": text, **more}


def _response(number: int, *output: Any, status: str = "completed") -> dict[str, Any]:
    return {"id": f"r{number}", "object": "response", "status": status, "output": list(output)}


def _message(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def _responses(before: Callable[[str], list[Any]], **extra: Any) -> Loop:
    """Responses whose output ends in the answer; the app repeats the whole output."""

    def loop(say: str) -> list[Sent]:
        told = {"type": "custom_tool_call_output", "call_id": "c", "output": say}
        last = before(BAD)[-1]
        user = told if last.get("call_id") else {"role": "user", "content": say}
        first = [{"role": "user", "content": ASK}]
        turns = ((first, BAD), ([*first, *before(BAD), user], _second(say)))
        return [("POST", RESPONSES, {"model": "m", "input": i, **extra}, _response(n, *before(text)))
                for n, (i, text) in enumerate(turns)]  # fmt: skip

    return loop


def _held(**by: Any) -> Loop:
    """Responses of which the server holds the history."""
    return lambda say: [
        ("POST", RESPONSES, {"model": "m", "input": ASK, **by}, _response(0, _message(BAD))),
        ("POST", RESPONSES, {"model": "m", "input": say, **(by or {"previous_response_id": "r0"})},
         _response(1, _message(_second(say)))),
    ]  # fmt: skip


def _background(say: str) -> list[Sent]:
    sent: list[Sent] = []
    for number, (method, url, asked, answered) in enumerate(_responses(lambda text: [_message(text)])(say)):
        queued = _response(number, status="queued")
        polls = (_response(number, status="in_progress"), answered)
        sent += [(method, url, {**asked, "background": True}, queued)]
        sent += [("GET", f"{RESPONSES}/r{number}", b"", poll) for poll in polls]
    return sent


THREAD = "https://api.openai.com/v1/threads/t1"


def _threads(say: str) -> list[Sent]:
    """Runs of a thread, which are polled; a list of the thread's messages brings each answer."""
    sent: list[Sent] = [
        ("POST", "https://api.openai.com/v1/assistants", {"model": "m", "instructions": "Be brief."},
         {"id": "a1", "object": "assistant"}),
        ("POST", "https://api.openai.com/v1/threads", {}, {"id": "t1", "object": "thread"}),
    ]  # fmt: skip
    listed: list[Any] = []
    for number, (text, reply) in enumerate(((ASK, BAD), (say, _second(say)))):
        run = {"id": f"run{number}", "object": "thread.run", "thread_id": "t1"}
        message = {"object": "thread.message", "role": "assistant", "run_id": run["id"], "content": [
            {"type": "text", "text": {"value": reply, "annotations": []}}]}  # fmt: skip
        listed.insert(0, {**message, "id": f"m{number}"})
        sent += [
            ("POST", f"{THREAD}/messages", {"role": "user", "content": text}, {"id": "u", "object": "thread.message"}),
            ("POST", f"{THREAD}/runs", {"assistant_id": "a1"}, {**run, "status": "queued"}),
            ("GET", f"{THREAD}/runs/{run['id']}", b"", {**run, "status": "in_progress"}),
            ("GET", f"{THREAD}/runs/{run['id']}", b"", {**run, "status": "completed"}),
            ("GET", f"{THREAD}/messages", b"", {"object": "list", "data": [*listed]}),
        ]
    return sent


def _custom(text: str) -> list[Any]:
    return [{"type": "custom_tool_call", "call_id": "c", "name": "save_ticket", "input": text}]


IMAGE = [_text_block(ASK), {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
FILE = [_text_block(ASK), {"type": "file", "file": {"file_id": "f"}}]
HOST = "https://api.openai.com/v1"
SHAPES: dict[str, Loop] = {
    "reasoning content": _chat()(lambda text: _body(_choice(text, reasoning_content=DECOY))),
    "think tag": _chat()(lambda text: _plain(f"<think>{DECOY}</think>\n{text}")),
    "content parts": _chat()(lambda text: _body(_choice([_text_block(text)]))),
    "several choices": _chat(n=3)(lambda text: _body(_choice(BAD), _choice(text), _choice(BAD))),
    "streamed choices": _chat(n=2, stream=True)(_streamed_choices),
    "failed with 429": _failing_first(429),
    "failed with 500": _failing_first(500),
    "image": _chat(IMAGE)(_plain),
    "file upload": lambda say: [
        ("POST", f"{HOST}/files", b"--x\r\n", {"id": "f", "object": "file"}), *_chat(FILE)(_plain)(say)],
    "embeddings beside": _beside(
        ("POST", f"{HOST}/embeddings", {"model": "e", "input": ASK}, {"object": "list", "data": [{"index": 0}]}),
        ("POST", f"{HOST}/moderations", {"input": ASK}, {"id": "m", "results": [{"flagged": False}]}),
    ),
    "two tickets in one turn": _calls({"save_ticket": DECOY}, {"save_ticket": "bad"}),
    "lookup and ticket in one turn": _calls({"lookup": "{}"}, {"save_ticket": "bad"}),
    "prefill": _anthropic(lambda text: [_text_block(text)], begun="{"),
    "thinking": _anthropic(lambda text: [{"type": "thinking", "thinking": DECOY, "signature": "s"},
                                        {"type": "redacted_thinking", "data": "x"}, _text_block(text)]),
    "citations": _anthropic(lambda text: [_text_block(text[:9]), _text_block(text[9:20], citations=[{}]),
                                         _text_block(text[20:])]),
    "web search": _anthropic(lambda text: [{"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                                          {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
                                          _text_block(text)]),
    "cache control that moves": _anthropic(lambda text: [_text_block(text)], marked=True),
    "previous response id": _held(),
    "conversation id": _held(conversation="conv_1"),
    "background": _background,
    "threads of an assistant": _threads,
    "reasoning item": _responses(lambda text: [{"type": "reasoning", "id": "s", "summary": [
        {"type": "summary_text", "text": DECOY}]}, _message(text)]),
    "call of a server's tool": _responses(lambda text: [
        {"type": "mcp_call", "id": "p", "name": "lookup", "arguments": "{}", "output": DECOY}, _message(text)]),
    "custom tool": _responses(_custom, tools=[{"type": "custom", "name": "save_ticket"}]),
}  # fmt: skip


def _judged(shape: str, say: str) -> Judgement:
    return judge(_recorded(SHAPES[shape](say)), [TICKET])


@in_one_item
@pytest.mark.parametrize("shape", SHAPES)
def test_feedback_is_seen(shape: str) -> None:
    """One conversation of two attempts, and the error is fed back."""
    (found,) = _judged(shape, TOLD).conversations
    assert (found.outcome, len(found.attempts)) == (Outcome.CONVERGED, 2)
    assert [fed.grade for fed in found.attempts[0].fed_back] == [Grade.FED_BACK]


@in_one_item
@pytest.mark.parametrize("shape", SHAPES)
def test_dropped_feedback_is_seen(shape: str) -> None:
    """The same app without its feedback has no conversation that converges, and the retry is blamed."""
    (found,) = _judged(shape, DROPPED).conversations
    assert next(check.name for check in found.checks if check.status is CheckStatus.FAIL) == "feedback"
    assert found.outcome in (Outcome.STUCK, Outcome.NO_PROGRESS)
    assert len(found.attempts) == 2


def _with_valid_answer(part: Any) -> Any:
    if isinstance(part, tuple):
        return part
    return (
        part.replace(b"urgent", b"medium") if isinstance(part, bytes) else _with_valid_answer(json.dumps(part).encode())
    )


@in_one_item
@pytest.mark.parametrize("shape", SHAPES)
def test_rejected_valid_answer_is_seen(shape: str) -> None:
    """An app that rejects an answer which meets the contract disagrees with the contract."""
    sent = [(*one[:2], *map(_with_valid_answer, one[2:])) for one in SHAPES[shape](TOLD)]
    found = judge(_recorded(sent), [TICKET]).conversations[0]
    assert [check.name for check in found.checks if check.status is CheckStatus.FAIL] == ["agreed"]


def test_queued_answer_that_never_comes() -> None:
    """A queued response is no answer, so nothing is _judged, and the reason says so."""
    found = judge(_recorded(_background(TOLD)[:2]), [TICKET])
    assert (found.conversations, found.reasons[1]) == ((), QUEUED)


def test_choice_that_the_app_repeats() -> None:
    """If a later request repeats a bad choice, the app took that one, although another choice was valid."""
    loop = _chat(n=2)(lambda text: _body(_choice(text), _choice(GOOD)))
    (found,) = judge(_recorded(loop(TOLD)), [TICKET]).conversations
    assert [attempt.exchange.answer_text for attempt in found.attempts] == [BAD, GOOD]


def test_tool_without_arguments_is_no_answer() -> None:
    """The only tool of a request takes no text: its call is a step."""
    call = {"type": "function_call", "call_id": "c", "name": "finish", "arguments": "{}"}
    tools = [{"type": "function", "name": "finish"}]
    sent = [("POST", RESPONSES, {"model": "m", "input": ASK, "tools": tools}, _response(0, call))]
    assert judge(_recorded(sent), [TICKET]).conversations == ()
