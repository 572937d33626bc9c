"""A hint at definition: a constraint that tests English words fails every good answer in another language.

The rule is a lesson of a real system, which removed its English-only validators after they rejected good answers.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import PlanguardWarning

_PACKAGE = str(Path(__file__).parents[2])
_ESCAPE = re.compile(r"\\[pP]\{[^}]*\}|\\.|\[[^\]]*\]|\(\?P?<\w+>|\(\?[\w-]*[:)]")
_WORD = re.compile(r"[A-Za-z]?[a-z]{3,}")
_VOWEL = re.compile("[aeiouy]", re.IGNORECASE)


def english_words(text: str) -> list[str]:
    """Return the words of a literal or a pattern that look like natural language: four letters or more, one a vowel.

    Escapes, character classes and group names of a pattern do not count, nor do words in capitals alone (T001, TODO).
    """
    return [word for word in _WORD.findall(_ESCAPE.sub(" ", text)) if len(word) > 3 and _VOWEL.search(word)]


def warn_of_english(name: str, field: str, literals: Iterator[Any]) -> None:
    """Warn once, at the line of the user's code that defines the constraint."""
    words = [word for text in literals if isinstance(text, str) for word in english_words(text)]
    if words:
        listed = ", ".join(dict.fromkeys(words[:3]))
        warnings.warn(
            f"the constraint {name} on {field!r} tests English words ({listed}): good answers in another language fail "
            'it. Test structure instead, or state the language with language="en", which ends this warning',
            PlanguardWarning,
            stacklevel=users_level(),
        )


def users_level() -> int:
    """Return the stack level of the first frame outside the package, seen from the caller of this function."""
    level = 1
    frame = sys._getframe(1)  # noqa: SLF001 - the only way before Python 3.12's skip_file_prefixes
    while frame.f_back is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    return level


def _is_ours(filename: str) -> bool:
    # A dataclass's generated __init__ has no file.
    return filename.startswith((_PACKAGE, "<string>"))
