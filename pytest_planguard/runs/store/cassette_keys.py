"""Case keys of cassettes: the id of the test that made one, where its path tells it.

A cassette is called `tests/cassettes/test_app/default/test_it-a-1a2b3c4d.yaml`, and the digest at the end is of the
test's id below its file, `::test_it[a]`. A guess at that id from the readable part is right where it has the digest.
So tests, the gate and the list of known failures speak of one case by one key.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from .cassette_folders import CASSETTES

DEFAULT = "default"
"""The folder of cassettes that belong to no named variant."""
_NAMED = re.compile(r"(?P<name>.+)-(?P<digest>[0-9a-f]{8})")
"""The name of a cassette that planguard chose: "test_it-a-1a2b3c4d"; not "session", a name of the user's own."""
_FILE = re.compile(r"[a-z0-9_]{1,60}")
"""The name of a test file that its folder of cassettes spells in full: "test_app"; "test-app-9f8e7d6c" is clipped."""


class RecordedCase(NamedTuple):
    """The case that a cassette belongs to."""

    key: str
    """The test's id without the model: "tests/test_app.py::test_it[a]"."""
    variant: str | None
    """The set of cassettes; None for the default one, and where the path does not say."""


def recorded_case(path: str) -> RecordedCase | None:
    """Return the case of a cassette by its path without suffix, relative to the root folder, with forward slashes.

    The variant's folder may be left out of the path. None where the path does not tell: a cassette of the user's own
    name, of a test in a class, of a test whose id has more than a-z, 0-9, `_` and `-` in it.
    """
    *folders, file = path.split("/")
    named = _NAMED.fullmatch(file)
    if named is None or CASSETTES not in folders:
        return None
    at = len(folders) - 1 - folders[::-1].index(CASSETTES)
    home, below = folders[:at], folders[at + 1 :]
    if not 1 <= len(below) <= 2 or _FILE.fullmatch(below[0]) is None:
        return None
    found = next((guess for guess in _guesses(named["name"]) if _digest(guess) == named["digest"]), None)
    variant = below[1] if len(below) == 2 and below[1] != DEFAULT else None
    return None if found is None else RecordedCase("/".join((*home, f"{below[0]}.py")) + found, variant)


def _guesses(name: str) -> Iterator[str]:
    """Yield ids that a readable name may stand for: "test_it-a-b" is `::test_it-a-b` or `::test_it[a-b]`."""
    yield f"::{name}"
    function, dash, parameters = name.partition("-")
    if dash:
        yield f"::{function}[{parameters}]"


def _digest(identity: str) -> str:
    return hashlib.sha256(identity.encode()).hexdigest()[:8]
