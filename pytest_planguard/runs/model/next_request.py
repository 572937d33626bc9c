"""What a request says that the one before it did not: the words in which a retry tells the model what was wrong."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .first_request import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...retry.results import Attempt
    from ...wire.exchange import Exchange

LONGEST = 8_000
"""Characters of one message that are kept; feedback is seldom longer, a document sent again is."""


def next_requests(attempts: Sequence[Attempt]) -> list[tuple[Said, ...]]:
    """Return for each attempt what the next attempt's request adds; () after an accepted answer and the last."""
    after = [*attempts[1:], None]
    return [
        () if new is None or not old.fed_back else new_messages(old.exchange, new.exchange)
        for old, new in zip(attempts, after, strict=True)
    ]


def new_messages(before: Exchange, after: Exchange) -> tuple[Said, ...]:
    """Return the messages of a request that the earlier one did not have, without those of the model itself.

    Of a message that was only made longer (a prompt with the problems below it) the new words alone are returned.
    """
    known = Counter((item.role, item.text) for item in before.request)
    messages = []
    for item in after.request:
        if known[item.role, item.text]:
            known[item.role, item.text] -= 1
        elif item.role.value != "assistant" and item.text.strip():
            shorter = (old.text for old in before.request if old.text and len(old.text) < len(item.text))
            grown = next((text for text in shorter if item.text.startswith(text)), "")
            messages.append(Said(item.role.value, item.text[len(grown) :].strip()[:LONGEST]))
    return tuple(messages)
