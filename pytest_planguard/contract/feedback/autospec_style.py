"""The retry texts of autospec: as it writes them ("autospec"), and as its schema-validation design shows them ("seed").

autospec counts retries (the first is 1/3), the design counts attempts (the first retry is 2/3). autospec's long
instruction block, which explains messages that its validators never write, is not repeated.
"""

from __future__ import annotations

from .command_style import CommandForm, bullet
from .style import Correction, Style, Worded

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
