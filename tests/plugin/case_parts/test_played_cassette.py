"""The value that a closed cassette leaves."""

from dataclasses import FrozenInstanceError

import pytest

from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette


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
