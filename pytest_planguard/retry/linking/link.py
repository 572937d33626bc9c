"""A link of a request to the earlier exchange that it reacts to, the evidence for it, and how firm that is.

Links make trees; a conversation is a path from a root to a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .delta import Delta


class How(StrEnum):
    """By what a request was linked to an earlier answer."""

    PREVIOUS_ID = "previous id"
    """The request names the earlier response: the server holds the conversation."""
    ANSWER = "answer"
    """The earlier answer stands in the request: a call, by id or arguments, or an assistant text."""
    PREFIX = "prefix"
    """The earlier request is the beginning of this one; its answer was left out or rewritten."""
    QUOTED = "quoted"
    """The earlier answer stands inside a user text."""
    REWRITTEN = "rewritten"
    """The same task with words added to its prompt."""
    SAME = "same"
    """The same request again."""

    @property
    def score(self) -> int:
        """1 (weakest) to 5: only evidence of equal score is weighed against each other."""
        return _SCORES[self]


# QUOTED and REWRITTEN are equal: a prompt that quotes the answer and one that has lines added are both rewritten
# by the client. PREFIX outranks them, since nothing but the same conversation repeats whole turns. SAME is last: a
# request that is sent twice may as well begin twice.
_SCORES = {How.PREVIOUS_ID: 5, How.ANSWER: 4, How.PREFIX: 3, How.QUOTED: 2, How.REWRITTEN: 2, How.SAME: 1}


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """Evidence for one possible parent. Numbers are 0-based positions in the sequence that is being linked."""

    parent: int
    how: How
    position: int = -1
    """0-based item of the child's request where the evidence stands; -1 where it is no single item."""
    exact: bool = True
    """Whether the answer stands there as it was given."""
    rooted: bool = False
    """Whether the first request of the parent's tree begins the child's: the same task, worked examples included."""
    prefix: bool = False
    """Whether the parent's whole request begins the child's."""
    childless: bool = True
    """Whether nothing else reacts to the parent yet; the same request sent again is no reaction."""
    unrepeated: bool = True
    """Whether not even the same request was sent again."""

    @property
    def strength(self) -> tuple[int, int, bool, bool, bool, bool]:
        """What is compared first; parents of equal strength are ambiguous.

        The later place wins within a score: in a history of three attempts all three answers occur, and the request
        reacts to the last. Then an answer as it was given beats one rewritten, a tree that begins with the same
        task (worked examples included) beats another, an answer without a reaction beats one that has its retry, and
        a request repeated whole beats one repeated in part.
        """
        return (self.how.score, self.position, self.exact, self.rooted, self.childless, self.prefix)

    @property
    def rank(self) -> tuple[tuple[int, int, bool, bool, bool, bool], bool, int]:
        """The order of preference. Among equals one not sent again wins, then the latest: retries follow at once."""
        return (self.strength, self.unrepeated, self.parent)


@dataclass(frozen=True, slots=True)
class Link:
    """A request and the earlier exchange it reacts to. Exchanges are meant by their place in the sequence, from 1."""

    child: int
    parent: int
    how: How
    position: int
    """Which item of the child's request repeats the parent's answer, from 1; 0 where none does."""
    delta: Delta
    """What the child's request says that is new after the parent's answer."""
    ambiguous_with: tuple[int, ...] = ()
    """Other exchanges that fit as well: the traffic alone does not decide."""
