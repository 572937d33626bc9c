"""Stock phrases without content: words that only say that something is wrong, in sixty languages."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

# Characters of Chinese and Japanese sentences that only say that something is wrong. Their words have no spaces. Kana
# alone name nothing.
_SIGNS = set("不对错误正确还是再请试一次遍重新回答答案有问题的了抱歉起这个行无效能用检查修改下吧呢啊間違度願直認")
# Vowel and tone signs, which `\w` leaves out, and the joiner within Persian words: हिन्दी, ไม่, می‌شود.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u200c\u200d"
)
_WORD = re.compile(rf"(?:[^\W\d_]|[{_MARKS}])+|\d+")
_UNSPACED = re.compile(r"[\u3400-\u9fff]|[\u3041-\u309f]+")


@cache
def _known() -> frozenset[str]:
    return frozenset(_WORD.findall(" ".join(_words(unspaced=False)).casefold()))


@cache
def _pieces() -> re.Pattern[str]:
    """Return a pattern for the known words of scripts without spaces, the longest first."""
    words = {word for line in _words(unspaced=True) for word in line.split()}
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


def _words(*, unspaced: bool) -> list[str]:
    """Return the words of each language. In the file: "English: again all …" or "Thai, unspaced: ยัง ไม่ …"."""
    text = Path(__file__).with_name("stock_words.txt").read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if not line.startswith("#"))
    return [words for name, _, words in lines if name.endswith("unspaced") is unspaced]


# A whole answer: "the response", "deine Antwort", "回答".
_ANSWER = re.compile(
    r"\b(?:answer|response|reply|output|antwort|respuesta|réponse|resposta|risposta|antwoord|ответ|odpowied[zź])|回答|答案",
    re.IGNORECASE,
)


def names_answer(words: str) -> bool:
    """Return True if a text names the whole answer. This matters only for a finding without a place."""
    return _ANSWER.search(words) is not None


def says_nothing(words: str) -> bool:
    """Return True if a text has words, and all of them only say that something is wrong."""
    found = _WORD.findall(words.casefold())
    return bool(found) and all(word in _known() or _is_unspaced(word) for word in found)


def _is_unspaced(word: str) -> bool:
    """Return True if a run of Thai, Lao, Khmer, Burmese, Chinese or Japanese names no place, value or rule."""
    if word >= "\u0e00" and _pieces().sub("", word) == "":
        return True
    return _UNSPACED.sub("", word) == "" and {sign for sign in word if sign >= "\u3400"} <= _SIGNS
