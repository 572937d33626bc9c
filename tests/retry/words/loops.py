"""What driven loops ask, how they end and what is said of them, by script, contract and option."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard.contract.constraints.builders import custom, min_length, not_copied
from pytest_planguard.contract.contract import Contract
from pytest_planguard.document.path import to_dotted
from pytest_planguard.errors import TransientError
from pytest_planguard.retry.driving.budget import Budget
from pytest_planguard.retry.driving.loop import converge
from pytest_planguard.retry.driving.reply import judged_finish, quoted, read_reply
from pytest_planguard.retry.results import Attempt, CheckStatus, Convergence

from ..driving import test_assistant_turn
from .turns import BROKEN, CALLED, FRESH, GOOD, SHORT, SOON, TICKET, TICKET_SCHEMA, URGENT

COPIED = GOOD.replace("Printer on fire", "expected at least 3 characters")
FATAL = Contract(TICKET_SCHEMA, constraints=[min_length("title", 10, severity="fail")])
EXAMPLE = Contract(TICKET_SCHEMA, constraints=[not_copied("title", min_words=2)])
TEXT = Contract(TICKET_SCHEMA, judged="text")
DEMANDING = Contract(TICKET_SCHEMA, must_call="look")
LINKED = Contract(
    TICKET_SCHEMA, constraints=[custom("title", lambda title: None if "!" in title else "see https://a.example/b")]
)
FAILS = TransientError("slow down")
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


def loops() -> Iterator[str]:
    """Yield what each script comes to under each option."""
    for option, given in OPTIONS.items():
        for name, script in SCRIPTS.items():
            if not given or name in SOME:
                yield from _driven(f"{name}, {option}", script, **given)


def replies() -> Iterator[str]:
    """Yield what is read of the answers of each API, and how the next request quotes them."""
    for name, api in APIS.items():
        for body in api.calls:
            yield from _read(name, body)
    yield from _read("a null among the parts", {**RESPONSES, "output": [{**RESPONSES["output"][0], "status": None}]})
    yield from _read("parsed copies", {**RESPONSES, "output": [{**RESPONSES["output"][0], "parsed_arguments": {}}]})
    yield from _read("words beside a call", {**RESPONSES, "output": [*RESPONSES["output"], WORDS]})
    yield from _read(
        "blocks without words", {**ANTHROPIC, "content": [{"type": "text", "text": ""}, *ANTHROPIC["content"]]}
    )
    yield from _read("nothing", {"candidates": []})
    yield from _read("two texts", {**ANTHROPIC, "content": [{"type": "text", "text": text} for text in ("a", "b")]})
    two = [{**WORDS, "content": [{"type": "output_text", "text": text}]} for text in ("a", "b")]
    yield from _read("two messages", {**RESPONSES, "output": two})
    parsed = {**ANTHROPIC["content"][-1], "parsed_output": {"a": 1}}
    yield from _read("a parsed output", {**ANTHROPIC, "content": [*ANTHROPIC["content"][:-1], parsed]})
    for spelled in ("functionCall", "function_call"):
        part = {spelled: {"name": "Ticket", "args": {"a": 1}, "id": None}, "thought": None}
        yield from _read(f"a part's {spelled}", {"candidates": [{"content": {"role": "model", "parts": [part]}}]})


APIS = test_assistant_turn.APIS
RESPONSES, ANTHROPIC = APIS["responses"].calls[0], APIS["anthropic"].calls[0]
WORDS = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here:", "parsed": None}]}


def _read(name: str, body: Any) -> Iterator[str]:
    reply = read_reply(body)
    yield f"# {name}: {reply.dialect} {reply.model} {reply.finish} {judged_finish(reply)} {reply.refusal} {reply.usage}"
    items = [(item.kind.value, item.name, item.text) for item in reply.items]
    yield f"  {reply.text!r}, {items}, {len(reply.calls)} calls"
    for other, api in {**APIS, "plain": APIS["chat"]}.items():
        turns = [api.first] if other == "plain" else [api.first, *api.said]
        yield f"  among {other}: {json.dumps(quoted(reply, turns), ensure_ascii=False)}"


def _driven(
    title: str, script: tuple[Any, ...], messages: Any = "Write a ticket.", contract: Contract = TICKET, **options: Any
) -> Iterator[str]:
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
        yield f"# {title}: {type(error).__name__}: {error}"
        return
    yield f"# {title}: {found.outcome.value}, {found.stop_reason}, {len(seen)} seen, waited {waits}, {_cost(found)}"
    for number, turns in enumerate(asked, 1):
        yield f"  asked {number}: {json.dumps(turns[-2:], ensure_ascii=False)}, {len(turns)} turns"
    for attempt in found.attempts:
        yield from _attempt(attempt)
    for check in found.checks:
        if check.status not in (CheckStatus.PASS, CheckStatus.NOT_APPLICABLE) and check.name != "accounted":
            yield f"  {check.name}: {check.status.value}: {check.message}; {list(check.evidence)}"


def _cost(found: Convergence) -> str:
    usage = found.usage
    return f"{usage.input_tokens} + {usage.output_tokens} tokens, {found.max_attempts} allowed, {found.conversation}"


def _attempt(attempt: Attempt) -> Iterator[str]:
    codes = ", ".join(f"{to_dotted(f.path)} {f.code}" for f in attempt.verdict.findings) or "good"
    made = attempt.exchange
    finish = made.finish.value if made.finish else None
    yield f"  {attempt.number}: {codes}; repeats {attempt.repeats}, sent again {attempt.transport_retries}"
    yield f"    {made.number} {made.dialect} {made.model} {finish} {dict(made.tools)} {made.tool_choice} {made.refusal}"
    yield f"    {[item.kind.value for item in made.request]} {[item.kind.value for item in made.answer]}"
    for fate in attempt.carried:
        yield f"    {to_dotted(fate.finding.path)} {fate.grade.value}: {fate.evidence}; {fate.reason}"
