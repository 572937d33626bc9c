"""Define the link from a request to the earlier exchange that it reacts to, and the evidence for it.

The links form trees. A conversation is a path from a root to a leaf.
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
    """The request names the id of the earlier response, since the server keeps the conversation."""
    ANSWER = "answer"
    """The request contains the earlier answer as a call (with its id or arguments) or as an assistant text."""
    PREFIX = "prefix"
    """The request begins with the earlier request, but the app left out or rewrote the answer."""
    QUOTED = "quoted"
    """A user text of the request contains the earlier answer."""
    REWRITTEN = "rewritten"
    """The request has the earlier prompt with added words."""
    SAME = "same"
    """The request repeats the earlier one unchanged."""

    @property
    def score(self) -> int:
        """1 (weakest) to 5. Other criteria only compare evidence with the same score."""
        return _SCORES[self]


# QUOTED and REWRITTEN have the same score, since both are rewritten prompts: one with the answer, one with more lines.
# PREFIX outranks them, since only the same conversation repeats whole turns. SAME comes last, since a request that is
# sent twice may also start two conversations.
_SCORES = {How.PREVIOUS_ID: 5, How.ANSWER: 4, How.PREFIX: 3, How.QUOTED: 2, How.REWRITTEN: 2, How.SAME: 1}


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """The evidence for one possible parent. Numbers are 0-based positions in the sequence of exchanges."""

    parent: int
    how: How
    position: int = -1
    """0-based index of the child's request item that contains the evidence; -1 if it is not a single item."""
    exact: bool = True
    """True if the request repeats the answer unchanged."""
    rooted: bool = False
    """True if the child's request begins with the first request of the parent's tree, including worked examples."""
    prefix: bool = False
    """True if the child's request begins with the parent's whole request."""
    childless: bool = True
    """True if no other request reacts to the parent yet. Sending the same request again is not a reaction."""
    unrepeated: bool = True
    """True if no other exchange repeats the parent's request."""

    @property
    def strength(self) -> tuple[int, int, bool, bool, bool, bool]:
        """The key that decides between possible parents. Parents of equal strength are ambiguous.

        If the scores are equal, the later position wins: a request with the answers of three attempts reacts to the
        last. Next, an unchanged answer beats a rewritten one, and then a tree that begins with the same task beats
        others. Then an answer without a reaction beats one with a reaction. Finally, a parent whose whole request the
        child repeats beats one whose request it repeats in part.
        """
        return (self.how.score, self.position, self.exact, self.rooted, self.childless, self.prefix)

    @property
    def rank(self) -> tuple[tuple[int, int, bool, bool, bool, bool], bool, int]:
        """The sort key. For equal strength, an unrepeated parent wins, then the latest: retries follow at once."""
        return (self.strength, self.unrepeated, self.parent)


@dataclass(frozen=True, slots=True)
class Link:
    """A request and the earlier exchange that it reacts to, as 1-based positions in the sequence of exchanges."""

    child: int
    parent: int
    how: How
    position: int
    """1-based position of the child's request item that repeats the parent's answer; 0 if none does."""
    delta: Delta
    """The new words of the child's request after the parent's answer."""
    ambiguous_with: tuple[int, ...] = ()
    """Other exchanges that fit equally well as the parent."""
