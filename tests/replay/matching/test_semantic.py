"""What a request means, and what does not matter."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.matching.normalise import NORMALISERS, Normaliser, normalise
from pytest_planguard.replay.matching.semantic import Meanings, reduced_text, semantic_hash
from pytest_planguard.wire.exchange import Message

from ...support.one_item import in_one_item

URL = "https://api.example.com/v1/chat/completions"
UUIDS = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")


def chat(text: str = "hello there", url: str = URL, headers: dict[str, str] | None = None, **extra: Any) -> Message:
    """A chat request."""
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **extra}
    return Message(headers or {}, json.dumps(body).encode(), "POST", url)


def turns(*later: dict[str, Any]) -> Message:
    """A chat whose model has answered once."""
    body = {"model": "m", "messages": [{"role": "user", "content": "title: a string"}, *later]}
    return Message({}, json.dumps(body).encode(), "POST", URL)


ANSWERED = {"role": "assistant", "content": '{"title": 1}'}


@pytest.mark.parametrize(
    "other",
    [
        chat(url="http://127.0.0.1:8080/v1/chat/completions"),
        chat(url=f"{URL}?key=secret"),
        chat(headers={"x-stainless-lang": "python", "user-agent": "x"}),
        chat(stream=False, temperature=None),
        Message({}, b'{ "messages":[{"content":"hello there","role":"user"}],\n"model":"m" }', "post", URL),
        chat(url="https://api.example.com//v1/chat/completions"),
    ],
    ids=["host", "key", "headers", "defaults", "spelling", "slashes"],
)
def test_what_does_not_matter(other: Message) -> None:
    """Host, port, headers, envelope, key order and white space of the JSON have no part in the meaning."""
    assert semantic_hash(other) == semantic_hash(chat())


@pytest.mark.parametrize(
    "member",
    [
        *("stream_options", "user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"),
        *("service_tier", "store", "include", "background", "extra_headers", "timeout"),
    ],
)
def test_members_that_do_not_matter(member: str) -> None:
    """At the top of the body only: within a schema they are words of the question."""
    assert semantic_hash(chat(**{member: "any"})) == semantic_hash(chat())
    assert semantic_hash(chat(tools=[{member: "any"}])) != semantic_hash(chat(tools=[{}]))


@pytest.mark.parametrize(
    "other",
    [
        chat("hello"),
        chat(url="https://api.example.com/v1/completions"),
        chat(url=f"{URL}?page=2"),
        chat(model="n"),
        chat(temperature=1),
        chat(stream=True),
        chat(tools=[{"type": "function"}]),
        chat(response_format={"type": "json_object"}),
        Message({}, chat().body, "PUT", URL),
        Message({}, b"hello", "POST", URL),
        Message({}, b"[" * 9999, "POST", URL),
    ],
    ids=["text", "path", "parameter", "model", "sampling", "stream", "tools", "schema", "method", "text body", "deep"],
)
def test_what_matters(other: Message) -> None:
    """Words, path, model, sampling, tools, schema and the form of the answer are the meaning."""
    assert semantic_hash(other) != semantic_hash(chat())


def test_a_number_is_the_same_in_both_spellings() -> None:
    """An SDK that declares a float sends 1.0 where the app says 1. A larger float is no exact number."""
    assert semantic_hash(chat(temperature=1)) == semantic_hash(chat(temperature=1.0)) != semantic_hash(chat())
    assert semantic_hash(chat(seed=2**53)) != semantic_hash(chat(seed=2.0**53))


VOLATILE = [
    ("uuid", f"task {UUIDS[0]}", f"task {UUIDS[1]}"),
    ("timestamp", "now 2026-11-21T10:11:12.5Z", "now 2027-01-02 03:04:05+01:00"),
    (
        "pydantic_url",
        "see https://errors.pydantic.dev/2.11/v/missing",
        "see https://errors.pydantic.dev/2.14/v/missing",
    ),
    ("address", "<Tool object at 0x7f0994bb8d90>", "<Tool object at 0x55951b7c7010>"),
    (
        "pytest_folder",
        "files:\n/tmp/pytest-of-me/pytest-3/test_a0/plan.md, '/tmp/pytest-of-me/pytest-3/b'",
        "files:\n/var/T/pytest-of-ci/pytest-12/popen-gw1/test_a0/plan.md, '/var/T/pytest-of-ci/pytest-12/b'",
    ),
    (
        "pytest_folder",
        "C:\\Temp\\pytest-of-me\\pytest-3\\test_a0",
        "C:\\Temp\\pytest-of-me\\pytest-4\\popen-gw0\\test_a0",
    ),
]


@pytest.mark.parametrize(("name", "one", "other"), VOLATILE, ids=[v[0] for v in VOLATILE])
def test_volatile_text_is_normalised(name: str, one: str, other: str) -> None:
    """Two runs differ only in volatile text: the same meaning, by the normaliser of that name."""
    for normalisers in (NORMALISERS, [normaliser for normaliser in NORMALISERS if normaliser.name == name]):
        first, second = Meanings(normalisers)(chat(one)), Meanings(normalisers)(chat(other))
        assert first.hash == second.hash


def test_ids_that_a_framework_makes_up_mean_nothing() -> None:
    """pydantic-ai gives Gemini's calls, which have no ids, new ones in every run, under a key that says nothing."""

    def asked(number: int) -> str:
        call = {"functionCall": {"id": "pyd_ai_" + UUIDS[number].replace("-", ""), "name": "f", "args": {}}}
        body = {"contents": [{"role": "model", "parts": [call]}]}
        return semantic_hash(Message(body=json.dumps(body).encode()))

    assert asked(0) == asked(1)


def test_call_ids_are_renamed_alike() -> None:
    """Ids of tool calls differ from run to run, but which result belongs to which call is kept."""

    def tools(first: str, second: str, result: str) -> str:
        calls = [{"id": i, "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in (first, second)]
        asked = {"role": "assistant", "tool_calls": calls}
        return semantic_hash(turns(asked, {"role": "tool", "tool_call_id": result, "content": "x"}))

    ours, theirs = "call_abcdefghijkl", "pyd_ai_" + UUIDS[0].replace("-", "")
    assert tools(ours, "x1", ours) == tools(theirs, "x1", theirs)
    assert tools(ours, "call_mnopqrstuvwx", ours) != tools(ours, "call_mnopqrstuvwx", "call_mnopqrstuvwx")


def test_equal_uuids_stay_equal() -> None:
    """Renaming is consistent: a UUID that stands twice is not the same as two different ones."""
    one, two = UUIDS
    assert semantic_hash(chat(f"{one} {one}")) == semantic_hash(chat(f"{two} {two}"))
    assert semantic_hash(chat(f"{one} {one}")) != semantic_hash(chat(f"{one} {two}"))


def test_a_date_without_time_and_a_version_are_words() -> None:
    """A date that the prompt speaks of is part of the task."""
    assert semantic_hash(chat("due 2026-11-21")) != semantic_hash(chat("due 2026-11-22"))


def test_an_own_normaliser() -> None:
    """A team rewrites its own volatile text."""
    ticket = Normaliser("ticket", lambda text: text.replace("T-1", "T-?").replace("T-2", "T-?"))
    one, other = (Meanings((*NORMALISERS, ticket))(chat(t)) for t in ("about T-1", "about T-2"))
    assert one.hash == other.hash


@given(
    st.text(alphabet='0123456789abcdef-ATZ:._ x"\\')
    | st.text()
    | st.from_regex(r"[\\n/a\"]*pytest-of-a[/\\]pytest-1/b")
)
def test_normalising_twice_changes_nothing(text: str) -> None:
    """Law: a normalised text is its own normal form."""
    once = normalise(json.dumps(text, ensure_ascii=False))
    assert normalise(once) == once


def test_feedback_means_what_it_names() -> None:
    """Two wordings of the same errors, with their codes, mean the same; another error, place or turn does not."""
    text = "1 validation error for T\ntitle\n  Field required [type=missing, input_value={}, input_type=dict]\n"
    told = [
        semantic_hash(turns(ANSWERED, {"role": "user", "content": t}))
        for t in (
            text,
            text.replace("input_value={}", "input_value={'steps': 3}"),
            text.replace("title", "steps"),
            text.replace("[type=missing", "[type=string_type"),
            "try again",
        )
    ]
    assert told[0] == told[1]
    assert len(set(told)) == 4


@in_one_item
@pytest.mark.parametrize(
    ("text", "reduced"),
    [
        ("try again", "try again"),
        ("", ""),
        (
            "1 validation error for T\ntitle\n  Field required [type=missing, input_value={}, input_type=dict]",
            "1 validation error for T <errors title=missing>",
        ),
        (
            (
                "2 validation errors for T\nsteps.0.title\n  Field required [type=missing, input_value={}, "
                "input_type=dict]\nb\n  Input should be a valid string [type=string_type, input_value=1, "
                "input_type=int]"
            ),
            "2 validation errors for T <errors b=string_type; steps.0.title=missing>",
        ),
        (
            'Please  fix: [{"type": "missing", "loc": ["title"], "msg": "Field required"}]  now',
            "Please fix: now <errors title=missing>",
        ),
    ],
)
def test_what_is_left_of_feedback(text: str, reduced: str) -> None:
    """The words around the errors, and each place with its code, in order."""
    assert reduced_text(text) == reduced


def test_the_task_itself_is_never_read_as_feedback() -> None:
    """Before the model's first answer every word counts, though it may look like an error."""
    one = "1 validation error for T\ntitle\n  Field required [type=missing, input_value={}, input_type=dict]"
    assert semantic_hash(chat(one)) != semantic_hash(chat(one.replace("{}", "{'a': 1}")))


def test_feedback_of_the_responses_api() -> None:
    """Function outputs and parts are read like messages."""
    error = '[{"type": "missing", "loc": ["title"], "msg": "Field required", "input": {"n": %d}}]'

    def body(number: int) -> Message:
        call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
        output = {"type": "function_call_output", "call_id": "c", "output": error % number}
        parts = {"role": "user", "content": [{"type": "input_text", "text": error % number}, {"type": "x"}]}
        return Message({}, json.dumps({"input": [call, output, parts, call]}).encode(), "POST", URL)

    assert semantic_hash(body(1)) == semantic_hash(body(2))


def test_a_form_with_a_random_boundary() -> None:
    """The boundary of a multipart body is drawn again for each request and means nothing."""

    def form(boundary: str) -> Message:
        headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
        return Message(headers, f"--{boundary}\r\n\r\nvalue\r\n--{boundary}--".encode(), "POST", URL)

    assert semantic_hash(form("abc123")) == semantic_hash(form("xyz789"))


@given(st.binary(), st.text())
def test_any_request_has_a_meaning(body: bytes, url: str) -> None:
    """Whatever the bytes and the URL, there is a hash and no exception."""
    assert len(semantic_hash(Message({}, body, "POST", f"http://a.test/{url}"))) == 16


BODIES = st.sampled_from([b"", b"{", b"[1, 2]", b'{"b": 1, "a": [2]}', b'{ "a":[2],\n"b":1}', b"plain", b"\xff{"])
METHODS = st.sampled_from(["POST", "PUT"])
URLS = st.sampled_from([URL, f"{URL}?a=1", "https://other.example.com/v1/chat/completions"])
KINDS = st.sampled_from(["application/json", "multipart/form-data; boundary=plain"])


@given(st.lists(st.builds(Message, KINDS.map(lambda k: {"content-type": k}), BODIES, METHODS, URLS)))
def test_a_meaning_that_is_remembered_is_the_same(messages: list[Message]) -> None:
    """Law: working each request out once gives what working it out again gives, spelling and order of members aside."""
    meanings = Meanings()
    assert [meanings(m).hash for m in messages] == [Meanings()(m).hash for m in messages]
