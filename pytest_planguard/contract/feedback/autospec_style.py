"""The retry texts of autospec: as it writes them ("autospec"), and as its schema-validation design shows them ("seed").

autospec counts retries (the first is 1/3), the design counts attempts (the first retry is 2/3). autospec's long
instruction block, which explains messages that its validators never write, is not repeated.
"""

from __future__ import annotations

from .command_style import BULLET_LIMIT, CommandForm, bullet
from .style import TEXT_LIMIT, Correction, Style, Worded, fitted

AUTOSPEC = CommandForm("retries", "\nSchema validation failed:")
SEED = CommandForm(
    "attempts",
    "\n\nPrevious attempt failed schema validation:",
    indent="  ",
    close="Fix these schema errors and regenerate the artifact.",
)


def _style(name: str, form: CommandForm) -> Style:
    def word(correction: Correction) -> Worded:
        attempt = correction.attempt or 1
        errors = [bullet(finding) for finding in correction.findings]
        return form.text(errors, attempt, correction.max_attempts or attempt + 1)

    return Style(name, word, opening=r"RETRY \d+/\d+\n")


AUTOSPEC_STYLE = _style("autospec", AUTOSPEC)
SEED_STYLE = _style("seed", SEED)


def _errors_alone(correction: Correction) -> Worded:
    """Return the errors under one heading: "spec.yaml schema validation failed:", without a count of tries."""
    head = f"{correction.document} schema validation failed:"
    lines = [f"- {bullet(finding)}" for finding in correction.findings]
    shown = fitted(lines, BULLET_LIMIT, TEXT_LIMIT - len(head) - 40)  # 40: "...and 1,234 more errors"
    more = [f"...and {len(lines) - shown} more errors"] if shown < len(lines) else []
    return Worded("\n".join([head, *lines[:shown], *more]), shown)


FORMAT_ERRORS_STYLE = Style("format_errors", _errors_alone, opening=r"[\w. -]{1,80} schema validation failed:\n")

AUTOSPEC_STYLES = (AUTOSPEC_STYLE, SEED_STYLE, FORMAT_ERRORS_STYLE)
