"""Render the messages of an exchange for a person: the new ones of each request, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...printable import one_line, visible
from ...report.answer.finding_text import count
from ...wire.exchange import ItemKind, Role

if TYPE_CHECKING:
    from ...wire.exchange import Exchange, Item

SYSTEM_LIMIT = 200
"""Maximum number of characters to show of a system prompt, which is long, always the same, and rarely the cause of an
error."""
TEXT_LIMIT = 4_000
"""Maximum number of characters to show of any other message."""
RAW_LIMIT = 400
"""Maximum number of characters to show of a body that no dialect reads."""
MARGIN = "  "
LABEL = 10


def render_exchange(exchange: Exchange, before: Exchange | None = None, *, whole: bool = False) -> str:
    """Return the request's messages that `before` (the request that it continues) lacks, and the answer.

    `whole` shows the system prompt and long messages in full.
    """
    if not exchange.is_generation:
        return _raw(exchange)
    earlier = before.request if before else ()
    kept = common_prefix(earlier, exchange.request)
    lines = [_line("", f"({count(kept, 'message')} as before)")] if kept else []
    lines += [_item(item, item.role.value, whole) for item in exchange.request[kept:]]
    lines += [_item(item, "answer", whole) for item in exchange.answer]
    lines += list(_ending(exchange))
    return "\n".join(lines)


def common_prefix(earlier: Sequence[Item], later: Sequence[Item]) -> int:
    """Return how many leading items are the same."""
    same = 0
    for one, other in zip(earlier, later, strict=False):
        if one != other:
            break
        same += 1
    return same


def headline(exchange: Exchange) -> str:
    """Return the exchange on one line: number, model, finish, tokens, recorded latency."""
    words = [f"exchange {exchange.number}", exchange.model or exchange.dialect]
    if exchange.status != 200:
        words.append(f"HTTP {exchange.status}")
    if exchange.finish is not None:
        words.append(f"finish {exchange.finish.value}")
    if exchange.usage.output_tokens is not None:
        words.append(f"{exchange.usage.input_tokens or 0:,} + {exchange.usage.output_tokens:,} tokens")
    if exchange.latency_s is not None:
        words.append(f"{exchange.latency_s:,.1f} s")
    return one_line(", ".join(words), 160)


def _item(item: Item, label: str, whole: bool) -> str:
    text = item.text
    if item.kind is ItemKind.CALL:
        text = f"calls {item.name or '?'}({text})"
    elif item.kind is ItemKind.RESULT:
        text = f"{'error' if item.is_error else 'result'} of {item.name or item.call_id or 'the call'}: {text}"
    limit = SYSTEM_LIMIT if item.role is Role.SYSTEM else TEXT_LIMIT
    return _line(label, text if whole else clip(text, limit))


def clip(text: str, limit: int) -> str:
    """Return at most `limit` characters, with the number of characters that were cut."""
    cut = len(text) - limit
    return text if cut <= 0 else f"{text[:limit]} … ({cut:,} more characters)"


def _line(label: str, text: str) -> str:
    """Return a label and a text whose later lines are aligned with its first."""
    safe = visible(text.replace("\r\n", "\n"))
    indent = "\n" + MARGIN + " " * LABEL
    return f"{MARGIN}{label:<{LABEL}}{indent.join(safe.split(chr(10)))}".rstrip()


def _ending(exchange: Exchange) -> Iterator[str]:
    if exchange.refusal:
        yield _line("refusal", clip(exchange.refusal, TEXT_LIMIT))
    if exchange.error:
        yield _line("error", clip(exchange.error, TEXT_LIMIT))
    if exchange.rejected_text:
        yield _line("rejected", clip(exchange.rejected_text, TEXT_LIMIT))
    if not (exchange.answer or exchange.refusal or exchange.error):
        yield _line("answer", "(nothing)")


def _raw(exchange: Exchange) -> str:
    lines = [_line("", f"kept as raw text: {exchange.note or 'no dialect reads it'}")]
    lines.append(_line("request", clip(exchange.raw_request, RAW_LIMIT)))
    lines.append(_line("answer", clip(exchange.raw_response, RAW_LIMIT)))
    return "\n".join(lines)
