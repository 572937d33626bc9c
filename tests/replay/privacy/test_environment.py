"""Values of the process' own environment are taken out where the variable is named for a secret."""

import pytest

from pytest_planguard.replay.privacy.environment import environment_secrets
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction import Redaction

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
