"""Each word of a name that says whether its value is a secret."""

from __future__ import annotations

import pytest

from pytest_planguard.replay.privacy.secret_names import Speaks, name_speaks, parameter_speaks

from ...support.one_item import in_one_item


def _words(text: str) -> list[str]:
    return text.split()


SECRET_KEYS = _words(
    "api access secret private account subscription master signing encryption shared auth function service storage "
    "virtual admin ssh deploy webhook license client azure openai anthropic mistral groq cohere google gemini aws "
    "openrouter together fireworks deepseek app consumer hmac"
)
SECRET_TOKENS = _words(
    "access refresh id auth session bearer security api csrf xsrf bot github gitlab slack hf oauth jwt personal deploy "
    "private secret login vault npm pypi service user gh registration device invite magic"
)
HARMLESS = _words(
    "primary foreign sort partition public cache idempotency group case map object row lookup unique natural dedup "
    "hash entry route routing translation message issue project ticket index surrogate websocket shard order next page "
    "continuation continue sync cursor previous prev stop eos bos pad unk mask sep cls end start special first last "
    "top text resume max min per image audio cached input output prompt completion total reasoning num new"
)
TAILS = _words(
    "value text base64 plain prod production dev test staging live old new current main raw str string b64 encoded env "
    "default backup primary secondary id header var"
)


@in_one_item
@pytest.mark.parametrize("owner", SECRET_KEYS)
def test_the_owner_of_a_key_makes_it_a_secret(owner: str) -> None:
    """Whatever stands before the two."""
    assert name_speaks(f"{owner}_key") is Speaks.SECRET
    assert name_speaks(f"vendor_{owner}_key") is Speaks.SECRET


@in_one_item
@pytest.mark.parametrize("owner", SECRET_TOKENS)
def test_the_owner_of_a_token_makes_it_a_secret(owner: str) -> None:
    """In any spelling."""
    assert name_speaks(f"{owner}_token") is name_speaks(f"{owner}Tokens") is Speaks.SECRET


@in_one_item
@pytest.mark.parametrize("owner", HARMLESS)
def test_keys_and_tokens_of_data_are_none(owner: str) -> None:
    """Counts of tokens, ids of rows, places in a list."""
    assert name_speaks(f"{owner}_key") is name_speaks(f"{owner}_token") is Speaks.NOTHING


@in_one_item
@pytest.mark.parametrize(
    ("name", "speaks"),
    [
        *((word, Speaks.PASSWORD) for word in _words("password passwd pwd pgpassword")),
        *((word, Speaks.SECRET) for word in _words("secret credential jwt mnemonic cvv authorization otp totp cookie")),
        *((word, Speaks.SECRET) for word in ("dsn", "sas", "sentry_dsn", "credentials")),
        *((word, Speaks.MAYBE) for word in _words("auth pass bearer hmac pat passphrase passcode vendor_key")),
        *((f"{word}_pass", Speaks.PASSWORD) for word in _words("db user smtp mail mysql pg admin root ftp redis auth")),
        *((f"{word}_pass", Speaks.PASSWORD) for word in _words("login database proxy")),
        ("boarding_pass", Speaks.MAYBE),
    ],
)
def test_what_the_last_word_says(name: str, speaks: Speaks) -> None:
    """A pass may be one for a ski lift."""
    assert name_speaks(name) is speaks


@in_one_item
@pytest.mark.parametrize("tail", TAILS)
def test_a_word_behind_the_name_changes_nothing(tail: str) -> None:
    """Which environment it is for, or which form it has."""
    assert name_speaks(f"openai_api_key_{tail}") is Speaks.SECRET


@in_one_item
@pytest.mark.parametrize("first", _words("is has no max min num require need use with show needs requires"))
def test_a_flag_or_a_number_about_secrets_is_none(first: str) -> None:
    """`needs_password` is true or false."""
    assert name_speaks(f"{first}_password") is Speaks.NOTHING


@in_one_item
@pytest.mark.parametrize(
    "first", _words("x api access auth shared session client refresh id app user bot db my admin private secret")
)
@pytest.mark.parametrize("last", _words("token secret password passwd pwd pass key id credential"))
def test_two_words_may_be_written_as_one(first: str, last: str) -> None:
    """`apitoken` says what `api_token` says."""
    assert name_speaks(f"{first}{last}") is name_speaks(f"{first}_{last}")


@in_one_item
@pytest.mark.parametrize("last", _words("token secret password apikey"))
def test_any_word_may_stand_before_these(last: str) -> None:
    """`acmesecret` says what `acme_secret` says."""
    assert name_speaks(f"acme{last}") is name_speaks(f"acme_{last}") is not Speaks.NOTHING


@in_one_item
@pytest.mark.parametrize("name", ["auth", "signature", "sig", "X-Goog-Signature"])
def test_more_names_are_secrets_in_an_address(name: str) -> None:
    """A signature opens what the address leads to."""
    assert parameter_speaks(name)
    assert not parameter_speaks(f"{name}_length")
