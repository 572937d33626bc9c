"""Whether two requests say the same but for the answer that each of them quotes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

from .quotations import ANSWER, VALUE, ChangedAnswer, Quotations

_DIGITS = re.compile(r"\d+")
# "2 problems", "1 problem"; "2 errors were found", "1 error was found": the count decides the ending and the verb.
_COUNT = re.compile(r"\d+(\s+[^\W\d_]+?)(?:e?s|en?)?\b(?:\s+(?:is|are|was|were|has|have)\b)?")
_UNSPACED = r"\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff"
"""Thai, Japanese and Chinese: words stand beside each other without a space, so each sign is compared by itself."""
_LETTERS = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W\d_])+")
TOKENS = re.compile(rf"\d+|{_LETTERS.pattern}")
"""Numbers and words, one by one."""


class Difference(StrEnum):
    """How two requests differ, the quoted answers left aside."""

    NONE = "none"
    NUMBERS = "numbers"
    """Only in digits: a position, a length."""
    COUNT = "count"
    """Only in how many errors are told of: "2 problems" and "1 problem"."""
    VALUES = "values"
    """Only in the value that was wrong, quoted by itself: no word says what is wrong with it."""
    WORDS = "words"


def compare(before: Any, now: Any, changed: ChangedAnswer, answer: str, clean: Callable[[str], str]) -> Difference:
    """Compare the body of a request that answers `answer` with one that answers its repaired form.

    Args:
        before: the JSON body of the first request, or its text.
        now: of the second.
        changed: what was changed in the answer.
        answer: the answer as it was, as the contract judged it.
        clean: takes volatile text (ids, timestamps) out of a body's compact JSON text.
    """
    echo = Quotations(changed, answer)
    one, other = (_cleaned(echo.without(body), clean) for body in (before, now))
    if one == other:
        return Difference.NONE
    if _uncounted(one) != _uncounted(other):
        return Difference.WORDS
    return Difference.COUNT if _one_less(one, other) else Difference.NUMBERS


def _uncounted(text: str) -> str:
    """Return the text without its numbers and without the plural that a count brings with it."""
    return _DIGITS.sub("#", _COUNT.sub(r"#\1", text))


def _one_less(one: str, other: str) -> bool:
    """Return whether each number that differs counts something, and counts one less of it in the second text."""
    pairs = zip(_DIGITS.finditer(one), _DIGITS.findall(other), strict=False)
    changed = [(number, now) for number, now in pairs if number[0] != now]
    return bool(changed) and all(
        number[0] == str(int(now) + 1) and _COUNT.match(one, number.start()) for number, now in changed
    )


def left_out(before: Any, now: Any, changed: ChangedAnswer, answer: str, clean: Callable[[str], str]) -> Difference:
    """Return what the first request says that the second leaves out; what the second says beside it does not count.

    With another error in the place of a finding every app says something else. What it said about the finding is gone
    then; an app that had said nothing about it has only added words. The arguments are those of `compare`.
    """
    echo, whole = Quotations(changed, answer), Quotations(changed, answer, values=False)
    one, other = (_words(echo.without(body), clean) for body in (before, now))
    if not _within(_LETTERS.findall(one), _LETTERS.findall(other)):
        return Difference.WORDS
    if not _within(TOKENS.findall(one), TOKENS.findall(other)):
        return Difference.NUMBERS
    quoting, without = (_words(whole.without(body), clean) for body in (before, now))
    return Difference.NONE if _within(TOKENS.findall(quoting), TOKENS.findall(without)) else Difference.VALUES


def _cleaned(body: Any, clean: Callable[[str], str]) -> str:
    """Return a body as compact JSON without volatile text: an id of a call is known by the member that holds it."""
    return clean(json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def _words(body: Any, clean: Callable[[str], str]) -> str:
    """Return the words of a body without volatile text."""
    try:
        return clean(_flat(json.loads(_cleaned(body, clean))))
    except ValueError:  # a normaliser of the user's own may leave no JSON
        return clean(_flat(body))


def _flat(value: Any) -> str:
    """Return the words of a body, in a fixed order, without the marks of what it quotes."""
    if isinstance(value, dict):
        return "\n".join(f"{key} {_flat(value[key])}" for key in sorted(value))
    if isinstance(value, list):
        return "\n".join(map(_flat, value))
    return str(value).replace(ANSWER, " ").replace(VALUE, " ")


def _within(words: list[str], others: list[str]) -> bool:
    """Return whether all these words stand among the others, in their order."""
    left = iter(others)
    return all(word in left for word in words)
