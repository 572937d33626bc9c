"""Where in a document an error of jsonschema-rs is: it leaves out empty keys, and takes the key "0" for an index."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....document.path import Path


_NUMBER = re.compile(r"\+?[0-9]{1,19}")
"""A key that is read as an index; longer ones are no machine integers."""


class ErrorPaths:
    """The paths of all errors of one document.

    Two errors of `{"7": "x", "07": "x"}` have the same steps and the same value: each gets a path of its own.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._given: defaultdict[tuple[Path, Path], set[Path]] = defaultdict(set)

    def path_of(self, error: Any) -> Path:
        """Return the path of a `jsonschema_rs.ValidationError`: if two fit, the one that its rule has not named yet."""
        steps = tuple(error.instance_path)
        given = self._given[steps, tuple(error.schema_path)]
        path = path_in(self._document, steps, error.instance, given)
        given.add(path)
        return path


def path_in(document: Any, steps: Path, instance: Any, given: Collection[Path] = ()) -> Path:
    """Return the path of a value in its document.

    In `{"": {"0": 7}}` the steps `(0,)` and the value 7 give `("", "0")`.

    Args:
        document: the whole document.
        steps: the path as jsonschema-rs gives it.
        instance: the value that the error is about; of several that fit, one that is reached with the fewest empty keys
            at the start.
        given: paths that other errors of the same rule have; another one is preferred where one fits.
    """
    ways = [*islice(_paths(document, steps, instance), len(given) + 1)]
    return next((way for way in ways if way not in given), ways[0] if ways else steps)


def _step(key: str) -> str | int:
    """Return what jsonschema-rs makes of a key: 7 of "7", "07" and "+7"."""
    return int(key) if _NUMBER.fullmatch(key) else key


def _paths(value: Any, steps: Path, instance: Any) -> Iterator[Path]:
    if not steps and value == instance:
        yield ()
    if steps and isinstance(value, Mapping):
        for key in [key for key in value if _step(key) == steps[0]]:
            yield from ((key, *rest) for rest in _paths(value[key], steps[1:], instance))
    elif steps and isinstance(value, list) and isinstance(steps[0], int) and steps[0] < len(value):
        yield from ((steps[0], *rest) for rest in _paths(value[steps[0]], steps[1:], instance))
    if isinstance(value, Mapping) and "" in value:
        yield from (("", *rest) for rest in _paths(value[""], steps, instance))
