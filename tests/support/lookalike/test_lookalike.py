"""The look-alike is only as good as its model: it must fix what is stated, and nothing else."""

import json
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Finish, Message

from .model import THANKS, Answer, Script, Turn, answer, mend
from .server import Lookalike

GOOD = {"title": "Printer", "steps": ["a", "b"], "meta": {"owner": "me"}}
BAD = {"title": 1, "steps": ["a", 2], "meta": {"owner": None}, "extra": True}


@pytest.mark.parametrize(
    ("stated", "repaired"),
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
def test_only_what_is_stated_is_mended(stated: str, repaired: set[str]) -> None:
    """A field is put right when the request names its path beside an error, in any usual spelling."""
    after = mend(BAD, GOOD, stated)
    assert {key for key in BAD if after.get(key) != BAD[key]} == repaired


@given(st.text())
def test_the_same_request_has_the_same_answer(text: str) -> None:
    """The answer depends on the request alone."""
    script, turns = Script(GOOD, BAD), [Turn("user", text)]
    assert answer(script, turns, None) == answer(script, turns, None)


def test_it_starts_from_the_answer_that_is_quoted() -> None:
    """Correct parts of an earlier answer stay correct."""
    turns = [Turn("user", "x"), Turn("assistant", 'so: {"title": "Printer", "steps": ["a", 2]}'), Turn("user", "again")]
    assert answer(Script(GOOD, BAD), turns, None).text == '{"title": "Printer", "steps": ["a", 2]}'
    unread = [Turn("user", "x"), Turn("assistant", "sorry"), Turn("user", "again")]
    assert answer(Script({"a": 1}, {"a": 2}), unread, None).text == '{"a": 2}'
    assert mend({"ticket": BAD}, {"ticket": GOOD}, "title: expected a string")["ticket"]["title"] == GOOD["title"]
    assert mend("no document", GOOD, "the answer is not valid JSON: expected an object") == GOOD


def test_a_thanked_model_closes_with_a_sentence() -> None:
    """It calls the tool until the result says thanks; then it answers in text, or calls the tool once more."""
    script = Script(GOOD, GOOD, tool="save", closing="Done.")
    asked = [Turn("user", "save it"), Turn("assistant", json.dumps(GOOD))]
    again = answer(script, [*asked, Turn("tool", "Saved.")], None)
    assert (again.tool, again.number) == ("save", 2)
    saved = [*asked, Turn("tool", f"Saved. {THANKS}")]
    assert answer(script, saved, None) == Answer("Done.")
    last = Script(GOOD, GOOD, tool="save", closing="Done.", closing_tool="final")
    assert answer(last, saved, None) == Answer('{"answer": "Done."}', "final")


ASK = {"role": "user", "content": "hi"}
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": [ASK], "max_tokens": 5},
    "/v1/responses": {"input": "hi", "max_output_tokens": 5},
    "/v1/messages": {"messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}], "max_tokens": 5},
    "/v1beta/models/m:generateContent": {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "generationConfig": {"maxOutputTokens": 5},
    },
    "/api/chat": {"messages": [ASK], "options": {"num_predict": 5}},
    "/v2/chat": {"messages": [ASK], "max_tokens": 5},
    "/model/m/converse": {
        "messages": [{"role": "user", "content": [{"text": "hi"}]}],
        "inferenceConfig": {"maxTokens": 5},
    },
}
STREAMED = {"generateContent": "streamGenerateContent?alt=sse", "converse": "converse-stream"}
"""Ends of paths that are another path for a stream; the others say it in the body."""


def asked(lookalike: Lookalike, endpoint: str, stream: bool) -> tuple[httpx2.Response, Exchange]:
    """Return the look-alike's answer and planguard's reading of it."""
    end = next((end for end in STREAMED if stream and endpoint.endswith(end)), "")
    url = lookalike.origin + endpoint.removesuffix(end) + STREAMED.get(end, "")
    body = BODIES[endpoint] if end else {**BODIES[endpoint], "stream": stream}
    answered = httpx2.post(url, json=body, verify=False)
    kind = {"content-type": answered.headers["content-type"]}
    sent = Message(body=answered.request.content, url=url, headers={"content-type": "application/json"})
    return answered, decode(1, sent, Message(body=answered.content, status=answered.status_code, headers=kind))


@pytest.mark.slow
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("endpoint", BODIES)
def test_all_behaviours_in_all_dialects(lookalike: Lookalike, endpoint: str, stream: bool) -> None:
    """Each dialect has refusals, truncation, tool calls and failures, whole and streamed, and planguard reads them."""
    lookalike.script(GOOD, BAD)
    assert json.loads(asked(lookalike, endpoint, stream)[1].answer_text) == BAD
    lookalike.scripts[:] = [Script(GOOD, BAD, refusal="I will not")]
    assert "not" in asked(lookalike, endpoint, stream)[0].text
    lookalike.scripts[:] = [Script(GOOD, BAD, needs_tokens=99)]
    assert asked(lookalike, endpoint, stream)[1].finish is Finish.LENGTH
    lookalike.scripts[:] = [Script(GOOD, BAD, tool="save")]
    (call,) = asked(lookalike, endpoint, stream)[1].calls
    assert (call.name, call.arguments) == ("save", BAD)
    lookalike.scripts[:] = [Script(GOOD, BAD, failures=((429, {"retry-after": "9"}), (500, {})))]
    answers = [asked(lookalike, endpoint, stream)[0] for _ in range(3)]
    assert [a.status_code for a in answers] == [429, 500, 200]
    assert answers[0].headers["retry-after"] == "9"


def test_an_unknown_endpoint_is_not_found(lookalike: Lookalike) -> None:
    """Any other path returns 404, and every request is kept."""
    assert httpx2.post(f"{lookalike.origin}/v1/embeddings", content=b"x", verify=False).status_code == 404
    assert [r.path for r in lookalike.received] == ["/v1/embeddings"]


def test_gzip_and_chunked_requests(lookalike: Lookalike) -> None:
    """Answers are compressed on request, and chunked request bodies are read."""
    lookalike.script({"a": 1}, {"a": 1}, gzip=True)
    parts = iter([b'{"messages": ', b'[{"role": "user", "content": "hi"}]}'])
    answer_ = httpx2.post(f"{lookalike.base_url}/chat/completions", content=parts, verify=False)
    assert answer_.headers["content-encoding"] == "gzip"
    assert answer_.json()["choices"][0]["message"]["content"] == '{"a": 1}'
