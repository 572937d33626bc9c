"""What a test learns of the endpoint of its child processes."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.case_parts.child_endpoint import ChildEndpoint, PlanguardEndpoint

VARIABLES = {
    "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
    "HTTPS_PROXY": "http://127.0.0.1:2",
    "all_proxy": "http://127.0.0.1:2",
}


def endpoint() -> PlanguardEndpoint:
    """Return the endpoint of a test, which leads children by these variables."""
    opened: Any = SimpleNamespace(environment=lambda: ("the route", VARIABLES))
    return PlanguardEndpoint(opened)


def test_children_are_led_by_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come before those of this process; the test gets copies."""
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.example.com")
    monkeypatch.setenv("OF_THE_TEST", "1")
    one = endpoint()
    assert one.variables == VARIABLES
    one.variables.clear()
    assert one.environment == {**os.environ, **VARIABLES}
    assert one.environment["OF_THE_TEST"] == "1"


def test_a_base_url_by_its_variable() -> None:
    """OpenAI's by default. The message about another one names those that there are, but no proxies."""
    one = endpoint()
    assert one.url() == "http://127.0.0.1:1/v1"
    assert one.url("ANTHROPIC_BASE_URL") == "http://127.0.0.1:1"
    with pytest.raises(UsageError) as error:
        one.url("MY_BASE_URL")
    assert str(error.value) == (
        "planguard_endpoint has no variable 'MY_BASE_URL'; it has OPENAI_BASE_URL, ANTHROPIC_BASE_URL"
    )


def test_without_a_cassette_there_is_no_endpoint(pytestconfig: pytest.Config) -> None:
    """A child that starts then gets nothing, and to close it twice does no harm."""
    one = ChildEndpoint(pytestconfig, None)
    with pytest.raises(UsageError) as error:
        one.environment()
    assert str(error.value) == "planguard_endpoint: got no open cassette; use it in the body of a marked test"
    with one.equip(["claude"], {}) as more:
        assert more == {}
    assert one.notes == ()
    one.close()
    one.close()
