"""OpenAI chat completions, whole and streamed, and every host that speaks them.

These include Azure, Groq, OpenRouter, Together, DeepSeek, Mistral, vLLM, and the `/v1` of Ollama and llama.cpp. Source:
https://platform.openai.com/docs/api-reference/chat
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..dialect import AnswerView, ApiDialect, Body, RequestView, finishes, other_choices, role_of, settings
from ..exchange import Finish, Item, Role
from ..provider_shapes import call_item, part_text, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, as_json, mapping, name_of, objects, sequence, whole, words


class OpenAIChat(ApiDialect):
    """`messages` in, `choices` out."""

    name = "openai.chat"
    sampling = settings(
        "max_tokens temperature top_p top_k min_p seed stop n frequency_penalty presence_penalty repetition_penalty "
        "logit_bias reasoning_effort",
        max_completion_tokens="max_tokens", random_seed="seed",
    )  # fmt: skip
    finishes = finishes(
        stop="stop eos end_turn", length="length max_tokens model_length", tool_calls="tool_calls function_call",
        content_filter="content_filter", error="error insufficient_system_resource",
    )  # fmt: skip
    tokens = ("prompt_tokens", "completion_tokens")

    def matches(self, path: str, body: Body) -> bool:  # noqa: ARG002 - part of the protocol
        """Return True if the body has chat messages. It may have any other keys, since hosts add their own settings."""
        return bool(objects(body.get("messages")))

    def read_request(self, body: Body) -> RequestView:
        """Read messages, tools, schema and sampling."""
        functions = [{"type": "function", "function": function} for function in objects(body.get("functions"))]
        tools = sequence(body.get("tools")) + functions
        return self.request(
            {**body, "tools": tools, "tool_choice": body.get("tool_choice") or body.get("function_call")},
            (item for message in objects(body.get("messages")) for item in message_items(message)),
            output=body.get("response_format"),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the first choice; None without choices, unless the body reports an error (some hosts do, with 200)."""
        choices = objects(body.get("choices"))
        error = body.get("error") or (choices[0].get("error") if choices else None)
        if not any(map(_is_spoken, choices)) and not error:
            return None
        first = next((choice for choice in choices if choice.get("index") == 0), choices[0] if choices else {})
        message = mapping(first.get("message"))
        refusal, reason = name_of(message.get("refusal")), words(first.get("finish_reason")).lower()
        return self.answer(
            {**body, "error": error},
            message_items({**message, "role": "assistant", "refusal": None}),
            Finish.REFUSAL if refusal else self.finish(reason),
            refusal=refusal,
            others=other_choices([body], "choices", lambda one: self.read_answer(one[0])),
        )

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Read the deltas of every choice."""
        view = super().read_stream(objects)
        return view and replace(view, others=other_choices(objects, "choices", super().read_stream))

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Join the deltas of the first choice; None if no object has choices or an error."""
        stream = _ChoiceStream()
        for chunk in objects:
            stream.add(chunk)
        return stream.answer()


def _is_spoken(choice: Body) -> bool:
    """Return True for a choice of a chat. Text completions have choices too, and so does the data of many apps."""
    return "message" in choice or ("finish_reason" in choice and "text" not in choice)


def message_items(message: Body) -> list[Item]:
    """Return the items of one chat message: a result, or text and calls. A refusal in the history counts as text."""
    role = role_of(message.get("role"))
    if role is Role.TOOL:
        return [result_item(message.get("content"), message.get("tool_call_id"), message.get("name"))]
    items = text_items(role, message.get("content"))
    items += text_items(role, message.get("refusal"))
    if not items and role is Role.ASSISTANT:
        items += text_items(role, mapping(message.get("audio")).get("transcript"))
    items += [_call(call) for call in objects(message.get("tool_calls"))]
    legacy = mapping(message.get("function_call"))
    if legacy.get("name") or legacy.get("arguments"):  # some hosts send {"name": "", "arguments": ""} with every answer
        items.append(call_item(legacy.get("name"), legacy.get("arguments"), None))
    return items


def _call(call: Body) -> Item:
    custom, function = mapping(call.get("custom")), mapping(call.get("function"))
    if custom.get("name") or (custom and not call.get("function")):  # {"function": {…}, "custom": {"name": ""}} is not
        return call_item(custom.get("name"), custom.get("input"), call.get("id"))
    return call_item(function.get("name"), function.get("arguments"), call.get("id"))


# Streamed chat completions: the first choice's deltas joined into one message.


class ToolCalls:
    """Streamed tool calls. Pieces belong together by index; a new id at a known index starts a new call."""

    def __init__(self) -> None:
        self._calls: list[JsonObject] = []
        self._arguments: list[list[str]] = []
        self._open: dict[int, int] = {}

    def add(self, piece: Body) -> None:
        """Take one piece of one call."""
        index = whole(piece.get("index")) or 0
        at = self._open.get(index)
        call_id = name_of(piece.get("id"))
        # Some hosts send every call with index 0: then only a new id begins a call.
        if at is None or (call_id and self._calls[at]["id"] not in (None, call_id)):
            at = self._open[index] = len(self._calls)
            self._calls.append({"id": None, "function": {"name": None}})
            self._arguments.append([])
        call = self._calls[at]
        function, custom = mapping(piece.get("function")), mapping(piece.get("custom"))
        function = custom if custom.get("name") or not function else function
        call["id"] = call["id"] or call_id
        call["function"]["name"] = call["function"]["name"] or name_of(function.get("name"))
        arguments = function.get("arguments", function.get("input"))
        if arguments is not None:
            self._arguments[at].append(as_json(arguments))

    def calls(self) -> list[JsonObject]:
        """Return the calls in the form of a whole message, in order of their first piece."""
        return [
            {"id": call["id"], "function": {**call["function"], "arguments": "".join(arguments)}}
            for call, arguments in zip(self._calls, self._arguments, strict=True)
        ]


class _ChoiceStream:
    """The first choice of a streamed chat completion."""

    def __init__(self) -> None:
        self._body: JsonObject = {}
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._finish: str | None = None
        self._tools, self._legacy = ToolCalls(), ToolCalls()
        self._known = False

    def add(self, chunk: Body) -> None:
        """Take the next chunk."""
        groq = mapping(chunk.get("x_groq"))
        known = {key: chunk.get(key) for key in ("id", "model")}
        known |= {key: chunk.get(key) or groq.get(key) for key in ("usage", "error")}
        self._body.update({key: value for key, value in known.items() if value})
        for choice in objects(chunk.get("choices")):
            index = whole(choice.get("index")) or 0
            self._known = True
            if index == 0:
                self._finish = name_of(choice.get("finish_reason")) or self._finish
                self._add_delta(mapping(choice.get("delta")) or mapping(choice.get("message")))

    def _add_delta(self, delta: Body) -> None:
        content = delta.get("content")
        parts = [content] if isinstance(content, str) else sequence(content)
        self._texts["content"] += [part_text(part, media=False) or "" for part in parts]
        self._texts["refusal"].append(words(delta.get("refusal")))
        for piece in objects(delta.get("tool_calls")):
            self._tools.add(piece)
        if legacy := mapping(delta.get("function_call")):
            self._legacy.add({"function": legacy})

    def answer(self) -> JsonObject | None:
        """Return the body of the same answer without streaming; None if there was no answer."""
        if not self._known:
            return self._body if "error" in self._body else None
        legacy = next((call["function"] for call in self._legacy.calls()), None)
        texts = {key: "".join(pieces) for key, pieces in self._texts.items()}
        message = {**texts, "tool_calls": self._tools.calls(), "function_call": legacy}
        return {**self._body, "choices": [{"index": 0, "message": message, "finish_reason": self._finish}]}


# OpenAI assistants: runs of a thread, which the server holds.


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
            known = self.finish(body.get("status")) not in (None, Finish.STOP)
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
