"""What a driven loop's `ask` may return: a text, a parsed value, or an SDK's response, read by its shape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from ...contract.schema.json_text import to_json_text
from ...errors import UsageError
from ...wire.dialects.dialect_table import DIALECTS
from ...wire.exchange import NOTHING, Finish, Item, ItemKind, Role, Usage

if TYPE_CHECKING:
    from ...wire.dialect import AnswerView

_UNCOUNTED = Usage()


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
    body: Mapping[str, Any] = NOTHING
    """The response itself, as plain data; empty without a dialect."""


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
        hint = "is a `return` missing? Where an SDK's message has no words, return the whole response; "
    elif isinstance(response, Coroutine):
        response.close()  # it was never awaited, and that is told here
        hint = "await it, with `aconverge`; "
    elif isinstance(response, Iterator | AsyncIterator):
        hint = "take its parts together; "
    what = "None" if response is None else type(response).__name__
    return UsageError(
        f"{asked} returned {what}, which is no answer: {hint}"
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
