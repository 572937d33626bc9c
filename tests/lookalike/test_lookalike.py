"""The look-alike is only as good as its model: it must mend what is stated, and nothing else."""

from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .model import Script, Turn, answer, mend
from .server import Lookalike

GOOD = {"title": "Printer", "steps": ["a", "b"], "meta": {"owner": "me"}}
BAD = {"title": 1, "steps": ["a", 2], "meta": {"owner": None}, "extra": True}


@pytest.mark.parametrize(
    ("stated", "mended"),
    [
        ("Please try again.", set()),
        ("You must answer with title and steps.", set()),
        ("title: expected a string; got 1", {"title"}),
        ("1 validation error for T\ntitle\n  Input should be a valid string [type=string_type]", {"title"}),
        ("- /steps/1 (line 4): expected string; got 2", {"steps"}),
        ('[{"type": "string_type", "loc": ["steps", 1], "msg": "Input should be a valid string"}]', {"steps"}),
        ("steps[1]: expected string\nmeta.owner: expected string", {"steps", "meta"}),
        ("$.meta.owner: invalid; extra: must be removed, it is invalid", {"meta", "extra"}),
        ("subtitle: expected a string", set()),
    ],
)
def test_only_what_is_stated_is_mended(stated: str, mended: set[str]) -> None:
    """A field is put right when the request names its path beside an error, in any usual spelling."""
    after = mend(BAD, GOOD, stated)
    assert {key for key in BAD if after.get(key) != BAD[key]} == mended


@given(st.text())
def test_the_same_request_has_the_same_answer(text: str) -> None:
    """The model is a function of the request: it counts nothing."""
    script, turns = Script(GOOD, BAD), [Turn("user", text)]
    assert answer(script, turns, None) == answer(script, turns, None)


def test_it_starts_from_the_answer_that_is_quoted() -> None:
    """What an earlier turn of the model had right stays right."""
    turns = [Turn("user", "x"), Turn("assistant", 'so: {"title": "Printer", "steps": ["a", 2]}'), Turn("user", "again")]
    assert answer(Script(GOOD, BAD), turns, None).text == '{"title": "Printer", "steps": ["a", 2]}'
    unread = [Turn("user", "x"), Turn("assistant", "sorry"), Turn("user", "again")]
    assert answer(Script({"a": 1}, {"a": 2}), unread, None).text == '{"a": 2}'
    assert mend("no document", GOOD, "the answer is not valid JSON: expected an object") == GOOD


BODIES: dict[str, dict[str, Any]] = {
    "chat/completions": {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 5},
    "responses": {"input": "hi", "max_output_tokens": 5},
    "messages": {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}], "max_tokens": 5},
}


CUT = {"chat/completions": '"length"', "messages": '"max_tokens"', "responses": "max_output_tokens"}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("endpoint", BODIES)
def test_all_behaviours_in_all_dialects(lookalike: Lookalike, endpoint: str, stream: bool) -> None:
    """Refusal, truncation, tool call and failure exist in each dialect, whole and streamed."""
    expected = {
        "refusal": ({"refusal": "I will not"}, "I will not"),
        "cut": ({"needs_tokens": 99}, CUT[endpoint]),
        "tool": ({"tool": "save"}, '"name": "save"'),
    }
    for behaviour, seen in expected.values():
        lookalike.scripts.clear()
        lookalike.script(GOOD, BAD, **behaviour)
        text = httpx2.post(f"{lookalike.base_url}/{endpoint}", json={**BODIES[endpoint], "stream": stream}).text
        assert all(word in text for word in seen.split())
    lookalike.scripts.clear()
    lookalike.script(GOOD, BAD, failures=((429, {"retry-after": "9"}), (500, {})))
    answers = [httpx2.post(f"{lookalike.base_url}/{endpoint}", json=BODIES[endpoint]) for _ in range(3)]
    assert [a.status_code for a in answers] == [429, 500, 200]
    assert answers[0].headers["retry-after"] == "9"


def test_an_unknown_endpoint_is_not_found(lookalike: Lookalike) -> None:
    """Anything but the three APIs is a 404, and every request is kept."""
    assert httpx2.post(f"{lookalike.origin}/v1/embeddings", content=b"x").status_code == 404
    assert [r.path for r in lookalike.received] == ["/v1/embeddings"]


def test_gzip_and_chunked_requests(lookalike: Lookalike) -> None:
    """Answers are packed on request, and chunked request bodies are read."""
    lookalike.script({"a": 1}, {"a": 1}, gzip=True)
    parts = iter([b'{"messages": ', b'[{"role": "user", "content": "hi"}]}'])
    answer_ = httpx2.post(f"{lookalike.base_url}/chat/completions", content=parts)
    assert answer_.headers["content-encoding"] == "gzip"
    assert answer_.json()["choices"][0]["message"]["content"] == '{"a": 1}'
