"""Words of many languages: the stems that name a rule, and amounts in digits and in words (up to twelve)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

READ_LIMIT = 2_000
"""Maximum number of characters of a message to read, since a rule is named early and longer texts are data."""
_Sense = TypeVar("_Sense")


def remembered(read: Callable[[str], _Sense]) -> Callable[[str], _Sense]:
    """Return a reader of the first `READ_LIMIT` characters of a text that remembers its last results."""
    kept = lru_cache(maxsize=4_096)(read)
    return lambda words: kept(words[:READ_LIMIT])


def stems(kind: str) -> tuple[str, ...]:
    """Return the words of a kind in `languages.txt`, a pattern for each language: "more" -> "größer|höher", …."""
    return tuple(words for name, words in _stems() if name == kind)


@cache
def _stems() -> list[tuple[str, str]]:
    text = Path(__file__).with_name("languages.txt").read_text(encoding="utf-8")
    # The first column is the language.
    rows = (line.split("  ")[1:] for line in text.splitlines() if not line.startswith("#"))
    return [(name, words) for row in rows for name, _, words in (one.partition("=") for one in row)]


# Amounts. Nearly every language uses the same digits: "`nights` не может быть меньше 1" does not fit 90 nights of at
# most 28.

# A separate number, also with separated thousands ("1,000", "1 000"), a decimal comma ("2,5") or both ("1,250.50").
# It is not part of a path ("rooms[1]", "/rooms/1"), a word ("E17"), a version, a time or a date, and not a JSON key
# ('{"1": '). A character of another script may touch it ("最小30个").
_NUMBER = (
    r"(?<![A-Za-z0-9_/#\[-])(?<!\d[:,.])(?<![A-Za-z_\])}]\.)[-\u2212+]?"
    r"(?:\d{1,3}(?:(?:,\d{3})+\.|(?:\.\d{3})+,|(?:[\u202f\u00a0' ]\d{3})+[.,])\d{1,9}(?![.,]\d)"
    r"|\d{1,3}(?:[,.\u202f\u00a0' ]\d{3})+(?!\d|[.,]\d)|\d{1,15}(?:[.,]\d{1,9})?)"
    r"(?![A-Za-z0-9_\]/-]|[.,:]\d|[\"']\s*:)"
)
# Separators of thousands and decimals: "1,234.5", "1.234,5", "1 234".
_PARTS = re.compile(r"[,.\u202f\u00a0' ]")
# An amount, unless words show that it is a position or a code ("line 4", "item 2", "status 400"), or counts the errors
# of a heading: "2 validation errors for Menu", "and 1 more error".
_AMOUNT = re.compile(
    r"\b(?:line|column|col|char(?:acter)?|position|offset|index|row|item|entry|element|step|attempt|status|code|rule|nr|no"
    rf"|zeile|spalte|eintrag|punkt|ligne|línea|fila)[\s:.#(]{{1,3}}{_NUMBER}"
    rf"|{_NUMBER} (?:\w+ )?(?:errors?|problems?|issues?|findings?|fehler|erreurs?|errores?)\b|(?P<amount>{_NUMBER})",
    re.IGNORECASE,
)
# From two upwards, since one is an article in most languages. Turkish ten and Spanish eleven are left out: in English,
# "on" and "once" are not numbers.
_SPELLED = (
    "two|zwei|deux|dos|due|dois|duas|twee|два|две|dwa|dwie|två|два|两|二|iki|dua",
    "three|drei|trois|tres|tre|três|drie|три|trzy|三|üç|tiga",
    "four|vier|quatre|cuatro|quattro|quatro|четыре|cztery|fyra|四|dört|empat",
    "five|fünf|cinq|cinco|cinque|vijf|пять|pięć|fem|五|beş|lima",
    "six|sechs|seis|sei|zes|шесть|sześć|sex|六|altı|enam",
    "seven|sieben|sept|siete|sette|sete|zeven|семь|siedem|sju|七|yedi|tujuh",
    "eight|acht|huit|ocho|otto|oito|восемь|osiem|åtta|八|sekiz|delapan",
    "nine|neun|neuf|nueve|nove|negen|девять|dziewięć|nio|九|dokuz|sembilan",
    "ten|zehn|dix|diez|dieci|dez|tien|десять|dziesięć|tio|十|sepuluh",
    "eleven|elf|onze|undici|одиннадцать|jedenaście|elva|十一|on bir|sebelas",
    "twelve|zwölf|douze|doce|dodici|doze|twaalf|двенадцать|dwanaście|tolv|十二|on iki|dua belas",
)


_BY_WORD = {word: float(number) for number, words in enumerate(_SPELLED, 2) for word in words.split("|")}
# Chinese words have no space around them: "至少两个".
_LETTERS = re.compile(r"[至最][少多]|(?<=[至最][少多])(?:十[一二]|\w)|[^\W\d_]+?(?=[至最][少多]|[\W\d_]|\Z)")


@remembered
def amounts_in(words: str) -> frozenset[float]:
    """Return the numbers in digits that words use as amounts: 1 and -2 in "not less than 1 (now -2)"."""
    found = (number["amount"] for number in _AMOUNT.finditer(words))
    return frozenset(amount for digits in found if digits for amount in _read(digits))


@remembered
def spelled_in(words: str) -> frozenset[float]:
    """Return the numbers that words spell out: 2 and 12 in "at least two, at most twelve"."""
    letters = _LETTERS.findall(words.lower())
    pairs = map(" ".join, pairwise(letters))  # "on iki"
    return frozenset(_BY_WORD[word] for word in (*letters, *pairs) if word in _BY_WORD)


@lru_cache(maxsize=1_024)
def _read(digits: str) -> set[float]:
    """Return the values that digits may have: 1000 and 1 for "1.000"; 12, 345 and 12345 for "12 345".

    Of two different separators, the last one is a decimal point: 1250.5 for "1,250.50".
    """
    digits = digits.replace("\u2212", "-")
    parts = _PARTS.split(digits)
    apart = {float(part) for part in parts} if " " in digits else set()
    *_, point = ("", *_PARTS.findall(digits))
    if point in (",", ".") and {*_PARTS.findall(digits)} != {point}:
        each = map(_read, digits.split(" ")) if " " in digits else ()
        return {float(f"{''.join(parts[:-1])}.{parts[-1]}")}.union(*each)
    if all(len(part) == 3 for part in parts[1:]):
        decimal = {float(digits)} if len(parts) == 2 and "." in digits else set()
        return {float("".join(parts)), *apart, *decimal}
    return {float(digits.replace(",", "."))}
