"""The section of a prompt template that holds feedback and says what to do with it: `## Retry Context`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .prompt_template import VARIABLES, PromptFault, named_variables

_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<words>.*?)[ \t#]*$", re.MULTILINE)
_NAMED = re.compile(r"retry[ \t]+context\b", re.IGNORECASE)
"""What such a heading begins with: "Retry Context", "Retry context (if present)"."""
_VARIABLE = re.compile(rf"\$\{{?(?:{'|'.join(VARIABLES)})\b\}}?")


def lint_retry_context(template: str) -> tuple[PromptFault, ...]:
    """Return what is wrong with a template's section on retries; () where it holds the variables and an instruction.

    The section goes to the next heading. Variables that stand outside it are named, too: on a retry the model would
    meet errors without a word on what they are.
    """
    headings = [*_HEADING.finditer(template)]
    for at, heading in enumerate(headings):
        if _NAMED.match(heading["words"]):
            end = headings[at + 1].start() if at + 1 < len(headings) else len(template)
            line = template.count("\n", 0, heading.start()) + 1
            return tuple(_faults(template[heading.end() : end], template, line))
    message = "no section on retries: got no heading Retry Context; write ## Retry Context above $RETRY_INFO"
    return (PromptFault(message),)


def _faults(section: str, template: str, line: int) -> Iterator[PromptFault]:
    named = named_variables(section)
    for name in VARIABLES:
        if name not in named and name in named_variables(template):
            yield PromptFault(f"${name} stands outside the section Retry Context; move it below the heading", line)
    if not re.search(r"\w{2}", _VARIABLE.sub("", section)):
        yield PromptFault("the section Retry Context gives no instruction; say what to do with the errors", line)
