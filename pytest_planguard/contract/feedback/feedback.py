"""The feedback of a retry: findings as text, of bounded length and deterministic, in one of the styles by name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from ...document.path import Path, to_pointer
from ...registry import Registry
from ..failure_kinds import Phase
from ..finding import Finding
from ..own_checks import fed_back
from ..phrasing import clip
from ..verdict import Verdict
from .command_style import COMMAND_STYLES
from .entry_lines import MESSAGE_LIMIT, PATH_LIMIT, entry, path_of, safe_line, without_fences
from .style import LINE_LIMIT, TEXT_LIMIT, Correction, Style, Template, Worded, fill, fitted


@dataclass(frozen=True, slots=True)
class Feedback:
    """The text of a retry, and the findings that it contains."""

    text: str
    """At most 2,000 characters; "" if nothing is wrong or the style writes nothing."""
    findings: tuple[Finding, ...]
    """The findings in the text, in the same order."""
    omitted: int
    """Bad findings that are not in the text, because of its limit or because they belong to a later phase."""

    @property
    def digest(self) -> str:
        """12 hex digits: a digest of the findings' codes and paths. The same problems give the same digest."""
        import hashlib  # loads OpenSSL

        parts = sorted(f"{item.code}\0{item.path!r}" for item in self.findings)
        return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:12]


def build_feedback(
    verdict: Verdict | Iterable[Finding],
    *,
    attempt: int | None = None,
    max_attempts: int | None = None,
    style: str = "default",
    template: Template | None = None,
) -> Feedback:
    """Return the feedback on one answer, as `validation_feedback` words it, with the findings that it contains."""
    found = verdict.findings if isinstance(verdict, Verdict) else tuple(verdict)
    bad = fed_back(found)
    said = [item for item in bad if item.kind.phase is Phase.PARSE] or bad
    correction = Correction(tuple(said), attempt, max_attempts, _document(verdict))
    worded = Worded("", 0)
    if said:
        named = STYLES.lookup(style)
        worded = named.word(correction) if template is None else fill(template, correction, named)
    shown = tuple(said[: worded.shown])
    return Feedback(worded.text, shown, len(bad) - len(shown))


def validation_feedback(
    verdict: Verdict | Iterable[Finding],
    *,
    attempt: int | None = None,
    max_attempts: int | None = None,
    style: str = "default",
    template: Template | None = None,
) -> str:
    """Return the feedback to send for a verdict, at most 2,000 characters; "" if there is nothing to feed back.

    For apps that run their own loop. If there are syntax problems, only those are fed back, because fields that seem
    missing may be in the broken part. Findings of severity info and warn are never fed back.

    Args:
        verdict: the verdict, or only findings.
        attempt: the 1-based number of the attempt that failed.
        max_attempts: the total number of attempts allowed, including the first.
        style: "default", "compact", "command", "revise", "amendment", "tool_result", "json", "autospec", "seed",
            "format_errors" or "blind".
        template: your own template around the style's lines, or a callable that writes the whole text.

    Raises:
        UsageError: an unknown style, or a template with an unknown field.
    """
    return build_feedback(verdict, attempt=attempt, max_attempts=max_attempts, style=style, template=template).text


def _document(verdict: Verdict | Iterable[Finding]) -> str:
    """Return the name of the document that the model must return."""
    if not isinstance(verdict, Verdict):
        return "JSON document"
    if verdict.format == "json" and isinstance(verdict.data, dict):
        return "JSON object"
    return {"json": "JSON document", "yaml": "YAML document"}.get(verdict.format, "Markdown document")


# The built-in feedback styles.


_MORE = 40
"""Number of characters to reserve for "…and 1,234 more problems."."""
FAILED_BEFORE = "## Previous Attempt Failed"
"""The heading of feedback after a prompt, and of feedback on an answer that a later step rejected."""
DIFFERENT = "Generate a different output that avoids this failure mode."


@dataclass(frozen=True, slots=True)
class _Frame:
    """The text around a style's lines. There is one line for each finding, at most `LINE_LIMIT`."""

    name: str
    head: str
    """May contain `{who}`, "Attempt 1 of 3", and `{problems}`, "2 problems"."""
    foot: str
    """May contain `{document}`, "JSON object"."""
    opening: str
    numbered: bool = True
    """True for lines that begin with "1. " instead of "- "."""
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


# Each says that a program speaks, and never shows a class name, URL or traceback. The feedback guide in the
# documentation explains their form and order. "revise" and "amendment" use the wording of a plan loop and of a plan
# search; "tool_result" speaks of the call, because the placement dialogue puts it into the call's result.
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


# The compact style has under 200 tokens and names field and model, for small models and tight prompts.

TOKEN_LIMIT = 200
"""The text stays below this number of tokens. Four characters or one word count as a token, whichever gives more: an
upper estimate for English."""
_SHOWN_TOKENS = TOKEN_LIMIT - 16
"""Number of tokens for the lines, which leaves room for "…and 1,234 more"."""


def word_compact(correction: Correction) -> Worded:
    """Write two fixed lines around as many findings as fit, each with the field's path, the rule and the model."""
    head = "Your previous answer failed validation:"
    foot = f"Return the complete corrected {correction.document}."
    lines = [f"- {entry(finding, owner=True)}" for finding in correction.findings]
    shown = fitted(lines, len(lines), 4 * _SHOWN_TOKENS - len(f"{head} {foot} "))
    while shown > 0 and len(" ".join([head, *lines[:shown], foot]).split()) >= _SHOWN_TOKENS:
        shown -= 1
    more = len(lines) - shown
    return Worded("\n".join([head, *lines[:shown], *([f"…and {more} more"] if more else []), foot]), shown)


COMPACT = Style("compact", word_compact, opening="Your previous answer failed validation:")


# The json style writes findings as one JSON object, for models and harnesses that take errors as data.

# Longest code that is shown: users may choose longer ones.
_CODE_LIMIT = 60
_DECODER = json.JSONDecoder()
# The start of a problem in this JSON, which has one problem on each line.
_START = re.compile(r'^    (?=\{"path": ")', re.MULTILINE)
_LINE_END = 2_000
"""Maximum number of characters of one problem to read; the json style writes shorter ones."""


def word_json(correction: Correction) -> Worded:
    """Write one problem on each line, so that people can read it too; `omitted` counts the rest."""
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
    message = safe_line(f"{finding.message} ({finding.hint})" if finding.hint else finding.message, MESSAGE_LIMIT)
    pointer = clip(to_pointer(finding.path), PATH_LIMIT)
    return _json({"path": pointer, "code": safe_line(finding.code, _CODE_LIMIT), **line, "message": message})


def _json(value: object) -> str:
    return without_fences(json.dumps(value))


def parse_problems(text: str) -> Iterator[tuple[Path, str | None, str, int, int]]:
    """Yield path, code, message, start and end offset of every problem in a text of the json style."""
    for start in _START.finditer(text):
        try:
            found, length = _DECODER.raw_decode(text[start.end() : start.end() + _LINE_END])
        except (ValueError, RecursionError):
            continue
        pointer, code, message = (found.get(name) for name in ("path", "code", "message"))
        if isinstance(pointer, str) and isinstance(message, str):
            yield path_of(pointer), code if isinstance(code, str) else None, message, start.end(), start.end() + length


JSON = Style("json", word_json, opening=r'\{\n  "error": "validation_failed",')


# No feedback: the control group that shows if feedback helps.
BLIND = Style("blind", lambda _: Worded("", 0))
_DEFAULT, *_DESIGNED = [Style(frame.name, frame.word, frame.opening) for frame in _FRAMES]
_COMMAND, *_AUTOSPEC = COMMAND_STYLES
_BUILT_IN = (_DEFAULT, COMPACT, _COMMAND, *_DESIGNED, JSON, *_AUTOSPEC, BLIND)
STYLES = Registry("feedback style", {style.name: style for style in _BUILT_IN})
