"""Before comparing requests, rewrite text that differs in every run without meaning, with named normalisers.

Each normaliser is a pure function of a text. It gets the whole request as compact JSON, so that equal ids are replaced
in the same way everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...registry import Registry


@dataclass(frozen=True, slots=True)
class Normaliser:
    """A named function that rewrites volatile text."""

    name: str
    apply: Callable[[str], str]
    """Takes a text and returns the rewritten text. Must be idempotent."""


# 8-4-4-4-12 hexadecimal digits, but not as part of a longer sequence, which is a digest.
_UUID = re.compile(r"(?<![0-9a-fA-F-])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![0-9a-fA-F-])")
# Call ids of any form, found by the member that holds them: "tool_call_id":"1".
_CALL_FIELD = re.compile(r'"(?:tool_call_id|call_id|tool_use_id)":"((?:[^"\\]|\\.){1,200})"')
# Call ids anywhere, found by the provider's prefix: "call_9aB…" (OpenAI), "toolu_01…" (Anthropic), "tooluse_…"
# (Bedrock), "chatcmpl-tool-…" (vLLM), "pyd_ai_…" (pydantic-ai). At least ten characters must follow, so that "call_me"
# does not match.
_CALL_SHAPE = re.compile(
    r'"((?:call|toolu|toolu_bdrk|toolu_vrtx|tooluse|chatcmpl-tool|pyd_ai|fc|ctc|rs|msg)[_-][A-Za-z0-9_-]{10,120})"'
)
# Rename only whole JSON strings. If an id is in a sentence, the app wrote it.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.){1,200}"')
# "2026-11-22T14:47:41.123Z", "2026-11-22 14:47". A date without a time does not match, because it is often the subject
# of a prompt.
_TIMESTAMP = re.compile(
    r"(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?![\d:])", re.ASCII
)
# "https://errors.pydantic.dev/2.11/v/missing" in validation errors: the version changes with every upgrade of pydantic.
_PYDANTIC_URL = re.compile(r"errors\.pydantic\.dev/[0-9][0-9A-Za-z.]{0,20}/")
# "<function check at 0x7f3a…>": a repr that got into a prompt by mistake.
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{4,16}\b")
# "/tmp/pytest-of-me/pytest-12/test_a0/plan.md": the folders of `tmp_path` are numbered anew in each run, also below
# "popen-gw1" of pytest-xdist and with the backslashes of Windows in JSON.
_PYTEST_FOLDER = re.compile(r"pytest-of-[^/\\\s\"]{1,100}[/\\]{1,2}pytest-\d{1,9}(?:[/\\]{1,2}popen-gw\d{1,4})?")
_BEFORE_PATH = frozenset(" \\\"'`<>()[]=,;")
"""Characters before a path in JSON. The letter of an escape, as in "files:\\\\n/tmp/…", is not part of it either."""
_LONGEST_ROOT = 300
"""Maximum number of characters of a path before "pytest-of-": "/private/var/folders/ab/…/T/"."""


def _numbered(pattern: re.Pattern[str], name: str) -> Callable[[str], str]:
    def apply(text: str) -> str:
        names: dict[str, str] = {}
        return pattern.sub(lambda m: names.setdefault(m[0].lower(), f"<{name} {len(names) + 1}>"), text)

    return apply


def _call_ids(text: str) -> str:
    found = sorted((m.start(1), m[1]) for pattern in (_CALL_FIELD, _CALL_SHAPE) for m in pattern.finditer(text))
    names: dict[str, str] = {}
    for _, value in found:
        names.setdefault(value, f"<call {len(names) + 1}>")  # as JSON writes it, like the texts below
    if not names:
        return text
    return _QUOTED.sub(lambda m: f'"{names[m[0][1:-1]]}"' if m[0][1:-1] in names else m[0], text)


def _pytest_folders(text: str) -> str:
    """Replace each temporary folder of pytest, from the root of its path on: machines have it in different places."""
    out, at = [], 0
    for found in _PYTEST_FOLDER.finditer(text):
        start, least = found.start(), max(at, found.start() - _LONGEST_ROOT)
        while start > least and text[start - 1] not in _BEFORE_PATH:
            start -= 1
        root = text.find("/", start, found.start())
        start = found.start() if root < 0 else root
        out += [text[at:start], "<pytest folder>"]
        at = found.end()
    return "".join([*out, text[at:]]) if out else text


_BUILT_IN = (
    Normaliser("call_id", _call_ids),
    Normaliser("uuid", _numbered(_UUID, "uuid")),
    Normaliser("timestamp", lambda text: _TIMESTAMP.sub("<timestamp>", text)),
    Normaliser("pydantic_url", lambda text: _PYDANTIC_URL.sub("errors.pydantic.dev/<version>/", text)),
    Normaliser("address", lambda text: _ADDRESS.sub("at <address>", text)),
    Normaliser("pytest_folder", _pytest_folders),
)
"""On by default: tool-call ids and UUIDs (renamed by order of appearance, so that equal ids stay equal), ISO 8601
timestamps with a time of day, versions in pydantic's documentation URLs, addresses in Python reprs, and pytest's
temporary folders."""
NORMALISERS = Registry("normaliser", {normaliser.name: normaliser for normaliser in _BUILT_IN})


def normalise(text: str, normalisers: Iterable[Normaliser] = NORMALISERS) -> str:
    """Apply the normalisers in order."""
    for normaliser in normalisers:
        text = normaliser.apply(text)
    return text
