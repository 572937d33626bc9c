"""Reading cassettes: every form in use, and one clear error for everything that is none."""

from __future__ import annotations

import base64
import contextlib
import csv
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files import cassette_file, packed
from pytest_planguard.replay.files.reader import Cassette, find_cassettes, read_cassette, request_message

URL = "http://127.0.0.1/v1/chat/completions"
ASK = '{"model":"m","messages":[{"role":"user","content":"Plan é"}]}'
ANSWER = '{"id":"c1","choices":[{"index":0,"message":{"content":"{}"},"finish_reason":"stop"}]}'
CONFLICT = b"<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> branch\n"
DEEP_LINES = b"\r".join(b" " * level + b"-" for level in range(1_100))
PLAIN = f"""\
interactions:
- request:
    body: '{ASK}'
    headers:
      Content-Type:
      - application/json
      X-Two:
      - a
      - b
    method: POST
    uri: {URL}
  response:
    body:
      string: '{ANSWER}'
    headers:
      content-type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
"""


def recorded(tmp_path: Path, content: str | bytes, name: str = "a.yaml") -> Path:
    """A file with this content."""
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def with_bodies(tmp_path: Path, request: dict[str, Any], response: dict[str, Any]) -> Cassette:
    """The cassette of one interaction with these halves."""
    whole = {"request": {"method": "POST", "uri": URL, **request}, "response": {"status": {"code": 200}, **response}}
    return read_cassette(recorded(tmp_path, yaml.safe_dump({"interactions": [whole], "version": 1})))


def test_plain_vcrpy_file(tmp_path: Path) -> None:
    """A plain vcrpy file gives numbered exchanges; header names are in lower case, several values are joined."""
    file = recorded(tmp_path, PLAIN)
    before = file.read_bytes(), file.stat().st_mtime_ns

    cassette = read_cassette(file)

    assert (cassette.path, cassette.notes) == (file, ())
    (interaction,) = cassette.interactions
    assert interaction.request.headers == {"content-type": "application/json", "x-two": "a, b"}
    assert (interaction.request.method, interaction.request.url) == ("POST", URL)
    assert interaction.raw["response"]["status"]["message"] == "OK"
    (exchange,) = cassette.exchanges
    assert (exchange.number, exchange.dialect, exchange.answer_text) == (1, "openai.chat", "{}")
    assert exchange.request[0].text == "Plan é"
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before


def test_json_serializer(tmp_path: Path) -> None:
    """A file of vcrpy's JSON serializer reads the same, whatever it is called."""
    content = json.dumps(yaml.safe_load(PLAIN))
    for name in ("a.json", "b.yaml"):
        cassette = read_cassette(recorded(tmp_path, content, name))
        assert cassette.exchanges == read_cassette(recorded(tmp_path, PLAIN)).exchanges


@pytest.mark.parametrize(
    "body",
    [
        ANSWER,
        {"string": ANSWER},
        {"string": ANSWER.encode()},
        {"string": gzip.compress(ANSWER.encode(), mtime=0)},
        {"base64_string": base64.b64encode(ANSWER.encode()).decode()},
        {"string": base64.b64encode(ANSWER.encode()).decode(), "encoding": "base64"},
        {"encoding": "utf-8", "string": ANSWER},
        {"string": [ANSWER[:9], ANSWER[9:]]},
        {"text": ANSWER},
        [ANSWER[:9].encode(), ANSWER[9:]],
    ],
    ids=str,
)
def test_forms_of_a_body(tmp_path: Path, body: Any) -> None:
    """A response's body is read from every form that recorders have written."""
    cassette = with_bodies(tmp_path, {"body": ASK}, {"body": body})
    assert cassette.interactions[0].response.body == ANSWER.encode()
    assert cassette.exchanges[0].answer_text == "{}"


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ({"status": {"code": 429, "message": "slow down"}}, 429),
        ({"status": {"code": "429"}}, 429),
        ({"status": 429}, 429),
        ({"status": None, "status_code": 429}, 429),
    ],
)
def test_forms_of_a_status(tmp_path: Path, response: dict[str, Any], status: int) -> None:
    """A status is read from its forms."""
    cassette = with_bodies(tmp_path, {"body": ASK}, {"body": ANSWER, **response})
    assert cassette.interactions[0].response.status == status


def test_early_httpx_form(tmp_path: Path) -> None:
    """Early cassettes of httpx have `content` and `status_code`, and may have headers as pairs."""
    response = {
        "content": ANSWER,
        "http_version": "HTTP/1.1",
        "status_code": 201,
        "headers": [["X-A", "1"], "junk", ["X-B", ["1", "2"]]],
    }
    whole = {"request": {"method": "POST", "url": URL, "body": ASK.encode()}, "response": response}
    cassette = read_cassette(recorded(tmp_path, yaml.safe_dump({"interactions": [whole], "version": 1})))
    message = cassette.interactions[0].response
    assert (message.body, message.status, message.headers) == (ANSWER.encode(), 201, {"x-a": "1", "x-b": "1, 2"})
    assert cassette.exchanges[0].answer_text == "{}"


def test_list_of_interactions(tmp_path: Path) -> None:
    """The earliest form, a bare list, is read and noted."""
    cassette = read_cassette(recorded(tmp_path, yaml.safe_dump(yaml.safe_load(PLAIN)["interactions"])))
    assert cassette.exchanges[0].answer_text == "{}"
    assert cassette.notes == ("an early vcrpy file: a bare list without version",)


def two_lists() -> dict[str, Any]:
    """A cassette as LangChain's serializer writes it: all requests, then all responses."""
    whole = yaml.safe_load(PLAIN)["interactions"]
    return {"requests": [i["request"] for i in whole], "responses": [i["response"] for i in whole]}


@pytest.mark.parametrize("zipped", [False, True])
def test_a_list_of_requests_and_one_of_responses(tmp_path: Path, zipped: bool) -> None:
    """LangChain's cassettes pair by place, and are packed with gzip."""
    content = yaml.safe_dump(two_lists()).encode()
    path = tmp_path / "langchain.yaml.gz"
    path.write_bytes(gzip.compress(content) if zipped else content)
    cassette = read_cassette(path)
    plain = read_cassette(recorded(tmp_path, PLAIN))
    assert cassette.exchanges == plain.exchanges
    assert cassette.notes == ("requests and responses in a list each",)
    assert path in find_cassettes([tmp_path])


def test_lists_that_do_not_pair_are_refused(tmp_path: Path) -> None:
    """Which answer is missing cannot be told."""
    path = recorded(tmp_path, yaml.safe_dump({**two_lists(), "responses": []}))
    with pytest.raises(CassetteError, match="has 1 requests and 0 responses"):
        read_cassette(path)


def test_a_packed_file_that_grows_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is unpacked than is read."""
    path = tmp_path / "bomb.yaml.gz"
    path.write_bytes(gzip.compress(b"a" * 10_000))
    monkeypatch.setattr(packed, "MAX_UNPACKED", 200)
    with pytest.raises(CassetteError, match="has more than the 200 bytes that planguard unpacks"):
        read_cassette(path)


def test_base64_that_is_none(tmp_path: Path) -> None:
    """A base64 body that cannot be decoded stays the text it is."""
    cassette = with_bodies(tmp_path, {"body": ASK}, {"body": {"base64_string": "abc"}})
    assert cassette.interactions[0].response.body == b"abc"


def test_flow_style_yaml(tmp_path: Path) -> None:
    """A YAML file may begin like JSON; a cassette without interactions is one, too."""
    cassette = read_cassette(recorded(tmp_path, "{interactions: [], version: 1}"))
    assert (cassette.interactions, cassette.exchanges) == ((), ())


def test_parsed_bodies(tmp_path: Path) -> None:
    """Bodies that stand as data become JSON bytes again; a stream among them is text."""
    parsed = with_bodies(tmp_path, {"parsed_body": json.loads(ASK)}, {"parsed_body": json.loads(ANSWER)})
    assert json.loads(parsed.interactions[0].response.body) == json.loads(ANSWER)
    assert parsed.exchanges[0].answer_text == "{}"

    chunk = json.dumps({"choices": [{"delta": {"content": "streamed"}}]})
    streamed = with_bodies(tmp_path, {"parsed_body": json.loads(ASK)}, {"parsed_body": f"data: {chunk}\n\n"})
    assert streamed.exchanges[0].answer_text == "streamed"


def test_python_tags_are_plain_data(tmp_path: Path) -> None:
    """Tags of Python objects are read as what they carry; nothing is imported, called or constructed."""
    live_check = tmp_path / "live_check"
    content = f"""\
interactions:
- request:
    body: !!python/object/new:_io.BytesIO
      state: !!python/tuple
      - !!binary {base64.b64encode(ASK.encode()).decode()}
      - 0
      - null
    headers:
      ? !!python/object/apply:multidict._multidict.istr
      - Content-Type
      : - application/json
      X-Run: !!python/object/apply:os.system ["touch {live_check}"]
      X-State: !!python/object:a.B {{state: []}}
    method: !!python/unicode 'POST'
    uri: !!python/str {URL}
  response:
    body: {{string: !!python/bytes {base64.b64encode(ANSWER.encode()).decode()}}}
    status: {{code: !!python/int 200, message: !unknown OK}}
version: 1
"""
    (interaction,) = read_cassette(recorded(tmp_path, content)).interactions
    assert interaction.request.body == ASK.encode()
    assert interaction.request.headers == {
        "content-type": "application/json",
        "x-run": f"touch {live_check}",
        "x-state": "",
    }
    assert (interaction.request.method, interaction.request.url) == ("POST", URL)
    assert interaction.response.body == ANSWER.encode()
    assert interaction.response.status == 200
    assert not live_check.exists()


def test_aliases_cannot_explode(tmp_path: Path) -> None:
    """A small file whose aliases stand for huge data is one clear error."""
    levels = "\n".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 12))
    content = f"x:\n  l0: &l0 [1]\n{levels}\n" + PLAIN.replace(f"body: '{ASK}'", "parsed_body: *l11")
    file = recorded(tmp_path, content.replace("- application/json\n", "- *l11\n", 1))
    with pytest.raises(CassetteError, match=r"its aliases stand for more than the 33,554,432 bytes that are read"):
        read_cassette(file)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("&a [*a]", "nested deeper than 200 levels"),
        ("{2026-01-01: a}", "keys must be str, int, float, bool or None, not date"),
        ("[" * 900 + "]" * 900, "nested deeper than 200 levels"),
    ],
    ids=["cyclic", "date as key", "deep"],
)
def test_parsed_body_that_is_no_json(tmp_path: Path, body: str, reason: str) -> None:
    """A parsed body that no JSON text can express is one error that names the interaction."""
    file = recorded(tmp_path, PLAIN.replace(f"body: '{ASK}'", f"parsed_body: {body}"))
    with pytest.raises(CassetteError) as caught:
        read_cassette(file)
    assert str(caught.value).startswith(f"{file}: interaction 1 has a body that cannot be read ({reason}")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.yaml",
            b"",
            "a.yaml: is empty. Restore it with `planguard cassette restore ",
        ),
        ("a.yaml", b" \n", "a.yaml: is empty. Restore it"),
        ("a.yaml", b"# only a comment\n", "a.yaml: is not a cassette: it has no list `interactions` (it is empty)"),
        ("a.yaml", b"a: 1\nb: 2\n", "a.yaml: is not a cassette: it has no list `interactions` (its keys: a, b)"),
        ("a.yaml", b"{}", "a.yaml: is not a cassette: it has no list `interactions` (it is an empty mapping)"),
        (
            "a.json",
            b'["x"]',
            "a.json: is not a cassette: it has no list `interactions` (it is a list). Name another file, ",
        ),
        ("a.yaml", b"just words", "a.yaml: is not a cassette: it has no list `interactions` (it is plain text). Name"),
        (
            "a.yaml",
            b"a: 'b\n  c",
            "a.yaml: is not valid YAML: line 2, column 4: found unexpected end of stream. It may be half",
        ),
        (
            "a.yaml",
            b"a:\n\t- b",
            "a.yaml: is not valid YAML: line 2, column 1: found character that cannot start any token. It",
        ),
        (
            "a.yaml",
            b"a: 1\n---\nb: 2\n",
            "a.yaml: is not valid YAML: line 2, column 1: another document begins here, but only one is expected.",
        ),
        ("a.yaml", b"a: \x1b[31m", "a.yaml: cannot be read as YAML: "),
        ("a.yaml", b"a: 2026-13-45", "a.yaml: cannot be read as YAML: month must be in 1..12"),
        ("a.yaml", b"? [a]\n: 1", "a.yaml: is not valid YAML: line 1, column 3: found unhashable key. It"),
        ("a.yaml", b"interactions:\n- 7\n", "a.yaml: interaction 1 has no request; the file is half-written or no"),
        (
            "a.yaml",
            b"interactions:\n- request: {}\n",
            "a.yaml: interaction 1 has no response; the file is half-written",
        ),
        (
            "a.json",
            b'{"interactions": [',
            "a.json: is not valid JSON: Expecting value: line 1 column 19 (char 18)",
        ),
        (
            "a.yaml",
            b"a: 1\n" + CONFLICT,
            "a.yaml: has a conflict of a git merge in line 2. Take one side with `git che",
        ),
        ("a.json", b"{\n" + CONFLICT, "a.json: has a conflict of a git merge in line 2. Take one side with `git check"),
        ("a.yaml", b"a: |\n  <<<<<<< HEAD\nb", "a.yaml: is not valid YAML: line 4, column 1: could not find"),
        ("a.json", b"[" * 100_000, "a.json: is nested too deeply for a cassette. Restore it"),
        ("a.json", b'{"a": ' * 50_000, "a.json: is nested too deeply for a cassette. Restore it"),
        ("a.yaml", b"- " * 50_000, "a.yaml: cannot be read as YAML: nested deeper than 1,000 levels. Restore it"),
        ("a.yaml", b"a: " + b"[" * 50_000, "a.yaml: cannot be read as YAML: nested deeper than 1,000 levels. Restore"),
        ("a.yaml", DEEP_LINES, "a.yaml: cannot be read as YAML: nested deeper than 1,000 levels. Restore it"),
        ("a.yaml", b"\x89PNG\r\n\0\0", "a.yaml: is binary, not a cassette in YAML or JSON. Name another file"),
        ("a.yaml", "a: 1".encode("utf-16"), "a.yaml: is UTF-16. Save it as UTF-8"),
        ("a.yaml", b"a: 1\nb: caf\xe9\n", "a.yaml: is not UTF-8 (byte 0xe9 in line 2). Save it as UTF-8"),
        ("a.yaml.part", PLAIN.encode(), "a.yaml.part: is a cassette that was not finished. Record the test again, or"),
    ],
)
def test_what_is_no_recording(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """Each bad file is one error that names it, what was seen and the way out; the file stays as it is."""
    file = recorded(tmp_path, content, name)
    with pytest.raises(CassetteError) as caught:
        read_cassette(file)
    assert str(caught.value).startswith(str(tmp_path / message))
    assert file.read_bytes() == content


def test_cut_off_recordings(tmp_path: Path) -> None:
    """A cassette cut anywhere is an error, or is noted as maybe cut off; it never passes as whole."""
    for length in range(len("interactions:\n"), len(PLAIN) - len("version: 1\n"), 7):
        with contextlib.suppress(CassetteError):
            notes = read_cassette(recorded(tmp_path, PLAIN[:length])).notes
            assert notes == ("no `version` after the interactions: the file may be cut off",)


def test_deep_but_readable(tmp_path: Path) -> None:
    """A file with many brackets in its bodies, none of them deep, is read."""
    many = json.dumps(json.dumps([[]] * 2_000))
    cassette = with_bodies(tmp_path, {"body": many}, {"parsed_body": [[{}]] * 500})
    assert cassette.interactions[0].request.body == many.encode()


def test_missing_folder_and_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing file, a folder and a file that may not be read are told apart."""
    with pytest.raises(CassetteError, match=r"no\.yaml: no such cassette; record it, or correct the path$"):
        read_cassette(tmp_path / "no.yaml")
    with pytest.raises(CassetteError, match=r": is a folder; name a cassette in it$"):
        read_cassette(tmp_path)

    def denied(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    file = recorded(tmp_path, PLAIN)
    monkeypatch.setattr(Path, "read_bytes", denied)  # root, as in containers, may read every file
    with pytest.raises(CassetteError, match=r"a\.yaml: cannot be read \(Permission denied\); make it readable$"):
        read_cassette(file)


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file over the bound is refused before it is read."""
    monkeypatch.setattr(cassette_file, "MAX_UNPACKED", 10)
    with pytest.raises(CassetteError, match=r"a\.yaml: has [\d,]+ bytes, more than the 10 that are read. Split the"):
        read_cassette(recorded(tmp_path, PLAIN))


def test_find_recordings(tmp_path: Path) -> None:
    """Folders give their cassettes sorted, at any depth; a file is taken by name; nothing comes twice."""
    for name in ("b.yaml", "a/c.yml", "a/B.JSON", "a/notes.md", "d.yaml.part"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = list(find_cassettes([tmp_path / "a" / "notes.md", tmp_path, tmp_path / "b.yaml"]))
    assert [str(f.relative_to(tmp_path)) for f in found] == ["a/notes.md", "a/B.JSON", "a/c.yml", "b.yaml"]


def test_find_recordings_below_nothing(tmp_path: Path) -> None:
    """A path that does not exist is an error with the way out."""
    with pytest.raises(CassetteError, match=r"no: no such file or folder; give a cassette, or a folder that has some$"):
        list(find_cassettes([tmp_path / "no"]))


def test_reading_imports_no_vcr(tmp_path: Path) -> None:
    """Cassettes are read without importing vcr or pytest."""
    import subprocess
    import sys

    code = (
        "import sys; from pytest_planguard.replay.files.reader import read_cassette; "
        "print(len(read_cassette(sys.argv[1]).exchanges), sorted({'vcr', 'pytest'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(recorded(tmp_path, PLAIN))]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1 []\n"


@pytest.mark.slow
def test_all_shared_recordings(shared_data: Path) -> None:
    """Every real cassette is read: as many interactions as its index says, each understood or with a note."""
    folder = shared_data / "recordings"
    kinds: Counter[bool] = Counter()
    with (folder / "index.csv").open(encoding="utf-8", newline="") as index:
        for row in csv.DictReader(index):
            file = folder / row["repo"].replace("/", "__") / row["path"]
            cassette = read_cassette(file)
            assert len(cassette.interactions) == int(row["interactions"]), file
            assert all(exchange.is_generation is (exchange.note is None) for exchange in cassette.exchanges), file
            kinds["parsed_body" in cassette.interactions[0].raw["request"]] += 1
    assert kinds.total() == 461
    assert kinds[True] == 112


def test_without_libyaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libyaml is missing, PyYAML's own parser reads the same."""
    from pytest_planguard.replay.files import safe_yaml

    file = recorded(tmp_path, PLAIN)
    fast = read_cassette(file)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    safe_yaml._plain_loader.cache_clear()
    try:
        assert read_cassette(file).interactions == fast.interactions
    finally:
        safe_yaml._plain_loader.cache_clear()


@pytest.mark.parametrize(
    ("masked", "read"),
    [
        ("https://[REDACTED].azure.com/v1?a=[b]", "https://%5BREDACTED%5D.azure.com/v1?a=[b]"),
        ("http://127.0.0.1:PORT/v1", "http://127.0.0.1%3APORT/v1"),
        ("http://[a/v1", "http://%5Ba/v1"),
        ("//[", "//%5B"),
        ("/\n/[a", "//%5Ba"),
        ("https://[::1]:80/v1", "https://[::1]:80/v1"),
    ],
)
def test_a_server_that_was_masked_is_read(masked: str, read: str) -> None:
    """Its answers can be judged, and no code that takes the address apart fails."""
    assert request_message({"uri": masked}).url == read
    assert urlsplit(read).port in (None, 80)


@given(st.text(st.sampled_from("a[]:/?#@9%"), max_size=12))
def test_any_address_can_be_taken_apart(url: str) -> None:
    """Brackets, ports and signs may stand anywhere in a recording."""
    for written in (f"http:{url}", url):
        port = urlsplit(request_message({"uri": written}).url).port  # raises if the address cannot be taken apart
        assert port is None or 0 <= port < 2**16
