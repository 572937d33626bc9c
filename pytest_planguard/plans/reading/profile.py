"""A plan format: how it is told from others, how it is read, and what rules must know about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ...contract.schema.schema import SchemaCheck
    from ..model.plan import Plan
    from .outline import Source

SURE = 30
"""The least score by which content alone makes a document a plan. One weak sign, a list of boxes or a heading
"Overview", stands in any document: less than this counts only where the file's place fits, too."""
HINT = 10
"""The score of a document that has tasks of a described form and no other sign: its place decides."""
PROOF = 60
"""The least score by which the fields of a JSON or YAML document prove its format: they are the tool's own marks."""
CLEAR = 45
"""The least score by which a document of which neither tasks nor requirements can be read is a plan without them, and
no other page: two strong signs. "**Goal:**" and a heading "Approach" begin many a note."""
PLACE_BONUS = 100
"""What a fitting file path adds to the score of a profile whose content fits at all."""
_SKETCH_LIMIT = 20_000  # characters of an outline that are searched for the signs of a format


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of document of one plan format."""

    name: str
    """ "spec-kit-tasks": unique, and what findings and options call it."""
    family: str
    """ "spec-kit": the tool; its documents may belong together."""
    medium: Literal["markdown", "data"]
    """ "data" is JSON or YAML."""
    about: str
    """One line for the documentation."""
    score: Callable[[Source], int]
    """How sure the content makes it: 0 for not at all, up to 20 for a hint, from `SURE` on for a plan that is told by
    its content alone, 60 and more for proof."""
    read: Callable[[Source], Plan]
    """Reads a document of which `score` was not 0, or that the user says is one. Never raises, whatever it holds."""
    render: Callable[[Plan], str] | None = None
    """Writes a plan in this format; read(render(plan)) equals the plan. None where it only reads."""
    places: tuple[str, ...] = ()
    """Regular expressions for paths at which such files usually stand. They decide between formats whose content
    fits; a file whose content does not fit is never taken for one by its path."""
    own_places: tuple[str, ...] = ()
    """Regular expressions for paths that only this tool's files have: ".kiro/specs/login/tasks.md". They tell the
    format as surely as a person who names it."""
    looks_alike: bool = False
    """True where documents of other kinds are written like it, so that its text alone is a guess."""
    schema: SchemaCheck | None = None
    """A schema that documents must keep beside the rules, for JSON and YAML."""

    def with_place(self, score: int, source: Source) -> int:
        """Return a score of the content with what the place of the file adds to it."""
        if score > 0 and source.path and any(re.search(place, source.path) for place in self.places):
            return score + PLACE_BONUS
        return score

    def is_proven(self, source: Source, score: int) -> bool:
        """Return whether the format is more than a guess: by the tool's own path or fields, or as a format of yours.

        Args:
            source: the document.
            score: what `score` gives for its content.
        """
        if not self.looks_alike or (self.medium == "data" and score >= PROOF):
            return True
        return source.path is not None and any(re.search(place, source.path) for place in self.own_places)


def signs(*patterns: tuple[str, int]) -> Callable[[Source], int]:
    """Return a score for Markdown: each pattern that some line of the outline matches adds its weight.

    Lines look like "## Phase 1: Setup", "- [ ] T001 Write it", "**Goal:** x"; a pattern may begin with `^`, and `$`
    matches at the end of a line.
    """

    @cache  # with the first Markdown: a command that reads none has no use for them
    def compiled() -> list[tuple[re.Pattern[str], int]]:
        return [(_at_line_start(pattern), weight) for pattern, weight in patterns]

    def score(source: Source) -> int:
        sketch = f"\n{source.sketch[:_SKETCH_LIMIT]}"
        return max(sum(weight for pattern, weight in compiled() if pattern.search(sketch)), 0)

    return score


def _at_line_start(pattern: str) -> re.Pattern[str]:
    """Return the pattern with a line feed for its `^`: a search for a literal first character is many times faster."""
    flags, rest = ("(?i)", pattern[4:]) if pattern.startswith("(?i)") else ("", pattern)
    return re.compile(f"{flags}\n(?:{rest[1:]})" if rest.startswith("^") else pattern, re.MULTILINE)


def shape(test: Callable[[Any], int]) -> Callable[[Source], int]:
    """Return a score for JSON and YAML: a function of the parsed document."""
    return lambda source: test(source.data)


def at_own_place(
    family: str,
    name: str,
    about: str,
    score: Callable[[Source], int],
    read: Callable[[Source], Plan],
    place: str,
    render: Callable[[Plan], str] | None = None,
) -> Profile:
    """Return a format of Markdown whose files stand at one place, which only its tool has."""
    return Profile(name, family, "markdown", about, score, read, render, places=(place,), own_places=(place,))
