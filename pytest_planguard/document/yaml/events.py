"""A YAML text as the parser's events, and the parser's errors in plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..limits import clip
from .nodes import YamlFailure, YamlFault

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def yaml_events(text: str) -> Iterator[Any]:
    """Yield the parser's events, in order.

    Raises:
        YamlFailure: the text is no YAML.
    """
    import yaml

    odd = _UNPRINTABLE.search(text)
    if odd:
        message = f"character U+{ord(odd.group()):04X} is not allowed in YAML"
        raise YamlFailure(YamlFault("invalid_yaml", message, odd.start(), odd.end()))
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, loader)
    except yaml.YAMLError as error:
        raise YamlFailure(syntax_fault(text, error)) from None


# Say in plain words why a text is no YAML, from the parser's error. libyaml and PyYAML's own parser word it alike.

_UNFINISHED = ("while scanning a quoted scalar", "while parsing a flow", "while scanning a block scalar")
_COMMON = (
    ("cannot start any token", "a value cannot start with {char}: put it in quotes"),
    ("mapping values are not allowed", "a second colon in an unquoted value: put the value in quotes"),
    ("could not find expected ':'", "a line that is neither a key with a colon nor part of a value"),
    ("did not find expected key", "this does not fit the indentation or the quotes before it"),
    ("expected <block end>", "this does not fit the indentation or the quotes before it"),
    ("did not find expected '-' indicator", "this does not fit the list before it"),
    ("document start", "this stands outside of the document: check brackets and indentation"),
    ("did not find expected ','", "a flow list or mapping goes wrong here: expected a comma or its closing bracket"),
    ("expected ','", "a flow list or mapping goes wrong here: expected a comma or its closing bracket"),
    ("unknown escape", "an unknown escape in a string in double quotes: use single quotes, or write \\\\"),
)


def syntax_fault(text: str, error: Any) -> YamlFault:
    """Return the fault behind a `yaml.YAMLError`. `start` is where the parser stopped."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    problem = str(getattr(error, "problem", None) or "the text cannot be read")
    at = min(mark.index, len(text)) if mark else 0
    context = str(getattr(error, "context", None) or "")
    words = " ".join(part for part in (context, problem) if part)
    if at >= len(text.rstrip()) and _is_cut(text, context, problem):
        return YamlFault("truncated", "the text ends inside the document", at, at, parser_message=words)
    seen = clip(text[at : at + 80]) or None
    return YamlFault("invalid_yaml", _plain_words(text, at, problem), at, at + 1, seen, parser_message=words)


def _is_cut(text: str, context: str, problem: str) -> bool:
    """At the end of the text only an open quote, an open bracket or half a key means that the text was cut."""
    last_line = text.rstrip().replace("\r", "\n").rpartition("\n")[2]
    return context.startswith(_UNFINISHED) or ("expected ':'" in problem and len(last_line.split()) == 1)


def _plain_words(text: str, at: int, problem: str) -> str:
    char = "a tab" if text[at : at + 1] == "\t" else text[at : at + 1]
    if char == "a tab":
        return "a tab in the indentation: YAML is indented with spaces"
    return next((words.format(char=char) for part, words in _COMMON if part in problem), problem)
