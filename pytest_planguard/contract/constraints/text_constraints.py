"""Constraints on text: not empty, length, pattern, required or forbidden words, not copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any, Literal

from ...document.path_pattern import texts_in
from ...document.words import composed, copied_from, source
from ...errors import UsageError
from ..phrasing import as_json, choices, did_you_mean, fold, plural
from .scene import Scene, Violation, each, each_text, wrong

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator

    from ...document.words import CopySource


PatternMode = Literal["search", "fullmatch"]


def matches(pattern: str, text: str, how: PatternMode = "search") -> bool:
    """Return True if the pattern matches somewhere in the text ("search") or all of it ("fullmatch"). Linear time."""
    compiled = compile_pattern(pattern, how)
    try:
        text.encode()
    except UnicodeEncodeError:  # UTF-8 engines refuse a lone surrogate
        text = text.encode("utf-8", "replace").decode()
    return compiled.isinstance_python(text)


@lru_cache(maxsize=512)
def compile_pattern(pattern: str, how: PatternMode = "search") -> SchemaValidator:
    """Return the compiled pattern.

    Raises:
        UsageError: the engine refuses the pattern; the message names the part.
    """
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    # In a group: without it, "yes|no" would match every text that begins with "yes".
    whole = pattern if how == "search" else rf"\A(?:{pattern})\z"
    try:
        return SchemaValidator(core_schema.str_schema(pattern=whole, regex_engine="rust-regex"))
    except SchemaError as exc:
        raise UsageError(_refused(pattern, str(exc))) from exc


def _refused(pattern: str, reason: str) -> str:
    lines = [line.strip() for line in reason.splitlines()]
    cause = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), lines[-1])
    part = _marked(reason)
    where = f" (at {part!r})" if part else ""
    message = f"the pattern {pattern!r} cannot be used: {cause}{where}"
    if "look-around" in cause or "backreference" in cause:
        message += "; such patterns can take exponential time. Use excludes, contains or a custom check instead"
    return message


def _marked(reason: str) -> str | None:
    """Return the part that the engine underlines with carets."""
    lines = reason.splitlines()
    for above, below in pairwise(lines):
        if below.strip() and not below.strip().strip("^"):
            start = below.index("^")
            return above[start : start + below.count("^")]
    return None


@each
def non_empty(value: object, _: Mapping[str, object]) -> Iterator[Violation]:
    """Yield a violation for an empty value. White space alone is empty; 0 and false are not."""
    if value is None or (isinstance(value, str) and not value.strip()):
        yield wrong("some text", value)
    elif isinstance(value, (list, dict)) and not value:
        yield wrong("at least 1 item", value)


@each
def one_of(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a value that is not listed."""
    values, match = params["values"], params["match"]
    if not any(_same(value, allowed, match) for allowed in values):
        expected = choices(values) + _MATCH_WORDS[match]
        yield replace(wrong(expected, value, hint=did_you_mean(value, values)), allowed=tuple(values))


_MATCH_WORDS = {"exact": "", "casefold": " (in any case)", "prefix": " at the start", "contains": " in it"}


def _same(value: object, allowed: object, match: str) -> bool:
    if match == "exact" or not isinstance(value, str) or not isinstance(allowed, str):
        # 1 and 1.0 are the same JSON number, but true is not a number.
        return isinstance(value, bool) is isinstance(allowed, bool) and bool(value == allowed)
    text, wanted = fold(value), fold(allowed)
    if match == "casefold":
        return text == wanted
    # A word boundary must follow: "Gone" does not begin with the word "Go".
    return any(
        not text[at + len(wanted) : at + len(wanted) + 1].isalnum()
        for at in _places(text, wanted)
        if at == 0 or (match == "contains" and not text[at - 1].isalnum())
    )


def _places(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


@each_text
def min_length(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a text with too few code points, not counting outer white space."""
    has = len(text.strip())
    if has < params["chars"]:
        yield wrong(f"at least {plural(params['chars'], 'character')} (has {has})", text)


@each_text
def max_length(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a text with too many code points."""
    if len(text) > params["chars"]:
        yield wrong(f"at most {plural(params['chars'], 'character')} (has {len(text)})", text)


@each_text
def regex(text: str, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a text that does not match the pattern."""
    if not matches(params["pattern"], text, params["match"]):
        yield wrong(f"text matching {params['pattern']}", text)


@each
def contains(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a value that lacks some of the texts."""
    lacking = [wanted for wanted in params["values"] if not _holds(value, wanted, params["ignore_case"])]
    if lacking:
        yield wrong(f"{_all(lacking)} in it", value)


@each
def excludes(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a value that has some of the texts."""
    present = [unwanted for unwanted in params["values"] if _holds(value, unwanted, params["ignore_case"])]
    if present:
        yield wrong(f"no {_all(present)} in it", value)


def _all(values: Sequence[object]) -> str:
    return " and ".join(as_json(value) for value in values)


def _holds(value: object, wanted: object, ignore_case: bool) -> bool:
    """Return True if a text contains the wanted text, or a list the wanted item."""
    if isinstance(value, str) and isinstance(wanted, str):
        text, part = composed(value), composed(wanted)
        return part.casefold() in text.casefold() if ignore_case else part in text
    if isinstance(value, list):
        return any(_same(item, wanted, "casefold" if ignore_case else "exact") for item in value)
    return False


# Text that was copied from the prompt, an example, or the feedback on an earlier attempt.

SourceName = Literal["prompt", "examples", "feedback"]
SOURCES: tuple[SourceName, ...] = ("prompt", "examples", "feedback")
"""Sources of copies, in search order."""
MIN_WORDS = 4
"""Minimum length, in words, of a copied passage. The check `copied` uses one word less, but here a finding costs a
retry, and three words such as "as soon as" often coincide by chance."""
_ORIGIN = {"prompt": "the prompt", "examples": "an example", "feedback": "the feedback"}


def not_copied(scene: Scene) -> Iterator[Violation]:
    """Yield a violation for each sentence or item that is in a source, ignoring case, space and punctuation.

    The check goes sentence by sentence, so it finds one copied sentence in a longer text. The sources are the texts in
    the check's context, and the constraint's `texts`, which count as examples. Without sources there are no violations.
    If feedback quotes the model's earlier answer, the model may repeat it.
    """
    sources = list(_sources(scene))
    if not sources:
        return
    texts = ((path + below, text) for path, value in scene.sites for below, text in texts_in(value))
    for path, value in texts:
        origin = copied_from(value, sources, scene.params["min_words"])
        if origin is not None:
            message = f"copied from {_ORIGIN[origin]}; got {as_json(value)}"
            yield Violation(path, message, "its own words", as_json(value))


def _sources(scene: Scene) -> Iterator[CopySource]:
    """Yield the sources to search. Feedback may quote the model's own earlier answer, so those words are allowed."""
    context = scene.context
    texts: dict[str, Iterable[object]] = {
        "prompt": context.prompt_texts,
        "examples": (*context.example_texts, *scene.params["texts"]),
        "feedback": context.feedback_texts,
    }
    for name in scene.params["sources"]:
        own = context.answer_texts[: len(context.feedback_texts)] if name == "feedback" else ()
        yield from (source(name, str(text), said) for text, said in zip_longest(texts[name], own, fillvalue=""))
