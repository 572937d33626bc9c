"""A link from a request to the earlier exchange that it reacts to, with its evidence.

Links form trees; a conversation is a path from a root to a leaf.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .delta import Delta


class How(StrEnum):
    """The evidence that links a request to an earlier answer."""

    PREVIOUS_ID = "previous id"
    """The request names the earlier response: the server holds the conversation."""
    ANSWER = "answer"
    """The request contains the earlier answer: a call, by id or arguments, or an assistant text."""
    PREFIX = "prefix"
    """The earlier request begins this one; its answer was left out or rewritten."""
    QUOTED = "quoted"
    """The earlier answer is inside a user text."""
    REWRITTEN = "rewritten"
    """The same task with words added to its prompt."""
    SAME = "same"
    """The same request again."""

    @property
    def score(self) -> int:
        """1 (weakest) to 5. Only evidence of equal score competes further."""
        return _SCORES[self]


# QUOTED and REWRITTEN are equal: both are prompts that the client rewrote, with the answer or with further lines.
# PREFIX outranks them, since only the same conversation repeats whole turns. SAME is last: a request that is sent twice
# may also start two conversations.
_SCORES = {How.PREVIOUS_ID: 5, How.ANSWER: 4, How.PREFIX: 3, How.QUOTED: 2, How.REWRITTEN: 2, How.SAME: 1}


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """Evidence for one possible parent. Numbers are 0-based positions in the sequence of exchanges to link."""

    parent: int
    how: How
    position: int = -1
    """0-based item of the child's request that holds the evidence; -1 if it is not a single item."""
    exact: bool = True
    """True if the answer is repeated unchanged."""
    rooted: bool = False
    """True if the first request of the parent's tree begins the child's: the same task, including worked examples."""
    prefix: bool = False
    """True if the parent's whole request begins the child's."""
    childless: bool = True
    """True if no other request reacts to the parent yet. Sending the same request again is not a reaction."""
    unrepeated: bool = True
    """True if the same request was not sent again either."""

    @property
    def strength(self) -> tuple[int, int, bool, bool, bool, bool]:
        """The key that is compared first. Parents of equal strength are ambiguous.

        Within a score the later place wins: a history of three attempts has all three answers, and the request reacts
        to the last. Next, an unchanged answer beats a rewritten one, and a tree that begins with the same task beats
        another. Then an answer without a reaction beats one with a retry. Last, a request repeated whole beats one
        repeated in part.
        """
        return (self.how.score, self.position, self.exact, self.rooted, self.childless, self.prefix)

    @property
    def rank(self) -> tuple[tuple[int, int, bool, bool, bool, bool], bool, int]:
        """The order of preference. Among equals, one not sent again wins, then the latest: retries follow at once."""
        return (self.strength, self.unrepeated, self.parent)


@dataclass(frozen=True, slots=True)
class Link:
    """A request and the earlier exchange it reacts to. Both are positions in the sequence of exchanges, from 1."""

    child: int
    parent: int
    how: How
    position: int
    """The item of the child's request that repeats the parent's answer, from 1; 0 if none does."""
    delta: Delta
    """The new words of the child's request after the parent's answer."""
    ambiguous_with: tuple[int, ...] = ()
    """Other exchanges that fit equally well: the traffic alone cannot decide."""
