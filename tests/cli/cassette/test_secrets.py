"""`planguard cassette secrets`: what redaction would take out of existing cassettes, and nothing is written."""

import gzip
import json
from pathlib import Path

import pytest
import yaml

from ...support.cassettes import conversation
from ...support.commands import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cassette with secrets in a header, the address and a body, one without any, and one that is broken."""
    holding = conversation("{}")
    holding[0]["request"]["headers"] = {"X-Api-Key": ["abc"], "content-type": ["application/json"]}
    holding[0]["request"]["uri"] += "?token=abcd1234"
    holding[0]["request"]["body"] = json.dumps({"messages": [{"content": "CUST-1234 has sk-abcdef0123456789abcdef"}]})
    holding[0]["response"]["headers"]["Set-Cookie"] = ["sid=38afes7a8; Path=/; HttpOnly"]
    (tmp_path / "a.yaml").write_text(yaml.safe_dump({"version": 1, "interactions": holding}), "utf-8")
    (tmp_path / "b.yaml").write_text(yaml.safe_dump({"version": 1, "interactions": conversation("{}")}), "utf-8")
    return tmp_path


def test_places_and_kinds_are_listed(folder: Path) -> None:
    """The value stands nowhere in the output, and the cassette stays as it is."""
    before = (folder / "a.yaml").read_bytes()
    done = run("cassette", "secrets", str(folder))
    assert done.exit_code == 1
    assert done.stdout == (
        f"{folder / 'a.yaml'}: exchange 1: request header x-api-key: a header that is not recorded\n"
        f"{folder / 'a.yaml'}: exchange 1: request url: a parameter of an address\n"
        f"{folder / 'a.yaml'}: exchange 1: response header set-cookie: the value of this header is not recorded\n"
        f"{folder / 'a.yaml'}: exchange 1: request body messages[0].content: API key (sk-…)\n"
        "2 cassettes: 4 secrets in 1\n"
        "A new recording would hold [redacted] in these places and leave out such headers.\n"
    )
    assert (folder / "a.yaml").read_bytes() == before


@pytest.mark.parametrize("side", ["request", "response"])
def test_a_compressed_body_is_searched(side: str, tmp_path: Path) -> None:
    """The place is that of the text in it."""
    (talk,) = conversation("{}")
    body = talk["request"]["body"] if side == "request" else talk["response"]["body"]["string"]
    body = json.dumps({**json.loads(body), "note": "sk-abcdef0123456789abcdef"}).encode()
    talk[side]["headers"]["content-encoding"] = ["gzip"]
    talk[side]["body"] = gzip.compress(body) if side == "request" else {"string": gzip.compress(body)}
    path = tmp_path / "a.yaml"
    path.write_text(yaml.safe_dump({"version": 1, "interactions": [talk]}), encoding="utf-8")
    assert f"{path}: exchange 1: {side} body note: API key (sk-…)\n" in run("cassette", "secrets", str(path)).stdout


def test_own_words_and_json(folder: Path) -> None:
    """`--redact` takes the words of `planguard_redact`; the JSON form has the same places."""
    done = run("cassette", "secrets", str(folder / "a.yaml"), "--redact", "/CUST-[0-9]+/", "--format", "json")
    assert done.exit_code == 1
    (file,) = json.loads(done.stdout)["files"]
    assert (file["path"], file["error"]) == (str(folder / "a.yaml"), None)
    assert [one["kind"] for one in file["secrets"]][-2:] == ["pattern of planguard_redact", "API key (sk-…)"]
    assert {"exchange": 1, "place": "request header x-api-key", "kind": "a header that is not recorded"} in file[
        "secrets"
    ]


def test_without_a_secret_the_code_is_0_and_a_broken_file_makes_it_3(folder: Path) -> None:
    """A file that cannot be read was not looked at."""
    assert run("cassette", "secrets", str(folder / "b.yaml")).stdout == "1 cassette: no secret\n"
    (folder / "a.yaml").write_text("interactions: [", "utf-8")
    done = run("cassette", "secrets", str(folder))
    assert done.exit_code == 3
    assert f"error: {folder / 'a.yaml'}: is not valid YAML" in done.stdout
    assert done.stdout.endswith("\n2 cassettes, 1 of them not read: no secret in the others\n")
    assert run("cassette", "secrets", str(folder / "a.yaml")).stdout.endswith("\n1 cassette, 1 of them not read\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--redact", "/(/"], "a pattern of planguard_redact is not a regular expression"),
    ],
)
def test_wrong_uses(arguments: list[str], told: str, folder: Path) -> None:
    """Each is one message and exit code 2."""
    done = run("cassette", "secrets", str(folder), *arguments)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())


def test_secrets_need_a_path(tmp_path: Path) -> None:
    """The path is asked for, and a folder without a cassette is named."""
    assert run("cassette", "secrets").exit_code == 2
    (tmp_path / "none").mkdir()
    done = run("cassette", "secrets", str(tmp_path / "none"))
    assert done.exit_code == 3
    assert "no cassette; name a cassette, or a folder that has some" in done.stderr
