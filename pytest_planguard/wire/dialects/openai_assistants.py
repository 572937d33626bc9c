"""OpenAI assistants: runs of a thread, which the server holds.

A streamed run includes its answer. A polled run has calls while it waits for tools; its text comes with a later request
for the thread's messages (see `assistant_threads`). Source: https://platform.openai.com/docs/api-reference/runs
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..dialect import AnswerView, ApiDialect, Body, RequestView, finishes, role_of, settings
from ..exchange import Finish, Item, Role
from ..provider_shapes import call_item, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, mapping, objects, words

_RUN = re.compile(r"/threads(/[^/]+)?/runs(/[^/]+/submit_tool_outputs)?$")
"""`/v1/threads/runs`, `/v1/threads/thread_1/runs`, `/v1/threads/thread_1/runs/run_2/submit_tool_outputs`."""


class AssistantRun(ApiDialect):
    """A run in, its events or its state out."""

    name = "openai.assistants"
    sampling = settings("temperature top_p", max_completion_tokens="max_tokens")
    finishes = finishes(
        stop="completed", length="incomplete", tool_calls="requires_action", error="failed cancelled expired"
    )
    tokens = ("prompt_tokens", "completion_tokens")

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the path starts or continues a run."""
        return len(path) < 2_000 and bool(_RUN.search(path)) and ("assistant_id" in body or "tool_outputs" in body)

    def read_request(self, body: Body) -> RequestView:
        """Read this request's additions to the thread, tools, schema and sampling."""
        items = text_items(Role.SYSTEM, body.get("instructions"))
        items += text_items(Role.SYSTEM, body.get("additional_instructions"))
        messages = objects(mapping(body.get("thread")).get("messages")) + objects(body.get("additional_messages"))
        for message in messages:
            items += text_items(role_of(message.get("role")), message.get("content"))
        items += [result_item(o.get("output"), o.get("tool_call_id")) for o in objects(body.get("tool_outputs"))]
        return self.request(body, items, output=body.get("response_format"))

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the state of a run, whose answer is pending until its calls or its end are known.

        The text of a completed run is elsewhere.
        """
        if body.get("object") == "thread.run":
            known = body.get("status") in self.finishes and body.get("status") != "completed"
            return self._view(body, []) if known else self.answer(body, [], None, pending=True)
        error = provider_error(body)
        return AnswerView(finish=Finish.ERROR, error=error.message) if error else None

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the messages of the run; None if no event belongs to one."""
        run: JsonObject = {}
        pieces: dict[str, list[str]] = {}
        for event in objects:
            kind = words(event.get("object"))
            if kind == "thread.run":
                run |= event
            elif kind == "thread.message.delta":
                written = message_text(mapping(event.get("delta")).get("content"))
                pieces.setdefault(words(event.get("id")), []).append(written)
            elif kind == "thread.message" and event.get("status") in ("completed", "incomplete"):
                pieces[words(event.get("id"))] = [message_text(event.get("content"))]
            elif event.get("error"):
                run["last_error"] = event["error"]
        texts = [item for parts in pieces.values() for item in text_items(Role.ASSISTANT, "".join(parts))]
        return self._view(run, texts) if run or texts else None

    def _view(self, run: Body, texts: list[Item]) -> AnswerView:
        action = mapping(mapping(run.get("required_action")).get("submit_tool_outputs"))
        calls = [(mapping(call.get("function")), call.get("id")) for call in objects(action.get("tool_calls"))]
        texts += [call_item(function.get("name"), function.get("arguments"), key) for function, key in calls]
        reason = mapping(run.get("incomplete_details")).get("reason")
        finish = Finish.CONTENT_FILTER if reason == "content_filter" else self.finish(run.get("status"))
        return self.answer({**run, "error": run.get("last_error")}, texts, finish)


def message_text(content: object) -> str:
    """Return the text of a thread's message: parts with `{"text": {"value": …}}`."""
    return "".join(words(mapping(part.get("text")).get("value")) for part in objects(content))
