"""Compare the build files: removed lines that ran the gate, and new lines that hide its failure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..gate.weakening import Weakening

FILES = re.compile(
    r"\.github/(workflows|actions)/.+|\.gitlab-ci\.ya?ml|\.pre-commit-config\.yaml|(.+/)?(tox\.ini|noxfile\.py|Makefile)"
)
"""Files that describe builds: ".github/workflows/planguard.yml"."""
_GATE = re.compile(r"planguard|pytest|fail-on|fail_on|contract:|baseline:", re.IGNORECASE)
"""Words in a line that runs the gate: "run: pytest", "fail-on: new,weakened"."""
_SOFTENS = re.compile(r"continue-on-error|allow_failure|\|\| *(true|:)|\bexit 0\b|^\s*(- )?if: *(false|\$\{\{ *false)")
"""Words that keep a failure from counting: "continue-on-error: true", "pytest || true"."""


def workflow_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Weakening]:
    """Yield the weakenings in build files that run the gate. The texts of both trees are given by path.

    A build that runs the candidate's own files can leave out the gate altogether. Then this check doesn't run either.
    """
    for path, old in before.items():
        if _GATE.search(old) is None:
            continue
        now = _lines(after.get(path, ""))
        was = _lines(old)
        gone = [line for line in was if line not in now and _GATE.search(line)]
        softer = [line for line in now if line not in was and _SOFTENS.search(line)]
        if gone:
            yield Weakening(path, "build", f"lacks a line of the gate: {gone[0]}")
        if softer:
            yield Weakening(path, "build", f"has a line that ignores failures: {softer[0]}")


def _lines(text: str) -> list[str]:
    """Return the lines that are neither blank nor a comment."""
    return [line.strip() for line in text.split("\n") if line.strip() and not line.strip().startswith("#")]
