"""The built-in feedback styles and the table of styles by name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from ...document.path import Path, to_pointer
from ...registry import Registry
from ..finding import Finding
from .command_style import COMMAND_STYLES
from .entry_lines import MESSAGE_LIMIT, PATH_LIMIT, entry, path_of, visible, without_fences
from .style import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Worded, fitted

_MORE = 40
"""Characters kept free for "…and 1,234 more problems."."""
FAILED_BEFORE = "## Previous Attempt Failed"
"""How a text about an earlier answer begins that is put behind a prompt, also where a later step rejected it."""
DIFFERENT = "Generate a different output that avoids this failure mode."


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands around the lines of a style, at most `LINE_LIMIT` of them, one a finding."""

    name: str
    head: str
    """With `{who}`, "Attempt 1 of 3", and `{problems}`, "2 problems"."""
    foot: str
    """With `{document}`, "JSON object"."""
    opening: str
    numbered: bool = True
    """Whether lines begin with "1. ", not with "- "."""
    noun: str = "problem"

    def word(self, correction: Correction) -> Worded:
        of = "" if correction.max_attempts is None else f" of {correction.max_attempts}"
        who = "The answer" if correction.attempt is None else f"Attempt {correction.attempt}{of}"
        head = self.head.format(who=who, problems=correction.problems)
        foot = self.foot.format(document=correction.document)
        starts = (f"{number}. " if self.numbered else "- " for number in count(1))
        lines = [f"{start}{entry(finding)}" for start, finding in zip(starts, correction.findings, strict=False)]
        shown = fitted(lines, LINE_LIMIT, TEXT_LIMIT - len(head) - len(foot) - _MORE)
        more = len(lines) - shown
        rest = [f"…and {more} more {self.noun}{'s' if more > 1 else ''}."] if more else []
        return Worded("\n".join([head, *lines[:shown], *rest, foot]), shown)


# Each says that a program speaks, and never a class name, URL or traceback. Form and order follow what is known to
# help: see the feedback guide in the documentation. "revise" and "amendment" are worded as the designs of a plan loop
# and of a plan search have it; "tool_result" speaks of the call, into whose result the placement dialogue puts it.
_FRAMES = (
    _Frame(
        "default",
        "{who} failed validation (automated check, not the user). {problems}:",
        "Keep everything else as it is. Return the whole corrected {document} only.",
        r"(?:Attempt \d+(?: of \d+)?|The answer) failed validation \(automated",
    ),
    _Frame(
        "revise",
        "The plan validator found structural issues:",
        "Revise the plan to address these issues.",
        "The plan validator found structural issues:",
        numbered=False,
        noun="issue",
    ),
    _Frame(
        "amendment",
        f"{FAILED_BEFORE}\n\nThe answer was rejected by its validation: {{problems}}:",
        f"\n{DIFFERENT}",
        rf"{FAILED_BEFORE}\n\nThe answer was rejected by its validation",
        numbered=False,
    ),
    _Frame(
        "tool_result",
        "The call was not run: its arguments failed validation. {problems}:",
        "Call the tool again with all arguments, corrected.",
        "The call was not run: its arguments failed validation",
    ),
)


# The compact style: under 200 tokens, names field and model, for small models and tight prompts.

TOKEN_LIMIT = 200
"""Tokens that the text stays under. Four characters or one word count as a token, whichever gives more: an estimate
from above for English."""
_SHOWN_TOKENS = TOKEN_LIMIT - 16
"""Tokens that the lines stay under: "…and 1,234 more" needs some too."""


def word_compact(correction: Correction) -> Worded:
    """Two fixed lines around as many findings as fit; each has the field's path, the rule, and the model's name."""
    head = "Your previous answer failed validation:"
    foot = f"Return the complete corrected {correction.document}."
    lines = [f"- {entry(finding, owner=True)}" for finding in correction.findings]
    shown = fitted(lines, len(lines), 4 * _SHOWN_TOKENS - len(f"{head} {foot} "))
    while shown > 0 and len(" ".join([head, *lines[:shown], foot]).split()) >= _SHOWN_TOKENS:
        shown -= 1
    more = len(lines) - shown
    return Worded("\n".join([head, *lines[:shown], *([f"…and {more} more"] if more else []), foot]), shown)


COMPACT = Style("compact", word_compact, opening="Your previous answer failed validation:")


# The json style: findings as one JSON object, for models and harnesses that take errors as data.

# Characters of a code: one's own may be of any length.
_CODE_LIMIT = 60
_DECODER = json.JSONDecoder()
# The beginning of a problem in our own JSON, which has each on a line of its own.
_START = re.compile(r'^    (?=\{"path": ")', re.MULTILINE)
_LINE_END = 2_000
"""Characters of one problem that are read; none of ours is longer."""


def word_json(correction: Correction) -> Worded:
    """Return one problem a line, so that a person can read it too; what does not fit is counted in `omitted`."""
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


# No feedback at all: the control against which feedback proves its worth.
BLIND = Style("blind", lambda _: Worded("", 0))
_DEFAULT, *_DESIGNED = [Style(frame.name, frame.word, frame.opening) for frame in _FRAMES]
_COMMAND, *_AUTOSPEC = COMMAND_STYLES
_BUILT_IN = (_DEFAULT, COMPACT, _COMMAND, *_DESIGNED, JSON, *_AUTOSPEC, BLIND)
STYLES = Registry("feedback style", {style.name: style for style in _BUILT_IN})


def register_style(style: Style) -> None:
    """Add a feedback style for the whole process.

    Raises:
        UsageError: another style of that name exists.
    """
    STYLES.register(style.name, style)
