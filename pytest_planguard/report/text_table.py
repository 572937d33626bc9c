"""Plain text tables with columns as wide as their widest cell, and optional colour."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..printable import one_line
from ..retry.outcomes import LABELS
from .escaping import width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..retry.results import Convergence

CELL_LIMIT = 60
"""Maximum number of characters in a cell. Longer cells are clipped."""
CONVERGENCE_HEADER = ("conversation", "contract", "outcome", "attempts", "valid at", "fed back", "tokens")


def render_table(convergences: Sequence[Convergence], *, color: bool = False) -> str:
    """Return one line per conversation.

    The columns: outcome, number of attempts, first valid attempt, feedback grades, tokens.

    Return "" if there is no conversation.
    """
    if not convergences:
        return ""
    header, *lines = columns([CONVERGENCE_HEADER, *map(_row, convergences)], right=frozenset({3, 4, 6})).split("\n")
    style = Style(color)
    painted = [style.good(line) if c.ok else style.bad(line) for line, c in zip(lines, convergences, strict=True)]
    return "\n".join([style.dim(header), *painted])


def columns(
    rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), gap: str = "  ", limit: int = CELL_LIMIT
) -> str:
    """Return rows of equal length as aligned lines.

    `right` holds the indices of right-aligned columns. Cells are clipped to `limit` characters.
    """
    safe = [[one_line(cell, limit) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*safe, strict=True)]
    return "\n".join(gap.join(_pad(c, widths[i], i in right) for i, c in enumerate(row)).rstrip() for row in safe)


def fed_back_grades(convergence: Convergence) -> str:
    """Return how many findings of the conversation got each feedback grade: '2 verbatim, 1 missing'.

    Return '-' if no finding needed feedback.
    """
    counted = Counter(c.label for attempt in convergence.attempts for c in attempt.fed_back)
    return ", ".join(f"{counted[label]} {label}" for label in LABELS if counted[label]) or "-"


def tokens(convergence: Convergence) -> str:
    """Return the total input and output tokens of all attempts; '-' if no attempt has a count."""
    usage = convergence.usage
    known = [n for n in (usage.input_tokens, usage.output_tokens) if n is not None]
    return f"{sum(known):,}" if known else "-"


def _row(convergence: Convergence) -> tuple[str, ...]:
    valid_at = next((str(a.number) for a in convergence.attempts if a.verdict.ok), "-")
    return (
        convergence.conversation,
        convergence.contract,
        convergence.outcome.value,
        f"{len(convergence.attempts)}/{convergence.max_attempts}",
        valid_at,
        fed_back_grades(convergence),
        tokens(convergence),
    )


def _pad(cell: str, size: int, right: bool) -> str:
    blanks = " " * (size - width(cell))
    return blanks + cell if right else cell + blanks


# Optional colour. The text is the same with and without it.

RESET = "\x1b[0m"


class Style(NamedTuple):
    """Paints pieces of text, or leaves them unchanged."""

    color: bool = False

    def bad(self, text: str) -> str:
        """Return text that fails."""
        return self._paint("31", text)

    def good(self, text: str) -> str:
        """Return text that is good."""
        return self._paint("32", text)

    def warn(self, text: str) -> str:
        """Return text that deserves attention."""
        return self._paint("33", text)

    def dim(self, text: str) -> str:
        """Return text for orientation."""
        return self._paint("2", text)

    def strong(self, text: str) -> str:
        """Return text to read first."""
        return self._paint("1", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{RESET}" if self.color and text else text
