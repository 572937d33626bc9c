"""Extract text from requests: the first request's messages, messages added later, and a digest of the prompt."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...retry.results import Attempt
    from ...wire.exchange import Exchange, Role


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a request."""

    role: str
    """"system", "user", "assistant" or "tool"."""
    text: str


def _said(role: Role, text: str) -> Said:
    """Return a message without secrets, as a cassette saves it."""
    from ...replay.privacy.secrets import without_secrets

    return Said(role.value, without_secrets(text, lambda _: None))


def first_request(exchanges: Iterable[Exchange]) -> tuple[Said, ...]:
    """Return the messages of the first request that has any, or ()."""
    first = next((exchange for exchange in exchanges if exchange.request), None)
    return () if first is None else tuple([_said(item.role, item.text) for item in first.request])


LONGEST = 8_000
"""Maximum number of characters of a message to save. Feedback is seldom longer, unlike a document that is sent
again."""


def next_requests(attempts: Sequence[Attempt]) -> list[tuple[Said, ...]]:
    """Return, for each attempt, the messages that the next request adds; () after an accepted or the last answer."""
    after = [*attempts[1:], None]
    return [
        () if new is None or not old.fed_back else new_messages(old.exchange, new.exchange)
        for old, new in zip(attempts, after, strict=True)
    ]


def new_messages(before: Exchange, after: Exchange) -> tuple[Said, ...]:
    """Return the messages that a request adds to an earlier one, except the model's own.

    If a message was only extended, such as a prompt followed by the problems, only the new words are returned.
    """
    known = Counter((item.role, item.text) for item in before.request)
    messages = []
    for item in after.request:
        if known[item.role, item.text]:
            known[item.role, item.text] -= 1
        elif item.role.value != "assistant" and item.text.strip():
            shorter = (old.text for old in before.request if old.text and len(old.text) < len(item.text))
            grown = next((text for text in shorter if item.text.startswith(text)), "")
            messages.append(_said(item.role, item.text[len(grown) :].strip()[:LONGEST]))
    return tuple(messages)


DIGITS = 12
"""Number of hex digits in a digest. 48 bits are enough to tell a project's prompts apart."""


def prompt_digest(exchanges: Iterable[Exchange]) -> str | None:
    """Return 12 hex digits of a hash of the first request without its last message, which is the task.

    Return None if there is no request.
    """
    first = next((exchange for exchange in exchanges if exchange.request), None)
    if first is None:
        return None
    messages = "\0".join(f"{item.role.value}\0{item.text}" for item in first.request[:-1])
    return hashlib.sha256(messages.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
