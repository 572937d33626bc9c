"""The value that a closed cassette leaves."""

from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.wire.exchange import Exchange


def test_by_default_it_is_that_of_a_test_without_a_cassette():
    """Nothing was asked, nothing missed, and there is no file."""
    shown = PlayedCassette()
    assert (shown.uses_file, shown.recorded, shown.misses, shown.outcome) == (False, False, (), None)
    assert shown.exchanges_in(b"version: 1") is None
    assert shown.called_tools == ()
    assert shown.summary == "no request was sent and no answer was checked"


def test_an_old_cassette_has_as_many_exchanges_as_it_was_opened_with():
    """Only one that was recorded is asked for its end mark."""
    assert PlayedCassette(uses_file=True, size=2).exchanges_in(b"anything") == 2


def test_it_cannot_be_changed():
    """All cases without a cassette share one."""
    with pytest.raises(FrozenInstanceError):
        PlayedCassette().size = 1


@dataclass(frozen=True)
class Answered:
    """What a test was answered, without the bytes."""

    exchange: Exchange


def summary(*answers: dict[str, Any]) -> str:
    """Describe the exchanges of a test."""
    plays = tuple(Answered(Exchange(n, **{"dialect": "openai.chat", **one})) for n, one in enumerate(answers, 1))
    return PlayedCassette(plays=plays).summary  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([{}], "1 exchange, none with an answer to judge (calls a tool)"),
        ([{}, {}], "2 exchanges, none with an answer to judge (calls a tool)"),
        ([{"note": "not a model"}, {}], "2 exchanges, none with an answer to judge (not a model, calls a tool)"),
        ([{"status": 401}], "1 exchange, none with an answer to judge (auth: HTTP 401: no answer)"),
        (
            [{"status": 401, "error": "bad\nkey"}],
            "1 exchange, none with an answer to judge (auth: HTTP 401: bad key)",
        ),
        ([{"status": 399, "error": "odd"}], "1 exchange, none with an answer to judge (calls a tool)"),
        ([{"status": 418, "error": "tea"}], "1 exchange, none with an answer to judge (HTTP 418: tea)"),
        (
            [{"dialect": "command", "model": "claude", "error": "exit 1"}],
            "1 exchange, none with an answer to judge (claude: exit 1)",
        ),
    ],
)
def test_why_nothing_was_judged(answers: list[dict[str, Any]], said: str):
    """Each reason once: what the body is, what failed, or that the model called a tool."""
    assert summary(*answers) == said
