"""What is redacted of requests and answers: where each secret stood, of what kind, and what is left."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction, own_redaction

from ...support.decisions import Block, Decided, Messages, inputs
from .show import refused

KEY = "sk-" + "proj-" + "a1B2c3D4e5F6g7H8"
"""A made-up key, put together here so that no scanner takes the file for a leak; texts have {K} for it."""
RANDOM = "a8Kq0ZkR17pWm2Xc"
"""A text that looks random; {R} in texts."""
_AWS = "AK" + "IA" + "A1" * 8
_BASIC = base64.b64encode(b"user:password1").decode()
_NO_PASSWORD = base64.b64encode(b"user-without-any").decode()
_ENCODED = base64.b64encode(KEY.encode()).decode()
_BEGIN = "-----BEGIN " + "RSA PRIVATE KEY-----"
_PEM = f"{_BEGIN}\nabc\n"
_PUTTY = "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nabc\nPrivate-Lines: 1\nxyz\n"
TEXTS = (
    *("/" * 235 + _AWS, "/" * 236 + _AWS, "/" * 100 + _AWS + "/" * 135, "/" * 100 + _AWS + "/" * 136, _AWS + "/" * 300),
    *("plain", "{K}", "a {K} b {K}", "{K}x {K}", "\\n{K}", "a{K}", '"{K}"', "x" * 300 + "{K}", "A" * 255 + "/{K}"),
    *(f"{name} = '{value}'" for name in ("password", "title", "db_pass", "x-token") for value in ("{R}", "read_1(x)")),
    *("password={R}", "pass: abcdefghij", "pass: 1234567890", "passwd := {R}", "KEY={R}", "my-api-key: {R}."),
    *("A_KEY=abcd", "A_KEY=abc", "a_key=abcd", "A_TOKEN: 'abcd'", 'export X_PASSWORD=\\"ab12\\"', "xA_SECRET = abcd"),
    *("A_CREDENTIALS=abcd", "A_PASSWD=none", "_KEY=abcd", "AB" * 30 + "_KEY=abcd", "ABC" * 21 + "_KEY=abcd"),
    *("<password>hunter2</password>", "<Title>hunter2</Title>", "<a:Secret>{R}</a:Secret>", "<password>abc</password>"),
    *(
        '{"password": "x',
        '{"password": "hunter2',
        '"password" : 1234',
        '"password": 123',
        '"pin": 1234',
        '"password": "1234"',
    ),
    *('"secret": "the butler did it"', '"secret": "{R}"', '"password": "two words"', '"api_key": "two words"'),
    *('\\"password\\": \\"hunter2\\"', '\\\\\\"password\\\\\\": \\\\\\"hunter2\\\\\\"', '\\"title\\": \\"hunter2\\"'),
    *("azure api key: " + "0123456789abcdef" * 2, "digest: " + "0123456789abcdef" * 2),
    *("API_KEY is `" + "0123456789abcdef" * 2 + "`", "openai-key=" + "0123456789abcdef" * 2 + "g"),
    *(f"Basic {_BASIC}", f"basic {_BASIC}=", f"Basic {_NO_PASSWORD}", f"xBasic {_BASIC}", "Basic aaaa"),
    *(
        _ENCODED,
        f"x{_ENCODED}",
        f" {_ENCODED} ",
        _ENCODED.rstrip("="),
        base64.b64encode(b"sk-learn is fine here").decode(),
    ),
    *(_PEM, f"{_PEM}-----END RSA PRIVATE KEY-----\nrest", _PEM.replace("PRIVATE", "PUBLIC"), f"{_PEM}{_PEM}"),
    *(_PUTTY, f"{_PUTTY}Private-MAC: 1\nrest", "Private-Lines: 1\nxyz"),
    *(
        '{"a": "{K}", "{K}": 1}',
        '{"a": ["{K}", {"b": "{K}"}]}',
        '{"password": {"type": "string"}}',
        '["{K}", 5]',
        '"{K}"',
    ),
    *(f"see https://a.test/x{mark}{name}={{R}}" for mark in "?&;" for name in ("key", "sig", "code", "auth", "title")),
    *("/x?key=Sommer2024", "/x?key=sommerzeit", "/x?key=Som2024", "/x?sig=" + "0123456789abcdef" * 2),
    *(f"run --{name} Sommer2024" for name in ("key", "token", "pass", "db-password", "title")),
    *("run --key=Sommer2024", "run --key sommerzeit", "run --token --title", "run key Sommer2024", "--pass={R}"),
    *(f"{start} {'Ab1/' * 5}Zq8xW7Kt2LmR4vPn9YcE" for start in (_AWS, f"x{_AWS}", "AKIA")),
    *("x\\nDB_TOKEN={R}", "x\\zDB_TOKEN={R}", "xnDB_TOKEN={R}"),
    *('{"password": 1000}', '{"password": 999}', '{"password": true}', '{"password": ["Missing data.", "hunter2", 5]}'),
    *('{"auth": {"key": "abcd", "token": "", "x": "y"}}', '{"CREDENTIALS": {"value": "v", "secret": 5}}'),
    *('{"token": "abc", "logprob": -1}', '{"tokens": [{"token": "abc", "logprob": 1}]}', '{"token": "[redacted]"}'),
    *('{"a": "\\u0073k-proj-a1B2c3D4e5F6g7H8"}', '{"b": "x\\/y"}', '{"c": "bearer a"}', '{"api_key": ""}', '{"a": {K}'),
    *(
        "a=b&password=x",
        "password=x y",
        "a=b",
        "secret=%20&a={K}",
        "a=%7BK%7D",
        "text=one+{K}+two&b=",
        "a={}&password=b",
    ),
    *(
        "password=[redacted]&a=b",
        "x=1&x=2&token=",
        "=x&password=y",
        "a[b]=c&pwd=d+e",
        " a=b&password=x \n",
        "a" * 201 + "=b",
    ),
    'data: {"password": "hunter2"}\n\ndata: [DONE]\n\n',
    'data: {"index": 0, "t": "sk-proj-a1B2"}\r\n\r\ndata: {"index": 0, "t": "c3D4e5F6g7H8 end"}\r\n',
    'data: {"index": 0, "t": "sk-proj-a1B2"}\n\ndata: {"index": 1, "t": "c3D4e5F6g7H8"}\n',
    'data: {"a": [{"x_index": 0, "t": "sk-proj-"}]}\n\ndata: {"a": [{"x_index": 0, "t": "a1B2c3D4e5F6g7H8"}]}\n',
    '{"t": "sk-proj-"}\n{"t": "a1B2c3D4e5F6g7H8"}\n',
    'event: x\ndata: {"t": "{K}"}\nid: {K}\n',
    "\ufeffdata: {K}\n",
    'id: 1\ndata:{"pwd": "hunter2"}\n',
    "retry: 1\ndata: words {K}\n",
    ': c\ndata: "words"\n',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2\r\n--b--\r\n',
    '--b\nContent-Disposition: form-data; name="password"\nX: y\n\nhunter2\n--b--\n',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n{K}\r\n--b\ncontent-disposition:form-data; name="pwd"\n\nx',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n\r\n--b--\r\n',
    '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n[redacted]\r\n--b--',
    'Content-Disposition: form-data; name="password"',
)
URLS = (
    *(
        "https://a.test/x?key=abcd&model=m",
        "https://a.test/x?model=m",
        "https://a.test/x?key=&b=1",
        "https://a.test/#token=a",
    ),
    *("https://u:pw12@a.test/", "https://a.test/{K}/x", "https://[::1/x?key=abcd", "https://a.test/?a=b%20c&pwd=x#f"),
    *("/x?id_token=a&b=c;d", "https://a.test/x?key=[redacted]", "https://a.test/x?text={K}"),
)
_LINKS = (
    *(("Location", ("/x?token=abcd", "/y")), ("Referer", ("https://a.test/?key=b",)), ("Link", ("</x?sig=a>",))),
    *(("Origin", ("https://u:pw12@a.test",)), ("content-location", ("/{K}",)), ("X-Text", ("a {K}", "b"))),
    *(("x-other", ("/x?token=abcd",)), ("X-API-Key", ("a",))),
)
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


def names(page: Messages) -> Iterator[Block]:
    """Which names speak of a secret: of a header, a parameter, a member and a field of a form."""
    yield Block("a name", [Decided(name, _by_name(name, "abcd")) for name in inputs("replay", "names")])
    random = {name: _by_name(name, "vR7kQ2mX9pLw4") for name in inputs("replay", "names_of_random_values")}
    yield Block("a name of a random value", [Decided(name, ways) for name, ways in random.items()])


def hidden(page: Messages) -> Iterator[Block]:
    """What is taken out below a name; a value of one letter only by the names that are listed."""
    ways = {name: [_by_name(name, value) for value in ("abcd", "a")] for name in inputs("replay", "hidden")}
    decided = [Decided(name, f"{long}; of one letter {short}") for name, (long, short) in ways.items()]
    yield Block("a name, and how long its value is", decided)


def _by_name(name: str, value: str) -> str:
    """Return where a value is taken out below a name."""
    ways = {
        "header": _made("https://a.test/", ((name, (value,)),)),
        "parameter": _made(f"https://a.test/?{quote(name)}={value}"),
        "member": _made(body=json.dumps({name: value})),
        "list": _made(body=json.dumps({name: [value, "two words"]})),
        "form": _made(body=f"{quote(name)}={value}&user=me"),
        "text": _made(body=f"{name} = '{value}'"),
    }
    hidden = [way for way, one in ways.items() if _is_changed(one)]
    return ", ".join(hidden) or "nothing"


def _is_changed(one: Interaction) -> bool:
    kept = redact(one, Redaction()).interaction
    return (kept.url, kept.request_headers, kept.request_body) != (one.url, one.request_headers, one.request_body)


def shapes(page: Messages) -> Iterator[Block]:
    """Which texts look like a secret; they are spelled so that no scanner takes them for one."""
    yield Block("a spelled text", [Decided(text, _text(_spelled(text))) for text in inputs("replay", "shapes")])


def values(page: Messages) -> Iterator[Block]:
    """Which values are secrets, below names of each sort."""
    sorts = ("password", "client_secret", "vendor_token", "title")
    decided = []
    for value in inputs("replay", "values"):
        hidden = [sort for sort in sorts if _is_changed(_made(body=json.dumps({sort: value})))]
        decided.append(Decided(value, ", ".join(hidden) or "nothing"))
    yield Block("a value", decided)


def cleaned(page: Messages) -> Iterator[Block]:
    """What each text, address and header becomes, and what is noted of it."""
    yield Block("a text", [Decided(text, _text(_filled(text)), _hidden_name(text)) for text in TEXTS])
    decided = []
    for url in URLS:
        one = redact(_made(_filled(url)), Redaction())
        decided.append(Decided(url, f"{_shown(one.interaction.url)}; {_noted(one)}"))
    yield Block("an address", decided)
    decided = []
    for name, given in _LINKS:
        one = redact(_made("https://a.test", ((name, tuple(map(_filled, given))),)), Redaction())
        decided.append((f"{name} {given}", f"{_shown(str(one.interaction.request_headers))}; {_noted(one)}"))
    yield Block("a header with an address", decided)
    own = own_redaction(["/Q{3}/", "inner"])
    decided = []
    for body in ("aQQQb", '{"inner": "x", "b": "QQQ"}', "a=QQQ&inner=y"):
        one = redact(_made("https://a.test/?inner=a", body=body), own)
        decided.append(Decided(body, f"{one.interaction.request_body.decode()}; {_noted(one)}"))
    yield Block("by a project's own words", decided)


def redacted(page: Messages) -> Iterator[Block]:
    """What is taken out of each body, address and header."""
    decided = []
    bodies = [*(body.encode("utf-8", "surrogatepass") for body in BODIES), b"\xff\x00", f"\xff{KEY}".encode("latin-1")]
    for body in bodies:
        one = redact(
            Interaction("POST", f"{URL}?key=abcdefgh&model=m", _HEADERS, body, 200, "OK", (), body), Redaction()
        )
        kept = one.interaction.request_body
        same = "the same" if kept == body else _shown(kept.decode("utf-8", "replace"))
        decided.append(Decided(repr(body), f"{same}; {_noted(one)}", _shown(repr(body))[:NAME]))
    yield Block("a body", decided)
    odd = Interaction(
        "POST", f"https://u:{KEY}@h/{KEY}?id_token=a&b=c#d", _HEADERS, b"", 200, f"no {KEY}", _HEADERS[1:], b""
    )
    one = redact(odd, Redaction())
    said = f"{one.interaction.url} {one.interaction.reason} {one.interaction.request_headers}; {_noted(one)}"
    yield Block("an address, a reason and headers", [("odd", _shown(said))])
    decided = []
    for words in (["x-own", "/ab+c/", "ownField"], [], None):
        how = Redaction() if words is None else own_redaction(words)
        one = redact(_made("https://a.test/", (("X-Own", ("v",)),), '{"ownField": "value", "a": "xabbbcx"}'), how)
        said = f"{one.interaction.request_headers} {one.interaction.request_body.decode()}; {_noted(one)}"
        decided.append((str(words), said))
    for words in (["/(/"], ["/"], ["//"], ["/a*/"], ["a b"], [""]):
        decided.append((str(words), refused(page, partial(_own, words))))
    yield Block("a project's own words", decided)


NAME = 60


def _own(words: Sequence[str]) -> str:
    return f"{len(own_redaction(words).more)} more"


def _hidden_name(text: str) -> str:
    return _shown(json.dumps(text, ensure_ascii=False))[:NAME]


def _text(text: str) -> str:
    """Return what a body of text becomes, and what is noted of it."""
    one = redact(_made(body=text), Redaction())
    after = one.interaction.request_body.decode("utf-8", "replace")
    same = "the same" if after == text else _cut(_shown(after))
    return f"{same}; {_noted(one)}"


def _cut(text: str) -> str:
    return text if len(text) < 90 else f"{text[:40]}…{text[-40:]} of {len(text)}"


def _noted(one: Any) -> str:
    return ", ".join(_shown(str(secret)) for secret in one.secrets) or "nothing noted"


def _made(url: str = "https://a.test/", headers: Any = (), body: str = "") -> Interaction:
    return Interaction("POST", url, headers, body.encode("utf-8", "surrogatepass"), 200, "OK", (), b"")


def _filled(text: str) -> str:
    return text.replace("{K}", KEY).replace("{R}", RANDOM)


def _shown(text: str) -> str:
    for secret, name in ((KEY, "{K}"), (RANDOM, "{R}"), (_BEGIN, "{BEGIN}"), (_ENCODED, "{ENCODED}"), (_AWS, "{AWS}")):
        text = text.replace(secret, name)
    return text


def _spelled(pieces: str) -> str:
    """Return a text that is spelled with blanks and counts: "gsk _ *20a1" is "gsk_" and twenty times "a1"."""
    return "".join(_piece(piece) for piece in pieces.split(" "))


def _piece(piece: str) -> str:
    if not piece.startswith("*"):
        return " " if piece == "_blank_" else piece
    digits = piece[1:].rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_/+=.")
    count, unit = piece[1:].split(":") if ":" in piece else (digits, piece[1 + len(digits) :])
    return (unit * int(count))[: int(count)]
