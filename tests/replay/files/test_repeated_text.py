"""A long answer that is fed back is in its cassette once, for planguard and for vcrpy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files import cassette_text, reader
from pytest_planguard.replay.files.cassette_text import Reference, RepeatedTexts, render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.reader import interactions_of, read_cassette

JSON = (("content-type", ("application/json",)),)
URL = "https://a.test/v1/chat/completions"


def exchange(asked: object, answered: object) -> Interaction:
    """One exchange of JSON bodies."""
    return Interaction("POST", URL, JSON, json.dumps(asked).encode(), 200, "OK", JSON, json.dumps(answered).encode())


def loop(*texts: str) -> list[Interaction]:
    """A conversation that repeats all its answers in each request."""
    turns: list[dict[str, str]] = [{"role": "user", "content": "go"}]
    found = []
    for text in texts:
        found.append(exchange({"messages": turns}, {"choices": [{"message": {"content": text}}]}))
        turns = [*turns, {"role": "assistant", "content": text}, {"role": "user", "content": f"wrong: {text}"}]
    return found


@pytest.mark.slow
def test_long_answer_is_written_once(tmp_path: Path) -> None:
    """It is a reference in each later request; vcrpy and libyaml load the file, and the answers are whole."""
    from vcr.serialize import deserialize
    from vcr.serializers import yamlserializer

    text = 'say "ä\n' * 20_000
    recorded = loop(text, "short", text[:-1], "end")
    file = tmp_path / "a.yaml"
    file.write_text(render(recorded), encoding="utf-8")
    written = file.read_text(encoding="utf-8")
    assert len(written) < 2.2 * len(json.dumps(text, ensure_ascii=False))
    cassette = read_cassette(file)
    for raw, wanted in zip(cassette.interactions, recorded, strict=True):
        assert json.loads(raw.request.body) == json.loads(wanted.request_body)
        assert json.loads(raw.response.body) == json.loads(wanted.response_body)
    assert not cassette.notes
    assert render(raw.as_recorded for raw in cassette.interactions) == written
    requests, responses = deserialize(written, yamlserializer)[:2]
    assert [request.uri for request in requests] == [URL] * 4
    assert [json.loads(response["body"]["string"]) for response in responses] == [
        json.loads(one.response_body) for one in recorded
    ]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    assert len(yaml.load(written, loader)["interactions"]) == 4


@given(st.lists(st.text('ab"\\ä\n\x7f', min_size=3), min_size=1, max_size=4), st.booleans())
def test_what_is_written_is_read(texts: list[str], short: bool) -> None:
    """For texts that contain each other, at any length from which they are shared."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cassette_text, "LEAST", 3 if short else 8)
        recorded = loop(*texts)
        written = render(recorded)
        found = interactions_of(Path("a.yaml"), written)
        assert render(raw.as_recorded for raw in found) == written
    assert [json.loads(raw.request.body) for raw in found] == [json.loads(one.request_body) for one in recorded]


def test_a_text_is_shared_from_its_least_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body of that length has an anchor, and a text of that length within it is known, alone and beside others."""
    monkeypatch.setattr(cassette_text, "LEAST", 6)
    texts = RepeatedTexts()
    assert texts.add('"abc"') == ""
    assert texts.add('"abcd"') == "&answer2 "
    assert texts.split("abcd--") == ["abcd--"]
    assert texts.add('["abcdef", "abcdefgh"]') == "&answer3 "
    shorter, longer = Reference(3, 2, 8), Reference(3, 12, 20)
    assert texts.split("abcdef") == [shorter]
    assert texts.split("abcde") == ["abcde"]
    assert texts.split("-abcdefgh-abcdef") == ["-", longer, "-", shorter]
    assert texts.split("abcdefabcdef") == [shorter, shorter]
    assert str(longer) == "{of: *answer3, from: 12, to: 20}"


def test_only_the_latest_texts_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of 33 is written out again."""
    monkeypatch.setattr(cassette_text, "LEAST", 3)
    texts = RepeatedTexts()
    for number in range(33):
        assert texts.add(f'"{number:03}"') == f"&answer{number + 1} "
    assert texts.split("000 001 032") == ["000 ", Reference(2, 1, 4), " ", Reference(33, 1, 4)]


HOSTILE = """version: 1
interactions:
- request: {body: [], method: POST, uri: "https://a.test/"}
  response: {body: {string: &answer1 "%s"}, headers: {}, status: {code: 200, message: OK}}
%s"""
MORE = """- request: {body: [%s], method: POST, uri: "https://a.test/"}
  response: {body: {string: ""}, headers: {}, status: {code: 200, message: OK}}
"""
LONG = "{of: *answer1, from: 0, to: 1000}"


@pytest.mark.parametrize("piece", [LONG, "*answer1"])
def test_references_cannot_explode(piece: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in one body nor in all of them."""
    file = tmp_path / "a.yaml"
    file.write_text(HOSTILE % ("x" * 1000, MORE % ", ".join([piece] * 50)), encoding="utf-8")
    monkeypatch.setattr(reader, "MAX_UNPACKED", 20_000)
    with pytest.raises(CassetteError, match="interaction 2 has a body that cannot be read"):
        read_cassette(file)
    file.write_text(HOSTILE % ("x" * 1000, MORE % ", ".join([piece] * 10) * 5), encoding="utf-8")
    monkeypatch.setattr(reader, "_MOST", 40_000)
    with pytest.raises(CassetteError, match="its bodies have more than the 40,000 bytes that are read"):
        read_cassette(file)


@pytest.mark.parametrize(
    "piece", ["{of: 5}", "{of: *answer1, from: a, to: 3}", "{of: *answer1, from: 9, to: -3}", "{}"]
)
def test_broken_reference(piece: str, tmp_path: Path) -> None:
    """It has no characters."""
    file = tmp_path / "a.yaml"
    file.write_text(HOSTILE % ("x", MORE % f"a, {piece}, b"), encoding="utf-8")
    assert read_cassette(file).interactions[1].request.body == b"ab"
