"""OpenAI responses, whole and streamed, and every host that speaks them.

Source: https://platform.openai.com/docs/api-reference/responses
"""

from __future__ import annotations

from collections.abc import Sequence

from ..dialect import AnswerView, ApiDialect, Body, RequestView, called, role_of, settings
from ..exchange import Finish, Item, Role
from ..provider_shapes import call_item, provider_error, result_item, text_items
from ..untrusted_json import JsonObject, mapping, name_of, objects, whole, words

_INCOMPLETE = {"max_output_tokens": Finish.LENGTH, "max_tokens": Finish.LENGTH, "content_filter": Finish.CONTENT_FILTER}
_PENDING = ("queued", "in_progress")
_TELLING = {
    "instructions", "previous_response_id", "text", "reasoning", "max_output_tokens", "store", "include", "tools",
}  # fmt: skip


class OpenAIResponses(ApiDialect):
    """`input` in, `output` out; the server may hold the history."""

    name = "openai.responses"
    sampling = settings("temperature top_p top_k seed", max_output_tokens="max_tokens")

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has an input and keys of this API. Embeddings have an input too; the path decides."""
        if "messages" in body:
            return False
        telling = not _TELLING.isdisjoint(body) or bool(objects(body.get("input")))
        return path.endswith("/responses") or ("input" in body and telling)

    def read_request(self, body: Body) -> RequestView:
        """Read instructions, input items, tools, schema and sampling."""
        conversation = body.get("conversation")
        return self.request(
            body,
            input_items(body.get("instructions"), Role.SYSTEM) + input_items(body.get("input")),
            output=mapping(body.get("text")).get("format"),
            previous_id=name_of(body.get("previous_response_id")),
            thread=name_of(conversation) or name_of(mapping(conversation).get("id")),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the output items; None without any, unless the body reports an error."""
        output = objects(body.get("output"))
        known = body.get("object") == "response" or any("type" in entry for entry in output)
        if not (known and isinstance(body.get("output"), list)) and not provider_error(body):
            return None
        items = [item for entry in output for item in entry_items(entry, Role.ASSISTANT)]
        refusal = _refusal(output)
        # A stream that broke off is "in_progress" too, but has the items that were sent.
        pending = body.get("status") in _PENDING and not items
        return self.answer(body, items, _finish(body, items, refusal), refusal=refusal, pending=pending)

    def join(self, objects: Sequence[Body]) -> JsonObject | None:
        """Return the final response of the stream, or join the pieces before it broke off."""
        stream = _ResponseStream()
        for event in objects:
            stream.add(event)
        return stream.response()


def input_items(value: object, speaker: Role = Role.USER) -> list[Item]:
    """Return the items of a request's input, which is one text of the speaker or a list of entries."""
    if isinstance(value, str):
        return text_items(speaker, value)
    return [item for entry in objects(value) for item in entry_items(entry, Role.USER)]


def entry_items(entry: Body, speaker: Role) -> list[Item]:
    """Return the items of one input or output entry.

    A call with a `call_id` is for the client to run, and its output comes from the client. Reasoning, references to
    entries that the server holds, and tools that the provider ran are left out.
    """
    kind = words(entry.get("type")) or "message"
    if kind == "message":
        role = role_of(entry["role"]) if "role" in entry else speaker
        return text_items(role, entry.get("content"))
    call_id = name_of(entry.get("call_id"))
    if call_id and kind.endswith("_output"):
        return [result_item(entry.get("output"), call_id)]
    if call_id and kind.endswith("_call"):
        written = next((entry[key] for key in ("arguments", "input", "action") if entry.get(key) is not None), None)
        return [call_item(entry.get("name") or kind.removesuffix("_call"), written, call_id)]
    return []


def _refusal(output: Sequence[Body]) -> str | None:
    parts = [part for entry in output for part in objects(entry.get("content")) if part.get("type") == "refusal"]
    return "\n".join(words(part.get("refusal")) for part in parts) or None


def _finish(body: Body, items: Sequence[Item], refusal: str | None) -> Finish | None:
    status = body.get("status")
    if status == "incomplete":
        return _INCOMPLETE.get(words(mapping(body.get("incomplete_details")).get("reason")), Finish.ERROR)
    if status in ("failed", "cancelled"):
        return Finish.ERROR
    if status != "completed":
        return None
    return Finish.REFUSAL if refusal else called(Finish.STOP, items)


# Streamed responses: the final event has the whole response; without it, the deltas are joined.

_DELTAS = {
    "response.output_text.delta": ("message", "text"),
    "response.refusal.delta": ("message", "refusal"),
    "response.function_call_arguments.delta": ("function_call", "arguments"),
    "response.custom_tool_call_input.delta": ("custom_tool_call", "input"),
}


class _ResponseStream:
    """One streamed response. Entries belong together by output index, their parts by content index."""

    def __init__(self) -> None:
        self._known = False
        self._response: JsonObject = {}
        self._done: dict[int, Body] = {}
        self._begun: dict[int, Body] = {}
        self._pieces: dict[int, dict[tuple[int, str], list[str]]] = {}

    def add(self, event: Body) -> None:
        """Take the next event. An unknown one changes nothing."""
        kind = words(event.get("type"))
        index = whole(event.get("output_index")) or 0
        if kind == "error" or event.get("error"):
            self._known = True
            self._response["error"] = event.get("error") or dict(event)
        elif kind in _DELTAS:
            self._add_piece(index, kind, event)
        elif kind == "response.output_item.added":
            self._begun[index] = mapping(event.get("item"))
        elif kind == "response.output_item.done":
            self._done[index] = mapping(event.get("item"))
        elif kind.startswith("response.") and isinstance(event.get("response"), dict):
            self._response.update(event["response"])
        self._known = self._known or kind.startswith("response.")

    def response(self) -> JsonObject | None:
        """Return the response in the form of a whole answer; None if no event belongs to one."""
        if not self._known:
            return None
        if objects(self._response.get("output")):
            return self._response
        indices = sorted({*self._begun, *self._done, *self._pieces})
        return {**self._response, "output": [self._done.get(index) or self._entry(index) for index in indices]}

    def _add_piece(self, index: int, kind: str, event: Body) -> None:
        entry, field = _DELTAS[kind]
        self._begun.setdefault(index, {"type": entry})
        part = (whole(event.get("content_index")) or 0, field)
        self._pieces.setdefault(index, {}).setdefault(part, []).append(words(event.get("delta")))

    def _entry(self, index: int) -> JsonObject:
        """Return an entry that broke off, joined from its deltas."""
        entry = dict(self._begun.get(index, {}))
        content: list[JsonObject] = []
        for (_, field), pieces in sorted(self._pieces.get(index, {}).items()):
            written = "".join(pieces)
            if entry.get("type") == "message":
                kind = "refusal" if field == "refusal" else "output_text"
                content.append({"type": kind, field: written})
            else:
                entry[field] = written
        return {**entry, "content": content} if content else entry
