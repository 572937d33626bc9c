"""Labels of a described format that are written with a slip: "Need:" where the format says "Needs:"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .templates import is_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .settings import TaskSettings

_WRITTEN = re.compile(r"^[ \t*_`~]{0,8}([^\W\d_][^\n:：*_`~]{2,30})[ \t*_`~]{0,8}[:：]", re.MULTILINE)
"""Words before a colon at the beginning of a line, in bold or not: "Depend on:", "**Verfy**:"."""
_LIKE = 0.8
"""Similarity of a slip, from 0 to 1: "need" and "needs" have 0.89, "stauts" and "status" 0.83; "test", "text" 0.75."""


def labels_of(tasks: TaskSettings) -> tuple[str, ...]:
    """Return every label of the tasks of a format, as the description writes it."""
    status = () if tasks.status is None else (tasks.status.label,)
    return tuple(filter(is_label, (*tasks.depends, *tasks.files, *tasks.required, *status)))


def near_labels(text: str, labels: tuple[str, ...]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield words at the place of a label that are nearly one, as group 1 of a match, with that label."""
    for written in _WRITTEN.finditer(text) if labels else ():
        near = _near(" ".join(written[1].split()).casefold(), labels)
        if near is not None:
            yield written, near


@lru_cache(maxsize=1024)  # the same words stand before the colons of every task
def _near(written: str, labels: tuple[str, ...]) -> str | None:
    """Return the label that words in lower case are a slip of; None where they are one, or like none."""
    from difflib import get_close_matches

    known = {" ".join(label.rstrip(":： ").split()).casefold(): label for label in labels}
    near = [] if written in known else get_close_matches(written, known, n=1, cutoff=_LIKE)
    return known[near[0]] if near else None
