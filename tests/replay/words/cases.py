"""What is made of requests, answers and files of recordings: what is taken out, written, read, compared and said."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_planguard.errors import CassetteError, UsageError
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.reader import RawInteraction, read_recording
from pytest_planguard.replay.files.recording_text import render
from pytest_planguard.replay.matching.drift import drift
from pytest_planguard.replay.matching.recording_index import RecordedEntry
from pytest_planguard.replay.matching.semantic import SemanticRequest, semantic_request
from pytest_planguard.replay.privacy.recorded_secrets import secrets_of
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction import Redaction, own_redaction
from pytest_planguard.wire.exchange import Message

from .calls import calls, commands, refreshed, values
from .sessions import recordings, sessions
from .texts import bodies, cleaned, yaml_values

KEY = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8"
"""A made-up key, put together here so that no scanner takes the file for a leak."""
URL = "https://api.test/v1/chat/completions"
_HEADERS = (
    *(("Authorization", ("Bearer x",)), ("content-type", ("application/json",)), ("x-functions-key", ("a",))),
    *(
        ("Set-Cookie", ("a=b", "c=d")),
        ("accept", ("a", "b")),
        ("x-time-per-token", ("1",)),
        ("location", (f"/x?token={KEY}",)),
    ),
)
BODIES = (
    '{"messages": [{"role": "user", "content": "hello"}], "password": "hunter2", "client_secret": "abcd"}',
    json.dumps(
        {"a": [KEY, {"api_key": ["one-two-three", 5, None]}], "pwd": 1234, "token": "abc", "n": {"pwd": {"x": "y"}}}
    ),
    json.dumps({"arguments": json.dumps({"db_password": "hunter2", "text": KEY})}),
    f'{{"a": "{KEY}"',
    f"grant_type=x&client_secret=abcd%20e&text={KEY}&password=a+b&user=me",
    "a=b&c=d",
    (
        f'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b\r\nContent-Disposition:'
        f' form-data; name="file"; filename="a"\r\n\r\n{KEY}\r\n--b--\r\n'
    ),
    (
        f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{KEY[:10]}"}}}}]}}\n\n'
        f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{KEY[10:]} end"}}}}]}}\n\ndata: [DONE]\n\n'
    ),
    f'event: a\ndata: {{"api_key": "abcdefgh", "x": "ü"}}\n\n: comment {KEY}\n\n',
    "API_KEY=abcdefgh12345678\n<password>hunter2</password>\nplain text",
    "",
    " \n",
    "[1, 2, 3]",
    '{"schema": {"properties": {"password": {"type": "string"}}}}',
    "ü\u2028 \x7f",
    "line one\nline two\n",
    "  indented\n",
    "trailing \n",
    "tab\there",
    '{"a": {}, "b": [], "c": "x\\ny", "d": "\\u2028", "e": "\\ud83d\\ude00", "f": 1.0, "f": -0, "g": "\\/"}',
    '{"a": "' + "long " * 60 + '"}',
    "data: x\n\n",
    ": only a comment",
    "- a\n- b",
    "'quoted'",
    "null",
    "5",
)


def _interaction(body: bytes, **more: Any) -> Interaction:
    values: dict[str, Any] = {
        "method": "POST",
        "url": f"{URL}?key=abcdefgh&model=m",
        "request_headers": _HEADERS,
        "request_body": body,
        "status": 200,
        "reason": "OK",
        "response_headers": _HEADERS[1:],
        "response_body": body,
    }
    return Interaction(**{**values, **more})


def redacted() -> Iterator[str]:
    """Yield what is taken out of each body, and how the rest is written."""
    yield from (line.replace(KEY, "KEY") for line in _redacted())


def _redacted() -> Iterator[str]:
    bodies = [*(body.encode("utf-8", "surrogatepass") for body in BODIES), b"\xff\x00", f"\xff{KEY}".encode("latin-1")]
    for body in bodies:
        cleaned = redact(_interaction(body, response_headers=()), Redaction())
        kept = cleaned.interaction
        yield f"{body!r}\n  {kept.request_body!r}\n  {[str(one) for one in cleaned.secrets]}"
        yield render([kept])
    yield str(
        redact(_interaction(b"", reason=f"no {KEY}", url=f"https://u:{KEY}@h/{KEY}?id_token=a&b=c#d"), Redaction())
    )
    yield render([])
    own = own_redaction(["x-own", "/ab+c/", "ownField"])
    for one in (own, own_redaction([]), Redaction()):
        yield str(
            redact(_interaction(b'{"ownField": "value", "a": "xabbbcx"}', request_headers=(("X-Own", ("v",)),)), one)
        )
    for words in (["/(/"], ["/"], ["//"], ["/a*/"], ["a b"], [""]):
        try:
            yield f"{words} {own_redaction(words).more}"
        except UsageError as error:
            yield f"{words} {error}"


def _document(*interactions: dict[str, Any], **more: Any) -> str:
    return json.dumps({"version": 1, "interactions": interactions, **more})


_REQUEST = {"method": "POST", "uri": URL, "body": "{}", "headers": {"a": ["b", "c"], "d": "e"}}
_RESPONSE = {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": "{}"}}
_GOOD = {"request": _REQUEST, "response": _RESPONSE}
FILES = {
    "good.yaml": _document(_GOOD),
    "empty.yaml": "",
    "blank.yaml": "  \n",
    "list.yaml": "[]",
    "text.yaml": "words",
    "number.json": "5",
    "no-interactions.yaml": "version: 1",
    "interactions-text.yaml": "interactions: words",
    "version2.yaml": _document(_GOOD, version=2),
    "none.yaml": _document(),
    "item.yaml": json.dumps({"interactions": ["words"]}),
    "no-request.yaml": _document({"response": _RESPONSE}),
    "no-response.yaml": _document({"request": _REQUEST}),
    "request-text.yaml": _document({**_GOOD, "request": "words"}),
    "no-uri.yaml": _document({**_GOOD, "request": {"method": "GET"}}),
    "uri-number.yaml": _document({**_GOOD, "request": {**_REQUEST, "uri": 5}}),
    "status-number.yaml": _document({**_GOOD, "response": {**_RESPONSE, "status": 404}}),
    "status-text.yaml": _document({**_GOOD, "response": {**_RESPONSE, "status": "x"}}),
    "status-code.yaml": _document({**_GOOD, "response": {**_RESPONSE, "status": {"code": "200"}}}),
    "no-status.yaml": _document({**_GOOD, "response": {"body": {"string": "x"}}}),
    "parsed.yaml": _document(
        {"request": {**_REQUEST, "parsed_body": {"a": 1}}, "response": {**_RESPONSE, "parsed_body": [1]}}
    ),
    "base64.yaml": _document({**_GOOD, "response": {**_RESPONSE, "body": {"base64_string": "YWI="}}}),
    "base64-broken.yaml": _document({**_GOOD, "response": {**_RESPONSE, "body": {"base64_string": "?"}}}),
    "body-none.yaml": _document({**_GOOD, "request": {**_REQUEST, "body": None}}),
    "body-data.yaml": _document({**_GOOD, "request": {**_REQUEST, "body": {"string": "x"}}}),
    "body-list.yaml": _document({**_GOOD, "request": {**_REQUEST, "body": [1, 2]}}),
    "body-number.yaml": _document({**_GOOD, "request": {**_REQUEST, "body": 5}}),
    "headers-list.yaml": _document({**_GOOD, "request": {**_REQUEST, "headers": [["a", "b"]]}}),
    "headers-number.yaml": _document({**_GOOD, "request": {**_REQUEST, "headers": 5}}),
    "lists.yaml": json.dumps({"requests": [_REQUEST], "responses": [_RESPONSE]}),
    "lists-uneven.yaml": json.dumps({"requests": [_REQUEST, _REQUEST], "responses": [_RESPONSE]}),
    "lists-text.yaml": json.dumps({"requests": "a", "responses": [_RESPONSE]}),
    "binary.yaml": "interactions:\n- request: {method: GET, uri: x, body: !!binary YWI=}\n  response: {status: 200}\n",
    "tag.yaml": "interactions: !!python/object:os.system [x]\n",
    "tag-odd.yaml": "interactions: !odd x\n",
    "anchor.yaml": "a: &a [1]\ninteractions: *a\n",
    "merge.yaml": "a: &a {b: 1}\ninteractions: {<<: *a}\n",
    "secret.yaml": _document(
        {
            "request": {**_REQUEST, "headers": {"authorization": "x"}, "body": json.dumps({"password": "hunter2"})},
            "response": {
                **_RESPONSE,
                "headers": {"x-api-key": ["y"], "location": f"/a?token={KEY}&b=1"},
                "body": {"string": json.dumps({"db_password": 12345, "pwd": "hunter2"}) + KEY},
                "status": {"code": 200, "message": f"no {KEY}"},
            },
        }
    ),
}


def files() -> Iterator[str]:
    """Yield what is read in each file, or why it is refused."""
    yield from (line.replace(KEY, "KEY") for line in _files())


def _files() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            file = Path(folder) / name
            file.write_text(text, encoding="utf-8")
            yield f"{name}: {_read(file)}".replace(str(file), "FILE").replace(folder, "FOLDER")
        for name, content in (
            ("utf16.yaml", "a".encode("utf-16")),
            ("latin.yaml", b"a: \xff"),
            ("a.yaml.gz", b"x"),
            ("b.yaml.gz", gzip.compress(FILES["good.yaml"].encode(), mtime=0)),
            ("c.yaml.gz", b"\x1f\x8bx"),
        ):
            file = Path(folder) / name
            file.write_bytes(content)
            yield f"{name}: {_read(file)}".replace(str(file), "FILE").replace(folder, "FOLDER")
        for file in (Path(folder), Path(folder) / "absent.yaml"):
            yield f"{_read(file)}".replace(str(file), "FILE").replace(folder, "FOLDER")


def _read(file: Path) -> str:
    try:
        found = read_recording(file)
    except CassetteError as error:
        return f"refused: {error}"
    shown = [
        f"{one.request.method} {one.request.url} {dict(one.request.headers)} {one.request.body!r}"
        for one in found.interactions
    ]
    answers = [f"{one.response.status} {one.response.body!r}" for one in found.interactions]
    secrets = [str(one) for one in secrets_of(found)]
    return f"{found.format} {found.notes} {shown} {answers} {secrets}"


_SENT: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("POST", URL, {}),
    ("get", "https://api.test//v1///x?b=2&a=1&key=abcd&c=", {}),
    ("POST", f"https://api.test/{KEY}", {"content-type": "multipart/form-data; boundary=abc"}),
)
_ENVELOPE = (
    *("stream_options", "user", "metadata", "safety_identifier", "prompt_cache_key", "prompt_cache_retention"),
    *("service_tier", "store", "include", "background", "extra_headers", "timeout", "cache_control", "seed"),
)
_ERRORS = (
    "2 validation errors for T\ntitle\n  Field required [type=missing, input_value={}, input_type=dict]\n"
    "a.0\n  Input should be a valid string [type=string_type, input_value=1, input_type=int]\n"
)
_MEANT = (
    {
        "model": "m",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "stream": False,
        "n": None,
    },
    {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    {"model": "m", "messages": [{"role": "user", "content": "ho there you"}], "stream": True},
    {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "x"}],
        "temperature": 1,
    },
    {
        "model": "n",
        "input": [{"type": "input_text", "text": "hi", "annotations": []}],
        "metadata": {"a": 1},
        "user": "u",
    },
    {"model": "n", "contents": [{"parts": [{"text": "hi at 2026-01-01T00:00:00Z and call_abcdefghijkl0123"}]}]},
    {
        "messages": [
            {
                "role": "user",
                "content": "errors:\n- b: Field required\n- a: Field required\n123e4567-e89b-12d3-a456-426614174000",
            }
        ]
    },
    {
        "messages": [
            {
                "role": "user",
                "content": "errors:\n- a: Field required\n- b: Field required\n123e4567-e89b-12d3-a456-426614174001",
            }
        ]
    },
    {
        "messages": [
            {"role": "user", "content": _ERRORS},
            {"role": "assistant", "content": _ERRORS},
            {"role": "user", "content": f"Please  correct:\n{_ERRORS}\nThanks a lot"},
            {"role": "user", "content": [{"type": "text", "text": _ERRORS.replace("title", "steps")}, 5]},
        ]
    },
    {
        "input": [
            {"role": "user", "content": _ERRORS},
            {"type": "function_call", "arguments": _ERRORS},
            {"type": "function_call_output", "output": _ERRORS},
        ]
    },
    {"input": _ERRORS, "messages": 5},
    {"model": "m", **dict.fromkeys(_ENVELOPE, 1), "nested": {**dict.fromkeys(_ENVELOPE, 1), "cache_control": 1}},
    {"prompt": "<f at 0x7f3a12> see https://errors.pydantic.dev/2.11/v/missing on 2026-11-22 14:47 or at 0x12"},
    [1, {"content": [{"type": "image"}]}],
    "words --abc in a form",
    "{broken",
    {"password": "hunter2", "messages": [{"content": KEY}]},
)


def meanings() -> Iterator[str]:
    """Yield what each request means, and how it differs from each other."""
    yield from (line.replace(KEY, "KEY") for line in _meanings())


def _meanings() -> Iterator[str]:
    meant = []
    for method, url, headers in _SENT:
        for body in _MEANT:
            data = (body if isinstance(body, str) else json.dumps(body)).encode()
            one = semantic_request(Message(headers, data, method, url))
            meant.append(one)
            yield f"{method} {url} {body}\n  {one.method} {one.path} {one.text} {one.endpoint} {one.fired}"
    recorded = meant[: len(_MEANT)]
    for position, one in enumerate(recorded, start=1):
        entry = _entry(position, one)
        for other in recorded[:7]:
            found = drift(entry, other)
            yield f"{position} {found.similarity:.3f} {found}"


def _entry(position: int, meaning: SemanticRequest) -> RecordedEntry:
    message = Message({}, b"")
    return RecordedEntry(position, RawInteraction(message, message, {}), meaning, meaning.hash, None)


CASES = (
    *(redacted, files, meanings, sessions, recordings, cleaned, yaml_values, bodies),
    *(values, calls, commands, refreshed),
)
