"""The command style, for command-line agents, and autospec's similar retry texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...document.path import Path, to_dotted
from ...document.path_pattern import parse_path
from ...errors import UsageError
from ..finding import Finding
from .entry_lines import PATH_LIMIT, safe_line
from .style import TEXT_LIMIT, Correction, Counting, Style, Worded, fitted

BULLET_LIMIT = 10
"""Maximum number of errors to list. The rest are counted: "...and 3 more errors"."""
# Maximum characters of a value in a bullet. Rules may have twice as many, messages four times.
_VALUE_LIMIT = 60
_JSON_TYPES = {
    "a list": "array",
    "an object": "object",
    "a string": "string",
    "an integer": "integer",
    "a number": "number",
    "true or false": "boolean",
}
_STARTS = {'"': "string", "[": "array", "{": "object", "t": "boolean", "f": "boolean", "n": "null"}
# A path as `to_dotted` spells it: `tasks[0].id`, `years["2024"]`, "(whole answer)".
_DOTTED = r"""((?:[\w.-]|\[\d+\]|\["(?:[^"\\]|\\.)*"\])+|\(whole answer\))"""
# "missing required field 'title'"; a finding without special wording shows its code: "'a': must be odd [odd]".
_BULLETS = (
    ("missing", re.compile(rf"missing required field '{_DOTTED}'")),
    ("enum", re.compile(rf"invalid enum value '{_DOTTED}=")),
    ("type", re.compile(rf"wrong type for '{_DOTTED}' \(")),
    (None, re.compile(rf"'{_DOTTED}': .*? \[([A-Za-z][\w.:-]{{0,59}})\]$")),
)
# "- line 8: missing required field 'title'", indented in some forms.
_BULLET = re.compile(r"^[ ]{0,2}- (?:line \d+: )?(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CommandForm:
    """The fixed words of a command-style retry."""

    counting: Counting
    """"attempts": the second try is RETRY 2/3; "retries": it is RETRY 1/3 if 3 retries are allowed."""
    intro: str
    indent: str = ""
    close: str = ""

    def text(self, errors: Sequence[str], attempt: int, max_attempts: int) -> Worded:
        """Return the retry text for errors, after `attempt` (1-based) of `max_attempts` failed."""
        head = f"RETRY {self.count(attempt, max_attempts)}{self.intro}"
        return _bulleted(head, errors, self.indent, f"\n\n{self.close}" if self.close else "")

    def count(self, attempt: int, max_attempts: int) -> str:
        """Return the number of the next try, or of the retry: '2/3'."""
        return f"{attempt + 1}/{max_attempts}" if self.counting == "attempts" else f"{attempt}/{max_attempts - 1}"

    def without(self, text: str) -> str | None:
        """Return a prompt without this form's leading block; keep a slash command before it. None without one."""
        start = re.match(rf"(?:(/\S+) )?RETRY \d+/\d+{re.escape(self.intro)}\n", text)
        if start is None:
            return None
        marker = f"\n\n{self.close}"
        at = text.find(marker, start.end())
        end = len(text) if at < 0 else at + (len(marker) if self.close else 0)
        own = text[end:].removeprefix("\n\n")
        return own if start[1] is None else f"{start[1]} {own}".rstrip()


def _bulleted(head: str, errors: Sequence[str], indent: str = "", close: str = "") -> Worded:
    lines = [f"{indent}- {error}" for error in errors]
    shown = fitted(lines, BULLET_LIMIT, TEXT_LIMIT - len(head) - len(close) - 40)  # 40: "...and 1,234 more errors"
    more = [f"{indent}...and {len(lines) - shown} more errors"] if shown < len(lines) else []
    return Worded("\n".join([head, *lines[:shown], *more]) + close, shown)


COMMAND = CommandForm(
    "attempts",
    "\nThe last answer failed validation (automated check):",
    close="Fix these errors and keep everything else.",
)
# The retry texts of autospec: as it writes them ("autospec"), and as its schema-validation design shows them ("seed").
# autospec counts retries (the first is 1/3), the design counts attempts (the first retry is 2/3). autospec's long
# instruction block, which explains messages that its validators never write, is left out.
AUTOSPEC = CommandForm("retries", "\nSchema validation failed:")
SEED = CommandForm(
    "attempts",
    "\n\nPrevious attempt failed schema validation:",
    indent="  ",
    close="Fix these schema errors and regenerate the artifact.",
)


def bullet(finding: Finding) -> str:
    """Return "line 8: invalid enum value 'status=pending' (expected: Draft|Review)", which contains path and code."""
    line = f"line {finding.span.line}: " if finding.span else ""
    return line + _worded(finding, safe_line(to_dotted(finding.path), PATH_LIMIT))


def _worded(finding: Finding, where: str) -> str:
    if finding.code == "missing":
        return f"missing required field '{where}'"
    if finding.code == "enum" and finding.allowed and finding.actual is not None:
        allowed = safe_line("|".join(str(value) for value in finding.allowed), 2 * _VALUE_LIMIT)
        return f"invalid enum value '{where}={_bare(finding.actual)}' (expected: {allowed})"
    if finding.code == "type" and finding.expected is not None and finding.actual:
        expected = _JSON_TYPES.get(finding.expected, finding.expected)
        named = finding.actual in _JSON_TYPES.values()  # schemas of artifacts name the type, others show the value
        got = finding.actual if named else _STARTS.get(finding.actual[0], "number")
        return f"wrong type for '{where}' (expected: {safe_line(expected, 2 * _VALUE_LIMIT)}, got: {got})"
    return f"'{where}': {safe_line(finding.message, 4 * _VALUE_LIMIT)} [{finding.code}]"


def _bare(actual: str) -> str:
    """Return the value without its quotes."""
    try:
        value = json.loads(actual)
    except ValueError:
        value = actual.strip('"')
    return safe_line(value if isinstance(value, str) else actual, _VALUE_LIMIT)


def parse_bullets(text: str) -> list[tuple[Path, str | None, str]]:
    """Return the path, code and message of every command-style bullet in a text."""
    return [found for line in _BULLET.finditer(text) for found in _parsed(line[1])]


def _parsed(error: str) -> Iterator[tuple[Path, str | None, str]]:
    for code, wording in _BULLETS if "'" in error else ():
        found = wording.match(error)
        path = _path_in(found[1]) if found else None
        if found and path is not None:
            yield path, code or found[2], error
            return


def _path_in(spelling: str) -> Path | None:
    """Return the path in a bullet; None for `a..b`, which an app wrote and `to_dotted` never does."""
    try:
        steps = parse_path(spelling).steps
    except UsageError:
        return None
    return tuple(step for step in steps if isinstance(step, (str, int)))


def _style(name: str, form: CommandForm) -> Style:
    """Return a style whose header has a count. If the caller does not count, use default numbers."""

    def word(correction: Correction) -> Worded:
        attempt = correction.attempt or 1
        return form.text([*map(bullet, correction.findings)], attempt, correction.max_attempts or attempt + 1)

    return Style(name, word, opening=r"RETRY \d+/\d+\n")


def _errors_alone(correction: Correction) -> Worded:
    """Return the errors below a heading without a count: "spec.yaml schema validation failed:"."""
    return _bulleted(f"{correction.document} schema validation failed:", [*map(bullet, correction.findings)])


COMMAND_STYLES = (
    *(_style(name, form) for name, form in (("command", COMMAND), ("autospec", AUTOSPEC), ("seed", SEED))),
    Style("format_errors", _errors_alone, opening=r"[\w. -]{1,80} schema validation failed:\n"),
)
