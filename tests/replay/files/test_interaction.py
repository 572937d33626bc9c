"""One exchange in plain form, and the mark that counts and digests exchanges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.replay.files.interaction import (
    EndMark,
    Interaction,
    as_data,
    collect,
    find_mark,
    flat,
    local_exchange,
    local_request,
    mark_of,
    with_latency,
    with_mark,
)

from ...support.one_item import in_one_item

ONE = Interaction("POST", "https://a.test/", (("A", ("1",)),), b"asked", 200, "OK", (("B", ("2", "3")),), b"said")
DIGEST = "0123456789abcdef"


@in_one_item
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"a\r\nb", b"a\nb"),
        (b"a \nb", b"a\nb"),
        (b"a\t\nb", b"a\nb"),
        (b"a \t\r\n \nb", b"a\n\nb"),
        (b"a\n\n \n", b"a"),
        (b"a \t\r", b"a"),
    ],
)
def test_layout_of_a_body_does_not_count(one: bytes, other: bytes) -> None:
    """Editors and hooks remove white space at the ends of lines, and change line ends."""
    for part in ("request_body", "response_body"):
        assert mark_of([replace(ONE, **{part: one})]) == mark_of([replace(ONE, **{part: other})])
        assert mark_of([replace(ONE, **{part: one})]) != mark_of([replace(ONE, **{part: other.replace(b"a", b" a")})])


def test_spelling_and_order_of_headers_do_not_count() -> None:
    """A name counts in lower case, a value as it is."""
    for part in ("request_headers", "response_headers"):
        marks = [
            mark_of([replace(ONE, **{part: headers})])
            for headers in (
                (("A", ("1", "2")), ("B", ("3",))),
                (("b", ("3",)), ("a", ("2",)), ("a", ("1",))),
                (("A", ("1", "3")), ("B", ("2",))),
                (("A", ("1", "2")), ("B", ("x",))),
            )
        ]
        assert marks[0] == marks[1]
        assert len({str(mark) for mark in marks}) == 3


@pytest.mark.parametrize(
    "part",
    [{"method": "PUT"}, {"url": "https://b.test/"}, {"status": 201}, {"reason": "Fine"}, {"request_body": b"ask"}],
)
def test_each_part_of_an_exchange_counts(part: dict[str, object]) -> None:
    """As does its end: what one part loses and the next one gains is no equal text."""
    assert mark_of([replace(ONE, **part)]) != mark_of([ONE])  # type: ignore[arg-type]
    moved = replace(ONE, method=f"{ONE.method}{ONE.url[0]}", url=ONE.url[1:])
    assert mark_of([moved]) != mark_of([ONE])


def test_a_mark_is_one_line() -> None:
    """It is the last one of what was written so far."""
    assert str(EndMark(1, DIGEST)) == f"# planguard: 1 exchange, digest {DIGEST}"
    assert [str(EndMark(count, DIGEST))[:25] for count in (0, 2)] == [
        "# planguard: 0 exchanges,",
        "# planguard: 2 exchanges,",
    ]
    mark = mark_of([ONE, ONE])
    assert (mark.count, len(mark.digest), mark.is_last) == (2, 16, True)
    assert with_mark(f"a\n{EndMark(1, DIGEST)}\n", mark) == f"a\n{mark}\n"


@in_one_item
@pytest.mark.parametrize(
    ("text", "is_last"),
    [
        (f"a\n# planguard: 2 exchanges, digest {DIGEST}", True),
        (f"a\n# planguard: 1 exchange, digest {DIGEST} \t\r\n\n...\n# more\n", True),
        (f"a\n# planguard: 1 exchange, digest {DIGEST}\nmore\n", False),
        (f"a\n# planguard: 1 exchange, digest {DIGEST}\n # more\n", False),
        (f"a\n# planguard: 1 exchange, digest {DIGEST[:-1]}\n", None),
        (f"a\n# planguard: 1 exchange, digest {DIGEST}0\n", None),
        (f"a\n# planguard: 1234567890 exchanges, digest {DIGEST}\n", None),
        (f"# planguard: 1 exchange, digest {DIGEST}\n", None),
        ("a\n", None),
    ],
)
def test_a_mark_is_found_if_it_is_whole(text: str, is_last: bool | None) -> None:
    """Comments and the end of the document may follow the last line."""
    mark = find_mark(text)
    assert (mark and mark.is_last) is is_last
    assert mark is None or mark.digest == DIGEST


def test_headers_are_joined_by_their_names() -> None:
    """All values of one spelling, in the order of the message; by lower-case name for the layer that reads them."""
    assert collect([("A", "1"), (b"B", [b"\xe9", 2]), ("A", ("3",)), ("a", "4")]) == (
        ("A", ("1", "3")),
        ("B", ("é", "2")),
        ("a", ("4",)),
    )
    assert flat((("A", ("1", "2")), ("B", ()))) == {"a": "1, 2", "b": ""}


def test_a_latency_is_measured_here() -> None:
    """It replaces what a server claims, and is left out if nothing was measured."""
    claimed = (("X-Planguard-Latency-S", ("9",)), ("A", ("1",)))
    assert with_latency(claimed, 0.25) == (("A", ("1",)), ("x-planguard-latency-s", ("0.250",)))
    assert with_latency(claimed, None) == (("A", ("1",)),)


def test_an_exchange_that_was_not_sent_over_http_is_one_of_json() -> None:
    """With the time at which it ended; a text is data as it is, other bytes are base64."""
    request = local_request("command://agent", b"{}")
    assert (request.method, request.url, request.body) == ("POST", "command://agent", b"{}")
    assert request.headers == {"content-type": "application/json"}
    one = local_exchange("command://agent", b"{}", b"[]", 1.5)
    assert (one.method, one.status, one.reason, one.request_body, one.response_body) == (
        "POST",
        200,
        "OK",
        b"{}",
        b"[]",
    )
    assert one.request_headers == (("Content-Type", ("application/json",)),)
    names = [name for name, _ in one.response_headers]
    assert names == ["Content-Type", "Date", "x-planguard-latency-s"]
    assert one.response_headers[1][1][0].endswith(" GMT")
    assert (as_data("é".encode()), as_data(bytearray(b"\xff"))) == ("é", {"base64": "/w=="})
