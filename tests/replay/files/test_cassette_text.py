"""The text of a cassette: readable, plain, and the same bytes each time."""

import gzip
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from vcr.serialize import deserialize
from vcr.serializers import yamlserializer

from pytest_planguard.replay.files.cassette_text import block, pretty, render, scalar, spread
from pytest_planguard.replay.files.interaction import Interaction, collect, unpacked
from pytest_planguard.replay.files.reader import RawInteraction, read_cassette

from ...support.cost import peak_memory
from ...support.exchanges import chat, user

NASTY = "\t\n\r\x00\x07\x1b\x7f\x80\x85\xa0\u2028\u2029\ufeff\ufffe\uffff😀\U0010ffff- :#&*!|>'\"%@`{}[],?~=\\/ yes"
TEXT = st.text() | st.text(alphabet=NASTY)
NAME = st.text(alphabet="abcXYZ-_09", min_size=1, max_size=12)
HEADERS = st.dictionaries(NAME, st.lists(TEXT, min_size=1, max_size=2).map(tuple), max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")
"""How compressed bodies begin. An interaction holds plain bodies, and a reader would unpack these."""
BODY = (
    TEXT.map(lambda t: t.encode("utf-8", "replace"))
    | st.binary().filter(lambda body: not body.startswith(PACKED))
    | JSON.map(lambda v: json.dumps(v).encode())
    | JSON.map(lambda v: json.dumps([v], ensure_ascii=False).encode("utf-8", "replace"))
)
INTERACTION = st.builds(
    Interaction,
    method=st.sampled_from(["GET", "POST"]),
    url=TEXT.map(lambda t: f"https://a.test/{t}"),
    request_headers=HEADERS.map(lambda d: tuple(d.items())),
    request_body=BODY,
    status=st.integers(100, 599),
    reason=TEXT,
    response_headers=HEADERS.map(lambda d: tuple(d.items())),
    response_body=BODY,
)
LOADERS = [yaml.SafeLoader] + ([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])


def again(raw: RawInteraction) -> Interaction:
    """An interaction as read, ready to be written again."""
    asked, said = raw.raw["request"], raw.raw["response"]
    return Interaction(
        asked["method"],
        asked["uri"],
        collect(asked["headers"].items()),
        raw.request.body,
        said["status"]["code"],
        said["status"]["message"],
        collect(said["headers"].items()),
        raw.response.body,
    )


@given(TEXT)
@example("yes")
@example("1")
@example("a: b")
@example("a #b")
@example("=")
@pytest.mark.parametrize("loader", LOADERS)
def test_scalars_and_blocks_are_read_as_written(loader: type, text: str) -> None:
    """Every text that UTF-8 can hold comes back unchanged from any YAML reader, in either form."""
    document = f"a: {scalar(text)}\nb: {block(text, 2)}\n{scalar('key ' + text[:90])}: c\n"
    loaded = yaml.load(document, Loader=loader)
    assert loaded == {"a": text, "b": text, "key " + text[:90]: "c"}


@pytest.mark.parametrize("word", ["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
def test_words_that_yaml_takes_for_other_values_stand_in_quotes(word: str) -> None:
    """In any case: some readers of YAML 1.1 take more of them than others."""
    for text in (word, word.upper(), word.capitalize()):
        assert scalar(text) == f'"{text}"'
    assert scalar(f"{word}s") == f"{word}s"


@pytest.mark.slow
@given(st.lists(INTERACTION, max_size=3))
def test_written_read_and_written_again_is_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, given_: list[Interaction]
) -> None:
    """Law: a cassette written, read, and written again is the same bytes."""
    path = tmp_path_factory.mktemp("law") / "a.yaml"
    path.write_bytes(render(given_).encode())
    assert render(map(again, read_cassette(path).interactions)) == path.read_bytes().decode()


@pytest.mark.slow
@given(st.lists(INTERACTION, min_size=1, max_size=3))
def test_plain_vcrpy_reads_what_we_write(given_: list[Interaction]) -> None:
    """Plain vcrpy loads the file; JSON bodies mean the same, all other bodies are the same bytes."""
    requests, responses = deserialize(render(given_), yamlserializer)
    for before, request, response in zip(given_, requests, responses, strict=True):
        assert request.uri == before.url
        assert response["status"] == {"code": before.status, "message": before.reason}
        for sent, read in ((before.request_body, request.body), (before.response_body, response["body"]["string"])):
            assert read == pretty(sent)
            assert same_meaning(sent, read)


def same_meaning(one: bytes, other: bytes) -> bool:
    """Equal bytes, equal JSON, or a stream whose lines are equal bytes or equal JSON."""
    return _equal(one, other) or (
        one.startswith((b"data:", b"event:", b":"))
        and one.count(b"\n") == other.count(b"\n")
        and all(
            _equal(line.removeprefix(b"data:"), read.removeprefix(b"data:"))
            for line, read in zip(one.split(b"\n"), other.split(b"\n"), strict=True)
        )
    )


def _equal(one: bytes, other: bytes) -> bool:
    try:
        return one == other or json.loads(one) == json.loads(other)
    except ValueError:
        return False


STREAM_LINE = (
    JSON.map(lambda v: f"data: {json.dumps([v], ensure_ascii=False)}")
    | TEXT.map(lambda t: f"data: {t}")
    | TEXT.map(lambda t: f"event: {t}")
    | st.sampled_from(["", "data: [DONE]", "data: [DONE]\x7f", 'data: {"a": "\u2028"}\x7f', 'data:"\x85"'])
)


@given(st.lists(STREAM_LINE, min_size=1, max_size=4).map("\n".join))
@example("data: [DONE]\n\n\x7f")
def test_a_stream_keeps_what_is_no_json(text: str) -> None:
    """A character that no block can hold is escaped only where JSON undoes the escape."""
    body = text.encode("utf-8", "replace")
    assert same_meaning(body, pretty(body))


@pytest.mark.slow
@given(JSON)
def test_spread_json_means_the_same_and_stays(value: object) -> None:
    """Pretty JSON has the value of the original, and pretty-printing it again changes nothing."""
    text = json.dumps([value])
    assert json.loads(spread(text)) == [value]
    assert spread(spread(text)) == spread(text)


def test_what_json_parsers_lose_is_kept() -> None:
    """Number spelling, key order and duplicate keys survive."""
    text = '{"b": 1.0e5, "a": 0.10, "b": 123456789012345678901234567890, "z": [], "y": {}}'
    assert spread(text).split() == [
        "{", '"b":', "1.0e5,", '"a":', "0.10,", '"b":', "123456789012345678901234567890,", '"z":', "[],", '"y":', "{}",
        "}",
    ]  # fmt: skip


def test_a_recording_is_pinned(tmp_path: Path) -> None:
    """The whole text of a small cassette."""
    stream = 'data: {"delta": "caf\u00e9 \u2028"}\n\ndata: [DONE]\n\n'.encode()
    one = chat([user('say "hi"\nto Zoë 🔥')], "hi")
    two = Interaction("POST", "https://a.test/v1?x=1", (), b"\xff\x00", 200, "", (("Date", ("Mon, 1",)),), stream)
    body = one.response_body.replace(b', "model": "m"', b"")
    text = render([Interaction(*[getattr(one, n) for n in one.__slots__[:-1]], body), two])
    assert text == (
        """\
# planguard cassette: the last line counts its exchanges
version: 1
interactions:
- request:
    body: |
      {
        "model": "m",
        "messages": [
          {
            "role": "user",
            "content": "say \\"hi\\"\\nto Zoë 🔥"
          }
        ]
      }
    headers:
      content-type:
      - application/json
    method: POST
    uri: "https://api.example.com/v1/chat/completions"
  response:
    body:
      string: |
        {
          "id": "c",
          "object": "chat.completion",
          "choices": [
            {
              "index": 0,
              "message": {
                "role": "assistant",
                "content": "hi"
              },
              "finish_reason": "stop"
            }
          ]
        }
    headers:
      content-type:
      - application/json
    status:
      code: 200
      message: OK
- request:
    body: !!binary "/wA="
    headers: {}
    method: POST
    uri: "https://a.test/v1?x=1"
  response:
    body:
      string: |+
        data: {"delta": "café \\u2028"}

        data: [DONE]

    headers:
      Date:
      - Mon, 1
    status:
      code: 200
      message: ""
# planguard: 2 exchanges, digest c2f4776b1ee36b2b
"""
    )


def test_an_empty_recording_is_one_too(tmp_path: Path) -> None:
    """No interactions is a valid cassette."""
    path = tmp_path / "a.yaml"
    path.write_text(render([]), encoding="utf-8")
    assert read_cassette(path).interactions == ()


@pytest.mark.parametrize("depth", [150, 100_000])
def test_deep_json_neither_fails_nor_changes(depth: int) -> None:
    """JSON nested however deep is written, spread over lines only where it is of a real depth."""
    body = b"[" * depth + b"]" * depth
    assert (pretty(body) == body) == (depth > 1000)


def test_headers_that_no_longer_hold_are_dropped() -> None:
    """Compression and length go with the bytes they described; a body that cannot be unpacked keeps both."""
    headers = (("Content-Encoding", ("gzip",)), ("Content-Length", ("99",)), ("X", ("1",)))
    assert unpacked(headers, gzip.compress(b"plain")) == ((("X", ("1",)),), b"plain")
    broken = gzip.compress(b"plain")[:-9]
    assert unpacked(headers, broken) == (headers, broken)
    assert unpacked((("X", ("1",)),), b"plain") == ((("X", ("1",)),), b"plain")
    assert collect([(b"a", b"1"), ("a", ["2", 3])]) == (("a", ("1", "2", "3")),)


@pytest.mark.parametrize(
    ("codings", "left", "body"),
    [
        ("foo", "foo", b"\xff\x00coded"),
        ("Foo, GZIP", "Foo", b"\xff\x00coded"),
        ("gzip, foo", "gzip, foo", b"\xff\x00coded"),
        ("utf-8", "utf-8", b"{}"),
        ("identity", None, b"{}"),
        ("br, deflate, zstd, x-gzip", None, b"{}"),
    ],
)
def test_an_unknown_coding_keeps_its_header(codings: str, left: str | None, body: bytes) -> None:
    """Of several codings those that were undone go, and so do length and chunks, which are those of the message."""
    headers = (("Content-Encoding", (codings,)), ("Content-Length", ("7",)), ("Transfer-Encoding", ("chunked",)))
    packed = gzip.compress(body) if codings.endswith("GZIP") else body
    expected = () if left is None else (("Content-Encoding", (left,)),)
    assert unpacked(headers, packed) == (expected, body)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ['{"a": "' + "a " * 9_000 + '"}', '["' + '\\"' * 9_000 + '"]', '{"a": [' + "1," * 9_000 + "1]}"]
)
def test_a_body_is_laid_out_in_little_memory(text: str) -> None:
    """A pattern kept a place to return to for each character of a string, and each line was a text of its own."""
    block(pretty(b"[1, 2]").decode(), 6)  # what is loaded or compiled once
    assert peak_memory(lambda: block(pretty(text.encode()).decode(), 6)) < 25 * len(text)


def test_empty_lines_of_a_block_have_no_blanks() -> None:
    """Lines of blanks keep theirs."""
    assert block("a\n\n\n  \n\nb\n\n", 2) == "|+\n  a\n\n\n    \n\n  b\n"
    assert block("a\n\nb", 2) == "|-\n  a\n\n  b"
