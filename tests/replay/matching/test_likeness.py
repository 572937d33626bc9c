"""A run in which every request has changed costs no more for each of them in a long recording than in a short one."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import RawInteraction, read_cassette
from pytest_planguard.replay.matching import drift
from pytest_planguard.replay.matching.cassette_index import CassetteIndex, Sent
from pytest_planguard.replay.matching.drift import COMPARED, LOOKED_AT, Likeness
from pytest_planguard.replay.matching.normalise import NORMALISERS
from pytest_planguard.replay.matching.semantic import Meanings, SemanticRequest
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import chat, send, user, write
from ...support.nightly import drawn

TASK = "Write a ticket for machine {0} in room {0} as JSON, be brief"
SENT = Sent(Message(), SemanticRequest("POST", "/", "", ""))
CHANGED = "Please write one ticket for machine {0} in room {0} as JSON"


def meaning(message: Message) -> SemanticRequest:
    """The request as the gate sees it."""
    return Meanings(NORMALISERS, Redaction())(message)


def recorded(folder: Path, *texts: str) -> CassetteIndex:
    """A cassette with one chat a text."""
    path = write(folder / "a.yaml", *(chat([user(text)], f"answer {n}") for n, text in enumerate(texts)))
    return CassetteIndex(read_cassette(path).interactions, meaning)


def sent(text: str) -> SemanticRequest:
    """A request as it is sent now."""
    request = chat([user(text)], "")
    return meaning(Message({"content-type": "application/json"}, request.request_body, url=request.url))


def name(number: int) -> str:
    """A word of its own."""
    return f"M{number}x"


def served(index: CassetteIndex, texts: list[str]) -> tuple[list[int], int]:
    """The positions that the nearest of each request has, each played at once, and how many entries were compared."""
    likeness, positions, compared = Likeness(index), [], 0
    for text in texts:
        likely = likeness.likely(sent(text), lambda _: True)
        compared += len(likely)
        best, _ = drift.nearest(likely, sent(text), likeness.words)
        assert best is not None
        index.play(best, SENT)
        positions.append(best.position)
    return positions, compared


@pytest.mark.slow
@pytest.mark.parametrize("order", drawn(["mixed", "backwards", "in order"], 2))
def test_the_nearest_is_found_whatever_the_order(tmp_path, order):
    """Each reworded request finds its own cassette among three hundred."""
    numbers = list(range(300))
    if order != "in order":
        numbers = numbers[::-1] if order == "backwards" else random.Random(7).sample(numbers, 300)
    index = recorded(tmp_path, *(TASK.format(name(n)) for n in range(300)))
    positions, _ = served(index, [CHANGED.format(name(n)) for n in numbers])
    assert positions == [n + 1 for n in numbers]


@pytest.mark.slow
def test_the_work_for_a_request_does_not_grow_with_the_recording(tmp_path):
    """Ten requests are compared with as many entries of eight hundred as of two hundred: at most 128 each."""
    work = {}
    for size in (200, 800):
        (tmp_path / str(size)).mkdir()
        index = recorded(tmp_path / str(size), *(TASK.format(name(n)) for n in range(size)))
        work[size] = served(index, [CHANGED.format(name(n)) for n in range(size - 10, size)])[1]
    assert work[800] == work[200] <= 10 * 128


def test_a_small_recording_is_compared_as_a_whole(tmp_path):
    """Nothing is left out where comparing is cheap."""
    index = recorded(tmp_path, *(f"word{n}" for n in range(COMPARED)))
    assert len(Likeness(index).likely(sent("nothing in common"), lambda _: True)) == COMPARED


@pytest.mark.slow
def test_what_shares_no_rare_word_is_still_found(tmp_path):
    """Behind more unlike entries than are compared there may stand the only one that fits."""
    texts = ["Describe the engine"] * (3 * COMPARED) + ["Write a ticket"]
    index = recorded(tmp_path, *texts)
    last = index.entries[-1]
    likeness = Likeness(index)
    assert drift.nearest(likeness.likely(sent("Write the ticket"), lambda _: True), sent("Write the ticket"))[0] is last
    assert likeness.likely(sent("Nothing alike"), lambda e: e is last) == [last]


def made(texts: list[str]) -> CassetteIndex:
    """A cassette with one request a text, of which nothing else is known."""
    message = Message({}, b"")
    meanings = iter([SemanticRequest("POST", "/", text, text) for text in texts])
    return CassetteIndex([RawInteraction(message, message, {}) for _ in texts], lambda _: next(meanings))


def found_in(index: CassetteIndex, text: str) -> list[int]:
    """The positions that are compared with a request of these words."""
    return [e.position for e in Likeness(index).likely(SemanticRequest("POST", "/", text, text), lambda _: True)]


def test_of_a_large_recording_the_next_and_those_with_rare_words_are_compared():
    """In order; what was played is passed by, and no more than so many are led to by common words."""
    index = made([f"common word{n}" for n in range(1, 2 * COMPARED + 2)])
    following = list(range(1, COMPARED + 1))
    assert found_in(index, "nothing alike") == following
    assert found_in(index, f"word{2 * COMPARED}") == [*following, 2 * COMPARED]
    assert found_in(index, "common") == following
    for entry in index.entries[:COMPARED]:
        index.play(entry, SENT)
    assert found_in(index, "common word1") == list(range(COMPARED + 1, 2 * COMPARED + 1))
    assert found_in(index, f"common word{2 * COMPARED + 1}") == list(range(COMPARED + 1, 2 * COMPARED + 2))


def test_common_words_lead_to_no_more_than_so_many_entries():
    """The rarer words come first, and say more."""
    index = made(["rare common", *["common"] * (LOOKED_AT + 5), "rare common"])
    shared = Likeness(index)._sharing(SemanticRequest("POST", "/", "", "rare common odd"))
    assert len(shared) == LOOKED_AT - 1  # of the two with the rare word, one is met again
    size = LOOKED_AT + 7
    assert (shared[1], shared[2], shared[size]) == (1 / 2 + 1 / size, 1 / size, 1 / 2)


def test_in_order_the_next_is_found_without_a_search(tmp_path):
    """The first unplayed entry of all, and of a window behind it."""
    index = recorded(tmp_path, "a", "b", "c")
    index.play(index.entries[0], SENT)
    assert index.following() is index.entries[1]
    index.play(index.entries[1], SENT)
    assert index.upcoming(5) == [index.entries[2]]


def test_a_lenient_replay_looks_among_requests_of_one_endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long recording only so many are compared, and none of them may be one that could not be served."""
    monkeypatch.setattr(drift, "COMPARED", 1)
    asked, told = [user("Name a fruit"), {"role": "assistant", "content": "kale"}], user("red green blue")
    other = replace(chat([told], "other"), url="https://api.example.com/v1/responses")
    path = write(tmp_path / "a.yaml", chat(asked[:1], "kale"), other, chat([user("Blue whales")], "served"))
    with open_cassette(path, match="lenient"):
        assert send(asked[:1]) == "kale"
        assert send([*asked, told]) == "served"
