"""Text that was copied instead of written: from the prompt, an example, or the feedback on an earlier attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ...document.copied_text import copied_from, source
from ...document.path_pattern import texts_in
from ..phrasing import as_json
from .scene import Scene, Violation

if TYPE_CHECKING:
    from ...document.copied_text import CopySource
    from ...document.path import Path

SOURCES = ("prompt", "examples", "feedback")
"""Where a copy may come from, in the order in which they are looked through."""
MIN_WORDS = 4
"""Words from which an equal passage counts as copied. One more than the check `copied` takes: a finding costs a retry,
and three words such as "as soon as" coincide by chance in the long texts of prompts."""
_ORIGIN = {"prompt": "the prompt", "examples": "an example", "feedback": "the feedback"}


def not_copied(scene: Scene) -> Iterator[Violation]:
    """Yield sentences and whole items that a source holds word for word: equal but for case, space and punctuation.

    Judged sentence by sentence, so one copied sentence in a longer text is found. The sources are those of the check's
    context, and `texts` of the constraint, which count as examples. Without any source nothing is a copy. What
    feedback quotes of the model's own answers is the model's own.
    """
    sources = list(_sources(scene))
    if not sources:
        return
    for path, value in _texts(scene):
        origin = copied_from(value, sources, scene.params["min_words"])
        if origin is not None:
            message = f"copied from {_ORIGIN[origin]}; got {as_json(value)}"
            yield Violation(path, message, "its own words", as_json(value))


def _texts(scene: Scene) -> Iterator[tuple[Path, str]]:
    """Yield every text at or below a selected value."""
    for path, value in scene.sites:
        yield from ((path + below, text) for below, text in texts_in(value))


def _sources(scene: Scene) -> Iterator[CopySource]:
    """Every source that the constraint looks at; in feedback, what the model itself had said before it is allowed."""
    context = scene.context
    texts: dict[str, Iterable[Any]] = {
        "prompt": context.prompt_texts,
        "examples": (*context.example_texts, *scene.params["texts"]),
        "feedback": context.feedback_texts,
    }
    for name in scene.params["sources"]:
        own = context.answer_texts[: len(context.feedback_texts)] if name == "feedback" else ()
        yield from (source(name, str(text), said) for text, said in zip_longest(texts[name], own, fillvalue=""))
