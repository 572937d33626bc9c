"""Where in a document an error of jsonschema-rs is: it leaves out empty keys, and takes the key "0" for an index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...document.path import Path


_NUMBER = re.compile(r"\+?[0-9]{1,19}")
"""A key that is read as an index; longer ones are no machine integers."""


def path_in(document: Any, steps: Path, instance: Any) -> Path:
    """Return the path of a value in its document.

    In `{"": {"0": 7}}` the steps `(0,)` and the value 7 give `("", "0")`.

    Args:
        document: the whole document.
        steps: the path as jsonschema-rs gives it.
        instance: the value that the error is about; of several that fit, one that is reached with the fewest empty keys
            at the start.
    """
    return next(_paths(document, steps, instance), steps)


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
