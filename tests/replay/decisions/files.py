"""What is read of cassettes in every form, and how they are written; and what is taken for a file or a program."""

from __future__ import annotations

import gzip
import json
import tempfile
import textwrap
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard import read_cassette
from pytest_planguard.cli.cassette.cassette_command import secrets_of
from pytest_planguard.replay.commands.work_folder import is_recorded_path
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.names import cassette_path
from pytest_planguard.replay.files.reader import Cassette
from pytest_planguard.replay.network.senders import starts_by_itself

from ...support.decisions import Block, Decided, Messages, inputs
from .secrets import KEY, URL
from .show import refused


def _document(*interactions: dict[str, Any], **more: Any) -> str:
    return json.dumps({"version": 1, "interactions": interactions, **more})


def _packed(content: bytes) -> bytes:
    """The same bytes on every Python: the tenth names the system, which is 255 (unknown) from 3.13 on."""
    packed = gzip.compress(content, mtime=0)
    return packed[:9] + b"\x03" + packed[10:]


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


def files(page: Messages) -> Iterator[Block]:
    """What is read in each file, or that it is refused."""
    contents = {name: text.encode() for name, text in FILES.items()}
    contents |= {
        "utf16.yaml": "a".encode("utf-16"),
        "latin.yaml": b"a: \xff",
        "a.yaml.gz": b"x",
        "b.yaml.gz": _packed(FILES["good.yaml"].encode()),
        "c.yaml.gz": b"\x1f\x8bx",
    }
    with tempfile.TemporaryDirectory() as folder:
        decided = []
        for name, content in contents.items():
            file = Path(folder) / name
            file.write_bytes(content)
            decided.append(Decided(f"{name}: {content!r}", _read(page, file), name))
        decided.append(("a folder", _read(page, Path(folder))))
        decided.append(("absent", _read(page, Path(folder) / "absent.yaml")))
    yield Block("files", decided)


def _read(page: Messages, file: Path) -> str:
    return refused(page, partial(_interactions, file), file, file.parent, "FILE").replace(KEY, "KEY")


def _interactions(file: Path) -> str:
    """Return the interactions of a file: what was sent, what was answered, and where secrets are left."""
    found = read_cassette(file)
    shown = [
        f"{one.request.method} {one.request.url} {dict(one.request.headers)} {one.request.body!r}"
        f" -> {one.response.status} {one.response.body!r}"
        for one in found.interactions
    ]
    secrets = [f"secret {one}" for one in secrets_of(found)]
    return "; ".join([_form(file, found), *map(str, found.notes), *shown, *secrets])


def _form(file: Path, found: Cassette) -> str:
    """Return the format of a file, and if it has bodies as data."""
    content = file.read_bytes()
    text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8-sig").lstrip()
    parsed = any(
        "parsed_body" in half for one in found.interactions for half in (one.raw["request"], one.raw["response"])
    )
    return f"{'json' if text.startswith(('{', '[')) else 'yaml'}{'+parsed_body' * parsed}"


YAML = inputs("replay", "yaml")
"""Documents in every form that cassettes have, and broken ones."""


def yaml_values(page: Messages) -> Iterator[Block]:
    """What is read of each document as the body of a request, or that it is refused; and how deep data may be."""
    texts = {text: text for text in YAML}
    for depth in (DEPTH, DEPTH + 1):
        for form, text, end in (("flow", "[", "]"), ("keys", "{a: ", "}"), ("chain", "- ", "")):
            texts[f"{form} {depth}"] = text * depth + "a" + end * depth
    texts["chain beyond"] = "- " * 2_000 + "a"
    copied = ", ".join(f"k{number}: 1" for number in range(1_000))
    for times in (99, 100, 101):
        texts[f"merged {times} times"] = f"a: &a {{{copied}}}\nb: [{'{<<: *a}, ' * times}]"
    texts["wide"] = " " * 800 + "a"
    texts["siblings"] = "[" + "[], " * 2_000 + "]"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.yaml"
        decided = []
        for name, text in texts.items():
            body = textwrap.indent(text, " " * 6)
            file.write_text(
                f"interactions:\n- request:\n    uri: x\n    body:\n{body}\n  response: {{status: 200}}\n",
                encoding="utf-8",
            )
            found = refused(page, partial(_bodies, file), file, file.parent)
            decided.append(
                Decided(
                    name, found if len(found) < 200 else f"{found[:60]}… of {len(found)}", "" if name == text else name
                )
            )
    yield Block("the body of a request", decided)


DEPTH = 1_000
"""Levels that a document may have."""


def _bodies(file: Path) -> str:
    return "; ".join(repr(one.request.body) for one in read_cassette(file).interactions)


_BODIES: tuple[dict[str, Any], ...] = (
    *(
        {},
        {"body": None},
        {"body": "ä"},
        {"body": b"\xff"},
        {"body": ["a", b"b", None, 5]},
        {"body": 5},
        {"content": "c"},
    ),
    *(
        {"body": {"string": "s"}},
        {"body": {"text": "t"}},
        {"body": {"string": ["a", b"b"]}},
        {"body": {"string": None}},
    ),
    *(
        {"body": {"base64_string": "YWI="}},
        {"body": {"base64_string": "?"}},
        {"body": {"encoding": "BASE64", "string": "YWI="}},
    ),
    *({"body": {"encoding": "utf-8", "string": "YWI="}}, {"body": {"string": {"a": 1}}}, {"body": "a", "content": "b"}),
    *(
        {"parsed_body": {"a": [1, "ä", None]}},
        {"parsed_body": "text"},
        {"parsed_body": b"bytes"},
        {"parsed_body": [[]], "body": "x"},
    ),
    *({"body": "a", "headers": {"A": "1", "B": ["1", "2"], b"C": b"\xe9", "D": None, 5: 6}},),
    *({"body": "a", "headers": [["A", "1"], ["B"], ["C", ["1"]], "x", [5, "y"]]},),
    *(
        {"status": {"code": 201}},
        {"status": {"code": "404"}},
        {"status": "500"},
        {"status": "50"},
        {"status_code": 200},
    ),
    *({"status": None, "status_code": 200}, {"status": {"code": None}}, {"status": True}, {"status": {"code": 2.0}}),
    *({"method": "put", "uri": "u"}, {"method": None, "url": "v"}, {"method": 5, "uri": None, "url": "w"}),
)


_HOSTILE = {
    "deep": "[" * 3_000 + "x" + "]" * 3_000,
    "wide": ", ".join(["[&a0 [x]", *(f"&a{n + 1} [{', '.join([f'*a{n}'] * 100)}]" for n in range(8))]) + "]",
}
"""Data that is too deep, and data that is small and means a great deal."""


def bodies(page: Messages) -> Iterator[Block]:
    """What is read of messages in every form, and of headers."""
    endless: list[Any] = []
    endless.append(endless)
    given = {str(one): one for one in _BODIES}
    given |= {str(value): {"parsed_body": value} for value in ([[["x"]]] * 3, "x" * 5, {"a": {"b": 1}})}
    given["endless"] = {"parsed_body": endless}
    decided = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.yaml"
        for name, one in given.items():
            whole = {"request": {"uri": "u", **one}, "response": {"status": 201, **one}}
            file.write_text(yaml.dump({"interactions": [whole]}, allow_unicode=True), encoding="utf-8")
            decided.append(Decided(name, _read(page, file), name[:80]))
        for name, value in _HOSTILE.items():
            whole = f"{{interactions: [{{request: {{uri: u, parsed_body: {value}}}, response: {{status: 200}}}}]}}"
            file.write_text(whole, encoding="utf-8")
            decided.append((name, _read(page, file)))
    yield Block("a request and an answer in each form", decided)


def written(page: Messages) -> Iterator[Block]:
    """How a cassette writes each text, and that the same is read again."""
    decided = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.yaml"
        for text in inputs("replay", "written"):
            body = text.encode("utf-8", "surrogatepass")
            whole = render(
                [
                    Interaction(
                        "POST",
                        URL,
                        (("x-text", (text.encode("utf-8", "replace").decode("utf-8"),)),),
                        body,
                        200,
                        "OK",
                        (),
                        b"",
                    )
                ]
            )
            file.write_text(whole, encoding="utf-8", newline="")
            (one,) = read_cassette(file).interactions
            kept = "kept" if one.request.body == body else f"read as {one.request.body!r}"
            lines = whole.splitlines()
            begins = next(at for at, line in enumerate(lines) if line.startswith("    body:"))
            ends = next(at for at, line in enumerate(lines[begins:]) if at and not line.startswith("      ")) + begins
            form = lines[begins].removeprefix("    body: ")
            decided.append(
                Decided(text, f"{'one line' if ends == begins + 1 else f'{form} of {ends - begins - 1} lines'}, {kept}")
            )
    yield Block("a text as a body", decided)


def taken_for(page: Messages) -> Iterator[Block]:
    """What is taken for a file that is recorded and for a program that libraries start; and the names of cassettes."""
    paths = [Decided(path, str(is_recorded_path(path))) for path in inputs("replay", "paths")]
    yield Block("a path that a command writes", paths)
    programs = [
        Decided(one, str(starts_by_itself(one.split(), {"PATH": "/nowhere"}))) for one in inputs("replay", "programs")
    ]
    yield Block("a program that libraries start by themselves", programs)
    decided = []
    for text in inputs("replay", "file_names"):
        file = cassette_path("", "test_a.py", "v", "key", text)
        decided.append(Decided(text, f"{file.name} {cassette_path('', 'test_a.py', text, 'key').parent.name}"))
    yield Block("a case, as the name of a file and of a folder", decided)
