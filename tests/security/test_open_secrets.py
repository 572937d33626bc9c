"""The open list: what is planted is in no cassette, and ordinary texts and headers stay."""

from pytest_planguard.replay.files.cassette_text import render_interaction
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction

from ..replay.privacy.test_planted import exchange
from .open_secrets import ORDINARY, PLAIN_HEADERS, WORD, chat, planted, value

UNSEEN = {"query ticket_token"}
"""A ticket's token is a word for many things."""


def test_nothing_of_the_open_list_is_in_a_cassette() -> None:
    """In eight places."""
    left, count = set(), 0
    for place, name, one, secret in planted():
        cleaned = redact(one, Redaction()).interaction
        count += 1
        if secret in render_interaction(cleaned) + repr(cleaned.request_body.replace(b"\0", b"")):
            left.add(f"{place} {name}")
    assert left == UNSEEN
    assert count >= 390


def test_ordinary_texts_stay() -> None:
    """As a body, in a prompt and in an answer."""
    changed = [
        text
        for text in ORDINARY
        for one in (exchange(request=text), exchange(request=chat(text)), exchange(response=chat(text)))
        if redact(one, Redaction()).interaction != one
    ]
    assert changed == []


def test_ordinary_headers_of_answers_stay() -> None:
    """Apps read when to come back, how much is left and where to go on."""
    plain = exchange(response_headers=tuple((name, (value,)) for name, value in PLAIN_HEADERS.items()))
    assert redact(plain, Redaction()).interaction == plain


def test_ids_behind_an_unknown_prefix_stay() -> None:
    """The name of a member or a header says that they are none: they are as random as keys."""
    one = f"qmx_{value(WORD, 24, 'an id')}"
    body = f'{{"responseId": "{one}", "log_id": "{one}", "ids": ["{one}"]}}'
    plain = exchange(response=body, response_headers=(("x-amz-cf-id", (one,)),))
    assert redact(plain, Redaction()).interaction == plain
