"""Answers that other requests bring: to runs of OpenAI assistants, and to requests that were queued.

Source of assistants: https://platform.openai.com/docs/api-reference/assistants
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from .dialects.dialect_table import DIALECTS
from .dialects.openai_chat import AssistantRun, message_text
from .exchange import Exchange, Finish, Item, Role
from .provider_shapes import text_items
from .untrusted_json import JsonObject, mapping, name_of, objects, parsed_or_none

_OF_THREAD = re.compile(r"/threads/([^/?]{1,200})/(?:runs|messages)(?:[/?]|$)")
"""`/v1/threads/thread_1/runs`, `/v1/threads/thread_1/messages?order=asc`."""
_DEFAULTS = ("model", "instructions", "tools", "response_format", "temperature", "top_p")
"""The values that a run takes from its assistant if it has none."""
_RUN = AssistantRun()


class Threads:
    """The threads of one cassette, read exchange by exchange."""

    def __init__(self) -> None:
        self._assistants: dict[str, JsonObject] = {}
        self._added: dict[str, list[JsonObject]] = {}
        """Maps a thread to the messages since its last run."""

    def run(self, exchange: Exchange) -> Exchange:
        """Return a run with its thread, the thread's new messages, and the settings of its assistant."""
        asked, answered = _bodies(exchange)
        thread = _thread_in(exchange.url) or name_of(answered.get("thread_id"))
        if thread is None or exchange.thread is not None:
            return exchange
        added = [*self._added.pop(thread, ()), *objects(mapping(asked.get("thread")).get("messages"))]
        defaults = self._assistants.get(name_of(asked.get("assistant_id")) or "", {})
        view = _RUN.read_request({**defaults, **asked, "thread": {"messages": added}})
        return replace(
            exchange,
            model=view.model or exchange.model,
            request=view.items,
            tools=view.tools,
            output_schema=view.output_schema,
            sampling=view.sampling,
            thread=thread,
        )

    def read(self, exchange: Exchange) -> None:
        """Note what a request adds to a thread, or the assistant that it makes."""
        if exchange.status >= 400:
            return
        asked, answered = _bodies(exchange)
        kind, key = answered.get("object"), name_of(answered.get("id"))
        if kind == "assistant" and key:
            self._assistants[key] = {name: asked[name] for name in _DEFAULTS if asked.get(name) is not None}
        elif kind == "thread" and key and asked:
            self._added.setdefault(key, []).extend(objects(asked.get("messages")))
        elif kind == "thread.message" and asked.get("role") and (thread := _thread_in(exchange.url)):
            self._added.setdefault(thread, []).append(asked)


def answers_of_runs(exchange: Exchange) -> dict[str, list[Item]]:
    """Return the answers in a list of a thread's messages, by the ids of their runs."""
    if "/messages" not in exchange.url:
        return {}
    found: dict[str, list[Item]] = {}
    listed = objects(mapping(parsed_or_none(exchange.raw_response)).get("data"))
    for message in listed if "order=asc" in exchange.url else reversed(listed):
        run = name_of(message.get("run_id"))
        if run and message.get("object") == "thread.message" and message.get("role") == "assistant":
            found.setdefault(run, []).extend(text_items(Role.ASSISTANT, message_text(message.get("content"))))
    return found


def _bodies(exchange: Exchange) -> tuple[JsonObject, JsonObject]:
    return mapping(parsed_or_none(exchange.raw_request)), mapping(parsed_or_none(exchange.raw_response))


def _thread_in(url: str) -> str | None:
    found = _OF_THREAD.search(url) if len(url) < 2_000 else None
    return found[1] if found else None


QUEUED = "the answer was still queued, and no later request brings it"


def with_later_answers(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges with each queued answer replaced by the one that a later request brings.

    It asks for the answer's id, or for the messages of a thread.
    """
    found = list(exchanges)
    waiting: dict[str, int] = {}
    threads = Threads() if any(exchange.dialect == AssistantRun.name for exchange in found) else None
    for at, exchange in enumerate(found):
        if threads is not None and exchange.dialect == AssistantRun.name:
            found[at] = threads.run(exchange)
        if exchange.pending and exchange.response_id:
            waiting[exchange.response_id] = at
        elif not exchange.is_generation:
            if threads is not None:
                threads.read(exchange)
            for asked, joined in _brought(exchange, found, waiting) if waiting else ():
                found[asked] = joined
                found[at] = replace(exchange, note=f"it brings the answer to request {joined.number}")
    return tuple(found)


def _brought(exchange: Exchange, found: list[Exchange], waiting: dict[str, int]) -> Iterator[tuple[int, Exchange]]:
    """Yield the queued exchanges whose answers this one brings, with them."""
    body = mapping(parsed_or_none(exchange.raw_response))
    asked = waiting.get(name_of(body.get("id")) or "")
    if asked is not None and (joined := _joined(found[asked], body)):
        yield asked, joined
    for run, items in answers_of_runs(exchange).items():
        asked = waiting.get(run)
        if asked is not None and found[asked].pending:
            yield asked, replace(found[asked], answer=tuple(items), finish=Finish.STOP, pending=False)


def _joined(queued: Exchange, body: dict[str, object]) -> Exchange | None:
    """Return a queued exchange with its answer; None if it is queued still."""
    answer = next((d.read_answer(body) for d in DIALECTS if d.name == queued.dialect), None)
    if answer is None or answer.pending:
        return None
    return replace(
        queued,
        answer=answer.items,
        finish=answer.finish,
        refusal=answer.refusal,
        usage=answer.usage,
        error=answer.error,
        pending=False,
    )
