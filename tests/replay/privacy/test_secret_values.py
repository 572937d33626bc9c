"""What a value must look like to be a secret under a name that speaks of one."""

from __future__ import annotations

import pytest

from pytest_planguard.replay.privacy.secret_names import (
    holds_secret,
    is_coined,
    is_drawn,
    is_stand_in,
    looks_random,
)

from ...support.one_item import in_one_item

RANDOM = "a8Kq0ZkR17pWm2Xc"
NAMES = ("password", "client_secret", "vendor_token")
"""A name of each strength."""


@in_one_item
@pytest.mark.parametrize(
    "value",
    [
        *("str", "string", "text", "number", "int", "integer", "none", "null", "true", "false", "any", "required"),
        *("optional", "missing", "invalid", "valid", "wrong", "weak", "strong", "empty", "hidden", "secret", "token"),
        *("password", "passwd", "pwd", "yes", "no", "bearer", "basic", "apikey", "api_key", "api-key", "ok"),
        *("sha1", "sha256", "bcrypt", "os.environ['X1']", "process.env.X1", "env.X1", "self.x1", "settings.x1"),
        *("config.x1", "****", "xxxx", "....", "••••", "…", "----", "*x.•…-", "[x1", "<x1", "{x1", "(x1", "%x1", "$x1"),
        *("your-x1", "your_x1", "Your x1", "none-needed", "none_needed", "not needed", "not-needed"),
    ],
)
def test_a_placeholder_is_no_secret(value: str) -> None:
    """In any case, and under any name."""
    for text in (value, value.upper(), value.title()):
        assert is_stand_in(text)
        assert not any(holds_secret(name, text) for name in NAMES)
    assert not is_stand_in(RANDOM)


@in_one_item
@pytest.mark.parametrize(
    "value",
    ["~", "~/work1", "/home/me/project1", "./a1bcde", "../a1bcde", "C:\\work1", "d:\\w", "file:a1bcde", "/"],
)
def test_a_path_is_no_password(value: str) -> None:
    """`pwd` is a folder in shells; a text that only begins like one may be random."""
    assert is_stand_in(value)
    assert not holds_secret("pwd", value)
    assert not is_stand_in(f"{value}\nx1")
    assert not is_stand_in("/a8Kq0ZkR17pWm2Xc9Lb4Tz")


@in_one_item
@pytest.mark.parametrize(
    "word",
    [
        *("should", "must", "may", "not", "is", "are", "was", "be", "require", "required", "least", "most"),
        *("character", "characters", "invalid", "blank", "missing", "field", "short", "long", "weak", "match", "need"),
        *("needs", "please", "enter", "the", "of", "for", "your", "too", "cannot", "can't", "expected", "got", "value"),
        "string",
    ],
)
def test_a_sentence_is_no_passphrase(word: str) -> None:
    """Words of a validator or a label; four words beside each other are a passphrase."""
    for text in (f"horse {word} staple", f"{word} horse", f"horse {word.upper()}"):
        assert not holds_secret("password", text)
    for text in (f"horse {word}x staple", f"horse x{word} staple"):
        assert holds_secret("password", text) or word == "your"  # whatever begins so stands for another text


@in_one_item
@pytest.mark.parametrize(
    ("value", "password", "secret", "maybe"),
    [
        ("abc", False, False, False),
        ("ab1c", True, True, False),
        ("swordfish", True, True, False),
        ("admin", False, False, False),
        ("Adminis", True, True, False),
        ("adminis", False, False, False),
        ("administrator", True, True, False),
        ("correct horse battery staple", True, False, False),
        ("Passwort eingeben", False, False, False),
        ("Correct Horse", True, False, False),
        ("correct horse!", False, False, False),
        ("correct horse:", False, False, False),
        (RANDOM, True, True, True),
        ("a8Kq0ZkR17p m2Xc", True, False, False),
        ("0123456789abcdef0123456789abcdef", True, True, False),
    ],
)
def test_how_strong_a_name_is_decides(value: str, password: bool, secret: bool, maybe: bool) -> None:
    """A password may be words; a client's secret is one word; a token of a vendor is random."""
    assert [holds_secret(name, value) for name in NAMES] == [password, secret, maybe]
    assert not holds_secret("title", value)


@in_one_item
@pytest.mark.parametrize("name", ["token", "pass", "TOKEN"])
def test_a_bare_token_needs_only_a_made_up_value(name: str) -> None:
    """With another word before it, it needs a random one."""
    assert holds_secret(name, "hunter2")
    assert not holds_secret(name, "hunter")
    assert not holds_secret(f"my_vendor_{name}", "hunter2")


@in_one_item
@pytest.mark.parametrize(
    ("value", "random", "drawn", "coined"),
    [
        (RANDOM, True, True, True),
        (RANDOM[:12], True, True, True),
        (RANDOM[:11], False, False, True),
        ("abcdefghijkl", False, False, False),
        ("a1b2c", False, False, False),
        ("a1b2cd", False, False, True),
        ("hunter2!", False, False, True),
        ("12345678", False, False, False),
        ("qXvZkRwPjMtB", False, True, False),
        ("0123456789abcdef", False, False, True),
        ("a8Kq0ZkR 17pWm2Xc", False, False, False),
        ("", False, False, False),
    ],
)
def test_how_random_a_value_is(value: str, random: bool, drawn: bool, coined: bool) -> None:
    """Twelve characters that no word has, with digits or without; or six with a letter and a digit."""
    assert (looks_random(value), is_drawn(value), is_coined(value)) == (random, drawn, coined)
