"""What is taken out of each part of an exchange: members, pairs, headers and bodies in any encoding."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from pytest_planguard.replay.privacy.redact import Cleaner, SecretFound, first_secret
from pytest_planguard.replay.privacy.redaction_rules import Redaction, environment_secrets, own_redaction

from ...support.one_item import in_one_item

VALUE = "Zq8planted4Xw7Kt2Lm"
OUT = "[redacted]"


def cleaned(value: Any, place: str = "request body") -> tuple[Any, list[str]]:
    """What is left of data, and what is told of it."""
    told: list[str] = []
    left = Cleaner(Redaction(), lambda where, kind: told.append(str(SecretFound(where, kind)))).value(value, place)
    return left, told


@in_one_item
@pytest.mark.parametrize("held", ["value", "val", "content", "default"])
@pytest.mark.parametrize("named", ["name", "key", "variable", "header", "field"])
def test_two_members_are_a_name_and_its_value(named: str, held: str) -> None:
    """Also a value that only its name shows, with two words and without a digit."""
    for value in (VALUE, "correct horse battery"):
        assert cleaned({named: "DB_PASSWORD", held: value}) == (
            {named: "DB_PASSWORD", held: OUT},
            [f'request body {held}: field "DB_PASSWORD"'],
        )
    assert cleaned({"title": "DB_PASSWORD", held: VALUE})[0] == {"title": "DB_PASSWORD", held: VALUE}
    assert cleaned({named: "COLUMN", held: VALUE})[0] == {named: "COLUMN", held: VALUE}
    assert cleaned({named: "DB_PASSWORD", "other": VALUE})[0] == {named: "DB_PASSWORD", "other": VALUE}


@in_one_item
@pytest.mark.parametrize("inner", ["key", "token", "value", "secret"])
@pytest.mark.parametrize("owner", ["authentication", "auth", "credential", "credentials", "Auth"])
def test_a_member_of_credentials_is_a_secret_with_any_value(owner: str, inner: str) -> None:
    """An empty text, a number and other members stay."""
    left, told = cleaned({owner: {inner: "abc", "type": "api_key"}})
    assert (left, told) == (
        {owner: {inner: OUT, "type": "api_key"}},
        [f'request body {owner}.{inner}: field "{inner}"'],
    )
    for value in ("", 5, OUT):
        assert cleaned({owner: {inner: value, "type": "x"}}) == ({owner: {inner: value, "type": "x"}}, [])


@in_one_item
@pytest.mark.parametrize(
    "member",
    ["type", "$ref", "anyOf", "oneOf", "allOf", "properties", "enum", "description", "msg", "message"],
)
def test_a_mapping_that_describes_a_value_holds_none(member: str) -> None:
    """The schema of a password, or what a validator says of it; a mapping of names to passwords is another thing."""
    described = {member: "hunter2", "also": "hunter2"}
    assert cleaned({"password": described}) == ({"password": described}, [])
    assert cleaned({"password": {"other": "hunter2", "n": 5}})[0] == {"password": {"other": OUT, "n": 5}}


@in_one_item
@pytest.mark.parametrize(
    ("value", "left"),
    [
        ({"password": 999}, {"password": 999}),
        ({"password": 1000}, {"password": 0}),
        ({"password": True}, {"password": True}),
        ({"password": 1000.5}, {"password": 1000.5}),
        ({"api_key": 1000}, {"api_key": 1000}),
        ({"password": ["hunter2", "Missing data.", 5]}, {"password": [OUT, "Missing data.", 5]}),
        ({"password": "", "token": "abc"}, {"password": "", "token": "abc"}),
        ({"password": OUT}, {"password": OUT}),
        ({"token": VALUE, "logprob": -1}, {"token": VALUE, "logprob": -1}),
        ({"token": VALUE}, {"token": OUT}),
        (
            {"password": "hunter2", "logprobs": [{"token": "hunter2"}]},
            {"password": OUT, "logprobs": []},
        ),
        ({"password": "hunter2", "logprobs": {"content": 1}}, {"password": OUT, "logprobs": None}),
        ({"text": "plain", "logprobs": [1]}, {"text": "plain", "logprobs": [1]}),
        ({f"sk-planted{VALUE}": 1}, {OUT: 1}),
        (["--token", VALUE, "x"], ["--token", OUT, "x"]),
        (["--token", "--other", "x"], ["--token", "--other", "x"]),
        (["--title", VALUE], ["--title", VALUE]),
        (["Authorization", VALUE], ["Authorization", OUT]),
        (["Authorization", VALUE, "x"], ["Authorization", VALUE, "x"]),
        (["password", "username"], ["password", "username"]),
        (["mysql", "-p", "Tr0ub4dor"], ["mysql", "-p", OUT]),
        (["mysql", "-pTr0ub4dor", "db"], ["mysql", f"-p{OUT}", "db"]),
        (["mysql", "-p", "Tr0ub4dor", 5], ["mysql", "-p", "Tr0ub4dor", 5]),
        ("{words} of a password", "{words} of a password"),
        ('{"password": "hunter2"}', '{"password": "[redacted]"}'),
        (' [{"password": "hunter2"}]', '[{"password": "[redacted]"}]'),
        ('{"a":  1, "pass": ""}', '{"a":  1, "pass": ""}'),
        (5, 5),
        (None, None),
    ],
)
def test_what_is_left_of_data(value: Any, left: Any) -> None:
    """A secret is replaced by a value of its type; what only resembles one stays as it is written."""
    assert cleaned(value)[0] == left


def test_a_binary_file_of_a_command_is_cleaned_as_what_it_says() -> None:
    """In its own encoding; text that is no base64 is a text like any other."""
    data = base64.b64encode(b"\xffpassword=hunter2 x7").decode()
    left, told = cleaned({"base64": data})
    assert base64.b64decode(left["base64"]) == b"\xffpassword=[redacted] x7"
    assert told == ["request body: value of password"]
    plain = base64.b64encode(b"\xffplain").decode()
    assert cleaned({"base64": plain}) == ({"base64": plain}, [])
    assert cleaned({"base64": "é"}) == ({"base64": "é"}, [])
    assert cleaned({"base64": data, "more": 1})[0]["base64"] == data


@in_one_item
@pytest.mark.parametrize("coding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_body_is_cleaned_in_its_own_encoding(coding: str) -> None:
    """UTF-16 shows in its mark, or in the zeros beside ASCII."""
    cleaner = Cleaner(own_redaction(["/ab/"]))
    for text, left in (("ab", OUT), ("x ab é", f"x {OUT} é"), ('{"password": "hunter2"}', f'{{"password": "{OUT}"}}')):
        assert cleaner.body(text.encode(coding), "request body").decode(coding) == left


@pytest.mark.parametrize("body", [b"a\0", b"\0a", b"ab\0", b"a\0b", b"abc\0", b"\xff\0\xff\0\xff", b""])
def test_bytes_that_are_no_text_stay(body: bytes) -> None:
    """Too short for UTF-16, of an odd length, or with zeros elsewhere."""
    assert Cleaner(own_redaction(["/abc?d/"])).body(body, "request body") == body


@in_one_item
@pytest.mark.parametrize(
    "name", ["Location", "Referer", "Origin", "Link", "X-Url", "X-Callback", "Operation-Location", "Content-Location"]
)
def test_a_header_of_an_answer_with_an_address_is_cleaned_as_one(name: str) -> None:
    """Its parameters are secrets by their names; in any other header they are words."""
    headers = ((name, ("/x?token=abcd", "/y")), ("X-Other", ("/x?token=abcd",)))
    assert Cleaner(Redaction()).response_headers(headers) == (
        (name, (f"/x?token={OUT}", "/y")),
        ("X-Other", ("/x?token=abcd",)),
    )


@in_one_item
@pytest.mark.parametrize(
    "place", ["responseId", "body id", "header x-amz-cf-id", "a.log_id", "ids", "data-IDs", "etag"]
)
def test_an_id_may_be_as_random_as_a_key(place: str) -> None:
    """What only looks random beside a word stays there; a key of a known shape does not."""
    text, key = f"the token for it is {VALUE}", f"sk-planted{VALUE}"
    where = place if place[0] not in "ie" else f"body {place}"
    for at in (where, f"{where}[12]"):
        assert Cleaner(Redaction()).text(text, at) == text
        assert Cleaner(Redaction()).text(key, at) == OUT
    assert Cleaner(Redaction()).text(text, f"{where} text") == f"the token for it is {OUT}"


@in_one_item
@pytest.mark.parametrize(
    "name",
    [
        *("openai-organization", "openai-project", "anthropic-organization-id", "x-goog-user-project", "cf-ray"),
        *("www-authenticate", "set-cookie", "set-cookie2"),
    ],
)
def test_headers_of_an_answer_that_name_the_account_are_hidden(name: str) -> None:
    """Whatever their value; a number alone names nobody."""
    cleaner = Cleaner(Redaction())
    assert cleaner.response_headers(((name.title(), ("acme", "12")),)) == ((name.title(), (OUT, "12")),)
    assert not Redaction().hides_header(f"{name}-x")


@in_one_item
@pytest.mark.parametrize(
    "name",
    [
        *("content-type", "content-x", "accept", "accept-language", "user-agent", "host", "openai-beta"),
        *("anthropic-version", "anthropic-beta", "x-stainless-lang", "x-planguard-state", "x-amz-target"),
        *("x-goog-api-client", "mcp-protocol-version", "transfer-encoding"),
    ],
)
def test_headers_of_a_request_that_are_recorded(name: str) -> None:
    """No others are, and none that the project takes out."""
    assert Redaction().keeps_header(name.title())
    assert not Redaction().keeps_header(f"x{name}")
    assert not own_redaction([name]).keeps_header(name)


@in_one_item
@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a8Kq0Zk/R17pWm2Xc", ["a8Kq0Zk/R17pWm2Xc", "a8Kq0Zk%2FR17pWm2Xc"]),
        ('a8Kq0Zk"R17pWm2Xc', ['a8Kq0Zk"R17pWm2Xc', 'a8Kq0Zk\\"R17pWm2Xc', "a8Kq0Zk%22R17pWm2Xc"]),
        ("a8Kq0ZkéR17pWm2X", ["a8Kq0ZkéR17pWm2X", "a8Kq0Zk\\u00e9R17pWm2X", "a8Kq0Zk%C3%A9R17pWm2X"]),
    ],
)
def test_a_value_of_the_environment_is_known_in_each_form(value: str, written: list[str]) -> None:
    """As it is, as JSON writes it, and in an address; never as a part of a longer word."""
    pattern = environment_secrets({"API_KEY": value, "OTHER_TOKEN": f"{value}more"})
    assert pattern is not None
    for form in written:
        assert [found[0] for found in pattern.finditer(f"<{form}> {form}more")] == [form, f"{form}more"]
        assert pattern.search(f"x{form}") is pattern.search(f"{form}_") is pattern.search(f"{form}9") is None


@pytest.mark.parametrize(("length", "is_one"), [(15, False), (16, True)])
def test_a_value_of_the_environment_has_sixteen_characters(length: int, is_one: bool) -> None:
    """A shorter one may be a word."""
    assert (environment_secrets({"API_KEY": "a1" * 7 + "b" * (length - 14)}) is not None) == is_one


@in_one_item
@pytest.mark.parametrize(
    "value",
    [
        *("/run/secrets/key0001", "~/secrets/key000001", "./secrets/key000001", "../secrets/key00001"),
        *("file:secrets-key0001", "secrets-key-0001.json", "secrets-key-0001.pem", "secrets-key-0001.key"),
        *("C:\\secrets\\key000001", "https://a.test/key01", "a key of 0001 words", "a\tkey\tof\t0001\twords"),
    ],
)
def test_paths_and_sentences_in_the_environment_are_no_values(value: str) -> None:
    """They would be taken out of any prompt that speaks of them."""
    assert environment_secrets({"API_KEY": value}) is None


def test_the_first_secret_of_a_cassette_is_told_by_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and a project's own words are looked for; a value that only its name shows was judged in its place."""
    text = f"a\nb: password: hunter2!x\nc: sk-planted{VALUE} QQQ\n"
    assert first_secret(text, Redaction()) == (3, "API key (sk-…)")
    assert first_secret(f"QQQ {text}", own_redaction(["/Q+/"])) == (1, "pattern of planguard_redact")
    assert first_secret(text, own_redaction([], keep=["/sk-.*/"])) is None
    assert first_secret("a\nb", Redaction()) is None
    assert first_secret(f"\nsk-planted{VALUE}", Redaction()) == (2, "API key (sk-…)")
    monkeypatch.setenv("OWN_TOKEN", VALUE)
    assert first_secret(f"a\n{VALUE}", Redaction()) == (2, "value of an environment variable")


@in_one_item
@pytest.mark.parametrize("text", ["Q", "QQ", "QQQ", "QQQQ"])
def test_a_projects_own_pattern_is_found_in_the_shortest_text(text: str) -> None:
    """Also beside another secret; a pattern of a whole word needs no more than that word."""
    cleaner = Cleaner(own_redaction(["/Q+/"]))
    assert cleaner.text(text, "") == OUT
    assert cleaner.value({"a": text, "password": "hunter2"}, "") == {"a": OUT, "password": OUT}


def test_the_text_of_json_is_written_without_escapes() -> None:
    """A body with a secret is written anew; one without it stays byte for byte."""
    assert Cleaner(Redaction()).body_text('{"a": "\\u00e9",  "password": "hunter2"}', "") == json.dumps(
        {"a": "é", "password": OUT}, ensure_ascii=False
    )
    for text in ('{"a": "\\u00e9",  "b": 1}', '"words"', "[1,2]"):
        assert Cleaner(Redaction()).body_text(text, "") == text
