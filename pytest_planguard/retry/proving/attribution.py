"""Find the words of a retry that appear with a finding and disappear without it.

A repair only removes something, so part of a sentence may disappear. Another error in place of the finding adds its own
words, so only whole sentences count. In errors as data, the smallest object counts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from typing import Any

from ...document.path import to_dotted
from ...wire.untrusted_json import parsed_or_none
from ..linking.sameness import canonical
from ..proof import Proof, ProofResult
from ..reading.structures import values
from .request_diff import TOKENS
from .sentences import Counts, Sentences, is_one_off, split

READ_LIMIT = 20_000
"""Maximum number of characters of one text to compare; feedback is shorter."""
ABOVE = 4
"""Maximum number of lines of an outline, above some words, that may give their topic."""
_SHOWN = 24
"""Number of leading characters that identify a line after the removal of data."""
_GONE: Any = object()
"""Marks a value that loses nothing."""


def words_that_go(
    before: Sequence[str], now: Sequence[str], *, cuts: bool, positions: Collection[int] = (), bullets: bool = False
) -> str:
    """Return the words of the first request that are missing from the second, one sentence per line; may be "".

    Counts do not matter ("2 validation errors" became "1 validation error"), and neither does a sentence that appears
    once less than before.

    Args:
        before: the texts of the request that reacts to the answer, in order, without their quotations of it.
        now: the texts of the request that reacts to the changed answer.
        cuts: True if the change only removed something. Then part of a sentence may disappear.
        positions: numbers that may name the finding's item, and so are not counts.
        bullets: True to keep numbers that may be bullets of a sentence.
    """
    one, other = new_turns(before, now), new_turns(now, before)
    # With a turn more or less, no pair of turns belongs together.
    if len(one) != len(other):
        one, other = ["\n".join(one)], ["\n".join(other)]
    compared = _Compared(Sentences(cuts, Counts(positions), bullets))
    gone = (line for pair in zip(one, other, strict=True) for line in compared.gone(*pair))
    return "\n".join(gone)


def new_turns(texts: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Return the texts after the common beginning of both requests. Earlier turns are not part of this retry."""
    return texts[len(list(takewhile(lambda pair: pair[0] == pair[1], zip(texts, others, strict=False)))) :]


def _spoken(texts: Sequence[str]) -> list[str]:
    """Return the texts, with each JSON text replaced by the texts in it: `{"review": "Not valid: prior"}`."""
    parted = [(text, *_parted(text)) for text in texts]
    return [one for text, rest, data in parted for one in ((text,) if rest.strip() else _strings(data))]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _strings(inner)


def unwrapped(words: str, names: Collection[str]) -> str:
    """Return the only text of a JSON document that names no field, else the words: `{"because": "too long"}`."""
    known = {"".join(TOKENS.findall(name)).casefold() for name in names}
    value = parsed_or_none(words) if words.startswith("{") else None
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        if "".join(TOKENS.findall(key)).casefold() in known:  # "Guest-Age" of "guest_age"
            return words
    return value if isinstance(value, str) else words


def ends_at_limit(words: str, before: Sequence[str], now: Sequence[str]) -> bool:
    """Return True if words are cut off at a fixed limit of characters for a turn, or for each line.

    "Not valid: prior" and "Not valid: title" both have sixteen. "Not valid: prio!" ends in a non-letter.
    """
    last = next(reversed(_spoken([words.rpartition("\n")[2]])), "")
    one, other = _spoken(new_turns(before, now)), _spoken(new_turns(now, before))
    lines = ([line for text in texts for line in text.split("\n") if line.strip()] for texts in (one, other))
    for here, there in ((one, other), tuple(lines)):
        longest = max(map(len, (*here, *there)), default=0)
        ended = [text for text in here if len(text) == longest]
        if last[-1:].isalpha() and any(t.endswith(last) for t in ended) and any(len(t) == longest for t in there):
            return True
    return False


def lines_above(words: str, texts: Sequence[str]) -> str:
    """Return the lines of an outline above the first of some words: a place, above its message."""
    first = words.partition("\n")[0][:_SHOWN]
    lines = next((text.split("\n") for text in _spoken(texts) if first and first in text), None)
    if lines is None:
        return ""
    at = next(n for n, line in enumerate(lines) if first in line)
    indent = _indent(lines[at])
    beside = [*takewhile(lambda line: _indent(line) >= indent, reversed(lines[max(0, at - ABOVE) : at]))]
    return "\n".join(lines[max(0, at - len(beside) - 1) : at]) if indent else ""


def entry_around(words: str, texts: Sequence[str]) -> str:
    """Return the entry of an outline that the first of some words belongs to; "" if it is separate.

    The entry has the line directly above, if that is less indented, and the more indented lines below: a message above
    its place, or a place above its message. Of "- at: age" and "  why: too high", another error may have one too. A
    line that ends in a colon is a heading: "Missing or wrong fields:".
    """
    first = words.partition("\n")[0].strip()
    lines = next((text.split("\n") for text in _spoken(texts) if first and first in text), [])
    at = next((n for n, line in enumerate(lines) if split(line) == [first]), None)
    if at is None:  # the words are only a part of a line
        return ""
    head = lines[at - 1] if at else ""
    has_head = head.strip() != "" and _indent(head) < _indent(lines[at]) and not head.rstrip().endswith(":")
    start = at - has_head
    below = [*takewhile(lambda line: _indent(line) > _indent(lines[start]), lines[start + 1 :])]
    return "\n".join([lines[start], *below]) if below else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


@dataclass(frozen=True, slots=True)
class _Compared:
    """Compares texts, and the data inside them."""

    sentences: Sentences

    def gone(self, before: str, now: str) -> Iterator[str]:
        """Yield what disappears from a text: sentences or parts of them, then parts of the data in it."""
        (text, data), (other, others) = _parted(before[:READ_LIMIT]), _parted(now[:READ_LIMIT])
        yield from self.sentences.gone(text, other)
        one_each = len(data) == len(others) == 1
        going = [self._going(data[0], others[0])] if one_each else self._items(data, others)
        yield from (json.dumps(value, ensure_ascii=False, default=str) for value in going if value is not _GONE)

    def _going(self, before: object, now: object) -> object:
        """Return the parts of a value that disappear, with the objects and lists around them; `_GONE` if none do."""
        if canonical(before) == canonical(now):
            return _GONE
        if isinstance(before, dict) and isinstance(now, dict):
            inner = {key: self._going(value, now[key]) if key in now else value for key, value in before.items()}
            return {key: value for key, value in inner.items() if value is not _GONE} or _GONE
        if isinstance(before, list | tuple) and isinstance(now, list | tuple):
            items = self._items(before, now)
            if all(item is _GONE for item in items):
                return _GONE
            if len(before) != len(now) and not _keeps_places(before):
                return [item for item in items if item is not _GONE]
            pairs = zip(before, items, strict=True)
            return [type(was)() if item is _GONE and was is not None else item for was, item in pairs]
        if isinstance(before, str) and isinstance(now, str):
            gone = [*self.gone(before, now)]
            data = parsed_or_none(gone[0]) if len(gone) == 1 else None  # {"because": "{'age': ['too high']}"}
            return (data if isinstance(data, dict | list) else "\n".join(gone)) or _GONE
        return _GONE if is_one_off(str(before), str(now)) else before

    def _items(self, before: Sequence[object], now: Sequence[object]) -> list[object]:
        """Return what disappears from each item of a list."""
        if _keeps_places(before) or _keeps_places(now):
            pairs = zip_longest(before, now[: len(before)], fillvalue=None)
            return [self._going(one, other) if other is not None else one for one, other in pairs]
        there, here = Counter(map(canonical, now)), Counter(map(canonical, before))
        left = [at for at, item in enumerate(before) if not _taken(there, item)]
        new = [item for item in now if not _taken(here, item)]
        going = [_GONE] * len(before)
        for number, at in enumerate(left):
            other = new[number] if len(left) == len(new) else None
            going[at] = self._going(before[at], other) if _are_one(before[at], other) else before[at]
        copies = {canonical(item) for item in now}
        return going if any(canonical(before[at]) not in copies for at in left) else [_GONE] * len(before)


def _parted(text: str) -> tuple[str, list[object]]:
    """Split a text into the text without its JSON and Python values, and these values."""
    found = list(values(text))
    for _, start, end in reversed(found):
        text = f"{text[:start]} {text[end:]}"
    return text, [value for value, _, _ in found]


def _keeps_places(items: Sequence[object]) -> bool:
    """Return True if the position of an item says what it is about: `[{}, {"age": ["too high"]}]`."""
    return any(item in ({}, [], None) for item in items)


def _taken(counted: Counter[str], item: object) -> bool:
    key = canonical(item)
    counted[key] -= 1
    return counted[key] >= 0


def _are_one(one: object, other: object) -> bool:
    """Return True if two items are one record that lost a part, not two records of the same form.

    `{"age": ["too high"]}` and `{}` are one guest. `{"loc": ["age"], "why": "high"}` and `{"loc": ["name"], …}` are two
    errors.
    """
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return isinstance(one, str | list) and type(one) is type(other)
    # A plain value contains no objects: a text, a number, a place as a list of its steps.
    both = [key for key in one if key in other and not _has_objects(one[key])]
    return 2 * len(both) < len(one) or all(canonical(one[key]) == canonical(other[key]) for key in both)


def _has_objects(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict | list) for v in value))


_CONTEXT = 6
"""Number of preceding characters that identify words in another turn: "eet); M" continues as "eet); MAX(age, 99)"."""


def cross_checked(proofs: Sequence[Proof]) -> list[Proof]:
    """Return the proofs in order. Words that also appear without another finding, or are cut, feed nothing back.

    Words that were read as the finding's own stay proven. The texts of the requests are dropped.
    """
    settled = [_settled(proof, [p for p in proofs if p.exchange == proof.exchange and p.left]) for proof in proofs]
    return [replace(proof, before=(), left=()) for proof in settled]


def _settled(proof: Proof, others: Sequence[Proof]) -> Proof:
    if proof.result not in (ProofResult.REACTS, ProofResult.PROVEN):
        return proof
    alike = [other for other in others if other.left == proof.left and other.finding is not proof.finding]
    if proof.result is ProofResult.PROVEN:
        alike = [other for other in alike if other.said == proof.said and _names(other) and not _names(proof)]
    if alike:
        places = ", ".join(dict.fromkeys(to_dotted(other.finding.path) for other in alike))
        return _missing(proof, f"the app says the same if {places} is fixed instead: {proof.reason}")
    if proof.result is ProofResult.PROVEN or any(o.said != proof.said and proof.said.endswith(o.said) for o in others):
        return proof  # if another finding's words are the end of these, these are whole
    fuller = next((words for other in others for words in _goes_on(proof.said, other)), None)
    return proof if fuller is None else _missing(proof, f'the app cuts "{fuller}": {proof.reason}')


def _names(proof: Proof) -> bool:
    """Return True if the words that disappeared contain a step of the place."""
    steps = {step.casefold() for step in proof.finding.path if isinstance(step, str)}
    return not steps.isdisjoint(word.casefold() for word in TOKENS.findall(proof.said))


def _missing(proof: Proof, reason: str) -> Proof:
    return replace(proof, result=ProofResult.MISSING, reason=reason)


def _goes_on(said: str, other: Proof) -> Iterator[str]:
    """Yield longer forms of cut-off words in a line, from the app's request when another finding is fixed.

    The words end their turn. They continue in a new line, at its beginning or after the same preceding characters.
    """
    words = next(reversed(_spoken([said.rpartition("\n")[2]])), "")
    fresh = [line for text in _spoken(new_turns(other.left, other.before)) for line in text.split("\n")]
    for turn in _spoken(new_turns(other.before, other.left)) if words else ():
        known = turn.rstrip().split("\n")
        for line in known:
            if line.endswith(words):
                in_front = line.removesuffix(words)[-_CONTEXT:]
                yield from (one for one in fresh if one not in known and _has_longer(one, in_front, words))


def _has_longer(line: str, in_front: str, words: str) -> bool:
    if line.startswith(words):
        rest = line.removeprefix(words)
    else:
        rest = line.partition(in_front + words)[2] if in_front else ""
    return any(map(str.isalnum, rest))
