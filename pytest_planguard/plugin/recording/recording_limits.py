"""What recording may take, and how old a cassette may be: read with the first marked test."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from ...errors import UsageError
from ...replay.session.allowance import Allowance

if TYPE_CHECKING:
    from ..case import Case
    from ..marker.marker import Spec

LIMITS: pytest.StashKey[Limits] = pytest.StashKey()


class Limits(NamedTuple):
    """Shared by all tests of a process."""

    allowance: Allowance
    samples: int | None
    """Of each case, where the command line says so."""
    max_age_s: float | None
    """Of a cassette, where the marker gives none; None for any age."""

    def age_of(self, spec: Spec) -> float | None:
        """Seconds that the cassette of a test may be old."""
        if spec.max_age is None:
            return self.max_age_s
        from ...replay.session.rerecord import age_s

        return age_s(spec.max_age)


def limits_of(config: pytest.Config) -> Limits:
    """The limits of this run. Raises pytest.UsageError for a value that cannot be."""
    found = config.stash.get(LIMITS, None)
    if found is None:
        allowance = Allowance(_cap(config, "calls"), _cap(config, "tokens"))
        found = config.stash[LIMITS] = Limits(allowance, _samples(config), _age(config))
    return found


def samples_of(case: Case) -> int:
    """Return how many samples a case has: as the command line or the marker says, else as many as are recorded."""
    asked = limits_of(case.item.config).samples or case.spec.samples
    if asked is not None or case.session is None:
        return asked or 1
    number = 1
    while case.sample_path(number + 1).is_file():
        number += 1
    return number


def _cap(config: pytest.Config, what: str) -> int | None:
    name = f"record_max_{what}"
    option, ini = config.getoption(f"--planguard-{name.replace('_', '-')}"), str(config.getini(f"planguard_{name}"))
    given = (option if option is not None else ini).strip()
    if not given:
        return None
    if not given.isdecimal() or not given.isascii():
        raise pytest.UsageError(f"planguard_{name} = {given!r}: a whole number of {what} is needed")
    return _share(config, int(given))


def _share(config: pytest.Config, total: int) -> int:
    """Of a worker: each counts by itself, and together they must not pass the cap."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return total
    return share_of(total, worker["workercount"], int(worker["workerid"].removeprefix("gw")))


def share_of(total: int, workers: int, number: int) -> int:
    """What one of several workers, counted from 0, may spend: all shares together are the total."""
    return total // workers + (number < total % workers)


def _samples(config: pytest.Config) -> int | None:
    given = config.getoption("--planguard-samples")
    if given is None:
        return None
    if not given.isdecimal() or not given.isascii() or not int(given):
        raise pytest.UsageError(f"--planguard-samples={given}: a whole number from 1 on is needed")
    return int(given)


def _age(config: pytest.Config) -> float | None:
    given = str(config.getini("planguard_max_age")).strip()
    if not given:
        return None
    from ...replay.session.rerecord import age_s

    try:
        return age_s(given)
    except UsageError as error:
        raise pytest.UsageError(f"ini value planguard_max_age: {error}") from None
