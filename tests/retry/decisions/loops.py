"""What driven loops come to, and what they ask for: by script, contract, option and kind of answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard import Budget, Contract, converge, custom, min_length, not_copied
from pytest_planguard.retry.results import Attempt

from ...support.decisions import Block, Decided, Messages, sorted_out
from .. import test_assistant_turn
from .conversations import conversation
from .turns import BROKEN, CALLED, FRESH, GOOD, SHORT, SOON, TICKET, TICKET_SCHEMA, URGENT

COPIED = GOOD.replace("Printer on fire", "expected at least 3 characters")
FATAL = Contract(TICKET_SCHEMA, constraints=[min_length("title", 10, severity="fail")])
EXAMPLE = Contract(TICKET_SCHEMA, constraints=[not_copied("title", min_words=2)])
TEXT = Contract(TICKET_SCHEMA, judged="text")
DEMANDING = Contract(TICKET_SCHEMA, calls="look")
LINKED = Contract(
    TICKET_SCHEMA, constraints=[custom("title", lambda title: None if "!" in title else "see https://a.example/b")]
)
FAILS = ConnectionError("slow down")
TURNS = [{"role": "system", "content": "You write tickets."}, {"role": "user", "content": "Write one."}]
VARIABLES = "/ticket $RETRY_INFO\nWrite one.\n$VALIDATION_ERRORS"
GEMINI = [{"role": "user", "parts": [{"text": "Write one."}]}]


def called(arguments: str, call_id: str = "c1", name: str = "Ticket", **message: Any) -> dict[str, Any]:
    """Return a chat completion that calls a tool."""
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return _chat({"content": None, "tool_calls": [call], **message}, "tool_calls")


def told(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return a chat completion in words."""
    return _chat({"content": text, **message}, finish)


def _chat(message: dict[str, Any], finish: str) -> dict[str, Any]:
    return {
        "object": "chat.completion",
        "model": "m-1",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 10},
    }


SCRIPTS: dict[str, tuple[Any, ...]] = {
    "good": (GOOD,),
    "bad, good": (URGENT, GOOD),
    "bad, worse, good": (URGENT, BROKEN.replace('"priority"', '"priority":: x}'), GOOD),
    "bad three times": (URGENT, SOON, SHORT),
    "stuck": (URGENT, SHORT, URGENT, GOOD),
    "cut off": (BROKEN,),
    "cut off by the limit": (told(BROKEN, "length"),),
    "empty, good": ("", GOOD),
    "empty twice": ("", "", GOOD),
    "refused": (told(None, refusal="I cannot."),),
    "filtered": (told("", "content_filter"),),
    "failed, bad, failed, good": (FAILS, URGENT, FAILS, GOOD),
    "completions": (told(URGENT), told(GOOD)),
    "calls": (called(URGENT), called(GOOD, "c2")),
    "calls with words": (called(URGENT, content="Here:"), called(GOOD, "c2")),
    "another tool": (called("{}", name="look"), called(GOOD, "c2")),
    "words, then a call": (told("Which printer?"), called(GOOD)),
    "copied": (SHORT, COPIED, GOOD),
    "values": ({"title": "x", "priority": "low"}, {"title": "Printer", "priority": "low"}),
}
SOME = ("bad, good", "stuck", "completions", "calls", "another tool", "copied")
"""Scripts that are run under every option; the others are run under none."""
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "inject": {"placement": "inject"},
    "command": {"placement": "command"},
    "blind": {"placement": "blind"},
    "blind in style": {"style": "blind"},
    "a template": {"template": "Again ({attempt} of {max_attempts}):\n{errors}"},
    "two attempts": {"max_attempts": 2},
    "stuck or not": {"stop_when_stuck": False, "max_attempts": 4},
    "99 tokens": {"budget": Budget(tokens=99)},
    "100 tokens": {"budget": Budget(tokens=100)},
    "money": {"budget": Budget(cost=0.1, price=lambda usage: 0.05)},
    "turns": {"messages": TURNS},
    "turns, injected": {"messages": TURNS, "placement": "inject"},
    "variables": {"messages": VARIABLES},
    "variables, injected": {"messages": VARIABLES, "placement": "inject"},
    "variables, commanded": {"messages": VARIABLES, "placement": "command"},
    "Gemini's turns": {"messages": GEMINI},
    "a named tool": {"contract": CALLED},
    "the text alone": {"contract": TEXT},
    "a demanded call": {"contract": DEMANDING},
    "no copies": {"contract": FRESH},
    "no copies of two words": {"contract": EXAMPLE, "placement": "inject"},
    "a fatal rule": {"contract": FATAL},
    "a message with an address": {"contract": LINKED},
    "a message with an address, injected": {"contract": LINKED, "placement": "inject"},
}


def loops(page: Messages) -> Iterator[Block]:
    """What each script comes to under each option."""
    for option, given in OPTIONS.items():
        decided = []
        for name, script in SCRIPTS.items():
            if not given or name in SOME:
                decided.append(Decided(f"{option}: {name} {script}", _driven(page, script, **given), name))
        yield Block(option, decided)


def replies(page: Messages) -> Iterator[Block]:
    """How the next request quotes the answers of each API, and what is read of them."""
    decided = []
    for name, body in _bodies():
        ways = []
        for other, api in APIS.items():
            said = _driven(page, (body, GOOD), messages=[api.first, *api.said])
            ways.append((said.partition(" [")[0].replace(" -> verbatim priority", ""), other))
        decided.append(Decided(json.dumps(body), sorted_out(ways), name))
    yield Block("an answer among the turns of each API", decided)


APIS = test_assistant_turn.APIS
RESPONSES, ANTHROPIC = APIS["responses"].calls[0], APIS["anthropic"].calls[0]
WORDS = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here:", "parsed": None}]}


def _bodies() -> Iterator[tuple[str, Any]]:
    for name, api in APIS.items():
        yield from ((f"{name} {number}", body) for number, body in enumerate(api.calls, 1))
    yield "a null among the parts", {**RESPONSES, "output": [{**RESPONSES["output"][0], "status": None}]}
    yield "parsed copies", {**RESPONSES, "output": [{**RESPONSES["output"][0], "parsed_arguments": {}}]}
    yield "words beside a call", {**RESPONSES, "output": [*RESPONSES["output"], WORDS]}
    without = [{"type": "text", "text": ""}, *ANTHROPIC["content"]]
    yield "blocks without words", {**ANTHROPIC, "content": without}
    yield "nothing", {"candidates": []}
    yield "two texts", {**ANTHROPIC, "content": [{"type": "text", "text": text} for text in ("a", "b")]}
    two = [{**WORDS, "content": [{"type": "output_text", "text": text}]} for text in ("a", "b")]
    yield "two messages", {**RESPONSES, "output": two}
    parsed = {**ANTHROPIC["content"][-1], "parsed_output": {"a": 1}}
    yield "a parsed output", {**ANTHROPIC, "content": [*ANTHROPIC["content"][:-1], parsed]}
    for spelled in ("functionCall", "function_call"):
        part = {spelled: {"name": "Ticket", "args": {"a": 1}, "id": None}, "thought": None}
        yield f"a part's {spelled}", {"candidates": [{"content": {"role": "model", "parts": [part]}}]}


def _driven(
    page: Messages,
    script: tuple[Any, ...],
    messages: Any = "Write a ticket.",
    contract: Contract = TICKET,
    **options: Any,
) -> str:
    asked: list[Any] = []
    seen: list[Attempt] = []
    waits: list[float] = []

    def ask(turns: Any) -> Any:
        asked.append(json.loads(json.dumps(turns)))
        answer = script[min(len(asked), len(script)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    try:
        found = converge(ask, messages, contract, sleep=waits.append, on_attempt=seen.append, **options)
    except Exception as error:
        page.add("error of a loop", f"{type(error).__name__}: {error}")
        return type(error).__name__
    used = f"{found.usage.input_tokens}+{found.usage.output_tokens} tokens" if found.usage.input_tokens else ""
    more = [f"waited {waits}" if waits else "", used, f"{len(seen)} of {found.max_attempts} attempts"]
    asked_for = " / ".join(_shape(turns) for turns in asked[1:]) or "once"
    said = f"{found.stop_reason}, {', '.join(filter(None, more))}, asked: {asked_for}"
    return f"{said} / {conversation(page, found)}"


def _shape(turns: Any) -> str:
    """Return a request in short: its number of turns, and the last two with their parts."""
    if isinstance(turns, str):
        return f"a text of {turns.count(chr(10)) + 1} lines"
    return f"{len(turns)}: {', '.join(map(_turn, turns[-2:]))}"


def _turn(turn: Any) -> str:
    content = turn.get("content", turn.get("parts", turn.get("output", turn.get("type"))))
    parts = "+".join(_part(part) for part in content) if isinstance(content, list) else type(content).__name__
    calls = "".join(f" calls {call.get('id')}" for call in turn.get("tool_calls") or ())
    answers = "".join(f" answers {turn[key]}" for key in ("tool_call_id", "call_id") if key in turn)
    return f"{turn.get('role', turn.get('type'))} {parts}{calls}{answers}"


def _part(part: Any) -> str:
    """Return the members of a part but its words; the id of a call that it answers."""
    answers = "".join(f"={part[key]}" for key in ("tool_use_id", "call_id") if isinstance(part.get(key), str))
    return f"{'/'.join(part)}{answers}" if isinstance(part, dict) else type(part).__name__
