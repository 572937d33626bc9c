"""The json style: findings as one JSON object, for models and harnesses that take errors as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ...document.path import Path, to_pointer
from ..finding import Finding
from .correction import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded, fitted
from .entries import MESSAGE_LIMIT, PATH_LIMIT, path_of
from .visible import visible, without_fences

_CODE_LIMIT = 60
_DECODER = json.JSONDecoder()
_START = re.compile(r'^    (?=\{"path": ")', re.MULTILINE)
_LINE_END = 2_000
"""Characters of one problem that are read; none of ours is longer."""


def word_json(correction: Correction) -> Worded:
    """One problem a line, so that a person can read it too; what does not fit is counted in `omitted`."""
    problems = [f"    {_problem(finding)}" for finding in correction.findings]
    frame = len(_object(correction, [], len(problems)))
    shown = fitted(problems, LINE_LIMIT, TEXT_LIMIT - frame - LINE_LIMIT)
    return Worded(_object(correction, problems[:shown], len(problems) - shown), shown)


def _object(correction: Correction, problems: list[str], omitted: int) -> str:
    counts = {"attempt": correction.attempt, "max_attempts": correction.max_attempts}
    head = [f"  {_json(name)}: {_json(value)}," for name, value in counts.items() if value is not None]
    rest = [f'  "omitted": {omitted},'] if omitted else []
    ask = f'  "instruction": {_json(f"Keep everything else. Return the whole corrected {correction.document} only.")}'
    listed = ['  "problems": [', ",\n".join(problems), "  ],"]
    return "\n".join(["{", '  "error": "validation_failed",', *head, *listed, *rest, ask, "}"])


def _problem(finding: Finding) -> str:
    line = {"line": finding.span.line} if finding.span else {}
    message = visible(f"{finding.message} ({finding.hint})" if finding.hint else finding.message, MESSAGE_LIMIT)
    pointer = to_pointer(finding.path)
    shown = pointer if len(pointer) <= PATH_LIMIT else pointer[: PATH_LIMIT - 1] + "…"
    return _json({"path": shown, "code": visible(finding.code, _CODE_LIMIT), **line, "message": message})


def _json(value: object) -> str:
    return without_fences(json.dumps(value))


def parse_problems(text: str) -> Iterator[tuple[Path, str | None, str, int, int]]:
    """Path, code, message, first and last character plus one of every problem of the json style in a text."""
    for start in _START.finditer(text):
        try:
            found, length = _DECODER.raw_decode(text[start.end() : start.end() + _LINE_END])
        except (ValueError, RecursionError):
            continue
        pointer, code, message = (found.get(name) for name in ("path", "code", "message"))
        if isinstance(pointer, str) and isinstance(message, str):
            yield path_of(pointer), code if isinstance(code, str) else None, message, start.end(), start.end() + length


JSON = Style("json", word_json, opening=r'\{\n  "error": "validation_failed",')
