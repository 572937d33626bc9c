"""What a retry's words come to: the grade of each finding of an answer, as `judge` says it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pytest_planguard import Finding, JudgeOptions, Verdict, judge
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.decisions import NAME, Block, Decided, Messages, sorted_out
from ...support.places import dotted

_AT_ONCE = 12
"""Feedbacks of one conversation."""
_LONG = 5_000  # characters of a feedback that has a conversation of its own: later requests are held against it
_QUOTES = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
"""What a reason quotes: (request 2, message 4: size (of it) is wrong)."""
GRADES = ("proven", "verbatim", "located", "weak", "partial", "unclear", "not judged", "wrong", "missing")
_TASK = Item(ItemKind.TEXT, Role.USER, "Write it.")
_ANSWER = Item(ItemKind.TEXT, Role.ASSISTANT, "{}")


class Found:
    """A contract that finds the same in every answer."""

    name = "Found"

    def __init__(self, findings: Iterable[Finding], data: Any = None, schema: Any = None) -> None:
        self.json_schema = schema
        self._verdict = Verdict("Found", "{}", tuple(findings), None, data)

    def check(self, *_: object, **__: object) -> Verdict:
        """Return the verdict, whatever the answer is."""
        return self._verdict


def grades(page: Messages, contract: Found, *words: str, **options: Any) -> str:
    """Return what becomes of the findings where the next request says these words, a message each."""
    return all_grades(page, contract, [words], **options)[0]


def all_grades(page: Messages, contract: Found, several: Sequence[Sequence[str]], **options: Any) -> list[str]:
    """Return what becomes of the findings below each of several feedbacks.

    One conversation is faster than many, and none of its retries shows more than the answer before it.
    """
    how = JudgeOptions(**{"must_feed_back": "contract", **options})
    request, exchanges = (_TASK,), list[Exchange]()
    for number, words in enumerate([*several, ()], 1):
        answer = Item(ItemKind.TEXT, Role.ASSISTANT, f'{{"answer": {number}}}')
        exchanges.append(Exchange(number, "openai.chat", request=request, answer=(answer,)))
        request = (_TASK, answer, *(Item(ItemKind.TEXT, Role.USER, one) for one in words))
    (one,) = judge(exchanges, [contract], options=how).conversations
    return [graded(page, attempt.fed_back) for attempt in one.attempts[:-1]]


def said_to(*words: str, answer: str = "{}", then: str = "{}") -> list[Exchange]:
    """Return an answer, and a retry whose request says these words about it, a message each; `then` answers it."""
    first = Item(ItemKind.TEXT, Role.ASSISTANT, answer)
    said = tuple(Item(ItemKind.TEXT, Role.USER, one) for one in words)
    again = Exchange(
        2, "openai.chat", request=(_TASK, first, *said), answer=(Item(ItemKind.TEXT, Role.ASSISTANT, then),)
    )
    return [Exchange(1, "openai.chat", request=(_TASK,), answer=(first,)), again]


def graded(page: Messages, gradings: Sequence[Any]) -> str:
    """Return the places of findings by their grade."""
    labels = _labels([graded.finding for graded in gradings])
    for graded in gradings:
        place, reason = dotted(graded.finding.path) or "(whole answer)", graded.reason or ""
        if reason.endswith(f" {place}"):  # a place of one letter would be found in the words, too
            reason = f"{reason.removesuffix(place)}title"
        page.add("reason", reason, "title", place, graded.finding.actual, *_QUOTES.findall(reason))
    return sorted_out([(graded.label, label) for graded, label in zip(gradings, labels, strict=True)], GRADES)


def _labels(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what each finding is called among the others: its place; its code where several are at one place."""
    places = Counter(finding.path for finding in findings)
    one_place = len({path for path in places if path}) == 1
    for finding in findings:
        place = dotted(finding.path) if finding.path and not (one_place and places[finding.path] > 1) else ""
        code = finding.code if not place or places[finding.path] > 1 else ""
        label = f"{place} {code}".strip()
        yield label if len(label) < NAME else f"{label[: NAME // 2]}… of {len(label)}"


def heard(page: Messages, title: str, contract: Found, texts: Iterable[str], form: str = "{}", **options: Any) -> Block:
    """Return what becomes of the findings below each text."""
    return at_limits(
        page, title, contract, ((text, form.replace("{}", text)) for text in texts), named=False, **options
    )


def at_limits(
    page: Messages,
    title: str,
    contract: Found,
    made: Iterable[tuple[str, str]],
    *,
    named: bool = True,
    **options: Any,
) -> Block:
    """Return what becomes of the findings below texts that have names: "a place of 300"."""
    decided, left = [], list(dict(made).items())
    while left:
        at_once = _AT_ONCE if len(left[0][1]) < _LONG else 1
        some, left = left[:at_once], left[at_once:]
        found = all_grades(page, contract, [(text,) for _, text in some], **options)
        decided += [Decided(name, one, name * named) for (name, _), one in zip(some, found, strict=True)]
    return Block(title, decided)
