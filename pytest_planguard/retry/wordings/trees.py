"""Errors drawn as a tree: each level a step of the place in brackets, the leaf says what is wrong.

└─ ["lines"]
   └─ [1]
      └─ Expected a number greater than 0, actual -3
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry
from ..rules import rule_of_words
from .lines import lines_of

_BRANCH = re.compile(r"([\s│|]{0,200})(?:└|├|╰|\\-|\+-)[─-]{1,4}\s?")
_STEP = re.compile(r"\[\s?(?:\"([^\"\]]{1,100})\"|'([^'\]]{1,100})'|(\d{1,9}))\s?\]|\.?([A-Za-z_]\w{0,100}):?")
_DEPTH = 40


def tree_entries(text: str) -> Iterator[Entry]:
    """One entry for each leaf that names a rule, at the steps on the branches above it."""
    if "─" not in text and "+-" not in text and "\\-" not in text:
        return
    steps: list[tuple[int, str]] = []
    for line in lines_of(text):
        branch = _BRANCH.match(line.text)
        if not branch:
            steps = []
            continue
        depth, words = len(branch[1]), line.text[branch.end() :].strip()
        while steps and steps[-1][0] >= depth:
            steps.pop()
        step = _STEP.fullmatch(words)
        if step and len(steps) < _DEPTH:
            steps.append((depth, next(group for group in step.groups() if group is not None)))
        elif steps and rule_of_words(words):
            path = tuple(name for _, name in steps)
            yield Entry(path, None, words, line.start, line.start + len(line.text))
