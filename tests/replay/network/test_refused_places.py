"""Which places a guard refuses, which it lets pass, and what it notes of them: without any connection."""

from __future__ import annotations

import pytest

from pytest_planguard.replay.network.guard import Bypass, NetworkBlocked, NetworkGuard
from pytest_planguard.replay.network.senders import passing


def refusal(guard: NetworkGuard, host: str, port: int | None) -> str:
    """The message for a place that is refused."""
    with pytest.raises(NetworkBlocked) as told:
        guard.check(host, port)
    return str(told.value)


def test_a_refused_place_is_told_with_the_ways_out() -> None:
    """The place and its client, clients that are replayed, and the option that allows the host."""
    guard = NetworkGuard(["b.test"])
    assert refusal(guard, "a.test", 443) == (
        "tests opened a connection to a.test:443 that no cassette can answer. Replay it through a client that vcrpy "
        "knows (httpx, httpx2, requests, aiohttp, urllib3, …), or allow the host: planguard_allowed_hosts = a.test"
    )
    assert refusal(guard, "a.test", None).startswith("tests opened a connection to a.test that no cassette can answer.")
    refusal(guard, "a.test", 443)
    assert guard.bypasses == [Bypass("a.test", 443, "tests"), Bypass("a.test", None, "tests")]
    assert guard.reached == {}
    assert guard.all_bypasses == tuple(guard.bypasses)


def test_a_mock_that_is_recorded_as_a_whole_is_refused_without_a_note() -> None:
    """It is asked as well, and answers in place of the host."""
    guard = NetworkGuard()
    with passing():
        refusal(guard, "a.test", 443)
    assert guard.bypasses == []


def test_allowed_places_are_reached() -> None:
    """A host with any port, or with the one that is named; capitals and a full stop at the end do not matter."""
    guard = NetworkGuard(["A.test", "b.test:5432"])
    for host, port in (("a.test", 80), ("A.TEST.", 81), ("a.test", None), ("b.test", 5432), ("a.test", 80)):
        guard.check(host, port)
    assert [*guard.reached] == ["a.test:80", "A.TEST.:81", "a.test", "b.test:5432"]
    refusal(guard, "b.test", 5433)
    refusal(guard, "b.test", None)
    refusal(guard, "www.a.test", 80)


def test_an_address_is_allowed_by_a_name_that_led_to_it() -> None:
    """Each address keeps all its names."""
    guard = NetworkGuard(["a.test", "c.test:80"])
    guard.resolved("A.test.", [(0, 0, 0, "", ("10.0.0.1", 80)), (0, 0, 0, "", ("10.0.0.2", 80))])
    guard.resolved("b.test", [(0, 0, 0, "", ("10.0.0.1", 80)), (0, 0, 0, "", ("10.0.0.3", 80))])
    guard.resolved("c.test", [(0, 0, 0, "", ("10.0.0.3", 80))])
    assert guard.names("10.0.0.1") == {"10.0.0.1", "a.test", "b.test"}
    for host, port in (("10.0.0.1", 1), ("10.0.0.2", 1), ("10.0.0.3", 80)):
        guard.check(host, port)
    refusal(guard, "10.0.0.3", 81)


def test_what_is_contacted_while_recording_is_noted_by_name() -> None:
    """The host where it is looked up, each port where it is connected to, and calls recorded as a whole apart."""
    guard = NetworkGuard(["allowed.test"], blocking=False)
    guard.check("allowed.test", 80)
    guard.check("A.test", None)
    guard.resolved("a.test", [(0, 0, 0, "", ("10.0.0.1", 443))])
    guard.check("10.0.0.1", 443)
    guard.check("10.0.0.2", 80)
    with passing():
        guard.check("mock.test", 80)
    assert guard.contacted == {"a.test", "10.0.0.2"}
    assert guard.clients == {"a.test": "tests", "10.0.0.2": "tests"}
    assert guard.places == {("10.0.0.1", 443): {"tests"}, ("a.test", 443): {"tests"}, ("10.0.0.2", 80): {"tests"}}
    assert guard.passed == {"mock.test"}
    assert guard.bypasses == []


def test_who_sends_without_a_recorded_client_is_noted_by_every_name() -> None:
    """The first sender stays."""
    guard = NetworkGuard(blocking=False)
    guard.resolved("a.test", [(0, 0, 0, "", ("10.0.0.1", 443))])
    guard.note_unrecorded("10.0.0.1", 443)
    guard.unrecorded["a.test", 443] = "other"
    guard.note_unrecorded("a.test", 443)
    assert guard.all_unrecorded == {("10.0.0.1", 443): "tests", ("a.test", 443): "other"}
