"""What is taken out of texts and addresses, and what is read in YAML and in the bodies of recordings."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import yaml

from pytest_planguard.replay.files import safe_yaml
from pytest_planguard.replay.files.interaction import Interaction, collect, flat, unpacked
from pytest_planguard.replay.files.safe_yaml import MAX_DEPTH, load_plain
from pytest_planguard.replay.files.vcr_messages import request_message, response_message
from pytest_planguard.replay.privacy.redact import clean_text, first_secret, is_clean, redact
from pytest_planguard.replay.privacy.redaction import Redaction, own_redaction

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
_HEADERS = (
    *(("Location", ("/x?token=abcd", "/y")), ("Referer", ("https://a.test/?key=b",)), ("Link", ("</x?sig=a>",))),
    *(("Origin", ("https://u:pw12@a.test",)), ("content-location", ("/{K}",)), ("X-Text", ("a {K}", "b"))),
    *(("x-other", ("/x?token=abcd",)), ("X-API-Key", ("a",))),
)


def cleaned() -> Iterator[str]:
    """What each text, address and header becomes, and what is noted of it."""
    for text in TEXTS:
        found: list[str] = []
        given = _filled(text)
        after = clean_text(given, Redaction(), "request body", lambda place, kind: found.append(f"{place}: {kind}"))  # noqa: B023
        same = "the same" if after == given else repr(_shown(after))
        clean = is_clean(given, Redaction())
        yield f"{_shown(text)[:90]!r}: {same} {_shown(str(found))} {'clean' * clean} {first_secret(given, Redaction())}"
    for url in URLS:
        one = redact(_interaction(url, ()), Redaction())
        yield f"{url}: {_shown(one.interaction.url)} {[str(secret) for secret in one.secrets]}"
    headers = tuple((name, tuple(map(_filled, values))) for name, values in _HEADERS)
    one = redact(_interaction("https://a.test", headers), Redaction())
    yield f"{_shown(str(one.interaction.request_headers))} {_shown(str(one.interaction.response_headers))}"
    yield f"{[_shown(str(secret)) for secret in one.secrets]}"
    own = own_redaction(["/Q{3}/", "inner"])
    for body in (b"aQQQb", b'{"inner": "x", "b": "QQQ"}', b"a=QQQ&inner=y"):
        cleaned_own = redact(_interaction("https://a.test/?inner=a", (), body), own)
        yield f"{body!r}: {cleaned_own.interaction.request_body!r} {[str(secret) for secret in cleaned_own.secrets]}"


def _filled(text: str) -> str:
    return text.replace("{K}", KEY).replace("{R}", RANDOM)


def _shown(text: str) -> str:
    return (
        text.replace(KEY, "{K}")
        .replace(RANDOM, "{R}")
        .replace(_BEGIN, "{BEGIN}")
        .replace(_ENCODED, "{ENCODED}")
        .replace(_AWS, "{AWS}")
    )


def _interaction(url: str, headers: Any, body: bytes = b"") -> Interaction:
    return Interaction("POST", _filled(url), headers, body, 200, "OK", headers, b"")


YAML = (
    *(
        "",
        "a",
        "5",
        "[1, 2]",
        "{a: 1}",
        "a: {b: [c, ~, true, 1.5, 2026-01-01, 0x1F, 1_000, '5', \"x\\n\"]}",
        "? a\n: b\n",
    ),
    *("!!binary YWI=", "!!python/bytes YWI=", "!!python/unicode 'x'", "!!python/tuple [1, 2]", "!!python/tuple [1]"),
    *("!!python/object/new:a.b [[x]]", "!!python/object/apply:os.system [ls]", "!!python/object:a.b {state: [x, y]}"),
    *(
        "!!python/object/new:a {args: [x]}",
        "!!python/object/new:a {state: [], args: [y]}",
        "!odd {a: {b: 1}}",
        "!odd [[x]]",
    ),
    *("!odd x", "!!timestamp soon", "!!int x", "!!float x", "!!bool x", "!!omap [a: 1]", "2026-13-01"),
    *(
        "a: &x [1]\nb: *x\n",
        "a: &x {b: 1}\nc: {<<: *x, d: 2}\n",
        "&x [*x]",
        "a: *y\n",
        "a: [\n",
        "a: b: c\n",
        "\tx",
        "--- a\n--- b\n",
    ),
    *("%YAML 1.1\n--- a\n", "a: 1\na: 2\n", "[a, b", "@", "'x", "{a: 1, <<: 5}", "<<: [{a: 1}, {b: 2}]\n"),
)
"""Documents in every form that recordings have, and broken ones."""


def yaml_values() -> Iterator[str]:
    """What is read of each document, or the kind of error; nesting and merges at their bounds."""
    for text in YAML:
        yield f"{text!r}: {_loaded(text)}"
    for depth in (MAX_DEPTH, MAX_DEPTH + 1):
        for form, text in (("flow", "[" * depth), ("keys", "{a: " * depth), ("chain", "- " * depth)):
            yield f"{form} {depth}: {_depth(text)}"
    yield f"chain beyond: {_loaded('- ' * 2_000 + 'a')}"
    copied = ", ".join(f"k{number}: 1" for number in range(1_000))
    for times in (99, 100, 101):
        yield f"merged {times} times: {_merged(f'a: &a {{{copied}}}' + chr(10) + 'b: [' + '{<<: *a}, ' * times + ']')}"
    yield f"wide {_loaded(' ' * 800 + 'a')}"
    yield f"siblings {len(load_plain('[' + '[], ' * 2_000 + ']'))}"


def _depth(text: str) -> str:
    """Return whether a text is too deep; whatever else is wrong with it comes later."""
    try:
        safe_yaml._refuse_deep(text)
    except safe_yaml.TooDeepError as error:
        return str(error)
    except yaml.YAMLError:
        pass
    return "not too deep"


def _merged(text: str) -> str:
    """Return whether the merge keys of a text copy too much."""
    try:
        safe_yaml._refuse_merges(yaml.compose(text, yaml.SafeLoader))
    except safe_yaml.TooLargeError as error:
        return str(error)
    return "not too large"


def _loaded(text: str) -> str:
    try:
        return repr(load_plain(text))
    except yaml.YAMLError:
        return "YAMLError"
    except ValueError as error:
        return f"{type(error).__name__}: {error}"


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


def bodies() -> Iterator[str]:
    """What is read of messages in every form, and of headers."""
    for message in _BODIES:
        yield f"{message}: {_read(request_message, message)} | {_read(response_message, message)}"
    pairs: list[tuple[Any, Any]] = [("A", "1"), ("b", ["2", 3]), ("A", b"\xe9"), (b"C", ("x",)), ("a", None)]
    yield f"{collect(pairs)} {flat(collect(pairs))}"
    chunked = (("Transfer-Encoding", ("chunked",)), ("Content-Length", ("5",)), ("x", ("y",)))
    for body in (b"2\r\nab\r\n0\r\n\r\n", b"zz"):
        yield f"{body!r}: {unpacked(chunked, body)}"
    for value in ([[["x"]]] * 3, "x" * 5, {"a": {"b": 1}}):
        yield f"{_read(request_message, {'parsed_body': value})}"
    deep: Any = "x"
    for _ in range(3_000):
        deep = [deep]
    yield _read(request_message, {"parsed_body": deep})[:200]
    wide: Any = ["x" * 1_000] * 100
    for _ in range(8):
        wide = [wide] * 100
    yield _read(request_message, {"parsed_body": wide})[:200]
    endless: list[Any] = []
    endless.append(endless)
    yield _read(request_message, {"parsed_body": endless})[:200]


def _read(read: Any, message: dict[str, Any]) -> str:
    try:
        one = read(message)
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"{one.method} {one.url} {json.dumps(dict(one.headers))} {one.body!r} {one.status}"
