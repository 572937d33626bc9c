"""Send the requests of one task: resend after failures, read replies, notice repeated answers.

`Retry-After` is left to the client. A replay shortens the wait in `replay.network.retry_waits`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from functools import partial
from inspect import isfunction, unwrap
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..contract.feedback.provider_messages import ANTHROPIC, CONVERSE, GEMINI, RESPONSES, Answer, Form, Turn, form_of
from ..contract.schema.schema import to_json_text
from ..errors import UsageError
from ..wire.dialects.dialect_table import DIALECTS
from ..wire.exchange import Finish, Item, ItemKind, Role, Usage
from ..wire.untrusted_json import mapping, objects, words
from .budget import delay_s, is_transient
from .linking.sameness import Repeats, items_key

if TYPE_CHECKING:
    from types import TracebackType

    from ..wire.dialect import AnswerView

_UNCOUNTED = Usage()
_PARSED = frozenset({"parsed", "parsed_arguments", "parsed_output"})
"""Members that SDKs add to an answer for their callers. APIs reject them."""
_FUNCTION = ("function_call", "functionCall")


class Reply(NamedTuple):
    """One answer, provider-neutral."""

    text: str
    """The answer's words, without tool calls."""
    items: tuple[Item, ...]
    """Words and tool calls, in order."""
    calls: tuple[Item, ...] = ()
    """The tool calls among the items."""
    model: str | None = None
    finish: Finish | None = None
    refusal: str | None = None
    usage: Usage = _UNCOUNTED
    dialect: str | None = None
    """The dialect that read the response; None for a text or a value."""
    body: Mapping[str, Any] | None = None
    """The response as plain data; None without a dialect."""


def read_reply(response: object, ask: Callable[..., object] | None = None) -> Reply:
    """Read what `ask` returned. Recognise a response by the shape of its `model_dump`, without importing an SDK.

    Args:
        response: the value that `ask` returned.
        ask: the callable, for messages.

    Raises:
        UsageError: the value is not a text, a response or plain data, for example None.
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
    """Return why the answer ended. Calling a tool is a normal end for a driven answer."""
    return Finish.STOP if reply.finish is Finish.TOOL_CALLS else reply.finish


def named(ask: Callable[..., object]) -> str:
    """Return a callable's name and the place of its definition, for messages: `ask (create_ticket, app.py:12)`."""
    # A wrapper has the name of its function, but the place of its own code.
    while isinstance(ask, partial) or (isfunction(ask) and hasattr(ask, "__wrapped__")):
        ask = ask.func if isinstance(ask, partial) else unwrap(ask)
    code = getattr(ask, "__code__", None)
    place = f", {PurePath(code.co_filename).name}:{code.co_firstlineno}" if code is not None else ""
    return f"ask ({getattr(ask, '__qualname__', type(ask).__qualname__)}{place})"


def _unreadable(response: object, asked: str) -> UsageError:
    hint = ""
    if response is None:
        hint = "is a `return` missing? If an SDK's message has no text, return the whole response; "
    elif isinstance(response, Coroutine):
        response.close()  # it was never awaited, and the message says so
        hint = "await it, with `aconverge`; "
    elif isinstance(response, Iterator | AsyncIterator):
        hint = "take its parts together; "
    what = "None" if response is None else type(response).__name__
    return UsageError(
        f"{asked} returned {what}, which is not an answer: {hint}"
        "return the answer's text (str or bytes), its parsed value, or the response of an SDK"
    )


def _body(response: object) -> object:
    """Return the response as plain data: by `model_dump` (pydantic-based SDKs) or `to_dict`, else unchanged."""
    for name in ("model_dump", "to_dict"):
        dump = getattr(response, name, None)
        if callable(dump):
            return dump()
    return response


def _of_text(text: str) -> Reply:
    return Reply(text, (Item(ItemKind.TEXT, Role.ASSISTANT, text),))


def _of_view(view: AnswerView, dialect: str, body: Mapping[str, object]) -> Reply:
    text = "\n".join(item.text for item in view.items if item.kind is ItemKind.TEXT)
    calls = tuple(item for item in view.items if item.kind is ItemKind.CALL)
    return Reply(text, view.items, calls, view.model, view.finish, view.refusal, view.usage, dialect, body)


# The answer as the next request quotes it.


def quoted(reply: Reply, messages: Sequence[Turn]) -> Answer:
    """Return the answer as turns to append to `messages`: its text, or turns with its tool calls.

    Messages in Gemini's or Bedrock's form get turns in that form. Plain messages, which several APIs take, get turns of
    the API that answered. Everything else gets OpenAI's, including messages that an app translates between two APIs.
    """
    if not reply.calls:
        return reply.text
    form, whole = _WHOLE.get(reply.dialect, (None, None))
    spoken = form_of(messages)
    fits = spoken is form or (spoken is None and form in (ANTHROPIC, RESPONSES))
    return whole(reply.body) if whole is not None and reply.body is not None and fits else _chat(reply)


def _chat(reply: Reply) -> Turn:
    """Return OpenAI's turn. For Ollama, calls have no ids, and their arguments are objects."""
    if reply.dialect == "ollama.chat":
        functions: list[object] = [{"name": call.name, "arguments": mapping(call.arguments)} for call in reply.calls]
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


def _filled(block: Turn) -> dict[str, object]:
    """Return the block without the null members and parsed copies that an SDK's `model_dump` adds."""
    return {key: value for key, value in block.items() if value is not None and key not in _PARSED}


_WHOLE: Mapping[str | None, tuple[Form, Callable[[Turn], Answer]]] = {
    "anthropic.messages": (ANTHROPIC, _anthropic),
    "openai.responses": (RESPONSES, _responses),
    "gemini": (GEMINI, _gemini),
    "bedrock.converse": (CONVERSE, lambda body: mapping(mapping(body.get("output")).get("message"))),
}


T = TypeVar("T")


class Asker:
    """The sending side of the attempts at one task.

    Run `with asker.sending(): asker.response = ask(...)`, then `asker.receive()`, until that returns a reply.
    """

    __slots__ = ("_ask", "_failed", "_failures_now", "_repeats", "_transport_retries", "failures", "replies", "resent",
                 "response")  # fmt: skip

    def __init__(self, ask: Callable[..., Any], transport_retries: int) -> None:
        self._ask = ask
        self._transport_retries = transport_retries
        self._repeats = Repeats()
        self.failures = 0
        """Number of failed sends for the whole task."""
        self._failures_now = 0
        """Number of failed sends since the last reply arrived."""
        self._failed = False
        self.response: object = None
        """The last value that `ask` returned."""
        self.replies = 0
        """Number of replies so far, which is also the number of the last one."""
        self.resent = 0
        """Number of failed sends before the last reply arrived."""

    def sending(self) -> Asker:
        """Wrap a call of `ask`. Keep a transport failure for `receive` if the request may be sent again.

        Other errors of `ask` pass through, and so does a transport failure when no retries are left.
        """
        return self

    def __enter__(self) -> None:
        """Do nothing: there is nothing to prepare."""

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
        """Switch to another task, which has had this many replies and failed sends; for `receive_as` alone."""
        self.replies, self.failures = replies, failures
        self._failures_now, self._failed = 0, False

    def receive(self) -> Reply | None:
        """Return the reply, or None if the send failed and the same request goes out again after `wait_s`.

        Raises:
            UsageError: the value that `ask` returned is not an answer.
        """
        return self.receive_as(read_reply)

    def receive_as(self, read: Callable[[Any, Callable[..., Any]], T]) -> T | None:
        """Return the result of `read` for the response and `ask`; None as in `receive`."""
        if self._failed:
            self._failed = False
            return None
        answer = read(self.response, self._ask)
        self.replies += 1
        self.resent, self._failures_now = self._failures_now, 0
        return answer

    @property
    def wait_s(self) -> float:
        """Number of seconds to wait before a failed send is repeated; 0 if none failed."""
        return delay_s(self._failures_now) if self._failures_now else 0.0

    def repeated(self, items: Sequence[Item]) -> int | None:
        """Note the items of the last reply.

        Return the number of the latest earlier reply with the same items, or None.
        """
        return self._repeats.add(self.replies, items_key(items))
