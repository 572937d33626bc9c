"""A plan format: how to detect it, how to read it, and what rules must know about it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ...contract.schema.schema import SchemaCheck
from ..plan import Plan
from .outline import Source

SURE = 30
"""Minimum score at which content alone identifies a plan. A lower one counts only if the file's path fits too.

One weak sign, such as a list of boxes or a heading "Overview", may be in any document.
"""
HINT = 10
"""The score of a document whose only sign is tasks in a described form. Its path then decides."""
PROOF = 60
"""Minimum score at which the fields of a JSON or YAML document prove its format, because only the tool uses them."""
CLEAR = 45
"""Minimum score of a plan without readable tasks or requirements: two strong signs.

Below that it is another page, since "**Goal:**" and a heading "Approach" begin many notes.
"""
PLACE_BONUS = 100
"""Added to the score of a profile whose content fits at all, if the file's path fits too."""
_SKETCH_LIMIT = 20_000  # characters of an outline to search for the signs of a format


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of document of one plan format."""

    name: str
    """ "spec-kit-tasks": unique, used by findings and options."""
    family: str
    """ "spec-kit": the tool; its documents may belong together."""
    about: str
    """One line for the documentation."""
    score: Callable[[Source], int]
    """How certainly the content has this format.

    0 for not at all, up to 20 for a hint, from `SURE` on for a plan by content alone, 60 and more for proof.
    """
    read: Callable[[Source], Plan]
    """Reads a document with a `score` above 0, or one that the user says fits. Never raises for any content."""
    medium: Literal["markdown", "data"] = "markdown"
    """ "data" is JSON or YAML."""
    places: tuple[str, ...] = ()
    """Regular expressions for the usual paths of such files, which decide between formats whose content fits."""
    own_places: tuple[str, ...] = ()
    """Regular expressions for paths that only this tool's files have, as a proof: ".kiro/specs/login/tasks.md"."""
    looks_alike: bool = False
    """True if other kinds of documents look like it, so that its text alone is a guess."""
    schema: SchemaCheck | None = None
    """A schema that documents must satisfy in addition to the rules, for JSON and YAML."""

    def with_place(self, score: int, source: Source) -> int:
        """Return a content score plus the bonus of the file's path."""
        if score > 0 and source.path and any(re.search(one, source.path) for one in (*self.places, *self.own_places)):
            return score + PLACE_BONUS
        return score

    def is_proven(self, source: Source, score: int) -> bool:
        """Return True if the format is more than a guess: by the tool's own path or fields, or as a custom format."""
        if not self.looks_alike or (self.medium == "data" and score >= PROOF):
            return True
        return source.path is not None and any(re.search(place, source.path) for place in self.own_places)


def signs(*patterns: tuple[str, int]) -> Callable[[Source], int]:
    """Return a score for Markdown: each pattern that matches a line of the outline adds its weight.

    Lines look like "## Phase 1: Setup", "- [ ] T001 Write it", "**Goal:** x". A pattern may begin with `^`, and `$`
    matches at the end of a line.
    """

    @cache  # for the first Markdown: other commands do not need them
    def compiled() -> list[tuple[re.Pattern[str], int]]:
        return [(_at_line_start(pattern), weight) for pattern, weight in patterns]

    def score(source: Source) -> int:
        sketch = f"\n{source.sketch[:_SKETCH_LIMIT]}"
        return max(sum(weight for pattern, weight in compiled() if pattern.search(sketch)), 0)

    return score


def _at_line_start(pattern: str) -> re.Pattern[str]:
    """Return the pattern with a line feed in place of `^`: a literal first character is found many times faster."""
    flags, rest = ("(?i)", pattern[4:]) if pattern.startswith("(?i)") else ("", pattern)
    return re.compile(f"{flags}\n(?:{rest[1:]})" if rest.startswith("^") else pattern, re.MULTILINE)
