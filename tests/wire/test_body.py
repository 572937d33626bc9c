"""Bodies: chunking and compression are undone within a bound, whatever the headers claim."""

from __future__ import annotations

import gzip
import sys
import zlib
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_planguard.wire.body import Unpacked, to_text, unpack

from ..support.cost import assert_growth

JSON = b'{"a": "\xc3\xa9"}' * 40
RAW_DEFLATE = zlib.compress(JSON, wbits=-15)


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("gzip", gzip.compress(JSON, mtime=0)),
        ("", gzip.compress(JSON, mtime=0)),
        ("GZIP", JSON),
        ("deflate", zlib.compress(JSON)),
        ("deflate", RAW_DEFLATE),
        ("deflate", JSON),
        ("br", JSON),
        ("identity", JSON),
        ("deflate, gzip", gzip.compress(zlib.compress(JSON), mtime=0)),
        ("gzip", gzip.compress(JSON[:40], mtime=0) + gzip.compress(JSON[40:], mtime=0)),
        ("gzip", gzip.compress(JSON, mtime=0) + b"trailing"),
    ],
)
def test_compression_is_undone(coding: str, body: bytes) -> None:
    """The bytes decide: a body that the recorder unpacked already stays as it is."""
    assert unpack({"content-encoding": coding}, body) == Unpacked(JSON)


@given(st.lists(st.binary(max_size=9_000), min_size=1, max_size=4), st.sampled_from(["gzip", "deflate"]))
def test_a_body_of_any_length_is_inflated(parts: list[bytes], coding: str) -> None:
    """Law: also if its members begin and end anywhere in the pieces that zlib gets. Only gzip has several."""
    whole = b"".join(parts)
    if coding == "gzip":
        packed = b"".join(gzip.compress(part, 0, mtime=0) for part in parts)
    else:
        packed = zlib.compress(whole, 0)
    assert unpack({"content-encoding": coding}, packed) == Unpacked(whole)


@pytest.mark.slow
def test_empty_members_take_linear_time() -> None:
    """Zlib copies what is left after each: in one piece, eight times the members took 64 times as long."""
    member = gzip.compress(b"", mtime=0)
    assert_growth(lambda members: unpack({}, member * members), 2_500, 20_000, below=20)


def test_chunks_are_joined() -> None:
    """A body that is still chunked is joined; one that only claims to be is left alone."""
    headers = {"transfer-encoding": "chunked"}
    assert unpack(headers, b'3;x=y\r\n{"a\r\n3\r\n": \r\n2\r\n1}\r\n0\r\n\r\n').body == b'{"a": 1}'
    for plain in (b'{"a": 1}', b"3\r\nabcd\r\n0\r\n\r\n", b"3\r\nab", b"3\r\nabc\r\n"):
        assert unpack(headers, plain).body == plain


def test_bomb() -> None:
    """A small body that unpacks to a huge one is refused with a reason and stays packed."""
    packed = gzip.compress(b"a" * 1_000_000, mtime=0)
    result = unpack({}, packed, limit=10_000)
    assert result == Unpacked(packed, "the compressed body unpacks to more than the 10,000 bytes that are read")


def test_too_large() -> None:
    """A plain body over the bound is named as such."""
    assert unpack({}, b"abc", limit=2).problem == "the body has 3 bytes, more than the 2 that are read"


def test_broken_and_cut_off() -> None:
    """What could be unpacked of a cut-off body is kept; broken bytes come back with the reason."""
    packed = zlib.compress(JSON)
    cut = unpack({"content-encoding": "deflate"}, packed[:-6])
    assert JSON.startswith(cut.body)
    assert cut.problem == "the compressed body is cut off"
    broken = unpack({}, b"\x1f\x8bnonsense")
    assert broken.body == b"\x1f\x8bnonsense"
    assert str(broken.problem).startswith("the compressed body is broken (")


def test_compression_without_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compression that needs a module is named where the module is missing."""
    monkeypatch.setitem(sys.modules, "brotli", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    packed = b"\x1b\x02\x00\xf8\xff"
    missing = "the body is compressed with {}, and no module to unpack it is installed"
    assert unpack({"content-encoding": "br"}, packed) == Unpacked(packed, missing.format("brotli"))
    assert unpack({}, b"\x28\xb5\x2f\xfd..") == Unpacked(b"\x28\xb5\x2f\xfd..", missing.format("zstd"))


@pytest.mark.parametrize(
    ("plain", "body", "problem"),
    [
        (b"{}", b"{}", None),
        (b"x" * 20, b"\xff\x00", "the compressed body unpacks to more than the 10 bytes that are read"),
        (ValueError("bad stream"), b"\xff\x00", "the compressed body is broken (bad stream)"),
    ],
)
def test_compression_by_a_module(monkeypatch: pytest.MonkeyPatch, plain: Any, body: bytes, problem: str | None) -> None:
    """Where the module is installed it unpacks, within the bound, and its errors are reasons."""

    class Decompressor:
        """Speaks the interface of brotli 1.2: `process(data, output_buffer_limit=…)`."""

        def process(self, data: bytes, *, output_buffer_limit: int) -> bytes:
            """Give back what the test says, as bounded as a real module would."""
            if isinstance(plain, Exception):
                raise plain
            return bytes(plain[:output_buffer_limit])

    monkeypatch.setitem(sys.modules, "brotli", SimpleNamespace(Decompressor=Decompressor))
    assert unpack({"content-encoding": "br"}, b"\xff\x00", limit=10) == Unpacked(body, problem)


@settings(deadline=None)  # machines that run tests may be busy
@given(body=st.binary(max_size=300), coding=st.sampled_from(["", "gzip", "deflate", "br", "x"]), chunked=st.booleans())
def test_never_raises(body: bytes, coding: str, *, chunked: bool) -> None:
    """Whatever bytes and headers come, there is a result."""
    headers = {"content-encoding": coding, "transfer-encoding": "chunked" if chunked else ""}
    assert isinstance(to_text(unpack(headers, body).body), str)


def test_text_of_bytes() -> None:
    """A byte order mark is stripped and broken bytes are replaced."""
    assert to_text(b"\xef\xbb\xbfa\xff") == "a\ufffd"


def test_text_cut_inside_a_character() -> None:
    """A long plain text is known as text even where the part that is looked at ends inside a character."""
    plain = b"a" * 255 + "é".encode() * 10
    assert unpack({"content-encoding": "deflate"}, plain) == Unpacked(plain)
