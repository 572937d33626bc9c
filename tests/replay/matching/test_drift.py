"""How a request differs from the recorded one."""

import json
from typing import Any

import pytest

from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.cassette_index import CassetteIndex, Sent
from pytest_planguard.replay.matching.drift import SHOWN_CHANGES, drift, nearest, similarity, words_of
from pytest_planguard.replay.matching.semantic import Meanings, SemanticRequest
from pytest_planguard.wire.exchange import Message

URL = "https://a.test/v1/chat/completions"


def meaning(url: str = URL, **body: Any) -> SemanticRequest:
    """What a request with this body means."""
    return Meanings()(Message({}, json.dumps(body).encode(), "POST", url))


def index(*bodies: dict[str, Any]) -> CassetteIndex:
    """A cassette of requests with these bodies."""
    raw = [RawInteraction(Message({}, json.dumps(b).encode(), "POST", URL), Message(), {}) for b in bodies]
    return CassetteIndex(raw, Meanings())


def said(text: str) -> dict[str, Any]:
    """A body that says one thing."""
    return {"messages": [{"role": "user", "content": text}]}


@pytest.mark.parametrize(
    ("recorded", "sent", "shown"),
    [
        (said("a b"), said("a c"), "messages[0].content: a [-b-]{+c+}"),
        ({"temperature": 0}, {"temperature": 1}, "temperature: [-0-]{+1+}"),
        ({"a": 1}, {"b": [1]}, "a: [-1-]; b: {+[1]+}"),
        ({"a": True}, {"a": None}, "a: [-true-]"),
        ({"a": 1}, {"a": True}, "a: [-1-]{+true+}"),
        (said("at 2026-01-01T00:00:00Z x"), said("at 2027-01-01T00:00:00Z y"), "messages[0].content: at "),
        ({"a": 1}, {"a": 1}, "volatile text"),
        ({"a": ["x"]}, {"a": {"é": 1}}, 'a: [-["x"]-]{+{"é": 1}+}'),
        ({"a": [1]}, {"a": [1, 2]}, "a[1]: {+2+}"),
        ({"a": [1, 2]}, {"a": [1]}, "a[1]: [-2-]"),
        ({"a": 1, "b": 1}, {"b": 2, "c": 3}, "a: [-1-]; b: [-1-]{+2+}; c: {+3+}"),
    ],
    ids=["words", "number", "added", "taken", "type", "volatile", "nothing", "data", "longer", "shorter", "order"],
)
def test_a_drift_as_a_sentence(recorded: dict[str, Any], sent: dict[str, Any], shown: str) -> None:
    """Where, what was recorded and what is sent now, on one line."""
    text = str(drift(index(recorded).entries[0], meaning(**sent)))
    assert text.startswith(f"differs from recorded interaction 1 in {shown}")
    assert "\n" not in text


@pytest.mark.parametrize("changed", [4, 5, 6])
def test_five_changes_are_shown(changed: int) -> None:
    """The first ones."""
    names = "abcdef"[:changed]
    found = drift(index(dict.fromkeys(names, 1)).entries[0], meaning(**dict.fromkeys(names, 2)))
    assert "".join(change.path for change in found.changes) == names[:5]


def test_volatile_text_is_no_change() -> None:
    """A place that differs only in what normalisers rewrite is not shown; a real change beside it is."""
    recorded = {"messages": [{"content": "at 2026-01-01T00:00:00Z"}, {"content": "x"}]}
    sent = {"messages": [{"content": "at 2027-01-01T00:00:00Z"}, {"content": "y"}]}
    changes = drift(index(recorded).entries[0], meaning(**sent)).changes
    assert [c.path for c in changes] == ["messages[1].content"]


def test_another_address_and_another_body_are_changes() -> None:
    """Method, path and parameters come first; a body that is no object has no place inside."""
    recorded = index({}).entries[0]
    told = drift(recorded, Meanings()(Message({}, b"words", "PUT", "https://b.test/v1/other?a=1")))
    assert [(c.path, c.window) for c in told.changes] == [
        ("(method, path and parameters)", "[-POST /chat/completions-]{+PUT /v1/other?a=1+}"),
        ("(whole body)", "[-{}-]{+words+}"),
    ]
    assert drift(recorded, meaning("https://b.test/proxy/v1/chat/completions")).changes == ()


def test_many_changes_are_cut() -> None:
    """Only the first few places are kept."""
    sent = {f"k{n}": n for n in range(50)}
    assert len(drift(index({}).entries[0], meaning(**sent)).changes) == SHOWN_CHANGES


@pytest.mark.parametrize(
    "member", ["messages", "input", "system", "instructions", "contents", "prompt", "system_instruction"]
)
def test_words_for_the_model_are_in_these_members(member: str) -> None:
    """Whatever the provider calls them; roles, types, ids and settings are no words."""
    unsaid = ("role", "type", "id", "tool_call_id", "call_id", "tool_use_id", "status")
    said = [{"parts": [{"text": "Sort the list", **dict.fromkeys(unsaid, "nothing")}]}]
    body = {member: said, "model": "large", "temperature": "0"}
    assert words_of(meaning(**body)) == {"Sort": 1, "the": 1, "list": 1}


def test_similarity_counts_words_said() -> None:
    """Keys, roles, ids and settings are the same in all requests of an app: only what is said counts."""
    one = meaning(model="m", temperature=1, **said("red green"))
    assert similarity(one, meaning(model="n", **said("green red"))) == 1
    assert similarity(one, meaning(model="m", temperature=1, **said("blue"))) == 0
    assert similarity(meaning(), meaning()) == 1
    assert similarity(one, meaning(**said("red"))) == 2 / 3
    assert similarity(meaning(**said("a a b")), meaning(**said("a b b"))) == 2 / 3
    assert similarity(meaning(query="a b"), meaning(query="a c")) > 0
    parts = [{"role": "user", "content": [{"type": "text", "text": "red"}, {"type": "text", "text": "green"}]}]
    assert similarity(one, meaning(messages=parts)) == 1


def test_the_nearest_is_the_earliest_among_equals() -> None:
    """Ties go to the earlier cassette; without cassettes there is none."""
    entries = index(said("x"), said("a b"), said("b a")).entries
    found, share = nearest(entries, meaning(**said("a b")))
    assert found is not None
    assert (found.position, share) == (2, 1)
    assert nearest([], meaning()) == (None, -1.0)


def test_the_index_gives_each_entry_once() -> None:
    """Entries of one hash come in order; played ones are passed over, wherever they stand in the queue."""
    twins = index(said("x"), said("x"), said("x"))
    sent = Sent(twins.raw[0].request, twins.entries[0].semantic)
    twins.play(twins.entries[1], sent)
    taken = []
    while (entry := twins.same(sent)) is not None:
        taken.append(entry.position)
        twins.play(entry, sent)
    assert taken == [1, 3]
    assert [e.position for e in twins.waiting(sent.semantic.hash)] == []
    assert twins.same(Sent(Message(), meaning(**said("unknown")))) is None
    assert (twins.unplayed, twins.following(), twins.upcoming(9)) == ((), None, [])
