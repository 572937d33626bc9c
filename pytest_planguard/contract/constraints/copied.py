"""Text that was copied instead of written: from the prompt, an example, or the feedback on an earlier attempt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import walk
from ..phrasing import as_json
from .scene import Scene, Violation

if TYPE_CHECKING:
    from ...document.path import Path

SOURCES = ("prompt", "examples", "feedback")
"""Where a copy may come from, in the order in which they are looked through."""
MIN_WORDS = 4
"""Words from which an equal passage counts as copied; shorter ones coincide by chance."""
_WORD = re.compile(r"\w+")
_SENTENCE_END = re.compile(r"[.!?;\n\u3002\uff01\uff1f]")


def not_copied(scene: Scene) -> Iterator[Violation]:
    """A sentence or a whole item that stands word for word in a source: equal but for case, space and punctuation.

    Judged sentence by sentence, so one copied sentence in a longer text is found. The sources are those of the check's
    context, and `texts` of the constraint, which count as examples. Without any source nothing is a copy. What
    feedback quotes of the model's own answers is the model's own.
    """
    sources = list(_sources(scene))
    if not sources:
        return
    for path, value in _texts(scene):
        origin = _origin(value, sources, scene.params["min_words"])
        if origin is not None:
            message = f"copied from {_ORIGIN[origin]}; got {as_json(value)}"
            yield Violation(path, message, "its own words", as_json(value))


_ORIGIN = {"prompt": "the prompt", "examples": "an example", "feedback": "the feedback"}


def _texts(scene: Scene) -> Iterator[tuple[Path, str]]:
    """Every text at or below a selected value."""
    for path, value in scene.sites:
        for below, leaf in walk(value):
            if isinstance(leaf, str):
                yield path + below, leaf


def _sources(scene: Scene) -> Iterator[tuple[str, str, str]]:
    """Name and words of every source that the constraint looks at, and the model's own words before it."""
    context = scene.context
    texts: dict[str, Iterable[Any]] = {
        "prompt": context.prompt_texts,
        "examples": (*context.example_texts, *scene.params["texts"]),
        "feedback": context.feedback_texts,
    }
    for name in scene.params["sources"]:
        own = context.answer_texts[: len(context.feedback_texts)] if name == "feedback" else ()
        yield from ((name, _spaced(str(t)), _spaced(said)) for t, said in zip_longest(texts[name], own, fillvalue=""))


@lru_cache(maxsize=64)
def _spaced(text: str) -> str:
    """The words of a text in one case, with one space before and after each: " sweep the floor "."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _origin(value: str, sources: list[tuple[str, str, str]], min_words: int) -> str | None:
    """The first source that holds a sentence of the value."""
    for sentence in [value, *_SENTENCE_END.split(value)]:
        words = _WORD.findall(sentence.casefold())
        if len(words) >= min_words:
            wanted = f" {' '.join(words)} "
            found = next((name for name, source, own in sources if wanted in source and wanted not in own), None)
            if found is not None:
                return found
    return None
