"""Values of the process' own environment are taken out where the variable is named for a secret."""

from pathlib import Path

import httpx2
import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import CassetteJournal
from pytest_planguard.replay.privacy.redact import first_secret, redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction, environment_secrets, own_redaction
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import user
from ...support.lookalike import Lookalike
from .test_planted import exchange

TOKEN = "q7Rt2Wx9Zb4Lk8Mn"


def test_a_value_of_the_environment_is_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """At word boundaries, and as JSON and URLs write it."""
    monkeypatch.setenv("COMPANY_TOKEN", TOKEN)
    cleaned = redact(exchange(url=f"https://a.test/{TOKEN}/x", response=f'["{TOKEN}", "{TOKEN}9"]'), Redaction())
    assert cleaned.interaction.url == "https://a.test/[redacted]/x"
    assert cleaned.interaction.response_body == f'["[redacted]", "{TOKEN}9"]'.encode()
    assert str(cleaned.secrets[0]) == "request url: value of an environment variable"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOKENIZERS_PARALLELISM", "false"),
        ("OPENAI_API_KEY", "none-needed"),
        ("SSH_KEY", "/home/me/.ssh/id_ed25519"),
        ("SSH_KEY", "~/.ssh/id_ed25519_2026"),
        ("CA_KEY", "certificates-2026.pem"),
        ("API_KEY", "onlylettersinthisone"),
        ("API_KEY", "12345678901234567890"),
        ("SECRET", "a sentence with 16 letters"),
        ("TOKEN_URL", "https://a.test/token/0123456789"),
        ("COLUMN", TOKEN),
    ],
)
def test_ordinary_values_are_none(name: str, value: str) -> None:
    """Short values, words, numbers, paths, addresses and sentences stay, as does what is under another name."""
    assert environment_secrets({name: value}) is None


@pytest.mark.parametrize("now", [None, "another-Value-0001", 'quoted"-Value-0001'])
def test_a_recording_replays_whatever_the_variable_is_now(
    now: str | None, lookalike: Lookalike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A placeholder equals whatever stands there in a request; what stands around it still counts."""
    path = tmp_path / "a.yaml"

    def ask(text: str) -> None:
        body = {"model": "m", "messages": [user(text)]}
        httpx2.post(f"{lookalike.base_url}/chat/completions", json=body, verify=False)

    monkeypatch.setenv("COMPANY_TOKEN", TOKEN)
    with open_cassette(path, mode="all"):
        ask(f"use {TOKEN} now")
    assert TOKEN not in path.read_text("utf-8")
    monkeypatch.delenv("COMPANY_TOKEN")
    with open_cassette(path, match="strict") as session:
        ask(f"use {now or 'nothing'} now")
        assert (session.misses, len(session.played)) == ([], 1)
    with open_cassette(path, match="strict") as session, pytest.raises(Exception, match=r"^."):
        ask(f"use {now or 'nothing'} later")
    assert len(session.misses) == 1


def test_a_secret_that_slipped_through_is_never_renamed_into_place(tmp_path: Path) -> None:
    """The whole text is looked at once more; the message names file, line and kind, and the old cassette stays."""
    path = tmp_path / "a.yaml"
    path.write_text("old", "utf-8")
    journal = CassetteJournal(path, lambda text: first_secret(text, Redaction()))
    journal.append(exchange(response='{"a": "sk-planted0123456789abcdef"}'))
    with pytest.raises(CassetteError) as told:
        journal.finish()
    assert str(told.value) == (
        f"{journal.part}: the cassette contains a secret: got API key (sk-…) in line 14; take it out of what is sent, "
        "remove this file, and record again. No finished cassette was changed"
    )
    assert path.read_text("utf-8") == "old"


def test_a_kept_place_exempts_no_value_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What only looks like a key may stay there; the process' own is found in the last look at a cassette."""
    monkeypatch.setenv("COMPANY_TOKEN", TOKEN)
    keeping = own_redaction((), keep=("response body errors*",))
    text = f'looks like one: sk-planted0123456789abcdef\nis one: "{TOKEN}"\n'
    assert first_secret(text, keeping) == (2, "value of an environment variable")
    assert first_secret(text.partition("\n")[0], keeping) is None
