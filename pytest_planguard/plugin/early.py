"""Whether fixtures of marked tests are set up before their recordings open; in most suites none is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .last_fixture import FIXTURE, is_parameter
from .marker import SPEC
from .options import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .early_fixtures import EarlyFixtures

EARLY: pytest.StashKey[EarlyFixtures] = pytest.StashKey()


def watch(session: pytest.Session) -> None:
    """Begin to watch, where the network is blocked and a marked test has fixtures that are set up early."""
    config = session.config
    if not settings_of(config).block_network:
        return
    distinct = [*_distinct(item for item in session.items if SPEC in item.stash)]
    users = {id(definition): item for item in reversed(distinct) for definition in _wider(item)}
    if users or any(map(_in_front, distinct)):
        from .early_fixtures import EarlyFixtures

        early = config.stash[EARLY] = EarlyFixtures(config, users)
        config.pluginmanager.register(early, "planguard-early-fixtures")


def refusal_of(item: pytest.Item) -> str | None:
    """What was refused to a fixture that this test needs; None where nothing was."""
    stash = item.config.stash
    return stash[EARLY].refusal(_definitions(item)) if EARLY in stash else None


def _definitions(item: pytest.Item) -> Iterator[Any]:
    """Every definition of every fixture of a test, overridden ones included: an override may ask for them."""
    named = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return (definition for definitions in named.values() for definition in definitions)


def _wider(item: pytest.Item) -> Iterator[Any]:
    return (d for d in _definitions(item) if d.scope != "function" and d.argname != FIXTURE)


def _distinct(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """One test for each set of fixtures: parametrized ones share theirs."""
    seen: set[int] = set()
    for item in items:
        mark = id(getattr(item, "_fixtureinfo", item))
        if mark not in seen:
            seen.add(mark)
            yield item


def _in_front(item: pytest.Item) -> bool:
    """Whether any fixture is set up before the recording opens; a value of `parametrize` asks no model."""
    names = getattr(item, "fixturenames", [FIXTURE])
    definitions = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return any(not is_parameter(definitions.get(name)) for name in names[: names.index(FIXTURE)])
