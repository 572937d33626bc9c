"""Marked tests whose fixture `planguard` is set up last: that needs no fixture machinery, which outweighs a check.

Opened when pytest has set up the test and closed with its body, the recording is open just as long as it would be as a
fixture: nothing is set up after it, so nothing is torn down before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIXTURE = "planguard"
_SHOWN = ("setupshow", "setuponly", "setupplan")
"""pytest's options that list fixtures as they are set up."""
_PARAMETER = "get_direct_param_fixture_func"
"""pytest's own function behind such a value. Its module alone tells too little: `setup_function` is of there too."""


def comes_last(item: pytest.Item, names: Sequence[str]) -> bool:
    """Whether no fixture is set up after `planguard`, and none asks for it, going by the names of a test's fixtures."""
    if not isinstance(item, pytest.Function) or any(item.config.getoption(name, False) for name in _SHOWN):
        return False
    definitions: Mapping[str, Sequence[Any]] = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    after = names[names.index(FIXTURE) + 1 :]
    if "request" in names:  # it may set up any fixture, at any time
        return False
    if not all(is_parameter(definitions.get(name)) for name in after) or _asked_for(definitions.values()):
        return False
    own = definitions.get(FIXTURE)  # not there where the marker alone asks for it
    return not own or own[-1].func.__module__ == __package__  # a conftest may have one of its own


def is_parameter(definitions: Sequence[Any] | None) -> bool:
    """Whether a name stands for a value of `parametrize`, which pytest wraps in a fixture of its own."""
    return not definitions or getattr(definitions[-1].func, "__name__", "") == _PARAMETER


def _asked_for(definitions: Iterable[Sequence[Any]]) -> bool:
    return any(FIXTURE in definition.argnames for found in definitions for definition in found)
