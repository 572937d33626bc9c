"""Prefill: an assistant's text at the end of a request, which the model continues.

The answer holds the rest only, so an app that asks for JSON after `{` puts both together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .dialect import role_of
from .exchange import Item, ItemKind, Role
from .untrusted_json import mapping, objects, parsed_or_none, words

_CONTINUING = frozenset({"anthropic.messages", "bedrock.converse", "gemini", "ollama.chat"})
"""Dialects whose models continue the assistant's text at the end of every request."""
_CHAT = "openai.chat"


def without_prefill(
    dialect: str, body: Mapping[str, object], items: tuple[Item, ...], answer: Sequence[Item]
) -> tuple[tuple[Item, ...], str]:
    """Return the items of a request without the assistant's text that the model continues, and this text, or "".

    An answer that is a JSON value by itself continues nothing: instructor sends errors to Gemini as the model's words.
    """
    last = items[-1] if len(items) > 1 else None
    if last is None or last.kind is not ItemKind.TEXT or last.role is not Role.ASSISTANT:
        return items, ""
    turn = next(reversed(objects(body.get("messages")) or objects(body.get("contents"))), {})
    asked = dialect == _CHAT and _asks_to_continue(body, turn)
    if not _ends_in_text(turn) or not (asked or (dialect in _CONTINUING and not _is_whole(answer))):
        return items, ""
    return items[:-1], last.text


def continued(dialect: str, begun: str, answer: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items of an answer with the prefill in front of its text.

    Mistral's answers have it already, and some gateways to other hosts.
    """
    first = answer[0] if answer else None
    if not begun or first is None or first.kind is not ItemKind.TEXT:
        return tuple(answer)
    if dialect == _CHAT and first.text.startswith(begun):
        return tuple(answer)
    return (replace(first, text=begun + first.text), *answer[1:])


def _ends_in_text(turn: Mapping[str, object]) -> bool:
    """Return True if an assistant's turn ends in a text, and not in a search that the provider will go on with."""
    content = turn.get("content", turn.get("parts"))
    last = mapping(content[-1]) if isinstance(content, list) and content else {"text": content}
    return role_of(turn.get("role")) is Role.ASSISTANT and bool(words(last.get("text")))


def _is_whole(answer: Sequence[Item]) -> bool:
    text = answer[0].text.lstrip() if answer and answer[0].kind is ItemKind.TEXT else ""
    return text.startswith(("{", "[")) and parsed_or_none(text) is not None


def _asks_to_continue(body: Mapping[str, object], turn: Mapping[str, object]) -> bool:
    """Return True for `prefix` of Mistral and DeepSeek, or `continue_final_message` of vLLM."""
    return turn.get("prefix") is True or body.get("continue_final_message") is True
