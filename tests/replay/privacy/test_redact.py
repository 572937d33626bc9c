"""Secrets never reach the disk; media and ordinary words are left alone."""

import base64
import json
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus, unquote_plus, urlsplit

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.matching.semantic import semantic_hash
from pytest_planguard.replay.privacy.redact import Cleaner, clean_form, redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction, own_keep, own_redaction
from pytest_planguard.replay.privacy.secrets import PLACEHOLDER, find_secrets, without_secrets
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.wire.exchange import Message

from ...support.cost import assert_growth
from ...support.exchanges import chat, user
from ...support.lookalike import Lookalike
from ...support.one_item import in_one_item

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq1\nplanted+pem/line2==\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJlLXBsYW50ZWQ"
PLANTED = {
    "header authorization": "sk-planted-header-000000000001",
    "header x-api-key": "planted-x-api-key-plain",
    "header cookie": "session=planted-cookie",
    "header of another name": "ghp_" + "PlantedHeader0" * 3,
    "query key": "planted-query-key",
    "query signature": "planted-signature",
    "user info": "planted-password-in-url",
    "field api_key": "planted-field-value",
    "field password, nested": "planted nested password",
    "prompt": "sk-proj-PlantedInPrompt1234567890",
    "prompt, behind a line break": "AIza" + "PlantedGoogle0" * 3,
    "multi-line key": "planted+pem/line2",
    "tool arguments, JSON in JSON": "gsk_" + "PlantedGroq0" * 4,
    "member's name": "hf_" + "PlantedName00" * 3,
    "bearer in text": "Bearer planted.bearer.token.123456",
    "token": JWT,
    "answer": "AKIAPLANTEDANSWER012",
    "stream, whole": "xoxb-planted-slack-0123456789",
    "stream, in pieces": "sk-ant-planted-over-several-events",
    "response header": "glpat-PlantedGitlabToken000",
}
assert len(PLANTED) == 20


def request_body() -> dict[str, Any]:
    """A chat request with secrets in many places."""
    return {
        "model": "m",
        "api_key": PLANTED["field api_key"],
        "config": {"db": {"password": PLANTED["field password, nested"], PLANTED["member's name"]: 1}},
        "messages": [
            user(f"use {PLANTED['prompt']} please"),
            user(f"line\n{PLANTED['prompt, behind a line break']}\n{PEM}\nthen {PLANTED['bearer in text']}"),
            {"role": "assistant", "tool_calls": [{"function": {"arguments": json.dumps({"k": _groq()})}}]},
            user(f"jwt={JWT}"),
        ],
    }


def _groq() -> str:
    return f"line\n{PLANTED['tool arguments, JSON in JSON']}"


def everything_on_disk(folder: Path) -> bytes:
    """All bytes of all files."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_twenty_planted_secrets_never_reach_disk(lookalike: Lookalike, tmp_path: Path) -> None:
    """Headers, URL, fields, prompts, tool arguments, answers, streams: no planted byte is written."""
    note = f"{PLANTED['answer']} and {PLANTED['stream, whole']} and {PLANTED['stream, in pieces']} "
    lookalike.script({}, {}, note=note)
    url = lookalike.base_url.replace("http://", f"http://user:{PLANTED['user info']}@")
    query = f"key={PLANTED['query key']}&X-Amz-Signature={PLANTED['query signature']}"
    headers = {
        "authorization": f"Bearer {PLANTED['header authorization']}",
        "x-api-key": PLANTED["header x-api-key"],
        "cookie": PLANTED["header cookie"],
        "x-trace": PLANTED["header of another name"],
    }
    seen: list[bytes] = []
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        for stream in (False, True):
            body = {**request_body(), "stream": stream}
            answer = httpx2.post(f"{url}/chat/completions?{query}", json=body, headers=headers, verify=False)
            seen.append(everything_on_disk(tmp_path))
            assert stream or PLANTED["answer"] in answer.text  # the app itself gets the real answer
    on_disk = b"".join([*seen, everything_on_disk(tmp_path)])
    assert len(seen) == 2
    for place, secret in PLANTED.items():
        if place != "response header":
            assert secret.encode() not in on_disk, place
    answers = [e.answer_text for e in read_cassette(tmp_path / "a.yaml").exchanges]
    assert len(answers) == 2
    assert all(a.startswith(f"{PLACEHOLDER} and {PLACEHOLDER} and {PLACEHOLDER} {{") for a in answers)
    told = "\n".join(map(str, session.secrets_found))
    assert not any(secret in told for secret in PLANTED.values())
    assert {
        'request body api_key: field "api_key"',
        'request body config.db.password: field "password"',
        "request body messages[0].content: API key (sk-…)",
        "request body messages[1].content: private key",
        "request url: password in a URL",
        "response body choices[0].message.content: AWS access key id",
    } <= set(told.split("\n"))


def test_a_secret_in_a_response_header_is_found() -> None:
    """A key in any header of the answer is replaced and told by the header's name."""
    secret = PLANTED["response header"]
    plain = chat([user("x")], "y")
    planted = Interaction(*[getattr(plain, n) for n in plain.__slots__[:-2]], (("X-Debug", (secret,)),), b"")
    cleaned = redact(planted, Redaction())
    assert cleaned.interaction.response_headers == (("X-Debug", (PLACEHOLDER,)),)
    assert [str(s) for s in cleaned.secrets] == ["response header x-debug: GitLab token"]


def test_a_recording_with_secrets_still_replays(lookalike: Lookalike, tmp_path: Path) -> None:
    """What was taken out is taken out of the request of the replay as well, so the two still mean the same.

    The user and the password of an address are replaced by a text that an address may have there.
    """
    address = urlsplit(lookalike.base_url)
    for number, user_info in enumerate(("", f"user:{PLANTED['user info']}@")):
        url = f"http://{user_info}{address.netloc}{address.path}/chat/completions"
        for mode in ("all", "none"):
            with open_cassette(tmp_path / f"{number}.yaml", mode=mode, match="strict") as session:
                httpx2.post(url, json=request_body(), verify=False)
        assert (session.misses, len(session.played)) == ([], 1)
    (exchange,) = read_cassette(tmp_path / "1.yaml").exchanges
    assert exchange.url == f"http://%5Bredacted%5D@{address.netloc}{address.path}/chat/completions"


@pytest.mark.parametrize(
    "server", ["{}@a.test", "u:{}@a.test", "{}.a.test", "{}", "{}@{}.a.test:8080", "[::1]:80/{}", "a.test/?x={}"]
)
def test_an_address_with_a_secret_in_any_part_is_read_back(server: str, tmp_path: Path) -> None:
    """A placeholder in brackets, as a host, is no address: the cassette could not be read any more."""
    url = f"https://{server.replace('{}', PLANTED['prompt'])}"
    cleaned = redact(Interaction("POST", url, (), b"{}", 200, "OK", (), b"{}"), Redaction()).interaction
    assert PLANTED["prompt"] not in cleaned.url
    assert redact(cleaned, Redaction()).interaction.url == cleaned.url
    path = tmp_path / "a.yaml"
    path.write_text(render([cleaned]), encoding="utf-8")
    assert [one.request.url for one in read_cassette(path).interactions] == [cleaned.url]


@pytest.mark.slow
def test_media_and_words_are_left_alone() -> None:
    """Base64 media, hashes, ids, class names and ordinary prose are no secrets, byte for byte."""
    noise = random.Random(7).randbytes(100_000)
    media = base64.b64encode(noise).decode()
    wrapped = base64.encodebytes(noise).decode()
    url = base64.urlsafe_b64encode(noise).decode()
    words = (
        "sk-toggleable__control sklearn task-force-management-of-the-desk bearer bonds maxims 5f4dcc3b5aa765d61d8327"
    )
    texts = [f"data:image/png;base64,{media}", wrapped, url, words, "AKIA" + "x" * 30, "eyJ0.a.b", "https://a:@b/c"]
    body = json.dumps({"texts": texts, "token": "", "max_tokens": 5, "password": {"type": "string"}}).encode()
    logprobs = json.dumps({"content": [{"token": "Hello", "logprob": -0.1, "bytes": [72]}]}).encode()
    for planted in (body, logprobs, noise):
        plain = Interaction("POST", "https://a.test/x?page=2", (), planted, 200, "OK", (), planted)
        redacted = redact(plain, Redaction())
        assert (redacted.interaction, redacted.secrets) == (plain, ())


def test_a_secret_that_only_the_whole_command_shows_is_found() -> None:
    """The user and the password of curl are one word, and the option before it says what they are."""
    words = ["curl", "-s", "-u", "me:a8Kq0ZkR17pW", "https://a.test"]
    body = json.dumps({"argv": words}).encode()
    cleaned = Cleaner(Redaction()).body(body, "request body")
    assert json.loads(cleaned)["argv"] == ["curl", "-s", "-u", "me:[redacted]", "https://a.test"]


def test_streams_keep_their_form() -> None:
    """Only the events that held a piece of a key change; the others keep their bytes, line ends included."""
    events = [
        f'data: {{"choices": [{{"index": 0, "delta": {{"content": "{p}"}}}}]}}'
        for p in ("a sk-", "ant-abcdefgh1", " b")
    ]
    stream = "\r\n\r\n".join([*events, "data: [DONE]", ""]).encode()
    plain = Interaction("POST", "https://a.test/", (), b"", 200, "OK", (), stream)
    cleaned = redact(plain, Redaction())
    lines = cleaned.interaction.response_body.decode().split("\r\n\r\n")
    assert [json.loads(line[6:])["choices"][0]["delta"]["content"] for line in lines[:3]] == [
        f"a {PLACEHOLDER}",
        "",
        " b",
    ]
    assert lines[2:] == [events[2], "data: [DONE]", ""]
    assert [str(s) for s in cleaned.secrets] == ["response body (over several events): API key (sk-…)"]


def test_parallel_texts_of_one_stream_are_not_joined() -> None:
    """Choices that are streamed side by side are read apart: their pieces do not make a key together."""
    events = [
        {"choices": [{"index": index, "delta": {"content": piece}}]}
        for index, piece in ((0, "sk-ant-"), (1, "abcdefgh1"), (0, "no"), (1, "no"))
    ]
    stream = "".join(f"data: {json.dumps(e)}\n\n" for e in events).encode()
    plain = Interaction("POST", "https://a.test/", (), b"", 200, "OK", (), stream)
    assert redact(plain, Redaction()).interaction.response_body == stream


def test_own_lists_extend_what_is_taken_out() -> None:
    """A team names its own headers, parameters and fields."""
    redaction = Redaction(
        headers=Redaction().headers | {"x-tenant"},
        query=Redaction().query | {"ticket"},
        fields=Redaction().fields | {"customer"},
    )
    plain = Interaction(
        "POST", "https://a.test/?ticket=T1&q=2", (("X-Tenant", ("acme",)),), b'{"customer": "acme"}', 200, "OK", (), b""
    )
    cleaned = redact(plain, redaction).interaction
    assert (cleaned.url, cleaned.request_headers) == ("https://a.test/?ticket=[redacted]&q=2", ())
    assert json.loads(cleaned.request_body) == {"customer": PLACEHOLDER}


@given(st.text(), st.sampled_from(sorted(PLANTED)), st.text())
def test_cleaning_twice_changes_nothing(before: str, place: str, after: str) -> None:
    """Law: what is clean stays as it is, whatever surrounds it."""
    once = without_secrets(f"{before} {PLANTED[place]} {after}", lambda _: None)
    assert without_secrets(once, lambda _: None) == once


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", ["sk-", "eyJ", "://", "Bearer ", "-----BEGIN PRIVATE KEY-----", "a:", "AIza", "xoxb-1-"]
)
def test_hostile_text_is_scanned_in_linear_time(shape: str) -> None:
    """Ten times the text costs about ten times as much, never a hundred times."""

    def scan(size: int) -> None:
        find_secrets(shape * (size // len(shape)) + "a" * size)

    assert_growth(scan, 10_000, 100_000, below=40)


@pytest.mark.parametrize("body", ['{"key": "%s"', '{"a": "%s", "a": "x"}', "key=%s", 'event: x\ndata: {"a": "%s"\n\n'])
def test_broken_bodies_are_cleaned_as_text(body: str) -> None:
    """What no parser reads as it stands (cut off, duplicate keys, forms) is cleaned as text."""
    secret = PLANTED["prompt"]
    plain = Interaction("POST", "https://a.test/", (), (body % secret).encode(), 200, "OK", (), b"")
    cleaned = redact(plain, Redaction())
    assert cleaned.interaction.request_body == (body % PLACEHOLDER).encode()
    kind = 'form field "key"' if body.startswith("key=") else "API key (sk-…)"
    assert [str(s) for s in cleaned.secrets] == [f"request body: {kind}"]


def test_a_private_key_without_its_end_is_taken_out_to_the_end() -> None:
    """A key that was cut off has no end line; nothing behind its first line is kept."""
    assert without_secrets(f"see {PEM[:50]}", lambda _: None) == f"see {PLACEHOLDER}"


PIECES = st.sampled_from([*PLANTED.values(), "\\", '"', "\n", "/", " ", "é", "//u:planted@h", PEM])
STRINGS = st.lists(PIECES | st.text(max_size=5), max_size=4).map(" ".join)
ODD_NAMES = ["api key", "db\tpassword", '"x-api-key"', "\\client_secret"]
NAMES = st.text(max_size=9) | st.sampled_from(["api_key", "API-Key", "token", "content", "name", "value", *ODD_NAMES])


@given(st.dictionaries(NAMES, STRINGS | st.lists(STRINGS, max_size=2), max_size=3), st.booleans())
def test_a_request_means_what_its_recording_means(value: dict[str, Any], ascii_only: bool) -> None:
    """Law: a request is found in its recording, with secrets in any member and in each spelling of JSON."""
    url, body = "https://a.test/v1", json.dumps(value, ensure_ascii=ascii_only).encode()
    recorded = redact(Interaction("POST", url, (), body, 200, "OK", (), b""), Redaction()).interaction
    one, other = (semantic_hash(Message({}, text, "POST", url)) for text in (body, recorded.request_body))
    assert one == other


PARAMETERS = (
    "key api_key api-key apikey token access_token auth_token client_secret password secret sig signature "
    "x-amz-signature x-amz-credential x-amz-security-token subscription-key code auth pwd id_token session_token "
    "refresh_token"
)
MEMBERS = (
    "api_key apikey x_api_key x-api-key access_token refresh_token id_token auth_token session_token bearer_token "
    "client_secret secret secret_key secret_access_key password passwd private_key authorization token"
)
VALUE = "Zq8planted4Xw7Kt2Lm"


@in_one_item
@pytest.mark.parametrize("name", PARAMETERS.split())
def test_a_parameter_whose_value_is_never_recorded(name: str) -> None:
    """In an address and in a form."""
    usual = Redaction()
    for spelled in (name, name.upper()):
        assert usual.hides_parameter(spelled)
        assert usual.hides_form_field(spelled, VALUE)
    assert not usual.hides_form_field(name, "")


def test_an_empty_parameter_beside_a_secret_is_kept() -> None:
    """Parameters without a value are part of the address that the app asked for."""
    asked = f"https://a.test/v1?a=&api_key={VALUE}&b=1"
    assert Cleaner(Redaction()).url(asked, "url") == f"https://a.test/v1?a=&api_key={PLACEHOLDER}&b=1"


@in_one_item
@pytest.mark.parametrize("name", MEMBERS.split())
def test_a_member_whose_text_is_never_recorded(name: str) -> None:
    """What only stands for a secret, and an empty text, have nothing to hide."""
    usual = Redaction()
    for spelled in (name, name.upper()):
        assert usual.hides_text(spelled, VALUE)
        assert usual.may_hide(spelled)
    assert not any(usual.hides_text(name, value) for value in ("", "weak", "<your key>", "Field required"))


@pytest.mark.parametrize("name", ["content-type", "date", "model", "title", "max_tokens", "page"])
def test_ordinary_names_hide_nothing(name: str) -> None:
    """Of a header, a parameter and a member."""
    usual = Redaction()
    assert not usual.hides_header(name)
    assert not usual.hides_parameter(name)
    assert not usual.hides_text(name, "x")


def test_headers_of_requests_are_kept_by_list() -> None:
    """And a project's own beside them; those of answers keep their names, and the values that apps read."""
    sent = tuple((name, ("v1",)) for name in ("Content-Type", "X-Stainless-Lang", "X-Tenant", "Authorization", "x-new"))
    cookies = ("sid=4f2a; Path=/; HttpOnly", "region=eu")  # short, and with words beside it: no text under a name
    got = (("x-ratelimit-reset-tokens", ("6m0s",)), ("Location", (f"/f?sig={VALUE}",)), ("Set-Cookie", cookies))
    one = Interaction("POST", "https://a.test/", sent, b"", 200, "OK", got, b"")
    cleaned = redact(one, own_redaction([], keep_headers=["x-ten*"])).interaction
    assert [name for name, _ in cleaned.request_headers] == ["Content-Type", "X-Stainless-Lang", "X-Tenant"]
    assert cleaned.response_headers == (
        got[0],
        ("Location", (f"/f?sig={PLACEHOLDER}",)),
        ("Set-Cookie", (PLACEHOLDER, PLACEHOLDER)),
    )


HIDDEN_OF_ANSWERS = "x-auth-token x-functions-key x-signature x-amz-security-token set-cookie X-Api-Key x-auth api-keys"
KEPT_OF_ANSWERS = (
    "idempotency-key X-Idempotency-Key surrogate-key sec-websocket-key cache-key access-control-allow-credentials "
    "x-time-per-token x-token-usage x-ratelimit-limit-tokens x-request-id etag"
)


@in_one_item
@pytest.mark.parametrize("name", f"{HIDDEN_OF_ANSWERS} {KEPT_OF_ANSWERS}".split())
def test_which_headers_of_answers_have_secrets(name: str) -> None:
    """Keys that only mark a request or an entry of a cache are none, nor are numbers of tokens."""
    hidden = name in HIDDEN_OF_ANSWERS.split()
    for value, clean in ((VALUE, PLACEHOLDER if hidden else VALUE), ("4711", "4711")):
        one = Interaction("POST", "https://a.test/", (), b"", 200, "OK", ((name, (value,)),), b"")
        assert redact(one, Redaction()).interaction.response_headers == ((name, (clean,)),)


@in_one_item
@pytest.mark.parametrize(
    ("word", "place", "name", "text"),
    [
        ("/a/", False, False, True),
        (" /a|b/ ", False, False, True),
        ("/b/", False, False, False),
        ("/a/x", False, False, False),
        ("//", False, False, False),
        ("/", False, False, False),
        ("", False, False, False),
        ("db_password", False, True, False),
        ("DB-Password", False, True, False),
        ("config", False, False, False),
        ("Request body A[0].b", True, False, False),
        ("*a[0]*", True, False, False),
        ("*a0*", False, False, False),
    ],
)
def test_a_word_keeps_a_place_a_name_or_a_value(word: str, place: bool, name: bool, text: bool) -> None:
    """Two slashes need a pattern between them, and an index in brackets is no set of characters."""
    keep = own_keep(["title", word])
    assert (keep.place("request body a[0].b"), keep.name("db-password"), keep.text("a")) == (place, name, text)
    assert keep.name("TITLE")


def test_a_wrong_pattern_is_refused_by_the_name_of_its_option() -> None:
    """Both options take patterns."""
    with pytest.raises(UsageError, match=r"^a pattern of planguard_keep is not a regular expression .*got /\(/"):
        own_keep(["/(/"])
    with pytest.raises(UsageError, match=r"^a pattern of planguard_redact is not a regular expression .*got /\(/"):
        own_redaction(["/(/"])


@pytest.mark.parametrize("word", ["db_password", "DB-Password", "/Zq8plan.*/", "request body config*", "*password"])
def test_what_a_project_keeps_stays_and_is_listed(word: str) -> None:
    """By its name, its text or its place; another secret beside it does not."""
    body = json.dumps({"config": {"db_password": VALUE}, "api_key": f"{VALUE[::-1]}"}).encode()
    one = Interaction("POST", "https://a.test/", (), body, 200, "OK", (), b"")
    kept = redact(one, own_redaction([], keep=[word]))
    found = json.loads(kept.interaction.request_body)
    assert found == {"config": {"db_password": VALUE}, "api_key": PLACEHOLDER}
    assert list(map(str, kept.kept)) == ['request body config.db_password: field "db_password"']
    assert list(map(str, kept.secrets)) == ['request body api_key: field "api_key"']
    text = f"DB_PASSWORD={VALUE}"
    if word.startswith("/"):
        assert Cleaner(own_redaction([], keep=[word])).text(text, "p") == text


def test_what_is_taken_out_beside_the_known_kinds_has_a_name() -> None:
    """A project's own patterns, then values of the environment."""
    own, value = re.compile("CUST-[0-9]{8}"), re.compile("abcdef")
    assert Redaction().more == ()
    assert Redaction(patterns=(own,)).more == (("pattern of planguard_redact", own),)
    assert Redaction(patterns=(own,), values=value).more == (
        ("pattern of planguard_redact", own),
        ("value of an environment variable", value),
    )


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("curl -u alice:Tr0ub4dor {}", "user and password of a command"),
        ('["curl","--user", "alice:Tr0ub4dor"]', "user and password of a command"),
        ("['curl','--proxy-user', 'alice:Tr0ub4dor']", "user and password of a command"),
        ("mysql -h db -pTr0ub4dor", "password of a command"),
        ("docker login -u alice -p Tr0ub4dor", "password of a command"),
        ("sshpass -p Tr0ub4dor ssh alice@db", "password of a command"),
    ],
)
def test_a_password_of_a_command_is_taken_out(command: str, kind: str) -> None:
    """In a line, and in lists of words with either sort of quotes."""
    assert [(one.kind, command[one.start : one.end]) for one in find_secrets(command)] == [(kind, "Tr0ub4dor")]


@pytest.mark.parametrize("value", ["a%20SECRET", "a+SECRET", "a%2BSECRET+b", "SECRET", "a%20b"])
def test_a_field_of_a_form_is_cleaned_as_it_reads(value: str) -> None:
    """Whichever way it is encoded; one that is not encoded is left to every other look."""
    cleaned = clean_form(
        f"x=1&note={value}", lambda *_: False, "[out]", [].append, lambda text: text.replace("SECRET", "-")
    )
    encoded = "%" in value or "+" in value
    expected = quote_plus(unquote_plus(value).replace("SECRET", "-")) if encoded and "SECRET" in value else value
    assert cleaned == f"x=1&note={expected}"


def test_many_places_of_secrets_cost_no_more_each() -> None:
    """Each place was compared with all that were noted before it."""

    def clean(size: int) -> None:
        body = json.dumps({f"k{number}": f"sk-planted-{number:020}" for number in range(size)}).encode()
        redact(Interaction("POST", "https://a.test/", (), body, 200, "OK", (), b""), Redaction())

    assert_growth(clean, 250, 1_000, below=9)
