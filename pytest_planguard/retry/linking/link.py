"""The link from a request to the earlier exchange that it reacts to, the evidence for it, and the new words.

The links form trees. A conversation is a path from a root to a leaf.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind, Role
from .sameness import last_user, normal_text, repeats

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...wire.exchange import Exchange, Item


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


# The new words of a request since the answer that it reacts to. Only these words count as feedback.


SHORTEST_QUOTE = 8
"""Minimum length, in characters, of an answer to search for as a quotation. Shorter texts occur by chance."""
_PARTIAL_LINES = 50
"""Maximum number of changed lines to compare for a common prefix. Further changed lines count as entirely new."""


@dataclass(frozen=True, slots=True)
class Piece:
    """New words of one item of a request."""

    text: str
    item: int
    """1-based position of the item in the request."""
    role: Role
    is_error: bool = False
    call_id: str | None = None
    """The id of the call, if the item is a tool result."""
    whole: str = field(default="", compare=False, repr=False)
    """The item's text without the answer, but with the lines that the prompt has, too. A quoted block needs them."""


@dataclass(frozen=True, slots=True)
class Delta:
    """All new words of one request, in order."""

    request: int = 0
    """Number of the request's exchange; 0 if no request has them."""
    pieces: tuple[Piece, ...] = ()

    @property
    def text(self) -> str:
        """All new words, with each piece on a new line."""
        return "\n".join(p.text for p in self.pieces)


def after(child: Exchange, start: int, answer: Exchange, root: Exchange) -> Delta:
    """Return the words of the child's request from item `start` (0-based), without the answer and the root's prompt."""
    task, quotes = last_user(root), _quotes(answer)
    # Lines of worked examples are kept, since feedback may repeat them.
    texts = [i.text for i in root.request if i.role is Role.SYSTEM] + ([task.text] if task else [])
    prompt = {normal_text(line) for text in texts for line in _lines(text)}
    pieces = []
    for number, item in enumerate(child.request[start:], start + 1):
        said = _behind(item.text, answer) if item.role is Role.ASSISTANT else item.text
        whole = _without(said, quotes)
        text = "\n".join(line for line in _lines(whole) if normal_text(line) not in prompt)
        if text.strip() and item.kind is not ItemKind.CALL:
            pieces.append(Piece(text, number, item.role, item.is_error, item.call_id, whole))
    return Delta(child.number, tuple(pieces))


def suffix(child: Exchange, position: int, answer: Exchange) -> tuple[Piece, ...]:
    """Return the words that the child's item at `position` (0-based) adds after the answer that it repeats, if any."""
    item = child.request[position]
    rest = _continued(item.text, answer) if item.kind is ItemKind.TEXT else ""
    return (Piece(rest, position + 1, item.role),) if rest.strip() else ()


def added_in_front(child: Exchange, position: int, parent: Exchange) -> tuple[Piece, ...]:
    """Return the new lines in the child's system texts and task before item `position` (0-based).

    System texts do not count if they lack lines of the parent's, since they then describe another role. Other user
    turns do not count either, since they are history.
    """
    now = child.request[:position]
    if now == parent.request[: len(now)]:
        return ()
    old = [line for item in parent.request if item.kind is ItemKind.TEXT for line in _lines(item.text)]
    system = {normal_text(line) for item in parent.request if item.role is Role.SYSTEM for line in _lines(item.text)}
    kept = system - {""} <= {normal_text(line) for i in now if i.role is Role.SYSTEM for line in _lines(i.text)}
    pieces, task = [], last_user(parent)
    for number, item in enumerate(now, 1):
        if (item.role is Role.SYSTEM and kept) or (task is not None and repeats(item, task)):
            text = "\n".join(_new_lines(_lines(_without(item.text, _quotes(parent))), old))
            if text.strip():
                pieces.append(Piece(text, number, item.role))
    return tuple(pieces)


def inserted(child: Exchange, root: Exchange, answer: Exchange) -> Delta:
    """Return the lines of the child's user and system texts that the root's texts lack, without a quoted answer."""
    before = [line for item in root.request if _is_prompt(item) for line in _lines(item.text)]
    quotes = _quotes(answer)
    pieces = []
    for number, item in enumerate(child.request, 1):
        if _is_prompt(item):
            whole = _without(item.text, quotes)
            text = "\n".join(_new_lines(_lines(whole), before))
            if text.strip():
                pieces.append(Piece(text, number, item.role, whole=whole))
    return Delta(child.number, tuple(pieces))


def _behind(text: str, answer: Exchange) -> str:
    """Return the rest of a text that begins with the answer, or the whole text if it does not."""
    said = answer.answer_text.strip()
    start = len(text) - len(text.lstrip())
    return text[start + len(said) :] if said and text.startswith(said, start) else text


def _continued(text: str, answer: Exchange) -> str:
    """Return the rest of a turn that begins with the answer; "" if the client rewrote the answer."""
    rest = _behind(text, answer)
    if rest != text:
        return rest
    now, said = normal_text(text), normal_text(answer.answer_text)
    return now[len(said) :] if said and now.startswith(said) else ""


def _is_prompt(item: Item) -> bool:
    return item.kind is ItemKind.TEXT and item.role in (Role.USER, Role.SYSTEM)


def _quotes(answer: Exchange) -> tuple[str, ...]:
    """Return every spelling in which a request may quote the answer: verbatim or as a Python repr, also JSON-escaped.

    smolagents quotes the model's call as `[{'id': 'call_1', 'function': {'arguments': {'priority': 'hi'}}}]`.
    """
    texts = {t.strip() for t in (answer.answer_text, answer.rejected_text or "", *(c.text for c in answer.calls))}
    texts |= {repr(c.arguments) for c in answer.calls if c.arguments}
    long = sorted((t for t in texts if len(t) >= SHORTEST_QUOTE), key=lambda t: (-len(t), t))
    return tuple(spelling for text in long for spelling in (text, json.dumps(text, ensure_ascii=False)[1:-1]))


def _without(text: str, quotes: Iterable[str]) -> str:
    for quote in quotes:
        # A line break within a JSON string ({"input": "Paris."}) would break the JSON.
        text = text.replace(f'{quote}"', ' "').replace(quote, "\n")
    return text


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _new_lines(lines: Sequence[str], before: Sequence[str]) -> Iterator[str]:
    known = {normal_text(line) for line in before}
    fresh = {normal_text(line) for line in lines}
    changed = [line for line in before if line.strip() and normal_text(line) not in fresh][:_PARTIAL_LINES]
    for line in lines:
        if normal_text(line) not in known:  # if it extends an earlier line, keep only the addition
            yield line[max((len(old) for old in changed if line.startswith(old)), default=0) :]
