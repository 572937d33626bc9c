"""The sends of one task: failed ones are repeated, replies are read, repeated answers are noticed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...contract.feedback.turns import ANTHROPIC, CONVERSE, GEMINI, RESPONSES, Answer, Form, Turn, form_of
from ...contract.schema.values import to_json_text
from ...errors import UsageError
from ...wire.dialects.dialect_table import DIALECTS
from ...wire.exchange import Finish, Item, ItemKind, Role, Usage
from ...wire.untrusted_json import mapping, objects, words
from ..linking.sameness import Repeats, items_key
from .budget import delay_s, is_transient

if TYPE_CHECKING:
    from types import TracebackType

    from ...wire.dialect import AnswerView

_UNCOUNTED = Usage()
_PARSED = frozenset({"parsed", "parsed_arguments", "parsed_output"})
"""What SDKs add to an answer for their callers; APIs do not take it back."""
_FUNCTION = ("function_call", "functionCall")


class Reply(NamedTuple):
    """One answer, provider-neutral."""

    text: str
    """The words, without tool calls."""
    items: tuple[Item, ...]
    """Words and tool calls, in the order given."""
    calls: tuple[Item, ...] = ()
    """The tool calls among the items."""
    model: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    usage: Usage = _UNCOUNTED
    dialect: str | None = None
    """The dialect that read the response; None for a text or a value."""
    body: Mapping[str, Any] | None = None
    """The response itself, as plain data; None without a dialect."""


def read_reply(response: Any, ask: Callable[..., Any] | None = None) -> Reply:
    """Read what `ask` returned. No SDK is imported: a response is known by the shape of what its `model_dump` gives.

    Args:
        response: what it returned.
        ask: what returned it, for messages.

    Raises:
        UsageError: a value that is neither a text, nor a response, nor plain data; None above all.
    """
    if isinstance(response, bytes):
        response = response.decode("utf-8", "replace")
    if isinstance(response, str):
        return _of_text(response)
    body = _body(response)
    if isinstance(body, Mapping):
        for dialect in DIALECTS:
            view = dialect.read_answer(body)
            if view is not None:
                return _of_view(view, dialect.name, body)
    if not isinstance(body, (Mapping, list, int, float)):
        raise _unreadable(response, "ask" if ask is None else named(ask))
    return _of_text(to_json_text(response) or "")


def judged_finish(reply: Reply) -> Finish | None:
    """Return why the answer ended; calling a tool is how a driven answer may well end."""
    return Finish.STOP if reply.finish is Finish.TOOL_CALLS else reply.finish


def named(ask: Callable[..., Any]) -> str:
    """'ask (create_ticket, app.py:12)': what messages call a callable, with the place where it is defined."""
    while isinstance(ask, partial):
        ask = ask.func
    code = getattr(ask, "__code__", None)
    place = f", {PurePath(code.co_filename).name}:{code.co_firstlineno}" if code is not None else ""
    return f"ask ({getattr(ask, '__qualname__', type(ask).__qualname__)}{place})"


def _unreadable(response: Any, asked: str) -> UsageError:
    hint = ""
    if response is None:
        hint = "is a `return` missing? If an SDK's message has no text, return the whole response;  "
    elif isinstance(response, Coroutine):
        response.close()  # it was never awaited, and that is told here
        hint = "await it, with `aconverge`; "
    elif isinstance(response, Iterator | AsyncIterator):
        hint = "take its parts together; "
    what = "None" if response is None else type(response).__name__
    return UsageError(
        f"{asked} returned {what}, which is not an answer: {hint}"
        "return the answer's text (str or bytes), its parsed value, or the response of an SDK"
    )


def _body(response: Any) -> Any:
    """The response as plain data: `model_dump` of pydantic-based SDKs, `to_dict` of others, else as it is."""
    for name in ("model_dump", "to_dict"):
        dump = getattr(response, name, None)
        if callable(dump):
            return dump()
    return response


def _of_text(text: str) -> Reply:
    return Reply(text, (Item(ItemKind.TEXT, Role.ASSISTANT, text),))


def _of_view(view: AnswerView, dialect: str, body: Mapping[str, Any]) -> Reply:
    text = "\n".join(item.text for item in view.items if item.kind is ItemKind.TEXT)
    calls = tuple(item for item in view.items if item.kind is ItemKind.CALL)
    return Reply(text, view.items, calls, view.model, view.finish, view.refusal, view.usage, dialect, body)


# The answer as the next request quotes it.


def quoted(reply: Reply, messages: Sequence[Turn]) -> Answer:
    """The answer as the turns that follow on `messages`: its text, or turns with its tool calls.

    Messages in Gemini's and Bedrock's own form get such turns; plain messages, which several APIs take, those of the
    API that answered. Everything else, among it messages that somebody translates between two APIs, gets OpenAI's.
    """
    if not reply.calls:
        return reply.text
    form, whole = _WHOLE.get(reply.dialect, (None, None))
    spoken = form_of(messages)
    fits = spoken is form or (spoken is None and form in (ANTHROPIC, RESPONSES))
    return whole(reply.body) if whole is not None and reply.body is not None and fits else _chat(reply)


def _chat(reply: Reply) -> Turn:
    """Ollama takes no ids, and arguments as objects."""
    if reply.dialect == "ollama.chat":
        functions: list[Any] = [{"name": call.name, "arguments": mapping(call.arguments)} for call in reply.calls]
        calls = [{"function": function} for function in functions]
    else:
        calls = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in reply.calls
        ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _anthropic(body: Turn) -> Turn:
    blocks = [_filled(block) for block in objects(body.get("content"))]
    return {"role": "assistant", "content": [b for b in blocks if b.get("type") != "text" or words(b.get("text"))]}


def _responses(body: Turn) -> Sequence[Turn]:
    items = [_filled(item) for item in objects(body.get("output"))]
    return [{**i, "content": [_filled(p) for p in objects(i["content"])]} if "content" in i else i for i in items]


def _gemini(body: Turn) -> Turn:
    first = next(iter(objects(body.get("candidates"))), {})
    parts = [_filled(part) for part in objects(mapping(first.get("content")).get("parts"))]
    whole = [{**p, **{key: _filled(mapping(p[key])) for key in _FUNCTION if key in p}} for p in parts]
    return {"role": "model", "parts": whole}


def _converse(body: Turn) -> Turn:
    return mapping(mapping(body.get("output")).get("message"))


def _filled(block: Turn) -> dict[str, Any]:
    """Without what an SDK's `model_dump` adds: members that are null, and parsed copies."""
    return {key: value for key, value in block.items() if value is not None and key not in _PARSED}


_WHOLE: Mapping[str | None, tuple[Form, Callable[[Turn], Answer]]] = {
    "anthropic.messages": (ANTHROPIC, _anthropic),
    "openai.responses": (RESPONSES, _responses),
    "gemini": (GEMINI, _gemini),
    "bedrock.converse": (CONVERSE, _converse),
}


T = TypeVar("T")


class Asker:
    """The attempts at one task, as far as sending goes.

    `with asker.sending(): asker.response = ask(...)`, then `asker.receive()`, until that returns a reply.
    """

    __slots__ = ("_ask", "_failed", "_failures_now", "_repeats", "_transport_retries", "failures", "replies", "resent",
                 "response")  # fmt: skip

    def __init__(self, ask: Callable[..., Any], transport_retries: int) -> None:
        self._ask = ask
        self._transport_retries = transport_retries
        self._repeats = Repeats()
        self.failures = 0
        """Failed sends of the whole task."""
        self._failures_now = 0
        """Failed sends since the last reply."""
        self._failed = False
        self.response: Any = None
        """What `ask` returned last."""
        self.replies = 0
        """Replies so far, which is also the number of the last one."""
        self.resent = 0
        """Failed sends before the last reply."""

    def sending(self) -> Asker:
        """Around a call of `ask`: keep a transport failure for `receive`, as long as it may be sent again.

        What `ask` raises passes through where sending the same request again is no cure, or not allowed any more.
        """
        return self

    def __enter__(self) -> None:
        """Nothing to do before a request is sent."""

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        if not isinstance(error, Exception):
            return False
        if not is_transient(error) or self.failures >= self._transport_retries:
            if self._failures_now:
                error.add_note(f"planguard: sent {self._failures_now + 1} times for attempt {self.replies + 1}")
            return False
        self.failures += 1
        self._failures_now += 1
        self._failed = True
        return True

    def resume(self, replies: int, failures: int) -> None:
        """Go on with another task, of which so many replies came and so many sends failed; for `receive_as` alone."""
        self.replies, self.failures = replies, failures
        self._failures_now, self._failed = 0, False

    def receive(self) -> Reply | None:
        """Return the reply; None where the send failed, and the same request goes out again after `wait_s`.

        Raises:
            UsageError: `ask` returned what is no answer.
        """
        return self.receive_as(read_reply)

    def receive_as(self, read: Callable[[Any, Callable[..., Any]], T]) -> T | None:
        """Return what `read` makes of the response and of who gave it; None as in `receive`."""
        if self._failed:
            self._failed = False
            return None
        answer = read(self.response, self._ask)
        self.replies += 1
        self.resent, self._failures_now = self._failures_now, 0
        return answer

    @property
    def wait_s(self) -> float:
        """Seconds to wait before a failed send is repeated; 0 where none failed."""
        return delay_s(self._failures_now) if self._failures_now else 0.0

    def repeated(self, items: Sequence[Item]) -> int | None:
        """Note the items of the last reply. Return the number of the latest earlier reply with the same, or None."""
        return self._repeats.add(self.replies, items_key(items))
