"""Exchanges that are no attempts, and why."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.retry.linking.no_attempt import is_failed, linkable, transport_failures, why_no_attempt
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

TEXT = (Item(ItemKind.TEXT, Role.ASSISTANT, "{}"),)


def sent(dialect: str = "openai.chat", **known: Any) -> Exchange:
    """Return an exchange."""
    return Exchange(1, dialect, **known)


@pytest.mark.parametrize(
    ("exchange", "failed", "counts"),
    [
        (sent(answer=TEXT), False, True),
        (sent(), False, True),
        (sent(status=399), False, True),
        (sent(status=400), True, False),
        (sent(status=500, answer=TEXT), True, False),
        (sent(error="cut off"), True, False),
        (sent(error="cut off", answer=TEXT), False, True),
        (sent(status=400, rejected_text="{"), False, True),
        (sent(status=400, rejected_text=""), False, True),
        (sent(error="cut off", rejected_text="{"), False, True),
        (sent(pending=True), False, False),
        (sent("raw"), False, False),
        (sent("raw", status=429), True, False),
    ],
)
def test_which_exchanges_are_attempts(exchange: Exchange, failed: bool, counts: bool) -> None:
    """Those with an answer of a model, also one that its provider rejected."""
    assert (is_failed(exchange), linkable(exchange)) == (failed, counts)


@pytest.mark.parametrize(
    ("requests", "failed", "found"),
    [
        ("aa", {0}, {0: 1}),
        ("aaaa", {0, 1}, {0: 2, 1: 2}),
        ("abab", {0, 1}, {0: 2, 1: 3}),
        ("ab", {0}, {}),
        ("aa", {1}, {}),
        ("aa", {0, 1}, {}),
        ("aa", set(), {}),
        ("aaa", {1}, {1: 2}),
        ("", set(), {}),
    ],
)
def test_which_later_exchange_repeats_a_failed_send(requests: str, failed: set[int], found: dict[int, int]) -> None:
    """The next one with the same request that did not fail."""
    exchanges = [sent(status=429 if number in failed else 200) for number in range(len(requests))]
    assert transport_failures(exchanges, requests.__getitem__) == found


@pytest.mark.parametrize(
    ("exchange", "why"),
    [
        (sent("raw", note="an unknown field", status=500), "an unknown field"),
        (sent("raw"), "no dialect reads it"),
        (sent(pending=True), "the answer was still queued, and no later request brings it"),
        (sent("command", model="claude", error="exit code 1", status=500), "claude: exit code 1"),
        (sent("command", model="claude"), "claude: no output"),
        (sent(status=429, error="Too many requests"), "HTTP 429: Too many requests"),
        (sent(status=503), "HTTP 503: no answer"),
    ],
)
def test_why_an_exchange_is_no_attempt(exchange: Exchange, why: str) -> None:
    """As a report says it."""
    assert why_no_attempt(exchange) == why
