"""Keys are found by their shape, each vendor's at a key of its own, and in linear time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.secret_forms import BARE, SHAPES
from pytest_planguard.document.secrets import keys_in, keys_in_base64, stands_in, surprise
from pytest_planguard.replay.privacy.secrets import find_secrets

from ..support.cost import assert_growth
from ..support.one_item import in_one_item

STARTS = [(start, shape.rest) for shape in SHAPES for start in shape.starts.split()]


@given(st.sampled_from([*STARTS, *(("", pattern) for pattern, _, _ in BARE)]), st.data())
def test_whatever_has_a_shape_is_found(shape: tuple[str, str], data: st.DataObject) -> None:
    """Law: as a word, whatever stands around it."""
    start, rest = shape
    looks = re.compile(re.sub(r"\(\?[=!][^()]*(?:\([^()]*\)[^()]*)*\)", "", rest), re.ASCII)
    made = start + data.draw(st.from_regex(looks, fullmatch=True))
    if re.fullmatch(re.escape(start) + rest, made, re.ASCII) and not stands_in(made):
        assert any(begin <= 2 for begin, _, _ in keys_in(f"a {made}"))


@given(st.integers(1, 4))
def test_every_putty_key_of_a_text_is_found(many: int) -> None:
    """Not only the first: a note may hold the keys of several hosts."""
    key = "PuTTY-User-Key-File-2: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\nc2VjcmV0\nPrivate-MAC: ab\n"
    found = [(key * many)[start:end] for start, end, _ in keys_in(key * many)]
    assert found == ["Private-Lines: 1\nc2VjcmV0\n"] * many


def test_every_shape_names_its_source() -> None:
    """And no two begin alike under two kinds."""
    assert all(shape.source and shape.kind for shape in SHAPES)
    starts = [start for start, _ in STARTS]
    assert len(starts) == len(set(starts))
    assert all(len(start) > 1 for start in starts)


def test_a_letter_that_grows_in_lower_case_moves_no_place() -> None:
    """A dotted capital I has two characters in lower case."""
    text = "\u0130 db_password = a8Kq0ZkR17 api key: 0123456789abcdef0123456789abcdef"
    found = find_secrets(text)
    assert [text[one.start : one.end] for one in found] == ["a8Kq0ZkR17", "0123456789abcdef0123456789abcdef"]


@pytest.mark.parametrize(
    "text", ["regression-analysis-final", "gpt-4o-mini-2024-07-18", "PasswordResetView", "20241127T101500Z"]
)
def test_words_are_not_random(text: str) -> None:
    """Nor are versions and times."""
    assert surprise(text) < 3 < surprise("a8Kq0ZkR17pWm2Xc")


def test_base64_is_decoded_once() -> None:
    """A key within base64 within base64 is not looked for, and media is none."""
    assert [*keys_in_base64("c2stcHJvai1hMUIyYzNENGU1RjZnN0g4")] == [(0, 32, "a key in base64")]
    assert [*keys_in_base64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ")] == []


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize(
    "piece",
    ["AAAAAC", "eyJ", "_KEY", "key=", "12345678:", "://", "sk-a ", "token='", "a_", "Zm9v", "password is ", "A-"],
)
def test_a_text_full_of_words_of_keys_costs_no_more_than_its_length(piece: str) -> None:
    """Ten times the text costs about ten times as much."""
    assert_growth(lambda size: find_secrets(piece * size), 500, 5_000, below=40)


def test_a_filled_up_audio_file_holds_no_key() -> None:
    """What stands behind an encoder's name is one letter many times."""
    assert list(keys_in(f"LAME3.100{'U' * 40}")) == []
