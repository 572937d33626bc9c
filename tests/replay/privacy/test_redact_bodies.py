"""Streams, forms and multipart bodies: what is one, and what is left of it."""

from __future__ import annotations

import pytest

from pytest_planguard.replay.privacy.redact import Cleaner
from pytest_planguard.replay.privacy.redact_bodies import clean_form, clean_stream, is_stream
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.privacy.secrets import find_secrets

from ...support.one_item import in_one_item

KEY = "sk-planted0123456789abcdef"
OUT = "[redacted]"


@in_one_item
@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *((f"{start}{line} x\n", True) for line in ("data:", "event:", "id:", "retry:", ":") for start in ("", "\r\n")),
        ("\ufeffdata: x", True),
        ('{"a": 1}\n{"b": 2}', True),
        ('\n{"a": 1}\n{"b": 2}', True),
        ('{"a":\n1}', False),
        ('[{"a": 1},\n{"b": 2}]', False),
        ("datum: x", False),
        (" data: x", False),
        ("x\ndata: x", False),
        ("", False),
    ],
)
def test_what_is_a_stream(text: str, is_one: bool) -> None:
    """Server-sent events, and one JSON document a line."""
    assert is_stream(text) is is_one


def cleaned_form(text: str) -> tuple[str, list[str]]:
    """What is left of a form whose field "pin" is a secret unless it is 0000, and the names that are noted."""
    noted: list[str] = []
    left = clean_form(
        text,
        lambda name, value: name == "my pin" and value != "0000",
        OUT,
        noted.append,
        lambda value: value.replace("QQQ", OUT),
    )
    return left, noted


@in_one_item
@pytest.mark.parametrize(
    ("text", "left", "noted"),
    [
        ("my+pin=1234&a=b", f"my+pin={OUT}&a=b", 1),
        ("a=b&my%20pin=1234", f"a=b&my%20pin={OUT}", 1),
        ("my+pin=0000&my+pin=%3Cx", f"my+pin=0000&my+pin={OUT}", 1),
        (f"my+pin={OUT}&a=", f"my+pin={OUT}&a=", 0),
        (" my+pin=1234 \n", f" my+pin={OUT}", 1),
        ("a=b%20QQQ&c=QQQ", f"a=b+{OUT}&c=QQQ", 0),
        ("a=b%20c&d=+", "a=b%20c&d=+", 0),
        ("a[b].c=d=&my+pin=x=", f"a[b].c=d=&my+pin={OUT}", 1),
        ("my pin=1234", "my pin=1234", 0),
        ('my+pin="1234"', 'my+pin="1234"', 0),
        ("my+pin=1234&a", "my+pin=1234&a", 0),
        ("a=b=c&my+pin=1", "a=b=c&my+pin=1", 0),
        ("plain words", "plain words", 0),
        (f"{'a' * 200}=b&my+pin=1", f"{'a' * 200}=b&my+pin={OUT}", 1),
        (f"{'a' * 201}=b&my+pin=1", f"{'a' * 201}=b&my+pin=1", 0),
    ],
)
def test_what_is_left_of_a_form(text: str, left: str, noted: int) -> None:
    """Names and values are compared as they read; what is no form stays as it is."""
    assert cleaned_form(text) == (left, ["my pin"] * noted)


def part(head: str, value: str, end: str = "\r\n") -> str:
    """One part of a multipart body, and the next boundary."""
    return f"--b{end}{head}{end}{end}{value}{end}--b"


@in_one_item
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "head",
    [
        'Content-Disposition: form-data; name="my pin"',
        "content-disposition:form-data; name=my pin",
        'Content-Disposition: form-data; x="y"; name="my pin"; filename="a.txt"',
        'CONTENT-DISPOSITION: form-data; name="my pin"{end}Content-Type: text/plain',
    ],
)
def test_the_value_of_a_part_is_taken_out(head: str, end: str) -> None:
    """Up to the next boundary, with lines of its own; the line ends stay."""
    head = head.replace("{end}", end)
    assert cleaned_form(part(head, "1234", end)) == (part(head, OUT, end), ["my pin"])
    assert cleaned_form(part(head, f"1{end}2", end)) == (part(head, OUT, end), ["my pin"])
    for other in ("0000", OUT):
        assert cleaned_form(part(head, other, end)) == (part(head, other, end), [])
    two = part(head, "1234", end) + end.join(["", head, "", "5678", "--b--", ""])
    assert cleaned_form(two)[0] == part(head, OUT, end) + end.join(["", head, "", OUT, "--b--", ""])


@in_one_item
@pytest.mark.parametrize(
    "text",
    [
        part('Content-Disposition: form-data; name="other"', "1234"),
        part('Content-Disposition: form-data; filename="my pin"', "1234"),
        part('Content-Disposition: attachment; name="my pin"; form-data', "1234"),
        part('Content-Disposition: form-data; name="my pin"', "1234").removesuffix("\r\n--b"),
        'form-data: Content-Disposition: form-data; name="my pin"',
        f'--b\nContent-Disposition: form-data; {"x" * 201}; name="my pin"\n\n1234\n--b',
        f'--b\nContent-Disposition: form-data; name="{"x" * 81}"\n\n1234\n--b',
    ],
)
def test_a_part_of_another_name_or_without_an_end_stays(text: str) -> None:
    """It is no field of the form, or no whole one."""
    assert cleaned_form(text) == (text, [])


def cleaned_stream(text: str) -> tuple[str, list[str]]:
    """What is left of a stream without keys, and the kinds of those over several events."""
    noted: list[str] = []
    return clean_stream(text, lambda value, _: value, find_secrets, noted.append), noted


@in_one_item
@pytest.mark.parametrize("members", ['"index": {}', '"output_index": {}', '"a": [{{"x_index": {}}}]'])
def test_pieces_of_one_text_are_read_together(members: str) -> None:
    """The first piece gets the placeholder, the others lose theirs; parallel texts have another index."""

    def stream(*pieces: tuple[int, str]) -> str:
        return "".join(f'data: {{{members.format(at)}, "t": "{text}"}}\n\n' for at, text in pieces)

    own = stream((0, f"a {KEY[:9]}"), (0, KEY[9:15]), (0, f"{KEY[15:]} b"), (0, "c"))
    left = stream((0, f"a {OUT}"), (0, ""), (0, " b"), (0, "c"))
    assert cleaned_stream(own) == (left, ["API key (sk-…)"])
    mixed = stream((0, KEY[:9]), (1, "d"), (0, KEY[9:]))
    assert cleaned_stream(mixed) == (stream((0, OUT), (1, "d"), (0, "")), ["API key (sk-…)"])
    parallel = stream((0, KEY[:9]), (1, KEY[9:]))
    assert cleaned_stream(parallel) == (parallel, [])


@in_one_item
@pytest.mark.parametrize("prefix", ["data: ", "data:", ""])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_changes_keeps_its_prefix_and_its_end(prefix: str, end: str) -> None:
    """Others stay byte for byte, and the place of a secret is its line."""
    places: list[str] = []

    def clean(value: object, place: str) -> object:
        places.append(place)
        return {"é": 1} if value == {"a": 0} else value

    text = end.join([f'{prefix}{{"b":  1}}', "id: 5", f'{prefix}{{"a": 0}}', "data: [DONE]", ""])
    left = clean_stream(text, clean, find_secrets, places.append)
    assert left == text.replace('{"a": 0}', '{"é": 1}')
    assert places == ["line 1", "line 3"]


def test_secrets_of_a_stream_are_told_by_line_and_path() -> None:
    """Those over several events have no single line."""
    told: list[str] = []
    cleaner = Cleaner(Redaction(), lambda place, kind: told.append(f"{place}: {kind}"))
    whole = f'data: {{"t": "{KEY}"}}\n\nid: 1\ndata: {{"a": {{"api_key": "hunter2!x"}}}}\n'
    assert cleaner.body_text(whole, "response body") == (
        f'data: {{"t": "{OUT}"}}\n\nid: 1\ndata: {{"a": {{"api_key": "{OUT}"}}}}\n'
    )
    assert told == [
        "response body line 1.t: API key (sk-…)",
        'response body line 4.a.api_key: field "api_key"',
    ]
    told.clear()
    cleaner.body_text(f'data: {{"t": "{KEY[:9]}"}}\n\ndata: {{"t": "{KEY[9:]}"}}\n', "response body")
    assert told == ["response body (over several events): API key (sk-…)"]
