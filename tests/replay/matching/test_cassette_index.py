"""A cassette by meaning, beside a plain list of its exchanges: what is served first, next, and what waits."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.cassette_index import CONVERSATION_HEADER, CassetteIndex, Sent
from pytest_planguard.replay.matching.semantic import Meanings
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import assistant, chat, user

Said = tuple[str | None, str]
"""The name of a conversation, and what was asked in it."""
NAMES = st.sampled_from([None, "a", "b"])
TEXTS = st.sampled_from(["one", "two"])


def index_of(exchanges: list[Said]) -> CassetteIndex:
    """Return the index of a cassette of named conversations and texts."""
    raw = [
        RawInteraction(
            Message(
                {} if name is None else {CONVERSATION_HEADER: name},
                json.dumps([text]).encode(),
                "POST",
                "http://a.test",
            ),
            Message(),
            {},
        )
        for name, text in exchanges
    ]
    return CassetteIndex(raw, Meanings())


@given(st.lists(st.tuples(NAMES, TEXTS), max_size=8), st.lists(st.tuples(NAMES, TEXTS), max_size=8))
def test_it_is_a_list_of_exchanges(
    exchanges: list[tuple[str | None, str]], asked: list[tuple[str | None, str]]
) -> None:
    """Law: whatever was played, a question finds what a walk over all exchanges finds."""
    index = index_of(exchanges)
    assert [(e.position, e.conversation) for e in index.entries] == [(n, c) for n, (c, _) in enumerate(exchanges, 1)]
    assert index.conversations == {name for name, _ in exchanges} - {None}
    left = [*index.entries]
    for name, text in asked:
        (entry,) = index_of([(name, text)]).entries
        sent = Sent(entry.raw.request, entry.semantic, name)
        named = index.named(sent)
        assert named == (name if name in index.conversations else None)
        own = [e for e in left if named in (None, e.conversation)]
        waiting = [e for e in own if e.semantic.hash == sent.semantic.hash]
        assert index.waiting(sent.semantic.hash) == [e for e in left if e.semantic.hash == sent.semantic.hash]
        assert index.same(sent) == next(iter(waiting), None)
        assert index.following(named) == next(iter(own), None)
        assert index.unplayed == tuple(left)
        first = next((e.position for e in left), 0)
        for number in (1, 3):
            assert index.upcoming(number) == [e for e in left if e.position < first + number]
        for entry in waiting[:1]:
            index.play(entry, sent)
            left.remove(entry)
            assert index.is_played(entry)
    assert [e for e in index.entries if index.is_played(e)] == [e for e in index.entries if e not in left]


def test_the_next_of_two_entries_with_placeholders_is_taken() -> None:
    """Both fit the request, so the second time it is the one that was not played."""
    index = index_of([(None, "[redacted]"), (None, "key [redacted]")])
    sent = index_of([(None, "key abc")]).entries[0].semantic
    for expected in index.entries:
        assert index.as_recorded(sent).hash == expected.semantic.hash
        index.play(expected, Sent(Message(), sent))


def test_an_equal_request_is_taken_before_one_with_a_placeholder() -> None:
    """A placeholder fits any text, but what was recorded as it is sent now is that request."""
    index = index_of([(None, "key [redacted]"), (None, "key abc")])
    exact, other = (index_of([(None, text)]).entries[0].semantic for text in ("key abc", "key xyz"))
    assert index.as_recorded(exact) is exact
    assert index.as_recorded(other) == index.entries[0].semantic
    assert index_of([(None, "key abc")]).as_recorded(other) is other


def test_a_retry_finds_the_exchange_that_it_reacts_to() -> None:
    """By what was played, in whatever order; its number is the place among the played ones, as links count."""
    first, second = chat([user("a")], "one"), chat([user("b")], "two")
    again = chat([user("a"), assistant("one"), user("wrong")], "three")
    raw = [RawInteraction(one.request, one.response, {}) for one in (first, again, second)]
    index = CassetteIndex(raw, Meanings())
    retry = index.sent(again.request, None)
    assert index.parent(retry) is None
    for position in (3, 1):
        index.play(index.entries[position - 1], index.sent(raw[position - 1].request, None))
    found = index.parent(retry)
    assert found is not None
    entry, exchange, how = found
    assert (entry.position, exchange.number, exchange.answer_text, how.parent) == (1, 2, "one", 2)
    assert index.parent(index.sent(chat([user("c")], "").request, None)) is None
    assert [[e.position for e in index.children(number)] for number in (1, 2, 3)] == [[2], [], []]
    assert [index.is_root(entry) for entry in index.entries] == [True, False, True]
